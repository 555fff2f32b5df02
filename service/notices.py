"""Who waits for news of a game, in this process: long polls end when an entry is committed."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

MOST_WAITING = 8
"""Requests that may wait at once in a process, unless it says otherwise: each holds a thread of it."""


class Notices:
    """A bell for each game. What other processes commit is found by looking again now and then.

    `most` requests may wait at the same time: fewer than the process has threads, or nobody is left to
    serve the request that they all wait for.
    """

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._changed = threading.Condition()
        self._rung: defaultdict[str, int] = defaultdict(int)
        self._listening: defaultdict[str, int] = defaultdict(int)
        self._places = threading.BoundedSemaphore(most)

    @contextmanager
    def place(self) -> Iterator[bool]:
        """A place to wait in; False where all are taken."""
        admitted = self._places.acquire(blocking=False)
        try:
            yield admitted
        finally:
            if admitted:
                self._places.release()

    def ring(self, game: str) -> None:
        """There is news of `game`."""
        with self._changed:
            if self._listening[game]:
                self._rung[game] += 1
                self._changed.notify_all()

    def wait(self, game: str, seconds: float) -> None:
        """Return when there is news of `game`, or after `seconds`."""
        with self._changed:
            self._listening[game] += 1
            before = self._rung[game]
            self._changed.wait_for(lambda: self._rung[game] != before, seconds)
            self._listening[game] -= 1
            if not self._listening[game]:
                del self._listening[game], self._rung[game]
