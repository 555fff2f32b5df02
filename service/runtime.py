"""The resources of a process that the operations of the house use."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy import Text, bindparam, func, select
from sqlmodel import Session

from cards.catalog import card_sets, cards
from cards.decks import formats
from cards.decks.formats import Format
from service import announcements, keys, notices
from service.announcements import Forgotten, News, Revoked
from service.brake import Brake
from service.config import Settings
from service.db import Database, UnitOfWork, after_commit, before_commit
from service.keys import KeyGenerations, Keys
from service.known_tokens import KnownTokens
from service.listening import CHANNEL, Listening
from service.live import Growth, LiveGames
from service.notices import Notices
from service.passwords import Passwords
from service.publisher import Publisher
from service.statements import Prepared

_TOPICS = "cloche_topics"
_NOTIFY = Prepared(select(func.pg_notify(CHANNEL, bindparam("payload", type_=Text))))


def now_ms() -> int:
    """The time, in milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


class _Files:
    """The files of the data folder that a process reads, each when it is first needed."""

    def __init__(self, settings: Settings, catalog: cards.Catalog) -> None:
        self._settings, self._catalog = settings, catalog
        self.keys = keys.KeyFile(settings.data)

    @cached_property
    def formats(self) -> Mapping[str, Format]:
        return formats.of_house(self._catalog, self._settings.own_formats)


@dataclass(frozen=True, slots=True)
class Bots:
    """The house's bots for a mode."""

    names: Sequence[str] = ()
    """The best first."""
    levels: Mapping[str, str] = field(default_factory=dict)
    """The name of the bot for each level of play, the easiest level first."""


