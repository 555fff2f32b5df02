"""Open loop: moves at planned moments, whatever the house does, and how long each took from its moment."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from benchmarks.load.driver import Job
from benchmarks.load.heard import Heard
from benchmarks.load.json_process import JsonProcess, json_process
from benchmarks.load.served import ROOT
from benchmarks.load.sizes import LoadProgress

LEAD = 1.0
"""Seconds between the order to begin and the first planned moment."""


@dataclass
class Drivers:
    """Processes that play matches against one house."""

    jobs: Sequence[Job]
    running: Sequence[JsonProcess]
    tick: LoadProgress
    wrong: list[str] = field(default_factory=list)
    """The faults of the records, once all is over."""
    checked: int = 0
    """The number of records that were verified."""

    @property
    def matches(self) -> int:
        """The matches of all drivers together."""
        return sum(job.matches for job in self.jobs)

    def play(self, seconds: float, pace: float, share: float = 1.0, what: str = "load") -> Heard:
        """Have a share of the matches, at least one a driver, move for so long at such a pace."""
        begins = time.monotonic() + LEAD
        active = [max(1, round(job.matches * share)) for job in self.jobs]
        for number, (driver, count) in enumerate(zip(self.running, active, strict=True)):
            order = {"begins": begins, "seconds": seconds, "pace": pace}
            driver.tell(order | {"active": count, "offset": number / len(self.running)})
        while (now := time.monotonic()) < begins + seconds:
            self.tick(what, max(0.0, (now - begins) / seconds))
            time.sleep(min(0.2, seconds / 10))
        told = [driver.hear() for driver in self.running]
        self.tick(what, 1.0)
        return _together(told, seconds, sum(active), pace)

    def ready(self) -> None:
        """Wait until all matches have begun."""
        for number, driver in enumerate(self.running):
            self.tick("sitting down", number / len(self.running))
            driver.hear()
        self.tick("sitting down", 1.0)

    def finish(self) -> None:
        """Have the drivers verify the records of all matches, and end them."""
        for driver in self.running:
            driver.finish()
        for driver in self.running:
            told = driver.hear()
            self.checked += told["checked"]
            self.wrong += told["wrong"]
            driver.popen.wait()


def _together(told: Sequence[dict[str, Any]], seconds: float, matches: int, pace: float) -> Heard:
    lists = {
        name: [value for one in told for value in one[name]]
        for name in ("answered", "seen", "refused", "retry_after")
    }
    faults = sum((Counter(one["faults"]) for one in told), Counter[str]())
    moved, refused = sum(one["moved"] for one in told), sum(one["reads_refused"] for one in told)
    cpu = sum(one["cpu"] for one in told)
    return Heard(seconds, matches, pace, moved, **lists, reads_refused=refused, faults=faults, cpu=cpu)


def shared(job: Job, count: int) -> list[Job]:
    """Split a job that up to `count` drivers share, each with matches of its own."""
    count = min(count, job.matches)
    shares = [job.matches // count + (i < job.matches % count) for i in range(count)]
    first = [job.first + sum(shares[:i]) for i in range(count)]
    return [replace(job, matches=share, seed=job.seed + i, first=first[i]) for i, share in enumerate(shares)]


@contextmanager
def drivers(jobs: Sequence[Job], tick: LoadProgress) -> Iterator[Drivers]:
    """Start a driver for each job, and end them all at last. Raises `ProcessEnded`."""
    command = [sys.executable, "-m", "benchmarks.load.driver"]
    with ExitStack() as stack:
        running = [stack.enter_context(json_process("A driver", command, ROOT)) for _ in jobs]
        for driver, job in zip(running, jobs, strict=True):
            driver.tell(asdict(job))
        found = Drivers(jobs, running, tick)
        found.ready()
        yield found
