"""Commands at a house without the base set: they go by the sets that are there."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import make_server

from client.vault import LOWEST_COST
from cloche.main import main
from service.app import create_app
from service.house import House
from tests.cards.other_sets import other_sets

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)

Run = Callable[..., Result]


@contextmanager
def at(house: House, home: Path) -> Iterator[Run]:
    """`run("boosters", "buy")` as somebody at a house in this process."""
    server = make_server("127.0.0.1", 0, create_app(house=house), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def invoke(*arguments: str) -> Result:
        given = {
            "CLOCHE_HOME": str(home),
            "CLOCHE_PASSPHRASE": "correct horse battery staple",
            "CLOCHE_VAULT_COST": str(LOWEST_COST),
            "CLOCHE_HOUSE": f"http://127.0.0.1:{server.port}",
        }
        result = CliRunner().invoke(main, arguments, env=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    try:
        yield invoke
    finally:
        server.shutdown()
        thread.join()


def test_one_registers_where_there_is_no_starter_deck(house: House, tmp_path: Path) -> None:
    bare = replace(house, catalog=other_sets(tmp_path, whole=False))
    with at(bare, tmp_path / "home") as run:
        refused = run("register", "ada", "--starter", "trattoria")
        assert (refused.exit_code, "[unknown_starter]" in refused.output) == (1, True), refused.output
        registered = run("register", "ada")
        assert registered.exit_code == 0, registered.output
        assert re.search(r"You are registered at http://127.0.0.1:\d+\.\n", registered.output)
        assert "[no_boosters]" in run("boosters", "buy").output
        assert "[no_deck]" in run("tables", "open", "chef").output


def test_boosters_are_of_the_set_that_is_there(house: House, tmp_path: Path) -> None:
    whole = replace(house, catalog=other_sets(tmp_path, whole=True))
    with at(whole, tmp_path / "home") as run:
        registered = run("register", "ada")
        assert "with Other Start" in registered.output, registered.output
        assert "[too_few_coins]" in run("boosters", "buy").output
        assert "[no_boosters]" in run("boosters", "buy", "PB").output
