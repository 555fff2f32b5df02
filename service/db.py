"""The database: one operation is one transaction, and nothing is told before it is committed."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection, Engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, SQLModel, create_engine

log = structlog.get_logger(__name__)

Hook = Callable[[], object]

_HOOKS = "cloche_after_commit"
_LAST = "cloche_before_commit"
_WRITE = "cloche_write"
_BUSY_SECONDS = 30

_locks: dict[str, threading.Lock] = {}
"""A write lock for each SQLite file, shared by all that have it open in this process.

SQLite has one writer at a time. Waiting for it inside the process is fair and
quick, while its own busy handler sleeps and lets latecomers overtake: without
the lock the slowest tenth of the writes take ten times as long.
"""


class Held:
    """A write that is done and not committed: what `Database.hold` keeps for who goes on with it."""

    def __init__(self) -> None:
        self.session: Session | None = None
        """Of the write; None while there was none."""
        self._open = ExitStack()

    def keep(self, session: Session, opened: ExitStack) -> None:
        """Take over a session, and what must be closed with it."""
        self.session, self._open = session, opened

    def take(self) -> tuple[Session | None, ExitStack]:
        """Give them away; nothing is kept any more."""
        session, self.session = self.session, None
        return session, self._open.pop_all()


class Database:
    """The engine: SQLite with WAL, synchronous FULL and BEGIN IMMEDIATE, or PostgreSQL by psycopg 3.

    Rows come eagerly and stay readable after the commit (`expire_on_commit=False`).
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_sqlite = make_url(url).get_backend_name() == "sqlite"
        self.engine = _sqlite_engine(url) if self.is_sqlite else _postgresql_engine(url)
        self._writing = self.engine.execution_options(**{_WRITE: True})
        self._thread = threading.local()

    def _write_lock(self) -> AbstractContextManager[Any]:
        return _locks.setdefault(self.url, threading.Lock()) if self.is_sqlite else nullcontext()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction that may write: committed at the end, rolled back on an exception.

        What `before_commit` was given is done last. The hooks of `after_commit` run when it is committed, in
        order and outside of the lock. A thread has one transaction at a time; a second one inside the first
        is a programming error. Inside of `hold` it stays open at the end.
        """
        held = self._held()
        with ExitStack() as opened:
            opened.enter_context(self._alone())
            opened.enter_context(self._write_lock())
            session = opened.enter_context(Session(self._writing, expire_on_commit=False))
            yield session
            if held is not None:
                session.flush()
                held.keep(session, opened.pop_all())
                return
            end(session)
            session.commit()
        _run(session.info.pop(_HOOKS, ()))

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One transaction that only reads: a steady view of the tables on SQLite, rolled back at the end.

        After a write that is held it is the same transaction, which sees what was written.
        """
        held = self._held()
        if held is not None and held.session is not None:
            yield held.session
            return
        with self._alone(), Session(self.engine, expire_on_commit=False, autoflush=False) as session:
            yield session

    @contextmanager
    def hold(self) -> Iterator[Held]:
        """Keep this thread's next write open, so that more can be written in its transaction: see `finish`.

        It is one write: a second one is refused as a transaction inside a transaction. What is still held
        at the end is rolled back.
        """
        if self._held() is not None:
            raise RuntimeError("a write is held already")
        held = self._thread.held = Held()
        try:
            yield held
        finally:
            self._thread.held = None
            held.take()[1].close()

    @contextmanager
    def finish(self, held: Held) -> Iterator[Session]:
        """The transaction of the write that is held, or a new one where there was none; then the commit."""
        self._thread.held = None
        session, opened = held.take()
        if session is None:
            with self.write() as fresh:
                yield fresh
            return
        with opened:
            yield session
            end(session)
            session.commit()
        _run(session.info.pop(_HOOKS, ()))

    def _held(self) -> Held | None:
        return getattr(self._thread, "held", None)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if getattr(self._thread, "busy", False):
            raise RuntimeError("a transaction inside a transaction: pass the session on instead")
        self._thread.busy = True
        try:
            yield
        finally:
            self._thread.busy = False

    def connect_alone(self) -> Any:
        """A connection of the driver's own that is no part of the pool, in autocommit; for PostgreSQL.

        It notices within about half a minute when the server is gone without a word.
        """
        engine = self.engine
        positional, named = engine.dialect.create_connect_args(engine.url)
        patience = {
            "connect_timeout": 5,
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
        }
        return engine.dialect.connect(*positional, **{**named, **patience, "autocommit": True})

    def dispose(self) -> None:
        """Close all idle connections."""
        self.engine.dispose()

    def after_fork(self) -> None:
        """In a child process, first of all: forget the parent's connections and locks, touching none."""
        self.engine.dispose(close=False)
        _locks.pop(self.url, None)
        self._thread = threading.local()


def upsert(session: Session, table: type[SQLModel]) -> postgresql.Insert | sqlite.Insert:
    """An INSERT into a table that can be followed by `on_conflict_do_nothing` or `on_conflict_do_update`.

    Both databases have these clauses in the same form, but SQLAlchemy builds them by dialect.
    """
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def before_commit(session: Session, hook: Hook) -> None:
    """Have `hook` called inside the session's transaction, after everything else that it does.

    For what is locked last in every transaction, and as shortly as can be. If it fails nothing is committed.
    """
    session.info.setdefault(_LAST, []).append(hook)


def end(session: Session) -> None:
    """Do what is to be done last; whoever commits a session calls it first."""
    while hooks := session.info.pop(_LAST, None):
        for hook in hooks:
            hook()


def after_commit(session: Session, hook: Hook, *, first: bool = False) -> None:
    """Have `hook` called once the session's transaction is committed; never if it is not.

    They are called in order, a `first` one before all others. Hooks only wake others up: one that fails is
    logged, and the sweep finds what it did not tell.
    """
    hooks: list[Hook] = session.info.setdefault(_HOOKS, [])
    hooks.insert(0 if first else len(hooks), hook)


def _run(hooks: list[Hook]) -> None:
    for hook in hooks:
        try:
            hook()
        except Exception:
            log.exception("hook_failed")


def _sqlite_engine(url: str) -> Engine:
    file = make_url(url).database
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url,
        pool_size=16,
        max_overflow=48,
        # The driver must not open transactions by itself: it would open deferred ones, whose later upgrade
        # to a write fails at once when another has written meanwhile.
        connect_args={"isolation_level": None, "timeout": _BUSY_SECONDS, "check_same_thread": False},
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        _write_ahead(connection)
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITE, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Keep a write-ahead log, from now on and for ever.

    While another connection does the same to a new file, or writes to one that has none yet, SQLite says
    at once that the file is locked, whatever the time-out.
    """
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.01)


def _postgresql_engine(url: str) -> Engine:
    parsed = make_url(url).set(drivername="postgresql+psycopg")
    return create_engine(
        parsed,
        pool_size=8,
        max_overflow=24,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5},
        hide_parameters=True,  # an error's text ends in a log, and a row may hold a hash
    )
