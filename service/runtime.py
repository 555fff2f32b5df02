"""What one process of the house has at hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial

from sqlalchemy import func, select
from sqlmodel import Session

from cards.catalog import card_sets, cards
from cards.decks import formats
from cards.decks.formats import Format
from service import keys, notices
from service.config import Settings
from service.db import Database, after_commit, before_commit
from service.keys import Keys, Ring
from service.listening import CHANNEL, Listening, write
from service.notices import Notices
from service.passwords import Passwords
from service.publisher import Publisher

_TOPICS = "cloche_topics"


def now_ms() -> int:
    """The time, in milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Runtime:
    """Settings, database, card sets, passwords, the clock, and the bell that wakes the workers.

    One a process; every operation that opens its own transaction takes it first.
    """

    settings: Settings
    database: Database
    catalog: cards.Catalog
    passwords: Passwords
    publisher: Publisher
    clock: Callable[[], int] = field(default=now_ms)
    notices: Notices = field(default_factory=Notices)
    bots: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The names of the house's bots by mode, the best first; who plays them, the workers know."""

    @classmethod
    def open(cls, settings: Settings, bots: Mapping[str, Sequence[str]] | None = None) -> Runtime:
        """The house that `settings` describe, with these bots to sit down with; connects to nothing yet.

        Raises `CatalogError` for card sets that can't be taken.
        """
        return cls(
            settings=settings,
            database=Database(settings.database),
            catalog=card_sets.load(),
            passwords=Passwords(settings.password_passes, settings.password_kib),
            publisher=Publisher(settings.broker, settings.queue),
            bots=bots or {},
        )

    @cached_property
    def formats(self) -> Mapping[str, Format]:
        """What decks may be made of at some tables, by name: those that come with the house and its own.

        Read when first needed. Raises `CatalogError` with all that is wrong with them.
        """
        return formats.of_house(self.catalog, self.settings.own_formats)

    @cached_property
    def _key_file(self) -> keys.KeyFile:
        return keys.KeyFile(self.settings.data)

    @property
    def ring(self) -> Ring:
        """All generations of the house's own secrets, read (at the first start: made) when first needed.

        They are read again once the file is replaced, so that no process must be restarted.
        """
        return self._key_file.ring()

    @property
    def keys(self) -> Keys:
        """The newest generation: that of every game that begins now."""
        return self.ring.newest

    def keys_of(self, house_key: bytes) -> Keys:
        """The generation of a game, by the house key in its header; raises `UnknownKey`."""
        return self.ring.of(house_key)

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
        """Have a worker run a task of `service.publisher` once the session's transaction is committed."""
        after_commit(session, lambda: self.publisher.send(task, *arguments))

    def tell(self, session: Session, game_id: str) -> None:
        """Have those who wait for news of a game look, once the session's transaction is committed."""
        self._announce(session, notices.of_game(game_id))

    def tell_player(self, session: Session, player_id: str) -> None:
        """Have those who listen to a player's feed look, once the session's transaction is committed."""
        self._announce(session, notices.of_player(player_id))

    def _announce(self, session: Session, topic: str) -> None:
        topics: dict[str, None] = session.info.setdefault(_TOPICS, {})
        if not topics:
            before_commit(session, lambda: self._notify(session))
        topics[topic] = None

    def _notify(self, session: Session) -> None:
        """Inside the transaction, so that PostgreSQL tells other processes at its commit and never before."""
        topics = list(session.info.pop(_TOPICS))
        for topic in topics:
            # First, since it takes no time: a broker may be slow to say that it has a wake-up.
            after_commit(session, partial(self.notices.ring, topic), first=True)
        if not self.database.is_sqlite:  # which is for one process
            for payload in write(self.notices.name, topics):
                session.connection().execute(select(func.pg_notify(CHANNEL, payload)))

    @property
    def relook(self) -> float:
        """Seconds after which whoever waits for news looks again, though no bell has rung."""
        heard = self.database.is_sqlite or self.notices.hears_others
        return notices.RELOOK if heard else notices.QUICK_RELOOK

    @cached_property
    def _listening(self) -> Listening:
        return Listening(self.database, self.notices)

    def listen(self) -> None:
        """Hear from now on what other processes commit; returns at once. With SQLite there are none."""
        if not self.database.is_sqlite:
            self._listening.start()

    def after_fork(self) -> None:
        """To be called in a child process first."""
        self.database.after_fork()

    def close(self) -> None:
        """Let go of all connections."""
        if "_listening" in self.__dict__:
            self._listening.stop()
        self.publisher.close()
        self.database.dispose()
