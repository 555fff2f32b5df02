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

from service.config import UNLIMITED, Settings
from service.operations import tokens, webhooks
from service.runtime import Runtime
from tests import tables
from tests.chance import unique
from tests.service.provider_kit import KEY, Provider, providing
from tests.service.registered_kit import RegisteredOnce, registered
from tests.service.service_kit import SERVER, Guest, Server, app_of, give_coins, open_house
from tests.service.webhook_kit import LOCAL, Receiver, receiving
from tests.waiting import PATIENCE

NOW = 1_790_000_000_000
"""When the tests begin, by the clocks of their houses."""


def settings_in(data: Path, database: str) -> Settings:
    """Settings for tests: quick passwords, no rate limits, and no gifts, since most tests count boosters."""
    return Settings(
        database=database,
        data=data,
        broker=f"memory://{unique()}",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
        welcome_boosters=0,
        **UNLIMITED,
    )


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
    tables.copy_to_file(path)
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
    return settings_in(tmp_path / "var", url)


@pytest.fixture
def clock() -> list[int]:
    """The house's time in milliseconds, as a list of one that a test may change."""
    return [NOW]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which pauses go, in seconds since 1970, as a list of one that a test may change."""
    found = [1_790_000_000.0]
    monkeypatch.setattr(time, "time", lambda: found[0])
    return found


@pytest.fixture
def kept_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known tokens are not looked for again after some seconds, which a slow test may last."""
    monkeypatch.setattr(tokens, "RELOOK", 86_400.0)


@pytest.fixture
def house(settings: Settings, clock: list[int]) -> Iterator[Runtime]:
    """A house with today's tables and nobody in it."""
    house = open_house(settings, clock)
    yield house
    house.close()


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
    return lambda handle, starter="trattoria": registered(app, handle, starter)


@pytest.fixture(scope="session")
def registered_once(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> RegisteredOnce:
    """Houses in which Ann and bob are registered already."""
    folder = tmp_path_factory.mktemp("registered")
    return RegisteredOnce(migrated_file, folder, settings_in(folder, ""), NOW)


@pytest.fixture
def seat_once(kind: str, app: Flask, house: Runtime, request: pytest.FixtureRequest) -> Callable[..., Guest]:
    """As `seat`, for players of many tests: on SQLite they are registered once for all of these."""
    if kind != "sqlite":
        return lambda handle, starter: registered(app, handle, starter)
    once: RegisteredOnce = request.getfixturevalue("registered_once")
    return lambda handle, starter: once.register(app, house, handle, starter)


@pytest.fixture
def ann(seat_once: Callable[..., Guest]) -> Guest:
    """A player."""
    return seat_once("Ann", "trattoria")


@pytest.fixture
def bob(seat_once: Callable[..., Guest]) -> Guest:
    """Another."""
    return seat_once("bob", "night-market")


@pytest.fixture
def four(house: Runtime, seat: Callable[..., Guest]) -> dict[str, Guest]:
    """Four players with 100 coins each; in the order of their names they enter."""
    guests = {name: seat(name) for name in ("ada", "ben", "cat", "dan")}
    for guest in guests.values():
        give_coins(house, guest.id, 100)
    return guests


@pytest.fixture
def director(house: Runtime, seat: Callable[..., Guest]) -> Guest:
    """A director with 50 coins."""
    guest = seat("director")
    give_coins(house, guest.id, 50)
    return guest


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that webhooks may lead to."""
    with receiving() as found:
        yield found


@pytest.fixture
def near(house: Runtime, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    """The house, with webhooks on this machine allowed and time for a busy machine."""
    monkeypatch.setattr(webhooks, "SECONDS", PATIENCE)
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
    configured = replace(house.settings, picture_url=provider.url, picture_key=KEY)
    object.__setattr__(house, "settings", configured)
    sent: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        type(house.publisher), "send", lambda _, task, *args: sent.append((task, *args)) or True
    )
    return sent
