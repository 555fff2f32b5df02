"""Backups of a house: its tables as they were at one moment, its own formats, its keys, and a manifest.

The tables are copied first and the keys after them. Keys are only ever added, so the backup has those of
every game in it. The manifest is written last: a folder without one is no backup.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from sqlalchemy import URL, create_engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from crypto.encoding import b64, timestamp
from service import keys, migrations
from service.config import Settings
from service.runtime import now_ms

MANIFEST = "manifest.json"
KIND = "cloche-backup/1"
SQLITE_COPY = "cloche.sqlite3"
DUMP = "database.dump"
KEY_FILES = (keys.FILE, "envelope.json")
"""Files of the data folder that belong in every backup, if they exist."""
FORMATS = "formats"
"""The folder of a backup with the house's own formats, if it has any."""
PAGES = 2_000
"""Pages of an SQLite file that are copied between two calls of `Progress`."""

Progress = Callable[[int, int], None]
"""A function that is called with how much is done, and with the whole."""


class BackupError(RuntimeError):
    """A backup can't be made or used. The text says why."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A file of a backup."""

    name: str
    """Its path in the folder, with `/`."""
    size: int
    """The size in bytes."""
    sha256: str
    """The digest in hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a backup, which stands in it as a file."""

    at: str
    """The time when the backup was finished, as RFC 3339 writes it."""
    version: str
    """The version of Cloche that made it."""
    database: str
    """ "sqlite" or "postgresql"."""
    revision: str
    """The revision of the tables (`service.migrations`)."""
    house_key: str
    """The newest public key in it, base64url."""
    files: Sequence[Copied]

    def json(self) -> dict[str, Any]:
        """The manifest as JSON, as it is written to its file."""
        return {"kind": KIND, **asdict(self)}


def write(settings: Settings, folder: Path, version: str, progress: Progress) -> Manifest:
    """Copy the house of `settings` into `folder`, which is new or empty. The house may be open.

    Raises `BackupError`. Files that were copied until then stay in the folder, without a manifest.
    """
    _make_empty(folder)
    url = make_url(settings.database)
    try:
        if url.get_backend_name() == "sqlite":
            database, revision = (
                "sqlite",
                _copy_sqlite(Path(url.database or ""), folder / SQLITE_COPY, progress),
            )
            names = [SQLITE_COPY]
        else:
            database, revision = "postgresql", _dump(url, folder / DUMP)
            names = [DUMP]
        house_key = b64(keys.read(settings.data / keys.FILE).newest.public)
        names += _copy_formats(settings.own_formats, folder / FORMATS)
        for name in KEY_FILES:
            if (settings.data / name).exists():
                keys.write_private(folder / name, (settings.data / name).read_text())
                names.append(name)
        files = [_described(folder, name) for name in names]
        manifest = Manifest(timestamp(now_ms()), version, database, revision, house_key, files)
        keys.write_private(folder / MANIFEST, json.dumps(manifest.json(), indent=2) + "\n")
    except FileNotFoundError as fault:
        raise BackupError(f"There is no {fault.filename}.") from None
    except OSError as fault:
        raise BackupError(f"{fault.filename or folder}: {fault.strerror}.") from None
    except (sqlite3.Error, SQLAlchemyError, keys.KeysError) as fault:
        raise BackupError(f"{str(getattr(fault, 'orig', None) or fault).strip()}.") from None
    return manifest


