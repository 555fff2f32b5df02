"""Measure what the time of work on secrets reveals about them: pairs of classes, side by side.

    python -m benchmarks.side_channels [--times N] [--only NAME] [--write]

Each case has two classes that differ in a secret and in nothing that is public. Single runs of both are
interleaved in random order, and all random values in them are new each time. They are compared in three ways.
The first is the difference of the medians. The second is Cliff's delta: the chance that a run of the first
class takes longer than one of the second, less the chance that it takes less (Cliff, 1993). The third is
Welch's t after the slowest tenth of all runs is cut off, as leakage assessments do it (Goodwill et al., "A
testing methodology for side-channel resistance validation", 2011, whose bound is |t| = 4.5). Delta says how
much one run tells, t how sure it is that runs differ at all: t grows with the number of runs, delta does not.

The clock is the processor time of this process. A busy machine disturbs it least, and nobody at the other end
of a network can measure as precisely. `--write` puts the table into docs/security.md.
"""

from __future__ import annotations

import argparse
import gc
import math
import secrets
import statistics
import sys
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import machine
from benchmarks.side_channel_cases import CASES, Case, SecretWork

PAGE = Path(__file__).parents[1] / "docs" / "security.md"
BEGIN, END = (
    "<!-- side channels: written by benchmarks/side_channels.py -->\n",
    "<!-- side channels: end -->\n",
)
BOUND = 4.5
"""The |t| above which runs count as different."""
_SIZES = ((0.147, "negligible"), (0.33, "small"), (0.474, "medium"), (math.inf, "large"))
"""The names of |delta| (Romano et al., 2006)."""
_CUT = 0.1


@dataclass(frozen=True, slots=True)
class ClassTimes:
    """Two classes compared; times in microseconds."""

    case: Case
    runs: int
    """The number of runs of each class."""
    one: float
    other: float
    delta: float
    t: float

    @property
    def share(self) -> float:
        """The amount by which the median of the second class is longer, as a part of the first."""
        return self.other / self.one - 1

    @property
    def size(self) -> str:
        """The name of the effect's size."""
        return next(name for bound, name in _SIZES if abs(self.delta) < bound)


def cliffs_delta(ones: Sequence[float], others: Sequence[float]) -> float:
    """P(one > other) - P(one < other), counted over all pairs; between -1 and 1."""
    ordered = sorted(others)
    more = sum(bisect_left(ordered, one) - (len(ordered) - bisect_right(ordered, one)) for one in ones)
    return more / (len(ones) * len(others))


def welch_t(ones: Sequence[float], others: Sequence[float]) -> float:
    """Welch's t of both classes, without the slowest tenth of all runs."""
    cut = sorted([*ones, *others])[math.ceil((1 - _CUT) * (len(ones) + len(others))) - 1]
    left = [[value for value in values if value <= cut] for values in (ones, others)]
    if min(map(len, left)) < 2:
        return math.inf if statistics.fmean(ones) > statistics.fmean(others) else -math.inf
    means, variances = map(statistics.fmean, left), (statistics.variance(v) / len(v) for v in left)
    spread = math.sqrt(sum(variances))
    mean, other = means
    return (
        0.0 if mean == other else (mean - other) / spread if spread else math.copysign(math.inf, mean - other)
    )


def took(work: SecretWork) -> float:
    """Run the work once. Returns the processor time in microseconds."""
    began = time.process_time_ns()
    work()
    return (time.process_time_ns() - began) / 1000


def compare(case: Case, runs: int, told: Callable[[int], None] = lambda done: None) -> ClassTimes:
    """Measure a case with `runs` runs of each class, in random order and with the garbage collector off."""
    make = case.prepare()
    for side in (0, 1):
        make(side)()
    times: tuple[list[float], list[float]] = ([], [])
    sides = [side for side in (0, 1) for _ in range(runs)]
    secrets.SystemRandom().shuffle(sides)
    for done, side in enumerate(sides):
        work = make(side)
        gc.collect(1)
        gc.disable()
        try:
            times[side].append(took(work))
        finally:
            gc.enable()
        told(done)
    one, other = map(statistics.median, times)
    return ClassTimes(case, runs, one, other, cliffs_delta(*times), welch_t(*times))


def table(found: Iterable[ClassTimes]) -> str:
    """The results as a table in Markdown."""
    rows = [
        "| what | first class | second class | runs of each | first, µs | second | Cliff's δ | effect | t |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {item.case.what} | {item.case.first} | {item.case.second} | {item.runs:,} | "
        f"{_figures(item.one)} | {100 * item.share:+.2f} % | {item.delta:+.2f} | {item.size} | "
        f"{item.t:+.1f} |"
        for item in found
    ]
    return "\n".join(rows) + "\n"


def _figures(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _line(item: ClassTimes) -> str:
    differs = "" if abs(item.t) < BOUND else "  differs"
    return (
        f"{item.case.name:14} {item.one:10.1f} {item.other:10.1f} us  {100 * item.share:+6.2f} %  "
        f"delta {item.delta:+.2f} ({item.size})  t {item.t:+.1f}{differs}\n"
    )


def section(found: Sequence[ClassTimes], this: machine.Machine) -> str:
    """The table and the machine that measured it, between the marks of the page."""
    libraries = ", ".join(f"{name} {version}" for name, version in this.libraries.items())
    said = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}: {this.processor}, {this.cores} cores (load {this.load}), "
        f"{this.system}, {this.python}; {libraries}.\n"
    )
    return f"{BEGIN}\n{table(found)}\n{said}\n{END}"


def written(page: str, text: str) -> str:
    """The page with its section replaced; ValueError where it has no marks for one."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("docs/security.md has no marks for the table")
    return before + text + after


def main() -> None:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser(
        description="Measure what the time of work on secrets reveals about them."
    )
    parser.add_argument(
        "--times", type=float, default=1.0, help="measure so many times the usual number of runs"
    )
    parser.add_argument(
        "--only", action="append", choices=[case.name for case in CASES], help="measure this case alone"
    )
    parser.add_argument("--write", action="store_true", help="write the table into docs/security.md")
    given = parser.parse_args()
    chosen = [case for case in CASES if not given.only or case.name in given.only]
    if given.write and (given.only or given.times < 1):
        parser.error("--write needs all cases in full: leave out --only, and give --times 1 or more")
    this, found = machine.describe(), []
    for case in chosen:
        item = compare(case, max(10, round(case.runs * given.times)))
        found.append(item)
        sys.stdout.write(_line(item))
        sys.stdout.flush()
    if given.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), section(found, this)), encoding="utf-8")


if __name__ == "__main__":
    main()
