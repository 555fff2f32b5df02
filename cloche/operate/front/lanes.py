"""Threads that answer requests: some kept for running games, and each address in its turn.

A request waits for a thread in its lane. Within a lane the addresses take turns, so a flood from one address
delays that address. When a lane's queue is full, the address with the most requests in it loses its newest.
A request that has waited too long is refused: its client may have given up, and others can still be served.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

PATIENCE = 10.0
"""Seconds that a request waits for a thread at most."""
LONGEST_PAUSE = 60
"""The most seconds that a refused client is asked to pause."""
WINDOW = 10.0
"""Seconds over which the crowd is counted."""


class Crowded(Exception):
    """A request finds no thread in time. Ask again after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"crowded for {seconds} s")
        self.seconds = seconds


@dataclass(eq=False, slots=True)
class _Job(Generic[Result]):
    run: Callable[[], Result]
    done: asyncio.Future[Result]
    since: float
    """The loop's time when it began to wait, in seconds."""


@dataclass(eq=False)
class Lane:
    """The requests of a kind: how many threads are kept for them, and how many requests may wait."""

    name: str
    kept: int
    queue: int
    busy: int = 0
    waiting: int = 0
    _by_owner: dict[str, deque[_Job[Any]]] = field(default_factory=dict)
    """The waiting requests, in the order in which their owners have their turns."""

    def push(self, owner: str, job: _Job[Any]) -> _Job[Any] | None:
        """Queue a job; returns the one that has to go for it, if the queue is full."""
        self._by_owner.setdefault(owner, deque()).append(job)
        self.waiting += 1
        if self.waiting <= self.queue:
            return None
        longest = max(self._by_owner, key=lambda name: len(self._by_owner[name]))
        return self._take(longest, newest=True)

    def pop(self) -> _Job[Any] | None:
        """The next job of the owner whose turn it is."""
        while self._by_owner:
            owner = next(iter(self._by_owner))
            job = self._take(owner, newest=False)
            if owner in self._by_owner:
                self._by_owner[owner] = self._by_owner.pop(owner)  # to the end of the row
            if not job.done.done():  # its client may be gone
                return job
        return None

    def _take(self, owner: str, newest: bool) -> _Job[Any]:
        jobs = self._by_owner[owner]
        job = jobs.pop() if newest else jobs.popleft()
        self.waiting -= 1
        if not jobs:
            del self._by_owner[owner]
        return job


class Lanes:
    """A pool of threads, shared by lanes. It is used on the event loop alone."""

    def __init__(self, threads: int, *lanes: Lane, patience: float = PATIENCE) -> None:
        """There must be more threads than the lanes keep. A request waits `patience` seconds at most."""
        self.threads, self.patience = threads, patience
        self.lanes = lanes
        self._pool = ThreadPoolExecutor(threads, "request")
        self._loop = asyncio.get_running_loop()
        self._recent = _Recent()

    @property
    def busy(self) -> int:
        """The number of requests that are being answered."""
        return sum(lane.busy for lane in self.lanes)

    async def run(self, lane: Lane, owner: str, call: Callable[[], Result]) -> Result:
        """Call a function in a thread. Raises `Crowded`, and what the function raises."""
        job = _Job(call, self._loop.create_future(), self._loop.time())
        lost = lane.push(owner, job)
        if lost is not None:
            self._refuse(lost)
        self._fill()
        result: Result = await job.done
        return result

    def pause(self) -> int:
        """The seconds after which a refused client should ask again: what the crowd takes at today's pace."""
        crowd = sum(lane.waiting for lane in self.lanes) + self._recent.refusals
        return min(LONGEST_PAUSE, max(1, ceil(crowd / max(self._recent.pace, 1.0))))

    def close(self) -> None:
        """Take no further job, without waiting for those in hand."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _refuse(self, job: _Job[Any]) -> None:
        if not job.done.done():
            self._recent.refused()
            job.done.set_exception(Crowded(self.pause()))

    def _free(self, lane: Lane) -> bool:
        """Tell whether a lane may take a thread, after those that are kept for others."""
        free = self.threads - self.busy
        kept = sum(max(0, other.kept - other.busy) for other in self.lanes if other is not lane)
        return free > 0 and (lane.busy < lane.kept or free > kept)

    def _fill(self) -> None:
        for lane in self.lanes:
            while lane.waiting and self._free(lane):
                job = lane.pop()
                if job is None:
                    break
                if self._loop.time() - job.since > self.patience:
                    self._refuse(job)
                    continue
                lane.busy += 1
                self._pool.submit(self._work, lane, job)

    def _work(self, lane: Lane, job: _Job[Any]) -> None:
        result, fault = None, None
        try:
            result = job.run()
        except BaseException as error:
            fault = error
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end, lane, job, result, fault)

    def _end(self, lane: Lane, job: _Job[Any], result: Any, fault: BaseException | None) -> None:
        lane.busy -= 1
        self._recent.answered()
        if not job.done.done():
            if fault is None:
                job.done.set_result(result)
            else:
                job.done.set_exception(fault)
        self._fill()


class _Recent:
    """The rough numbers of requests that were answered and refused in the last `WINDOW` seconds."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._now, self._before = [0, 0], [0, 0]

    def answered(self) -> None:
        self._count()[0] += 1

    def refused(self) -> None:
        self._count()[1] += 1

    @property
    def pace(self) -> float:
        """Answers in a second."""
        now = self._count()[0]
        return (now + self._before[0]) / (WINDOW + time.monotonic() - self._since)

    @property
    def refusals(self) -> int:
        now = self._count()[1]
        return now + self._before[1]

    def _count(self) -> list[int]:
        age = time.monotonic() - self._since
        if age >= WINDOW:
            self._before = self._now if age < 2 * WINDOW else [0, 0]
            self._now, self._since = [0, 0], time.monotonic()
        return self._now


def by_turns(lanes: Lanes) -> Iterator[tuple[str, int, int]]:
    """Name, busy threads and waiting requests of each lane."""
    for lane in lanes.lanes:
        yield lane.name, lane.busy, lane.waiting
