"""The newest events of a topic, read once for all its listeners."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

BATCH = 50
"""Events that are read at once."""
KEPT = 100
"""Events that are kept in memory. A listener who is further behind reads from the database."""

Mark = tuple[int, float]
"""The signals given, and the time, before a look at the database (`Signal.mark`)."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream."""

    id: int
    """The number of the event in its stream, without gaps."""
    name: str
    data: str
    """JSON in one line."""


_ENCODER = json.JSONEncoder(separators=(",", ":"))


def one_line(data: object) -> str:
    """JSON without a line break in it."""
    return _ENCODER.encode(data)


Read = Callable[[int], Sequence[Event]]
"""Reads at most `BATCH` events after an id, in order and without gaps."""


class Tail:
    """The last `KEPT` events of one topic. The first listener after a signal reads them for all others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[Event] = []
        self._newest = -1
        """The id of the newest event that was read; before that, the id after which events were asked for."""
        self._looked: Mark | None = None
        """The mark of the last look after which nothing was left to read."""

    def after(self, last: int, mark: Mark, read: Read) -> Sequence[Event]:
        """The events after id `last`, in order; none only if none was committed before `mark` was taken."""
        with self._lock:
            if last > self._newest:
                self._events.clear()
                self._newest, self._looked = last, None
            if self._newest - len(self._events) <= last:
                self._look(mark, read)
                found = self._beyond(last)
                del self._events[:-KEPT]
                return found
        return read(last)

    def kept(self, last: int, mark: Mark) -> Sequence[Event] | None:
        """Return what `after` would, where that needs no reading and no waiting for another's; else None."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            known = self._looked is not None and self._looked >= mark
            if not known or not self._newest - len(self._events) <= last <= self._newest:
                return None
            return self._beyond(last)
        finally:
            self._lock.release()

    def _beyond(self, last: int) -> list[Event]:
        """The events after id `last`, from the first that is kept or later. Ids have no gaps."""
        return self._events[len(self._events) - (self._newest - last) :]

    def _look(self, mark: Mark, read: Read) -> None:
        if self._looked is not None and self._looked >= mark:
            return
        found = read(self._newest)
        self._events.extend(found)
        if found:
            self._newest = found[-1].id
        if len(found) < BATCH:
            self._looked = mark
