"""Databases with today's tables and nothing in them, made once in a process of the tests, then copied.

Of all that a new house does when it opens, its tables take longest.
"""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

from service import migrations
from service.db import Database
from tests.chance import unique

_made: list[tuple[str, str]] = []
"""The servers of PostgreSQL on which there is a template, and its name."""


def migrate(url: str) -> None:
    """Bring a database up to today's tables."""
    database = Database(url)
    migrations.upgrade(database.engine)
    database.dispose()


def connected(server: str) -> psycopg.Connection[Any]:
    """Connect to a server of PostgreSQL, without transactions. Raises psycopg's `OperationalError`."""
    return psycopg.connect(f"{server}/postgres", autocommit=True, connect_timeout=5)


def copy_to_file(file: Path) -> None:
    """Make an SQLite file with the tables."""
    shutil.copy(_file(), file)


def copy_to_server(server: str, name: str) -> None:
    """Make a database with the tables on a server of PostgreSQL."""
    _ask(server, f'CREATE DATABASE "{name}" TEMPLATE "{_template(server)}"')


def empty_on_server(server: str, name: str) -> None:
    """Make a database without tables on a server of PostgreSQL."""
    _ask(server, f'CREATE DATABASE "{name}"')


def drop(server: str, name: str) -> None:
    """Drop a database if it is there, whoever uses it."""
    _ask(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def forget() -> None:
    """Drop the databases that are copied, once no test needs them any more."""
    while _made:
        drop(*_made.pop())
    if _file.cache_info().currsize:
        shutil.rmtree(_file().parent)


@cache
def _file() -> Path:
    file = Path(tempfile.mkdtemp(prefix="cloche-tables-")) / "house.sqlite3"
    migrate(f"sqlite:///{file}")
    return file


@cache
def _template(server: str) -> str:
    name = f"cloche_test_{unique()}"
    _made.append((server, name))
    empty_on_server(server, name)
    migrate(f"{server}/{name}")
    return name


def _ask(server: str, statement: str) -> None:
    with connected(server) as connection:
        connection.execute(statement)
