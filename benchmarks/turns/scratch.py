"""Databases of PostgreSQL that a measurement makes and drops again."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

SERVER = "postgresql://postgres@127.0.0.1:5432"
"""The address of the server, unless CLOCHE_TEST_POSTGRESQL names another."""


class NoServer(RuntimeError):
    """There is no PostgreSQL here, or no driver for it."""


def server() -> str:
    """Return the URL of the server, without a database."""
    return os.environ.get("CLOCHE_TEST_POSTGRESQL", SERVER)


@contextmanager
def databases(count: int, at: str | None = None) -> Iterator[list[str]]:
    """Make so many empty databases, and drop them at the end; yields their URLs. Raises `NoServer`.

    `at` is the URL of the server, without a database; None for the usual one.
    """
    at = (at or server()).rstrip("/")
    try:
        import psycopg
    except ImportError:
        raise NoServer("The driver psycopg is not installed.") from None
    from psycopg import sql

    try:
        admin = psycopg.connect(f"{at}/postgres", autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as fault:
        raise NoServer(f"No PostgreSQL answers at {at}: {fault}".strip()) from None
    urls = []
    with admin, ExitStack() as made:
        for _ in range(count):
            name = f"cloche_load_{secrets.token_hex(6)}"
            admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            made.callback(admin.execute, drop)  # what was not made here may be another's
            urls.append(f"{at}/{name}")
        yield urls
