"""The requests of this process that wait for news: a signal for each game and each player's feed.

A signal is given after the commit of the news: by this process (`Runtime.tell`), or when another process
tells it (`service.listening`). A lost signal costs only time, since every waiter looks again now and then.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from secrets import token_hex

from service.tails import Mark, Tail

MOST_WAITING = 8
"""The default for long polls that wait at once in a process."""
MOST_LISTENING = 8
"""The default for streams of events at once in a process."""
MOST_READING = 8
"""Waiters of a process that read from the database at once, so that connections are left for others."""
LONGEST_WAIT = 25
"""Seconds that a long poll may take."""
RELOOK, QUICK_RELOOK = 30.0, 0.25
"""Seconds after which a waiter looks without a signal: while all commits are heard of, and otherwise."""


def of_game(game_id: str) -> str:
    """The topic of a game; its news is that the record has grown."""
    return f"game:{game_id}"


def of_player(player_id: str) -> str:
    """The topic of a player; its news is that the feed has grown."""
    return f"player:{player_id}"


def of_token(token_id: str) -> str:
    """The topic of an access token; its news is that it was revoked."""
    return f"token:{token_id}"


class Signal:
    """The signal for news of one topic, and those who wait for it."""

    def __init__(self) -> None:
        self.tail = Tail()
        """The newest events of the topic, read once for all its waiters."""
        self.users = 0
        self._changed = threading.Condition()
        self._given = 0
        # Topics look again at moments of their own: hundreds that look at once would hold up every turn.
        self._phase = random.random()

    def give(self) -> None:
        """Wake all waiters: there is news."""
        with self._changed:
            self._given += 1
            self._changed.notify_all()

    def mark(self, relook: float) -> Mark:
        """A mark to take before a look: while it stays the same, a second look would find nothing new.

        It changes with every signal, and every `relook` seconds.
        """
        now = time.monotonic()
        return self._given, now - (now + self._phase * relook) % relook

    def wait(self, mark: Mark, seconds: float) -> None:
        """Return when a signal was given since `mark` was taken, or after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: self._given != mark[0], seconds)


class Places:
    """A number of places to wait in, of which one owner gets no more than a share."""

    def __init__(self, most: int, share: int | None = None) -> None:
        self.most = most
        self.share = most if share is None else share
        self._lock = threading.Lock()
        self._owners: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """The number of places that are taken."""
        return self._owners.total()

    def take(self, owner: str = "") -> bool:
        """Take a place for `owner`, to be given back; False if there is none for them."""
        with self._lock:
            if self.taken >= self.most or self._owners[owner] >= self.share:
                return False
            self._owners[owner] += 1
            return True

    def give_back(self, owner: str = "") -> None:
        """Free a place of `owner`."""
        with self._lock:
            self._owners[owner] -= 1
            if not self._owners[owner]:
                del self._owners[owner]


class Notices:
    """The signals of a process, and the places of those who wait for them.

    `waiting` long polls and `listening` streams may be there at the same time. Of each, one owner has a
    quarter at most. A server that gives each of them a thread needs more threads than places, or no thread is
    left for the request that they all wait for.
    """

    def __init__(self, waiting: int = MOST_WAITING, listening: int = MOST_LISTENING) -> None:
        self.name = token_hex(8)
        """The name by which this process knows its own notices among those of others."""
        # One owner with many windows open must not shut out all others.
        self.waiting, self.listening = (
            Places(most, max(most // 4, min(most, 4))) for most in (waiting, listening)
        )
        self.reading = threading.BoundedSemaphore(MOST_READING)
        self.hears_others = False
        """True if this process hears what other processes commit (`service.listening`)."""
        self.on_signal: Callable[[str], object] | None = None
        """A callback that is given the topic of each signal that somebody waits for, in the thread that gives
        it.

        For an event loop, whose waiters hold no thread. It must return at once.
        """
        self._lock = threading.Lock()
        self._signals: dict[str, Signal] = {}

    @contextmanager
    def signal(self, topic: str) -> Iterator[Signal]:
        """The signal of a topic, to wait for."""
        with self._lock:
            signal = self._signals.setdefault(topic, Signal())
            signal.users += 1
        try:
            yield signal
        finally:
            with self._lock:
                signal.users -= 1
                if not signal.users:
                    del self._signals[topic]

    def waiters(self, topic: str) -> int:
        """Count the waiters for news of a topic."""
        with self._lock:
            signal = self._signals.get(topic)
            return 0 if signal is None else signal.users

    def give(self, topic: str) -> None:
        """Give the signal of a topic: there is news of it."""
        with self._lock:
            signal = self._signals.get(topic)
        if signal is not None:
            signal.give()
            if self.on_signal is not None:
                self.on_signal(topic)

    def give_all(self) -> None:
        """Give every signal: there may be news of anything."""
        with self._lock:
            topics = list(self._signals)
        for topic in topics:
            self.give(topic)