def _make_empty(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if any(folder.iterdir()):
            raise BackupError(f"{folder} is not empty, and nothing is written over: name another folder.")
        folder.chmod(0o700)
    except OSError as fault:
        raise BackupError(f"{folder}: {fault.strerror}.") from None


def _copy_formats(source: Path, target: Path) -> list[str]:
    """Copy the house's own formats into a new folder, if it has any. Returns their names in the backup."""
    paths = sorted(source.glob("*.yaml"))
    if paths:
        target.mkdir(mode=0o700)
    for path in paths:
        copy_private(path, target / path.name)
    return [f"{FORMATS}/{path.name}" for path in paths]


def copy_private(source: Path, target: Path) -> None:
    """Copy a file into a new one that its owner alone can read."""
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as written, source.open("rb") as file:
        shutil.copyfileobj(file, written)


def _described(folder: Path, name: str) -> Copied:
    path = folder / name
    with path.open("rb") as file:
        digest = sha256()
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return Copied(name, path.stat().st_size, digest.hexdigest())


def _copy_sqlite(source: Path, target: Path, progress: Progress) -> str:
    """Copy an SQLite file as it is at this moment, even while others write to it. Returns its revision."""
    if not source.exists():
        raise FileNotFoundError(None, "", str(source))
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    reading, writing = sqlite3.connect(source, isolation_level=None), sqlite3.connect(target)
    try:
        # A read transaction of our own keeps the copy at one moment. Without it, SQLite would begin the copy
        # anew after each write by others.
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_master").fetchone()

        def tell(_status: int, left: int, total: int) -> None:
            progress(total - left, total)

        reading.backup(writing, pages=PAGES, progress=tell)
        reading.execute("ROLLBACK")
        writing.execute("PRAGMA journal_mode=DELETE")  # one file, without -wal beside it
        if (said := writing.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise BackupError(f"{source} is damaged: {said}.")
        row = writing.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as fault:
        raise BackupError(f"{source}: {fault}.") from None
    finally:
        reading.close()
        writing.close()
    if row is None:
        raise BackupError(f"{source} has no tables of Cloche.")
    return str(row[0])


def _dump(url: URL, target: Path) -> str:
    """Dump a PostgreSQL database as it is at this moment. Returns its revision."""
    before = revision_of(url)
    run_tool(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}"], url)
    target.chmod(0o600)
    if before is None or revision_of(url) != before:
        raise BackupError("The database has no tables of Cloche, or they were upgraded meanwhile.")
    return before


def revision_of(url: URL) -> str | None:
    """The revision of a PostgreSQL database's tables; None if there are none."""
    options = {"connect_timeout": 5}
    engine = create_engine(url.set(drivername="postgresql+psycopg"), poolclass=NullPool, connect_args=options)
    return migrations.current(engine)


def run_tool(command: Sequence[str], url: URL) -> None:
    """Run one of PostgreSQL's own programs on a database. Raises `BackupError` with the program's message.

    The password is passed in the environment, since every account of the machine can see arguments.
    """
    bare = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = dict(os.environ)
    if url.password:
        environment["PGPASSWORD"] = str(url.password)
    try:
        done = subprocess.run(
            [*command, f"--dbname={bare}", "--no-password"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        text = f"{command[0]} is not installed here. It comes with PostgreSQL's client programs."
        raise BackupError(text) from None
    if done.returncode:
        raise BackupError(f"{command[0]}: {done.stderr.decode(errors='replace').strip()}")


def read(folder: Path, progress: Progress) -> Manifest:
    """Check that every file of a backup is there and unchanged; return its manifest. Raises `BackupError`."""
    path = folder / MANIFEST
    try:
        manifest = _manifest(json.loads(path.read_text()))
    except FileNotFoundError:
        raise BackupError(f"There is no {path}: this is no backup, or it was never finished.") from None
    except OSError as fault:
        raise BackupError(f"{path}: {fault.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise BackupError(f"{path} is damaged, or was written by another version of Cloche.") from None
    for i, expected in enumerate(manifest.files):
        progress(i, len(manifest.files))
        try:
            found = _described(folder, expected.name)
        except OSError as fault:
            raise BackupError(f"{folder / expected.name}: {fault.strerror}.") from None
        if found != expected:
            raise BackupError(f"{folder / expected.name} is damaged: it is not the file that was written.")
    return manifest


def _manifest(content: Mapping[str, Any]) -> Manifest:
    if content["kind"] != KIND:
        raise ValueError
    files = [Copied(item["name"], item["size"], item["sha256"]) for item in content["files"]]
    if not all(_inside(item.name) for item in files):
        raise ValueError
    needed = {SQLITE_COPY if content["database"] == "sqlite" else DUMP, keys.FILE}
    if not needed <= {item.name for item in files}:
        raise ValueError
    values = {name: content[name] for name in ("at", "version", "database", "revision", "house_key")}
    if any(not isinstance(value, str) for value in values.values()):
        raise ValueError
    return Manifest(**values, files=files)


def _inside(name: str) -> bool:
    """Tell whether a manifest may name this file: one in the backup's folder, or a format in `FORMATS`."""
    last = PurePosixPath(name).name
    return name == last or (name == f"{FORMATS}/{last}" and last.endswith(".yaml"))
