"""Checks of the database: reachable, writable, with current tables, and with the keys that it needs."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, func, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool
from sqlmodel import Session, select

from cloche.operate import backends
from cloche.operate.checks import place
from cloche.operate.checks.finding import Finding, Level, ProcessSetup
from cloche.operate.lock import holder
from crypto.encoding import b64
from service import keys, migrations
from service.config import Settings
from service.models import GameRow
from service.operations import upkeep

OLDEST = 13
"""The oldest PostgreSQL that is supported."""
APART, FAR_APART = 1.0, 30.0
"""Seconds between this machine's clock and the database's: above the first there is a warning, above the
second an error."""


def look(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether the database can be used by a process of this role."""
    if backends.on_sqlite(setup.settings):
        yield from _file(setup)
    else:
        yield from _server(setup)


def reading(settings: Settings) -> Engine:
    """An engine that only reads, and creates no file."""
    if not backends.on_sqlite(settings):
        url = make_url(settings.database).set(drivername="postgresql+psycopg")
        arguments = {"connect_timeout": 5, "options": "-c default_transaction_read_only=on"}
        return create_engine(url, poolclass=NullPool, connect_args=arguments, hide_parameters=True)
    file = backends.database_file(settings)
    # A file that nobody has open has no -wal beside it, and SQLite would make one even to read.
    waits = file.with_name(file.name + "-wal").exists()
    address = f"file:{quote(str(file))}?mode=ro" + ("" if waits else "&immutable=1")
    return create_engine(
        "sqlite://", poolclass=NullPool, creator=lambda: sqlite3.connect(address, uri=True, timeout=5)
    )


def _file(setup: ProcessSetup) -> Iterator[Finding]:
    file = backends.database_file(setup.settings)
    if kind := place.share_of(file):
        yield Finding(
            "error",
            "database",
            f"{file} lies on a network share ({kind}), where SQLite loses data",
            "Put it on a disk of this machine, or use PostgreSQL.",
        )
    yield from place.room(file, "database", setup.settings.disk_mib << 20)
    # SQLite writes other files beside the one that is named.
    if not place.writable(file) or not place.writable(file.absolute().parent):
        yield Finding("error", "database", f"{file} or its folder can't be written", "Change their owner.")
        return
    if not file.exists():
        yield Finding("ok", "database", f"{file} does not exist yet; the house makes it")
        return
    yield from _tables(setup, f"{file}")


def _server(setup: ProcessSetup) -> Iterator[Finding]:
    shown = backends.shown(setup.settings.database)
    try:
        with reading(setup.settings).connect() as connection:
            yield from _usable(connection, setup, shown)
    except ImportError:
        do = "Install its driver: pip install 'psycopg[binary]'"
        yield Finding("error", "database", "the driver for PostgreSQL is not installed", do)
        return
    except SQLAlchemyError as fault:
        do = "Start it, or correct CLOCHE_DATABASE."
        yield Finding("error", "database", f"{shown} can't be used: {backends.cause(fault)}", do)
        return
    yield from _tables(setup, shown)


def _usable(connection: Connection, setup: ProcessSetup, shown: str) -> Iterator[Finding]:
    version = int((connection.dialect.server_version_info or (0,))[0])
    if version < OLDEST:
        do = f"Use PostgreSQL {OLDEST} or newer."
        yield Finding("error", "database", f"{shown} is PostgreSQL {version}", do)
    row = connection.execute(
        text(
            "SELECT pg_is_in_recovery(), has_schema_privilege(current_schema(), 'CREATE'),"
            " extract(epoch FROM clock_timestamp())"
        )
    ).one()
    if row[0]:
        do = "Name the primary server in CLOCHE_DATABASE."
        yield Finding("error", "database", f"{shown} is a replica that only reads", do)
    elif not row[1] and setup.serves:
        do = "GRANT CREATE on its schema to the account, or make it the database's owner."
        yield Finding("error", "database", f"{shown} lets this account make no tables", do)
    yield from apart(float(row[2]) - time.time())


def apart(seconds: float) -> Iterator[Finding]:
    """Yield the findings about a database whose clock is ahead by so many seconds."""
    if abs(seconds) >= APART:
        level: Level = "error" if abs(seconds) >= FAR_APART else "warning"
        said = f"this machine's clock is {abs(seconds):.0f} s {'behind' if seconds > 0 else 'ahead of'}"
        do = "Synchronise both by NTP: each machine keeps deadlines by its own clock."
        yield Finding(level, "clock", f"{said} the database's", do)