@dataclass(frozen=True)
class Runtime:
    """Settings, database, card sets, passwords and their brake, the clock, signals, and the publisher that
    wakes the workers.

    There is one in a process. Every operation that opens its own transaction takes it as its first argument.
    """

    settings: Settings
    database: Database
    catalog: cards.Catalog
    passwords: Passwords
    brake: Brake
    publisher: Publisher
    clock: Callable[[], int] = field(default=now_ms)
    notices: Notices = field(default_factory=Notices)
    live: LiveGames = field(default_factory=LiveGames, repr=False)
    """The knowledge of this process about the running games."""
    tokens: KnownTokens = field(default_factory=KnownTokens, repr=False)
    """The access tokens that this process knows to be valid."""
    bots: Mapping[str, Bots] = field(default_factory=dict)
    """The house's bots by mode. The code that plays is in the workers alone."""
    unit: UnitOfWork | None = field(default=None, repr=False)
    """The unit of work to which all transactions belong, if there is one: see `within`."""

    @classmethod
    def open(cls, settings: Settings, bots: Mapping[str, Bots] | None = None) -> Runtime:
        """The runtime that `settings` describe, with the house's bots. It connects to nothing yet.

        Raises `CatalogError` for card sets with faults.
        """
        return cls(
            settings=settings,
            database=Database(settings.database),
            catalog=card_sets.load(),
            passwords=Passwords(settings.password_passes, settings.password_kib, settings.password_queue),
            brake=Brake(settings),
            publisher=Publisher(settings.broker, settings.queue),
            bots=bots or {},
        )

    def within(self, unit: UnitOfWork) -> Runtime:
        """The same runtime, whose transactions all belong to a unit of work."""
        _ = self._files  # so that both share what they read
        bound = copy(self)
        object.__setattr__(bound, "unit", unit)
        return bound

    @cached_property
    def _files(self) -> _Files:
        return _Files(self.settings, self.catalog)

    @property
    def formats(self) -> Mapping[str, Format]:
        """The formats for tables, by name: those that come with Cloche, and the operator's own.

        They are read when first needed. Raises `CatalogError`, which names every fault in them.
        """
        return self._files.formats

    @property
    def key_generations(self) -> KeyGenerations:
        """All generations of the house's own secrets. They are read when first needed, and made if missing.

        They are read again after the file was replaced, so that no process must be restarted.
        """
        return self._files.keys.generations()

    @property
    def keys(self) -> Keys:
        """The newest generation of the house's secrets. New games use it."""
        return self.key_generations.newest

    def keys_of(self, house_key: bytes) -> Keys:
        """The generation whose public key the header of a game names. Raises `UnknownKey`."""
        return self.key_generations.of(house_key)

    def now(self) -> int:
        """The time, in milliseconds since 1970 UTC."""
        return self.clock()

    def write(self) -> AbstractContextManager[Session]:
        """One transaction that may write: see `Database.write` and, in a unit of work, `UnitOfWork.write`."""
        return (self.unit or self.database).write()

    def read(self) -> AbstractContextManager[Session]:
        """One transaction that only reads: see `Database.read` and, in a unit of work, `UnitOfWork.read`."""
        return (self.unit or self.database).read()

    def wake(self, session: Session, task: str, *arguments: str) -> None:
        """Ask a worker to run a task of `service.publisher`, once the session's transaction is committed."""
        after_commit(session, lambda: self.publisher.send(task, *arguments))

    def tell(self, session: Session, game_id: str, growth: Growth | None = None) -> None:
        """Tell of news of a game, once the session's transaction is committed.

        Without `growth` this process forgets what it knows of the game.
        """
        self._announce(session, notices.of_game(game_id), growth or Forgotten(game_id))

    def tell_player(self, session: Session, player_id: str) -> None:
        """Give the signal for news in a player's feed, once the session's transaction is committed."""
        self._announce(session, notices.of_player(player_id), None)

    def tell_revoked(self, session: Session, token_id: str) -> None:
        """Have all processes forget a token, once the session's transaction is committed."""
        self._announce(session, notices.of_token(token_id), Revoked(token_id))

    def _announce(self, session: Session, topic: str, news: News) -> None:
        told: dict[str, News] = session.info.setdefault(_TOPICS, {})
        if not told:
            before_commit(session, lambda: self._notify(session))
        told[topic] = news

    def _notify(self, session: Session) -> None:
        """Tell of a transaction's news. It runs inside, so that PostgreSQL tells others at the commit."""
        told: dict[str, News] = session.info.pop(_TOPICS)
        # Signals come first, since they take no time, while a broker may be slow to confirm a wake-up.
        after_commit(session, lambda: self._take(told), first=True)
        if not self.database.is_sqlite:  # SQLite serves one process only
            for payload in announcements.write(self.notices.name, told):
                _NOTIFY.run(session, {"payload": payload})

    def _take(self, told: Mapping[str, News]) -> None:
        """Take in committed news. Signals come last, since the threads that they wake must find the news."""
        for news in told.values():
            if isinstance(news, Growth):
                self.live.grow(news)
            elif isinstance(news, Forgotten):
                self.live.forget(news.game_id)
            elif isinstance(news, Revoked):
                self.tokens.drop(news.token_id)
        for topic in told:
            self.notices.give(topic)

    def _hear(self, payload: str) -> None:
        """Take in what another process tells."""
        process, told = announcements.read(payload)
        if process != self.notices.name:  # this process has taken in its own news already
            self._take(told)

    def _lost(self) -> None:
        """Forget what other processes may have changed: notices may have been lost."""
        self.live.clear()
        self.tokens.clear()

    @property
    def hears_all(self) -> bool:
        """True if this process hears of every commit, and so may answer from what it knows."""
        return self.database.is_sqlite or self.notices.hears_others

    @property
    def relook(self) -> float:
        """Seconds after which a request that waits for news looks again without a signal."""
        return notices.RELOOK if self.hears_all else notices.QUICK_RELOOK

    @cached_property
    def _listening(self) -> Listening:
        return Listening(self.database, self.notices, self._hear, self._lost)

    def listen(self) -> None:
        """Begin to listen for what other processes commit; returns at once. With SQLite there are none."""
        if not self.database.is_sqlite:
            self._listening.start()

    def after_fork(self) -> None:
        """Make the runtime usable in a child process, which calls this before anything else."""
        self.database.after_fork()

    def close(self) -> None:
        """Close all connections."""
        if "_listening" in self.__dict__:
            self._listening.stop()
        self.publisher.close()
        self.database.dispose()
