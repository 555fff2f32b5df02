"""Helpers of the service's tests: a PostgreSQL server to make databases on, guests who are signed in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Dialect, event
from werkzeug.test import TestResponse

from crypto.encoding import b64, unb64
from crypto.identity import public_key
from referee.sign_in import write_answer, write_registration
from service.app import create_app
from service.config import UNLIMITED, Settings
from service.operations import ledger
from service.runtime import Runtime
from tests import tables
from tests.chance import unique
from worker.bots import by_mode

SERVER = os.environ.get("CLOCHE_TEST_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432")
PASSWORD = "correct horse"
API = "/api/v1"

ON_SQLITE_FIRST = pytest.mark.parametrize(
    "kind",
    ["sqlite", pytest.param("postgresql", marks=[pytest.mark.servers, pytest.mark.long])],
    indirect=True,
)
"""A mark for long tests that use the database as others do that run on both: PostgreSQL only at length."""


class Server:
    """A PostgreSQL server with a database of our own, for a test at a time; dropped at the end.

    It is emptied between tests: making and dropping one for each test takes seconds. No test takes the
    power from the server, so nothing waits here until what is committed is on its disk.
    """

    def __init__(self) -> None:
        self._server = tables.connected(SERVER)
        self._name = f"cloche_test_{unique()}"
        self._url = f"{SERVER}/{self._name}"
        tables.empty_on_server(SERVER, self._name)
        self._server.execute(f'ALTER DATABASE "{self._name}" SET synchronous_commit = off')
        self._migrated = False

    def empty(self) -> str:
        """The URL of the database without tables."""
        with self._alone() as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        self._migrated = False
        return self._url

    def migrated(self) -> str:
        """The URL of the database with today's tables and nothing in them."""
        if not self._migrated:
            self.empty()
            tables.migrate(self._url)
            self._migrated = True
        with self._alone() as connection:
            query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            filled = [name for (name,) in connection.execute(query) if name != "alembic_version"]
            # Truncating makes new files for every table, however empty; deleting meets triggers and keys
            # that are there to keep what is entered, and a replica has neither.
            connection.execute("SET session_replication_role = replica")
            connection.execute("; ".join(f'DELETE FROM "{name}"' for name in filled))
        return self._url

    @contextmanager
    def _alone(self) -> Iterator[psycopg.Connection[Any]]:
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        self._server.execute(query, [self._name])
        with psycopg.connect(self._url, autocommit=True) as connection:
            yield connection

    def close(self) -> None:
        """Drop the database."""
        tables.drop(SERVER, self._name)
        self._server.close()


@cache
def _alike(kind: type[Dialect]) -> type[Dialect]:
    """A kind of dialect whose instances are all equal: what was compiled for one serves the others."""
    names = {
        "supports_statement_cache": True,
        "__eq__": lambda one, other: type(one) is type(other),
        "__hash__": lambda one: hash(type(one)),
    }
    return type(kind.__name__, (kind,), names)


_COMPILED: dict[Any, Any] = {}
"""The statements that were compiled, for any house."""


def open_house(settings: Settings, clock: list[int]) -> Runtime:
    """A house with bots, whose time is that of the clock.

    A house of the tests lives for one test, so it uses the statements that others compiled. No test takes the
    power from SQLite, so no commit waits until it is on the disk.
    """
    house = replace(Runtime.open(settings, by_mode()), clock=lambda: clock[0])
    database = house.database
    dialect = database.engine.dialect
    dialect.__class__ = _alike(type(dialect))
    for engine in (database.engine, database._writing):
        engine.update_execution_options(compiled_cache=_COMPILED)
    if database.is_sqlite:
        event.listen(
            database.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF")
        )
    return house


_BUILT: dict[int, Flask] = {}
"""The applications of a house without rate limits, by the limit of a body."""


def app_of(house: Runtime) -> Flask:
    """A house's application, with which nothing is done but to serve.

    Building one takes longer than most tests. Where no limits are counted an application keeps nothing of
    its house but the house, so all are copies of one.
    """
    settings = house.settings
    if (
        settings.proxies
        or settings.cors_origins
        or any(getattr(settings, name) != nothing for name, nothing in UNLIMITED.items())
    ):
        return create_app(house=house)
    if settings.body_limit not in _BUILT:
        _BUILT[settings.body_limit] = create_app(house=house)
    app = copy(_BUILT[settings.body_limit])
    app.config = copy(app.config)
    app.extensions = {**app.extensions, "cloche": house}
    return app


@dataclass
class Guest:
    """Somebody who is signed in, and the private key that is theirs."""

    client: FlaskClient
    handle: str
    private: bytes
    id: str = ""
    token: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """The answer to a request; a header's name is written with _ for -."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.open(API + path, method=method, json=body, headers={**self.headers, **more})

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> TestResponse:
        return self.request("POST", path, body, **headers)

    def put(self, path: str, body: Any, **headers: str) -> TestResponse:
        return self.request("PUT", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> TestResponse:
        return self.request("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> TestResponse:
        return self.request("DELETE", path, **headers)

    def edit(self, method: str, path: str, body: Any = None) -> TestResponse:
        """A request that changes what is there, seen just now."""
        tag = self.get(path.partition("/revisions/")[0]).headers.get("ETag", "*")
        return self.request(method, path, body, If_Match=tag)


def registration(
    asker: Guest | FlaskClient, handle: str, private: bytes, starter: str = "trattoria"
) -> dict[str, Any]:
    """The body of a registration at the house that somebody asks."""
    client = asker.client if isinstance(asker, Guest) else asker
    house_key = unb64(client.get(f"{API}/house").json["house_key"], 32)
    proof = write_registration(private, house_key, handle)
    key = b64(public_key(private))
    return {"handle": handle, "password": PASSWORD, "key": key, "proof": proof, "starter": starter}


def challenge(client: FlaskClient, handle: str, purpose: str = "sign-in") -> dict[str, Any]:
    """A new challenge."""
    answer = client.post(f"{API}/tokens/challenge", json={"handle": handle, "purpose": purpose})
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def answered(guest: Guest, purpose: str = "sign-in", handle: str | None = None) -> dict[str, Any]:
    """A right answer of a guest to a new challenge."""
    name = handle or guest.handle
    given = challenge(guest.client, name, purpose)
    house_key, text = unb64(given["house"], 32), unb64(given["challenge"], 56)
    return write_answer(guest.private, house_key, name, purpose, text)


def codes(response: TestResponse) -> list[tuple[str, str | None]]:
    """The faults of a problem document: (code, pointer or parameter)."""
    document: Any = response.json
    return [(e["code"], e.get("pointer", e.get("parameter"))) for e in document.get("errors", [])]


def house_in(folder: Path, migrated_file: Path, clock: list[int]) -> Runtime:
    """A house in a folder of its own on a copy of an SQLite file with today's tables: for a whole module."""
    shutil.copy(migrated_file, folder / "house.sqlite3")
    settings = Settings(
        database=f"sqlite:///{folder}/house.sqlite3",
        data=folder,
        broker=f"memory://{unique()}",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
        **UNLIMITED,
    )
    return open_house(settings, clock)


def give_coins(house: Runtime, player_id: str, coins: int) -> None:
    """Coins out of the mint, as a reward gives them."""
    with house.write() as session:
        minted = ledger.Transfer(ledger.MINT, player_id, coins=coins)
        ledger.post(session, "reward", [minted], house.now())