def _tables(setup: ProcessSetup, shown: str) -> Iterator[Finding]:
    engine = reading(setup.settings)
    try:
        found = migrations.current(engine)
        if found is None and setup.serves:
            yield Finding("ok", "database", f"{shown} is empty; the house makes its tables")
        elif found == migrations.head():
            yield Finding("ok", "database", f"{shown} has today's tables ({found})")
        elif found is not None and not migrations.known(found):
            do = "Run the version of Cloche that wrote them, or a newer one."
            text_ = f"{shown} has tables of a newer version ({found})"
            yield Finding("error", "database", text_, do)
            return
        elif setup.serves:
            do = f"`cloche serve` brings them to {migrations.head()}; make a backup first."
            yield Finding("warning", "database", f"{shown} has older tables ({found})", do)
        else:
            do = "Start `cloche serve` first: it makes the tables."
            yield Finding("error", "database", f"{shown} does not have today's tables", do)
        if found is not None:
            yield from _time_goes_on(engine)
    except SQLAlchemyError as fault:
        do = "Put it back from a backup, or name another one."
        yield Finding("error", "database", f"{shown} can't be read: {backends.cause(fault)}", do)


def _time_goes_on(engine: Engine) -> Iterator[Finding]:
    """Check that no game was begun later than now."""
    with Session(engine) as session:
        try:
            newest = session.exec(select(func.max(GameRow.created_at))).one()
        except SQLAlchemyError:
            return  # these tables are older than games
    ahead = (newest or 0) / 1000 - time.time()
    if ahead > FAR_APART:
        do = "Set the clock: until then every deadline is far away."
        yield Finding("error", "clock", f"this machine's clock is {ahead:.0f} s behind the newest game", do)


def keys_fit(setup: ProcessSetup) -> Iterator[Finding]:
    """The house's keys: they exist, are readable and private, and include those of all running games."""
    if not setup.signs:
        return
    path = setup.settings.data / keys.FILE
    if not path.exists():
        yield _missing(setup, path)
        return
    try:
        house_keys = keys.read(path)
    except (keys.KeysError, OSError) as fault:
        text_ = str(fault) if isinstance(fault, keys.KeysError) else f"{path}: {fault.strerror}"
        yield Finding("error", "keys", text_, "Put it back from a backup.")
        return
    if keys.readable_by_others(path):
        yield Finding("warning", "keys", f"others can read {path}", f"chmod 600 {path}")
    try:
        with Session(reading(setup.settings)) as session:
            running = upkeep.running_by_key(session)
    except SQLAlchemyError:
        running = {}  # without tables nothing runs; `look` has reported what is wrong with the database
    ours = {b64(item.public) for item in house_keys.generations}
    lost = sum(count for key, count in running.items() if key not in ours)
    if lost:
        do = "Copy the newest house.json here, or put it back from a backup."
        yield Finding("error", "keys", f"{path} lacks the keys of {lost} running games", do)
    else:
        count = len(house_keys.generations)
        former = f", and {count - 1} before it" if count > 1 else ""
        yield Finding("ok", "keys", f"{path} has the house's key {b64(house_keys.newest.public)}{former}")


def _missing(setup: ProcessSetup, path: Path) -> Finding:
    try:
        with Session(reading(setup.settings)) as session:
            used = upkeep.in_use(session)
    except SQLAlchemyError:
        used = False
    if used:
        do = "Put them back from a backup; `cloche serve --new-keys` goes on with new ones."
        return Finding("error", "keys", f"the database has been in use, but there is no {path}", do)
    if not setup.serves:
        do = "Share the folder of `cloche serve`, or copy the file from there."
        return Finding("error", "keys", f"there is no {path}", do)
    return Finding("ok", "keys", f"{path} does not exist yet; the house makes it")


def is_open_already(setup: ProcessSetup) -> Iterator[Finding]:
    """Tell whether another house has the SQLite file open."""
    if not setup.serves or not backends.on_sqlite(setup.settings):
        return
    file = backends.database_file(setup.settings).resolve()
    lock = file.with_name(file.name + ".lock")
    if not lock.exists():
        return
    try:
        handle = os.open(lock, os.O_RDONLY)
    except OSError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        text_ = f"a house is open already on {file}{holder(lock)}"
        yield Finding("error", "database", text_, "Close it first.")
    finally:
        os.close(handle)
