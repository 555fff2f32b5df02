"""What one process of the house has at hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from sqlmodel import Session

from cards import card_sets, catalog
from service import keys
from service.config import Settings
from service.db import Database, after_commit
from service.keys import Keys
from service.notices import Notices
from service.passwords import Passwords
from service.wake import Waker


def now_ms() -> int:
    """The time, in milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class House:
    """Settings, database, card sets, passwords, the clock, and the bell that wakes the workers.

    One a process; every operation that opens its own transaction takes it first.
    """

    settings: Settings
    database: Database
    catalog: catalog.Catalog
    passwords: Passwords
    waker: Waker
    clock: Callable[[], int] = field(default=now_ms)
    notices: Notices = field(default_factory=Notices)
    bots: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The names of the house's bots by mode, the best first; who plays them, the workers know."""

    @classmethod
    def open(cls, settings: Settings, bots: Mapping[str, Sequence[str]] | None = None) -> House:
        """The house that `settings` describe, with these bots to sit down with; connects to nothing yet."""
        return cls(
            settings=settings,
            database=Database(settings.database),
            catalog=card_sets.load(),
            passwords=Passwords(settings.password_passes, settings.password_kib),
            waker=Waker(settings.broker, settings.queue),
            bots=bots or {},
        )

    @cached_property
    def keys(self) -> Keys:
        """The house's own secrets, read (at the first start: made) when they are first needed."""
        return keys.load(self.settings.data)

    def now(self) -> int:
        """The time, in milliseconds since 1970 UTC."""
        return self.clock()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction that may write (see `Database.write`)."""
        with self.database.write() as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One transaction that only reads (see `Database.read`)."""
        with self.database.read() as session:
            yield session

    def wake(self, session: Session, task: str, *arguments: str) -> None:
        """Have a worker run a task of `service.wake` once the session's transaction is committed."""
        after_commit(session, lambda: self.waker.send(task, *arguments))

    def tell(self, session: Session, game_id: str) -> None:
        """Have those who wait for news of a game look, once the session's transaction is committed."""
        after_commit(session, lambda: self.notices.ring(game_id))

    def after_fork(self) -> None:
        """To be called in a child process first."""
        self.database.after_fork()

    def close(self) -> None:
        """Let go of all connections."""
        self.waker.close()
        self.database.dispose()
