"""Restore a house from a backup, with its keys and its own formats, to a place where there is no house.

A backup shows one moment, and the players may have gone on since. If a game went on from that moment, the
house would deal from links that everybody has seen. A player who has seen a meal opened could seal another
one against it. So restoring stops the games that ran, without a result, unless it is certain that nothing has
happened since. For the same reason every chain for boosters is retired: a player who has opened a booster
since knows its next link, and could choose the nonce accordingly. And copies that may have left as
tokens since are neither played nor given until the chain shows which of them did.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from service import backup, keys, migrations
from service.backup import BackupError, Manifest, Progress
from service.config import Settings
from service.db import Database
from service.operations.boosters import retire_chains
from service.operations.outside import mark_restored, pantry
from service.operations.upkeep import stop_running
from service.runtime import now_ms


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome of a restoration."""

    manifest: Manifest
    stopped: int
    """The number of running games that were stopped."""
    kept_keys: bool
    """True if a key file with all of the backup's keys was there already, and was kept."""


def restore(settings: Settings, folder: Path, *, same_moment: bool, progress: Progress) -> Restored:
    """Restore the backup in `folder` as the house of `settings`, whose place must be empty.

    With `same_moment` running games go on; otherwise they are stopped. Raises `BackupError`. The keys are
    written last. No house opens without them, so a house that was restored in part can't deal.
    """
    manifest = backup.read(folder, progress)
    _require_known(manifest)
    url = make_url(settings.database)
    if url.get_backend_name() != manifest.database:
        raise BackupError(f"The backup is of {manifest.database}, but CLOCHE_DATABASE is {url.drivername}.")
    has_pantry = pantry(settings) is not None
    kept = _keys_there(settings.data, folder)
    try:
        formats = _formats_to_write(settings.own_formats, folder, manifest)
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        if manifest.database == "sqlite":
            stopped = _restore_sqlite(Path(url.database or ""), folder, same_moment, has_pantry)
        else:
            stopped = _restore_postgresql(url, settings.database, folder, same_moment, has_pantry)
        for source in formats:
            settings.own_formats.mkdir(exist_ok=True, mode=0o700)
            backup.copy_private(source, settings.own_formats / source.name)
        for name in backup.KEY_FILES:
            if (folder / name).exists() and not (settings.data / name).exists():
                keys.write_private(settings.data / name, (folder / name).read_text())
    except OSError as fault:
        raise BackupError(f"{fault.filename or settings.data}: {fault.strerror}.") from None
    except (sqlite3.Error, SQLAlchemyError) as fault:
        raise BackupError(f"{str(getattr(fault, 'orig', None) or fault).strip()}.") from None
    return Restored(manifest, stopped, kept)


def _require_known(manifest: Manifest) -> None:
    if not migrations.known(manifest.revision):
        raise BackupError(
            f"The backup was made by Cloche {manifest.version}, whose tables ({manifest.revision}) this"
            " version does not know: restore it with that version or a newer one."
        )


def _keys_there(data: Path, folder: Path) -> bool:
    """Tell whether keys are there already that may stay: they include all of the backup's keys."""
    if not (data / keys.FILE).exists():
        return False
    try:
        there, ours = keys.read(data / keys.FILE), keys.read(folder / keys.FILE)
    except keys.KeysError as fault:
        raise BackupError(f"{fault}.") from None
    if {item.public for item in ours.generations} <= {item.public for item in there.generations}:
        return True
    raise BackupError(
        f"{data / keys.FILE} belongs to another house, or lacks keys of the backup: move it away first."
    )


def _formats_to_write(own: Path, folder: Path, manifest: Manifest) -> list[Path]:
    """The backup's formats that are not there yet. Raises `BackupError` if a name is taken by another one."""
    found: list[Path] = []
    for name in (copied.name for copied in manifest.files):
        if not name.startswith(f"{backup.FORMATS}/"):
            continue
        source = folder / name
        target = own / source.name
        if not target.exists():
            found.append(source)
        elif target.read_bytes() != source.read_bytes():
            raise BackupError(f"{target} exists already and is another format: move it away first.")
    return found


def _restore_sqlite(target: Path, folder: Path, same_moment: bool, has_pantry: bool) -> int:
    beside = [target.with_name(target.name + suffix) for suffix in ("", "-wal", "-shm", "-journal")]
    there = next((path for path in beside if path.exists()), None)
    if there is not None:
        raise BackupError(f"{there} exists already, and nothing is written over: move it away first.")
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = target.with_name(target.name + ".restoring")
    for suffix in ("", "-wal", "-shm"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)
    shutil.copyfile(folder / backup.SQLITE_COPY, draft)
    draft.chmod(0o600)
    stopped = _bring_forward(f"sqlite:///{draft}", same_moment, has_pantry)
    with closing(sqlite3.connect(draft)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")  # one file, without -wal beside it
    draft.rename(target)
    return stopped


def _restore_postgresql(url: URL, given: str, folder: Path, same_moment: bool, has_pantry: bool) -> int:
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"), poolclass=NullPool, connect_args={"connect_timeout": 5}
    )
    with engine.connect() as connection:
        others = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        if connection.execute(text(others)).scalar_one():
            raise BackupError("Somebody else has the database open: close the house first.")
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        if connection.execute(text(tables)).scalar_one():
            raise BackupError("The database has tables, and nothing is written over: name an empty one.")
    command = ["pg_restore", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
    backup.run_tool([*command, str(folder / backup.DUMP)], url)
    return _bring_forward(given, same_moment, has_pantry)


def _bring_forward(database: str, same_moment: bool, has_pantry: bool) -> int:
    """Upgrade the tables, and stop running games unless `same_moment`. Returns how many were stopped."""
    opened = Database(database)
    try:
        migrations.upgrade(opened.engine)
        if same_moment:
            return 0
        with opened.write() as session:
            retire_chains(session)
            mark_restored(session, now_ms(), has_pantry)
            return stop_running(session, now_ms())
    finally:
        opened.dispose()
