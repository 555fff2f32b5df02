"""Ratios measured side by side: A B, B A, A B, ... and the median of what each pair gave.

A machine that is slow, or busy, slows both sides of a pair; a drift of its speed falls on both
orders alike. So a ratio means something where milliseconds mean little.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Work = Callable[[], bool]
"""What is timed, with all its inputs at hand; True if it did what it should."""
Told = Callable[[], None]
"""Is told of every alternation done."""

PUBLISHED = 15
"""Fewest alternations of a figure that is published, unless it says itself why it has fewer."""


class WorkFailed(RuntimeError):
    """What was timed did not do what it should: there is nothing to report."""


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of one run: by the clock on the wall, and of the processor."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Spread:
    """How measured values lie: the least, both quartiles, the median, the greatest."""

    least: float
    lower: float
    median: float
    upper: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Contest:
    """Two pieces of work against each other."""

    fresh: Callable[[], tuple[Work, Work]]
    """Makes new inputs, off the clock, for one alternation."""
    counts: int = 1
    """How many times B counts: what is slow is measured in part."""
    terms: int | None = None
    """Different points in the equations: the terms of the sum, or of all raw products that B is made of."""
    proof_bytes: int | None = None
    decoded: int | None = None
    """Points that A meets for the first time, and must decode."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Bytes of what is measured, by name."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A ratio A : B that is measured, and what it is held against."""

    name: str
    title: str
    a: str
    b: str
    bound: float | None
    """The highest ratio that will do; None where nothing is promised."""
    how: str
    """How it is measured, in Markdown."""
    prepare: Callable[[], Contest]
    most: int | None = None
    """Most alternations, where A is too slow for more."""
    fold: int = 1
    """How many times as many as asked, where they cost little: short work is disturbed most."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a figure; times in milliseconds."""

    name: str
    ratio: Spread
    """By the clock on the wall: what counts."""
    cpu_ratio: Spread
    """By the processor time of this process: what a busy machine disturbs least, and what shows threads."""
    a_ms: Spread
    b_ms: Spread
    """Of B as it counts."""
    alternations: int
    bound: float | None
    within: bool | None
    """Whether the median is no more than the bound; None where there is none."""
    counts: int
    terms: int | None
    proof_bytes: int | None
    decoded: int | None
    sizes: Mapping[str, int]

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(self), "sizes": dict(self.sizes)}

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Measured:
        """From its JSON, as benchmarks/schema.json has it."""
        spreads = {name: Spread(**data[name]) for name in ("ratio", "cpu_ratio", "a_ms", "b_ms")}
        return cls(**{**data, **spreads})


def spread(values: Sequence[float]) -> Spread:
    """The spread of at least one value; quartiles as of the whole, not of a sample."""
    if len(values) == 1:
        return Spread(*(values[0],) * 5)
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(min(values), lower, median, upper, max(values))


def order(alternation: int) -> tuple[int, int]:
    """Which side goes first, A being 0: A B, B A, A B, ..."""
    return (0, 1) if alternation % 2 == 0 else (1, 0)


def seconds(work: Work) -> Took:
    """How long one run takes; `WorkFailed` if it fails.

    What earlier work left behind is collected first; the collector stays on, as it is in a house.
    """
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    done = work()
    took = Took(time.perf_counter() - wall, time.process_time() - cpu)
    if not done:
        raise WorkFailed("what was measured did not do its work")
    return took


def alternate(contest: Contest, times: int, told: Told = lambda: None) -> list[tuple[Took, Took]]:
    """What A and B take, alternation by alternation, after one that is not counted."""
    for work in contest.fresh():
        seconds(work)
    found = []
    for alternation in range(times):
        pair = contest.fresh()
        took = {side: seconds(pair[side]) for side in order(alternation)}
        found.append((took[0], took[1]))
        told()
    return found


def times_of(figure: Figure, asked: int) -> int:
    """How many alternations a figure gets where `asked` are asked for."""
    times = asked * figure.fold
    return times if figure.most is None else min(times, figure.most)


def run(figure: Figure, asked: int = PUBLISHED, told: Told = lambda: None) -> Measured:
    """Measure a figure. Raises `WorkFailed`, and `EngineError` where an engine is missing."""
    contest = figure.prepare()
    return summary(figure, contest, alternate(contest, times_of(figure, asked), told))


def summary(figure: Figure, contest: Contest, pairs: Sequence[tuple[Took, Took]]) -> Measured:
    """What pairs of times, of A and of B, come to."""
    counts = contest.counts
    ratio = spread([a.wall / (b.wall * counts) for a, b in pairs])
    return Measured(
        name=figure.name,
        ratio=ratio,
        cpu_ratio=spread([a.cpu / (b.cpu * counts) for a, b in pairs]),
        a_ms=spread([a.wall * 1000 for a, _ in pairs]),
        b_ms=spread([b.wall * counts * 1000 for _, b in pairs]),
        alternations=len(pairs),
        bound=figure.bound,
        within=None if figure.bound is None else ratio.median <= figure.bound,
        counts=contest.counts,
        terms=contest.terms,
        proof_bytes=contest.proof_bytes,
        decoded=contest.decoded,
        sizes=dict(contest.sizes),
    )
