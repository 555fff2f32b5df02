"""Who waits in this process for news, and how many may: a bell for each game and each player's feed.

A bell is rung after the commit of what there is news of: by this process (`House.tell`), or by the word
of another (`service.listening`). A ring that gets lost costs time and nothing else, since everybody
looks again now and then.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex

from service.tails import Mark, Tail

MOST_WAITING = 8
"""Long polls that may wait at once in a process, unless it says otherwise: each holds a thread of it."""
MOST_LISTENING = 8
"""Streams of events at once in a process, unless it says otherwise: each holds a thread of it."""
MOST_READING = 8
"""Waiters of a process that read from the database at once; the connections are there for others too."""
LONGEST_WAIT = 25
"""Seconds of a long poll."""
RELOOK, QUICK_RELOOK = 5.0, 0.25
"""Seconds after which a waiter looks again unasked: while every commit is heard of, and while not."""


def of_game(game_id: str) -> str:
    """The topic of a game: its record has grown."""
    return f"game:{game_id}"


def of_player(player_id: str) -> str:
    """The topic of a player: their feed has grown."""
    return f"player:{player_id}"


class Signal:
    """Rings when there is news of one topic."""

    def __init__(self) -> None:
        self.tail = Tail()
        """What was read of the topic last, for all who wait for it."""
        self.users = 0
        self._changed = threading.Condition()
        self._rung = 0

    def ring(self) -> None:
        """There is news."""
        with self._changed:
            self._rung += 1
            self._changed.notify_all()

    def mark(self, relook: float) -> Mark:
        """Take this before looking: while the mark is the same, a second look is of no use.

        It changes with every ring, and every `relook` seconds.
        """
        now = time.monotonic()
        return self._rung, now - now % relook

    def wait(self, mark: Mark, seconds: float) -> None:
        """Return when it was rung since `mark` was taken, or after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: self._rung != mark[0], seconds)


class Places:
    """So many at once, and of them no more than a share for one owner."""

    def __init__(self, most: int, share: int | None = None) -> None:
        self.most = most
        self.share = most if share is None else share
        self._lock = threading.Lock()
        self._owners: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """How many places are taken."""
        return self._owners.total()

    def take(self, owner: str = "") -> bool:
        """A place for `owner`, to be given back; False where there is none for them."""
        with self._lock:
            if self.taken >= self.most or self._owners[owner] >= self.share:
                return False
            self._owners[owner] += 1
            return True

    def give_back(self, owner: str = "") -> None:
        """A place of `owner` is free again."""
        with self._lock:
            self._owners[owner] -= 1
            if not self._owners[owner]:
                del self._owners[owner]


class Notices:
    """The bells of a process, and the places of those who wait for them.

    `waiting` long polls and `listening` streams may be there at the same time. Together they must be fewer
    than the process has threads, or nobody is left to serve the request that they all wait for.
    """

    def __init__(self, waiting: int = MOST_WAITING, listening: int = MOST_LISTENING) -> None:
        self.name = token_hex(8)
        """By which this process knows its own notices among others'."""
        self.waiting = Places(waiting)
        # One owner with many windows must not shut out all others.
        self.listening = Places(listening, max(listening // 4, min(listening, 4)))
        self.reading = threading.BoundedSemaphore(MOST_READING)
        self.hears_others = False
        """Whether word of what other processes commit arrives (`service.listening`)."""
        self._lock = threading.Lock()
        self._signals: dict[str, Signal] = {}

    @contextmanager
    def place(self) -> Iterator[bool]:
        """A place to wait in with a long poll; False where all are taken."""
        admitted = self.waiting.take()
        try:
            yield admitted
        finally:
            if admitted:
                self.waiting.give_back()

    @contextmanager
    def signal(self, topic: str) -> Iterator[Signal]:
        """The bell of a topic, to be waited at."""
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
        """How many wait at a bell."""
        with self._lock:
            signal = self._signals.get(topic)
            return 0 if signal is None else signal.users

    def ring(self, topic: str) -> None:
        """There is news of `topic`."""
        with self._lock:
            signal = self._signals.get(topic)
        if signal is not None:
            signal.ring()

    def ring_all(self) -> None:
        """There may be news of anything."""
        with self._lock:
            signals = list(self._signals.values())
        for signal in signals:
            signal.ring()
