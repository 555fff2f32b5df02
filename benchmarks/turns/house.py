"""A whole house in this process: its application, its tables, its keys, and a count of its statements."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import event

from benchmarks.turns.wsgi import JsonResponse, Request, WsgiApp, ask
from service import migrations
from service.app import create_app
from service.config import UNLIMITED, Settings
from service.operations import games
from service.runtime import Runtime

HEARING = 10.0
"""Seconds that a process may take to listen for others' commits."""
ENDS = ("COMMIT", "ROLLBACK")
"""Statements that end a transaction, which no count has."""


@dataclass
class InProcessHouse:
    """A house without limits that answers in the calling thread. Its worker is `tend`."""

    runtime: Runtime
    app: WsgiApp
    statements: list[str] = field(default_factory=list)
    """The statements that SQLite was sent, oldest first.

    The counter clears them. PostgreSQL's are not seen.
    """

    def call(self, request: Request) -> JsonResponse:
        """Return the response to a request."""
        return ask(self.app, request)

    def tend(self, game: str) -> float:
        """Do what a worker does at a wake-up for this game; returns the processor seconds."""
        began = time.thread_time()
        games.resolve(self.runtime, game)
        return time.thread_time() - began

    def count(self, request: Request) -> tuple[JsonResponse, int]:
        """Return the response to a request, and the number of its statements; a BEGIN counts."""
        self.statements.clear()
        answer = self.call(request)
        return answer, len([text for text in self.statements if not text.upper().startswith(ENDS)])


@contextmanager
def opened(folder: Path, database: str | None = None) -> Iterator[InProcessHouse]:
    """Open a house with new tables in `folder`, or in the empty database of this URL. Close it at the end.

    Its log lines go into a file of the folder, as those of `cloche serve` do.
    """
    limits: dict[str, Any] = {**UNLIMITED}
    settings = Settings(
        database=database or f"sqlite:///{folder / 'house.sqlite3'}",
        data=folder,
        broker=f"memory://{folder.name}",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
        **limits,
    )
    with _logged(folder / "house.log"):
        runtime = Runtime.open(settings)
        migrations.upgrade(runtime.database.engine)
        runtime.database.engine.dispose()
        runtime.listen()
        _until_heard(runtime)
        house = InProcessHouse(runtime, create_app(house=runtime))
        _watch(house)
        try:
            yield house
        finally:
            runtime.close()


def _until_heard(runtime: Runtime) -> None:
    """Wait until a process on PostgreSQL hears of others' commits, as only then it caches what it reads."""
    until = time.monotonic() + HEARING
    while not runtime.database.is_sqlite and not runtime.notices.hears_others and time.monotonic() < until:
        time.sleep(0.02)


def _watch(house: InProcessHouse) -> None:
    """Note every statement that SQLite executes, whoever asks for it and in whatever way."""
    if not house.runtime.database.is_sqlite:
        return

    def note(text: str) -> None:
        if not text.startswith("--"):  # a trigger's
            house.statements.append(text)

    @event.listens_for(house.runtime.database.engine, "connect")
    def connected(connection: Any, _entry: object) -> None:
        connection.set_trace_callback(note)


@contextmanager
def _logged(file: Path) -> Iterator[None]:
    before, configured = structlog.get_config(), structlog.is_configured()
    with file.open("w", encoding="utf-8") as out:
        structlog.configure(
            processors=[
                structlog.contextvars.merge_contextvars,
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(default=str),
            ],
            logger_factory=structlog.WriteLoggerFactory(out),
        )
        try:
            yield
        finally:
            structlog.configure(**before) if configured else structlog.reset_defaults()
