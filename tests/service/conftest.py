"""A house on a throw-away database: SQLite always, PostgreSQL where one is reachable (and always in CI)."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from crypto.identity import new_private_key
from service.config import UNLIMITED, Settings
from service.operations import webhooks
from service.runtime import Runtime
from tests.chance import unique
from tests.service.provider_kit import KEY, Provider, providing
from tests.service.service_kit import PASSWORD, SERVER, Guest, Server, app_of, migrate, registration
from tests.service.webhook_kit import LOCAL, Receiver, receiving
from worker.bots import by_mode


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """The PostgreSQL server of the tests; where there is none they are skipped, and in CI they fail."""
    try:
        server = Server()
    except psycopg.OperationalError as error:
        if os.environ.get("CI"):
            pytest.fail(f"no PostgreSQL at {SERVER}: {error}")
        pytest.skip(f"no PostgreSQL at {SERVER}")
    yield server
    server.close()


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with today's tables, to be copied."""
    path = tmp_path_factory.mktemp("template") / "house.sqlite3"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of database. A test that uses it runs once on each."""
    return str(request.param)


@pytest.fixture
def empty_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables."""
    if kind == "sqlite":
        return f"sqlite:///{tmp_path}/empty.sqlite3"
    server: Server = request.getfixturevalue("postgresql")
    return server.empty()


@pytest.fixture
def settings(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings for tests: a database of their own, quick passwords, no rate limits."""
    if kind == "sqlite":
        path = tmp_path / "house.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_file"), path)
        url = f"sqlite:///{path}"
    else:
        server: Server = request.getfixturevalue("postgresql")
        url = server.migrated()
    return Settings(
        database=url,
        data=tmp_path / "var",
        broker=f"memory://{unique()}",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
        welcome_boosters=0,  # most tests count boosters; those of the welcome set this
        **UNLIMITED,
    )


@pytest.fixture
def clock() -> list[int]:
    """The house's time in milliseconds, as a list of one that a test may change."""
    return [1_790_000_000_000]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which pauses go, in seconds since 1970, as a list of one that a test may change."""
    found = [1_790_000_000.0]
    monkeypatch.setattr(time, "time", lambda: found[0])
    return found


@pytest.fixture
def house(settings: Settings, clock: list[int]) -> Iterator[Runtime]:
    """A house with today's tables and nobody in it."""
    opened = replace(Runtime.open(settings, by_mode()), clock=lambda: clock[0])
    yield opened
    opened.close()


@pytest.fixture
def app(house: Runtime) -> Flask:
    """Its application."""
    return app_of(house)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Somebody who is not signed in."""
    return app.test_client()


@pytest.fixture
def seat(app: Flask) -> Callable[..., Guest]:
    """`seat("ann")` registers somebody and signs them in."""

    def register(handle: str, starter: str = "trattoria") -> Guest:
        guest = Guest(app.test_client(), handle, new_private_key())
        made = guest.post("/players", registration(guest, handle, guest.private, starter))
        assert made.status_code == 201, made.json
        guest.id = made.json["id"]
        issued = guest.post("/tokens", {"handle": handle, "password": PASSWORD})
        assert issued.status_code == 201, issued.json
        guest.token = issued.json["token"]
        guest.headers = {"Authorization": f"Bearer {guest.token}"}
        return guest

    return register


@pytest.fixture
def ann(seat: Callable[..., Guest]) -> Guest:
    """A player."""
    return seat("Ann")


@pytest.fixture
def bob(seat: Callable[..., Guest]) -> Guest:
    """Another."""
    return seat("bob", "night-market")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that webhooks may lead to."""
    with receiving() as found:
        yield found


@pytest.fixture
def near(house: Runtime, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    """The house, with webhooks on this machine allowed and little patience."""
    monkeypatch.setattr(webhooks, "SECONDS", 0.6)
    object.__setattr__(house, "settings", replace(house.settings, webhook_networks=LOCAL))
    return house


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider of images on this machine."""
    with providing() as made:
        yield made


@pytest.fixture
def woken(house: Runtime, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The house has this provider; what its workers are woken for."""
    configured = replace(house.settings, picture_url=provider.url, picture_key=KEY, picture_seconds=1)
    object.__setattr__(house, "settings", configured)
    sent: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        type(house.publisher), "send", lambda _, task, *args: sent.append((task, *args)) or True
    )
    return sent
