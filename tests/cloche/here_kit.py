"""A house in the process of its tests, and `cloche` as its players run it: no socket, no process.

The application, its database in a file and the threads of its worker are those of `cloche serve`. Requests
reach the application by WSGI instead of a network.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import structlog
from click.testing import CliRunner, Result

from cards.catalog.cards import Catalog
from client.transport import Transport
from client.wire import HttpWire
from cloche.main import main
from player.vault_format import LOWEST_COST
from service.runtime import Runtime, now_ms
from tests.client.guests import PASSPHRASE, Guest
from tests.service.service_kit import app_of, house_in
from worker.app import Worker
from worker.work import work_of

URL = "http://127.0.0.1:1"
"""The address of every house here. Nobody listens there, so a request over the network finds no house."""
Newcomer = Callable[[], Guest]
"""The fixture `newcomer`: registers a player of the house `here`."""
THREADS = 2
STOP = 10.0


@dataclass(frozen=True)
class House:
    """A house in this process."""

    runtime: Runtime
    url: str = URL
    transport: Transport | None = field(init=False)
    """Carries requests to it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "transport", HttpWire(httpx.WSGITransport(app=app_of(self.runtime))))

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, migrated_file: Path, catalog: Catalog | None = None) -> Iterator[House]:
        """A house in `folder`, with other cards than the base set if they are given. Closes it at the end."""
        runtime = replace(house_in(folder, migrated_file, []), clock=now_ms)
        house = cls(runtime if catalog is None else replace(runtime, catalog=catalog))
        with quietly():
            yield house
        runtime.close()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Run a worker too: rounds are resolved, clocks kept, and the house's bots move."""
        worker = Worker(self.runtime, work_of(self.runtime), THREADS)
        worker.start()
        try:
            yield
        finally:
            assert worker.stop(STOP), "the worker ends"

    def run(
        self,
        *arguments: str,
        home: Path,
        environment: Mapping[str, str | None] | None = None,
        columns: int = 100,
        **how: Any,
    ) -> Result:
        """Run `cloche ARGUMENTS` for the player with files in `home`; returns what it prints and how it
        ends.
        """
        given = {**player_environment(home), "COLUMNS": str(columns), **(environment or {})}
        return invoke(arguments, given, obj=self.transport, **how)


def player_environment(home: Path) -> dict[str, str]:
    """The CLOCHE_ variables of a player with their files in `home`."""
    return {
        "CLOCHE_HOME": str(home),
        "CLOCHE_PASSPHRASE": PASSPHRASE,
        "CLOCHE_VAULT_COST": str(LOWEST_COST),
    }


def invoke(arguments: tuple[str, ...], environment: Mapping[str, str | None], **how: Any) -> Result:
    """Run `cloche`; fails the test for an exception that a user would see as a traceback."""
    result = CliRunner().invoke(main, arguments, env=environment, **how)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def run_admin(house: Runtime, *arguments: str, code: int = 0) -> str:
    """Return what `cloche admin ARGUMENTS` prints at a house. The command must end with this code."""
    environment = {
        "CLOCHE_DATABASE": house.settings.database,
        "CLOCHE_DATA": str(house.settings.data),
        "COLUMNS": "160",
    }
    with quietly():
        done = invoke(("admin", *arguments), environment)
    assert done.exit_code == code, done.output
    return str(done.output)


@contextmanager
def quietly() -> Iterator[None]:
    """Keep the log of a house here out of what commands print. If a test fails, pytest shows it."""
    before = structlog.get_config()
    structlog.configure(logger_factory=lambda *_: logging.getLogger("cloche"))
    try:
        yield
    finally:
        structlog.configure(**before)
