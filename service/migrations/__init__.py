"""Migrations of a database from any older revision to today's tables, by Alembic.

`upgrade(engine)` brings a database up to date; `cloche serve` calls it first. `python -m service.migrations
"Add games"` drafts the next revision from the difference between the migrations and the models. Read and
correct a draft before you commit it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from service.db import Database

_LOCK = 0x436C6F6368650001
"""The advisory lock for migrations in PostgreSQL, so that processes that start together take turns."""


_LOCK_MS = 500
"""Milliseconds for which a migration waits for a table in PostgreSQL. Others who want the table wait behind
it, so it soon lets them through and tries again. The server looks for deadlocks after a second. The migration
gives up earlier, so a deadlock ends its try and no request.
"""
_BUSY = ("55P03", "40P01")
"""PostgreSQL's SQLSTATE for a lock that did not come in time, and for a deadlock."""
PATIENCE = 120.0
"""Seconds for which a migration tries again while others use the tables."""


class TablesInUse(RuntimeError):
    """Another transaction used a table for too long; nothing was changed."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def head() -> str | None:
    """The newest revision."""
    return ScriptDirectory.from_config(_config()).get_current_head()


@cache
def known(revision: str) -> bool:
    """Tell whether this version knows the revision, and can upgrade its tables to today's."""
    return any(
        script.revision == revision for script in ScriptDirectory.from_config(_config()).walk_revisions()
    )


def current(engine: Engine) -> str | None:
    """The revision of a database; None for an empty one."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Upgrade a database to `revision` in one transaction. Does nothing if it is there already."""
    _migrate(engine, lambda config: command.upgrade(config, revision))


def downgrade(engine: Engine, revision: str) -> None:
    """Bring a database back to `revision` in one transaction. The content of the newer tables is lost."""
    _migrate(engine, lambda config: command.downgrade(config, revision))


def _migrate(engine: Engine, run: Callable[[Config], None]) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return _migrate_once(engine, run)
        except OperationalError as fault:
            if getattr(fault.orig, "sqlstate", None) not in _BUSY:
                raise
            if time.monotonic() > deadline:
                raise TablesInUse(
                    "The tables can't be brought up to date: a transaction, perhaps of a backup, has used one"
                    f" of them for {PATIENCE:g} seconds. Nothing was changed. Start again after its end."
                ) from None
        time.sleep(_LOCK_MS / 1000)


def _migrate_once(engine: Engine, run: Callable[[Config], None]) -> None:
    writer = engine.execution_options(cloche_write=True)
    with writer.connect() as connection, _ready(connection), connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_LOCK_MS}")
        config = _config()
        config.attributes["connection"] = connection
        run(config)
        if connection.dialect.name == "sqlite":
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise RuntimeError(f"the migration would leave dangling rows: {tuple(broken)}")


@contextmanager
def _ready(connection: Connection) -> Iterator[None]:
    """Let one process migrate at a time in PostgreSQL; switch foreign keys off meanwhile in SQLite.

    Alembic changes a table of SQLite by copying it, which foreign keys would prevent.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
        connection.commit()
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})
            connection.commit()
        return
    cursor = (
        connection.connection.cursor()
    )  # the driver's own: this pragma has no effect inside a transaction
    cursor.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()


def draft(message: str) -> None:
    """Write the next revision: the difference between the models and the migrations."""
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/draft.sqlite3")
        upgrade(database.engine)
        with database.engine.begin() as connection:
            config = _config()
            config.attributes["connection"] = connection
            known = len(list(ScriptDirectory.from_config(config).walk_revisions()))
            command.revision(config, message, autogenerate=True, rev_id=f"{known + 1:04}")
        database.dispose()
