"""Measure ratios side by side: A B, B A, A B, ... and take the median of the pairs' ratios.

A slow or busy machine slows both sides of a pair, and a drift of its speed falls on both orders alike. So
ratios can be compared between machines, and milliseconds can't.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Work = Callable[[], bool]
"""Work to be timed, with all its inputs ready. It returns True if it did what it should."""
Ticked = Callable[[], None]
"""A callback after every alternation."""

PUBLISHED = 15
"""The fewest alternations of a published figure, unless its text says why it has fewer."""


class WorkFailed(RuntimeError):
    """The timed work did not do what it should, so there is nothing to report."""


@dataclass(frozen=True, slots=True)
class Took:
    """The seconds that one run took: elapsed time, and processor time."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of measured values: the least, both quartiles, the median, the greatest."""

    least: float
    lower: float
    median: float
    upper: float
    greatest: float


@dataclass(frozen=True, slots=True)
class WorkPair:
    """Two pieces of work that are measured against each other, A and B."""

    fresh: Callable[[], tuple[Work, Work]]
    """Makes A and B with new inputs for one alternation; not timed."""
    counts: int = 1
    """The number of times that B counts, since of slow work only a part is measured."""
    terms: int | None = None
    """The number of different points in the equations: the terms of the sum, or of all raw products of B."""
    proof_bytes: int | None = None
    decoded: int | None = None
    """The number of new points that A must decode."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Sizes of proofs and files, in bytes, by name."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A ratio A : B that is measured, and its bound."""

    name: str
    title: str
    a: str
    b: str
    bound: float | None
    """The highest ratio that is allowed; None where nothing is promised."""
    how: str
    """The way in which it is measured, in Markdown."""
    prepare: Callable[[], WorkPair]
    most: int | None = None
    """The most alternations, where A is too slow for more."""
    fold: int = 1
    """The factor by which the number of alternations is raised.

    Short work is disturbed most, and costs little.
    """


@dataclass(frozen=True, slots=True)
class Measured:
    """The results of a figure; times in milliseconds."""

    name: str
    ratio: Spread
    """The ratio of elapsed time. The bound is for this one."""
    cpu_ratio: Spread
    """The ratio of this process's processor time.

    A busy machine disturbs it less, and it adds up all threads.
    """
    a_ms: Spread
    b_ms: Spread
    """The time of B, times `counts`."""
    alternations: int
    bound: float | None
    within: bool | None
    """True if the median is at most the bound; None where there is no bound."""
    counts: int
    terms: int | None
    proof_bytes: int | None
    decoded: int | None
    sizes: Mapping[str, int]

    def json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {**asdict(self), "sizes": dict(self.sizes)}

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Measured:
        """Read it from its JSON, as benchmarks/schema.json has it."""
        spreads = {name: Spread(**data[name]) for name in ("ratio", "cpu_ratio", "a_ms", "b_ms")}
        return cls(**{**data, **spreads})


def spread(values: Sequence[float]) -> Spread:
    """The spread of at least one value. Quartiles are those of a whole population, not of a sample."""
    if len(values) == 1:
        return Spread(*(values[0],) * 5)
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(min(values), lower, median, upper, max(values))


def order(alternation: int) -> tuple[int, int]:
    """The order of the sides in an alternation, with 0 for A and 1 for B: A B, B A, A B, ..."""
    return (0, 1) if alternation % 2 == 0 else (1, 0)


def seconds(work: Work) -> Took:
    """Time one run of the work. Raises `WorkFailed` if it fails.

    The garbage of earlier work is collected first. The collector stays on, as it does in a house.
    """
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    done = work()
    took = Took(time.perf_counter() - wall, time.process_time() - cpu)
    if not done:
        raise WorkFailed("The measured work did not do what it should.")
    return took


def alternate(contest: WorkPair, times: int, told: Ticked = lambda: None) -> list[tuple[Took, Took]]:
    """Time A and B, alternation by alternation, after one alternation that does not count."""
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
    """Return how many alternations a figure gets if `asked` are asked for."""
    times = asked * figure.fold
    return times if figure.most is None else min(times, figure.most)


def run(figure: Figure, asked: int = PUBLISHED, told: Ticked = lambda: None) -> Measured:
    """Measure a figure. Raises `WorkFailed`, and `EngineError` where an engine is missing."""
    contest = figure.prepare()
    return summary(figure, contest, alternate(contest, times_of(figure, asked), told))


def summary(figure: Figure, contest: WorkPair, pairs: Sequence[tuple[Took, Took]]) -> Measured:
    """Sum up the times of A and B, one pair for each alternation."""
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
