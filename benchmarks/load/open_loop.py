"""Open loop: moves at planned moments, whatever the house does, and how long each took from its moment."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from benchmarks.load.driver import Job
from benchmarks.load.served import ROOT

LEAD = 1.0
"""Seconds between the order to begin and the first planned moment."""
LoadProgress = Callable[[str, float], object]
"""A callback that is told what runs, and which share of it is done, from 0 to 1."""


class DriverFailed(RuntimeError):
    """A driver has ended early. The text has the end of what it said."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The sum of what all drivers saw in one phase."""

    seconds: float
    matches: int
    """The number of matches that were played."""
    pace: float
    moved: int
    """Moves that were accepted before the end of the phase."""
    answered: Sequence[float]
    """Milliseconds from each move's planned moment to its receipt."""
    seen: Sequence[float]
    """Milliseconds from each move's planned moment until every follower had its entry."""
    refused: Sequence[float]
    """Milliseconds that each refusal took, from its request."""
    retry_after: Sequence[float]
    """Seconds, as refusals named them."""
    reads_refused: int
    faults: Counter[str]
    cpu: float
    """Processor seconds of the drivers."""

    @property
    def throughput(self) -> float:
        """Moves a second."""
        return self.moved / self.seconds

    @property
    def planned(self) -> float:
        """Moves a second that were planned; 0 for as many as there can be."""
        return self.matches / self.pace if self.pace else 0.0


@dataclass
class Drivers:
    """Processes that play matches against one house."""

    jobs: Sequence[Job]
    running: Sequence[subprocess.Popen[str]]
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
        for number, (popen, count) in enumerate(zip(self.running, active, strict=True)):
            order = {"begins": begins, "seconds": seconds, "pace": pace}
            self._tell(popen, order | {"active": count, "offset": number / len(self.running)})
        while (now := time.monotonic()) < begins + seconds:
            self.tick(what, max(0.0, (now - begins) / seconds))
            time.sleep(min(0.2, seconds / 10))
        told = [self._hear(popen) for popen in self.running]
        self.tick(what, 1.0)
        return _together(told, seconds, sum(active), pace)

    def _tell(self, popen: subprocess.Popen[str], order: dict[str, Any]) -> None:
        assert popen.stdin is not None, "its input is a pipe"
        popen.stdin.write(json.dumps(order) + "\n")
        popen.stdin.flush()

    def _hear(self, popen: subprocess.Popen[str]) -> dict[str, Any]:
        assert popen.stdout is not None, "its output is a pipe"
        line = popen.stdout.readline()
        if not line:
            popen.wait()
            raise DriverFailed(f"A driver ended with {popen.returncode}; what it said is above.")
        told: dict[str, Any] = json.loads(line)
        return told

    def ready(self) -> None:
        """Wait until all matches have begun."""
        for number, popen in enumerate(self.running):
            self.tick("sitting down", number / len(self.running))
            self._hear(popen)
        self.tick("sitting down", 1.0)

    def finish(self) -> None:
        """Have the drivers verify the records of all matches, and end them."""
        for popen in self.running:
            assert popen.stdin is not None, "its input is a pipe"
            popen.stdin.close()
        for popen in self.running:
            told = self._hear(popen)
            self.checked += told["checked"]
            self.wrong += told["wrong"]
            popen.wait()


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
    """Start a driver for each job; they are ended at last. Raises `DriverFailed`."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.load.driver"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        for _ in jobs
    ]
    try:
        found = Drivers(jobs, running, tick)
        for popen, one in zip(running, jobs, strict=True):
            found._tell(popen, asdict(one))
        found.ready()
        yield found
    finally:
        for popen in running:
            if popen.poll() is None:
                popen.terminate()
                popen.wait()
            for pipe in (popen.stdin, popen.stdout):
                if pipe is not None:
                    pipe.close()


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below or at which this share of the values lies; raises ValueError for no values."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
