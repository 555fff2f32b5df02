"""The database: one operation is one transaction, and others hear of it only after the commit."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import structlog
from sqlalchemy import Connection, Engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, SQLModel, create_engine

from service.disk import is_full

log = structlog.get_logger(__name__)

Callback = Callable[[], object]

_AFTER = "cloche_after_commit"
_BEFORE = "cloche_before_commit"
_WRITE = "cloche_write"
_BUSY_SECONDS = 30
FULL_SECONDS = 10.0
"""Seconds for which a database counts as full after it had no room for a write."""

_locks: dict[str, threading.Lock] = {}
"""A write lock for each SQLite file, shared by every `Database` of this process that has it open.

SQLite has one writer at a time. Waiting for it inside the process is fair and quick. SQLite's own busy
handler sleeps and lets latecomers overtake: without the lock, the slowest tenth of the writes take ten times
as long.
"""


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
        self._full_at: float | None = None
        event.listen(self.engine, "handle_error", self._note_full)

    @property
    def full(self) -> bool:
        """Tell whether a write has just failed because the database's disk is full."""
        return self._full_at is not None and time.monotonic() - self._full_at < FULL_SECONDS

    def _note_full(self, context: ExceptionContext) -> None:
        if is_full(context.original_exception):
            self._full_at = time.monotonic()

    def _write_lock(self) -> AbstractContextManager[Any]:
        return _locks.setdefault(self.url, threading.Lock()) if self.is_sqlite else nullcontext()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction that may write: committed at the end, rolled back on an exception.

        The callbacks of `before_commit` run last in it, those of `after_commit` once the lock is released. A
        thread has one transaction at a time; a second one inside the first is a programming error.
        """
        with self.begin() as session:
            yield session
            _commit(session)
        _run_after_commit(session)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One transaction that only reads: a steady view of the tables on SQLite, rolled back at the end."""
        with self._alone(), Session(self.engine, expire_on_commit=False, autoflush=False) as session:
            yield session

    @contextmanager
    def begin(self) -> Iterator[Session]:
        """One transaction that may write, rolled back at the end unless the caller has committed it."""
        with self._alone(), self._write_lock(), Session(self._writing, expire_on_commit=False) as session:
            yield session

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
        """A connection of PostgreSQL's driver in autocommit, outside the pool.

        It notices within about half a minute if the server disappears without closing it.
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
        """Forget the parent's connections and locks without touching them. A child process calls it first."""
        self.engine.dispose(close=False)
        _locks.pop(self.url, None)
        self._thread = threading.local()


class UnitOfWork:
    """One transaction for a whole request: the operation's write, and then the answer that it led to.

    An operation writes by `write`, which leaves the transaction open, and what follows reads in it by `read`.
    Nothing is committed before the end of `finish`. A unit that is closed without that is rolled back.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._session: Session | None = None
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = None
        self._opened.close()

    @property
    def written(self) -> bool:
        """True if an operation has written in this unit."""
        return self._session is not None

    @contextmanager
    def write(self) -> Iterator[Session]:
        """The one write of the unit. An exception rolls it back, and another write may follow."""
        if self._session is not None:
            raise RuntimeError("a second write in one unit of work: pass the session on instead")
        with ExitStack() as opened:
            session = opened.enter_context(self._database.begin())
            yield session
            session.flush()
            self._session, self._opened = session, opened.pop_all()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A transaction that only reads; after the write it is the same one, which sees what was written."""
        if self._session is not None:
            yield self._session
            return
        with self._database.read() as session:
            yield session

    @contextmanager
    def finish(self) -> Iterator[Session]:
        """The transaction of the write, or a new one if there was none; committed at the end."""
        if self._session is None:
            with self._database.write() as session:
                yield session
            return
        session = self._session
        with self:
            yield session
            _commit(session)
        _run_after_commit(session)


def upsert(session: Session, table: type[SQLModel]) -> postgresql.Insert | sqlite.Insert:
    """An INSERT into a table that can be followed by `on_conflict_do_nothing` or `on_conflict_do_update`.

    Both databases have these clauses in the same form, but SQLAlchemy builds them by dialect.
    """
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def before_commit(session: Session, callback: Callback) -> None:
    """Call `callback` at the end of the session's transaction, just before the commit.

    This is for rows that every transaction locks last, and as briefly as it can. A callback may register
    another one, which runs after all that were there before it. If a callback fails, nothing is committed.
    """
    session.info.setdefault(_BEFORE, []).append(callback)


def after_commit(session: Session, callback: Callback, *, first: bool = False) -> None:
    """Call `callback` once the session's transaction is committed, and never if it is rolled back.

    Callbacks run in the order of registration; a `first` one runs before all others. They only tell others to
    look: if one fails, that is logged, and the sweep finds what it did not tell.
    """
    callbacks: list[Callback] = session.info.setdefault(_AFTER, [])
    callbacks.insert(0 if first else len(callbacks), callback)


def _commit(session: Session) -> None:
    while callbacks := session.info.pop(_BEFORE, None):
        for callback in callbacks:
            callback()
    session.commit()


def _run_after_commit(session: Session) -> None:
    for callback in session.info.pop(_AFTER, ()):
        try:
            callback()
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
        # The driver must not open transactions by itself: it would open deferred ones. Such a transaction
        # fails at its first write if another connection has written meanwhile.
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
    """Switch the file to a write-ahead log, which it keeps.

    In two cases SQLite reports at once that the file is locked, with any time-out: another connection
    does the same to a new file, or writes to a file that has no such log yet.
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
