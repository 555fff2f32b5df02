"""The way from any older database to today's tables, by Alembic.

`upgrade(engine)` brings a database up to date, `cloche serve` calls it first.
`python -m service.migrations "Add games"` drafts the next revision from the
difference between the migrations and the models, to be read before it is kept.
"""

from __future__ import annotations

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

from service.db import Database

_LOCK = 0x436C6F6368650001
"""PostgreSQL's advisory lock while migrating, so that two processes that start together take turns."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def head() -> str | None:
    """The newest revision."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def known(revision: str) -> bool:
    """Whether a revision is one of ours, from which there is a way to today's tables."""
    return any(
        script.revision == revision for script in ScriptDirectory.from_config(_config()).walk_revisions()
    )


def current(engine: Engine) -> str | None:
    """The revision of a database; None for an empty one."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring a database forward to `revision` in one transaction; does nothing where it is there already."""
    _migrate(engine, lambda config: command.upgrade(config, revision))


def downgrade(engine: Engine, revision: str) -> None:
    """Bring a database back to `revision` in one transaction; what the newer tables held is lost."""
    _migrate(engine, lambda config: command.downgrade(config, revision))


def _migrate(engine: Engine, run: Callable[[Config], None]) -> None:
    writer = engine.execution_options(cloche_write=True)
    with writer.connect() as connection, _ready(connection), connection.begin():
        config = _config()
        config.attributes["connection"] = connection
        run(config)
        if connection.dialect.name == "sqlite":
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise RuntimeError(f"the migration would leave dangling rows: {tuple(broken)}")


@contextmanager
def _ready(connection: Connection) -> Iterator[None]:
    """PostgreSQL: one migrates, the others wait. SQLite: foreign keys off, since altering copies a table."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
        connection.commit()
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})
            connection.commit()
        return
    cursor = connection.connection.cursor()  # below SQLAlchemy: a pragma counts only outside of a transaction
    cursor.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()


def draft(message: str) -> None:
    """Write the next revision: what the models have and the migrations do not."""
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/draft.sqlite3")
        upgrade(database.engine)
        with database.engine.begin() as connection:
            config = _config()
            config.attributes["connection"] = connection
            known = len(list(ScriptDirectory.from_config(config).walk_revisions()))
            command.revision(config, message, autogenerate=True, rev_id=f"{known + 1:04}")
        database.dispose()
