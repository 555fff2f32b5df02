"""The growth of each list and each operation of players: its cost in a small house, and in a full one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from statistics import median

from benchmarks.load import crowded
from benchmarks.load.beside import ticks
from benchmarks.load.deeds import DEEDS, LISTS, look
from benchmarks.load.findings import PEOPLE, Grown, LoadFinding, PartResults
from benchmarks.load.scene import Scene, scene
from benchmarks.load.sizes import Sizes
from benchmarks.measure import order
from benchmarks.turns.measure import steady

GOAL = 2.0
"""The most that anything may cost in the full house, in multiples of its cost in the small one."""
WARM = 2
"""Times that do not count: statements are compiled, and caches filled."""
QUICK = 3
"""A list is asked for so many times as often as an operation is done: it costs less, and so varies more."""


def people(sizes: Sizes) -> PartResults:
    """Measure every list and operation of players in a full house, against a small one."""
    with ExitStack() as stack:
        few, many = sizes.few, sizes.grown
        small = stack.enter_context(scene(sizes.folder / "few", few, lambda share: None))
        full = stack.enter_context(
            scene(
                sizes.folder / "many", many, lambda share: sizes.tick(f"letting {many:,} players in", share)
            )
        )
        stack.enter_context(steady())
        tell = ticks(sizes, "lists and operations", len(LISTS) + len(DEEDS))
        found = [_list(sizes, name, path, small, full, tell) for name, path in LISTS.items()]
        found += [_deed(sizes, name, deed, small, full, tell) for name, deed in DEEDS.items()]
    return PartResults([_finding(found, few, many)], grown=found)


def _list(sizes: Sizes, name: str, path: str, small: Scene, full: Scene, tell: Callable[[], None]) -> Grown:
    limit = max(1, sizes.few // crowded.OPEN - 1)
    lengths = [look(where, path, limit)[1] for where in (small, full)]
    if lengths[0] != lengths[1]:
        raise ValueError(
            f"{name} has {lengths[0]} lines in the small house, and {lengths[1]} in the full one."
        )
    found = _both(sizes.people * QUICK, lambda where: look(where, path, limit)[0], small, full)
    tell()
    return Grown(name, *found)


def _deed(
    sizes: Sizes,
    name: str,
    deed: Callable[[Scene], float],
    small: Scene,
    full: Scene,
    tell: Callable[[], None],
) -> Grown:
    found = _both(sizes.people, deed, small, full)
    tell()
    return Grown(name, *found)


def _both(times: int, cost: Callable[[Scene], float], small: Scene, full: Scene) -> tuple[float, float]:
    """The median cost in both houses, in ms, measured in alternating order."""
    sides = (small, full)
    costs: tuple[list[float], list[float]] = ([], [])
    for number in range(times + WARM):
        for side in order(number):
            took = cost(sides[side])
            if number >= WARM:
                costs[side].append(took * 1000)
    return median(costs[0]), median(costs[1])


def _finding(found: list[Grown], few: int, many: int) -> LoadFinding:
    worst = max(found, key=lambda one: one.ratio)
    what = (
        f"{worst.name}, of all {len(found)} lists and operations the one that grows most, in a house with"
        f" {many:,} players, as many games and {many // 10:,} in the queue, against one with {few:,}."
    )
    parts = {"full ms": worst.full, "small ms": worst.small}
    return LoadFinding(PEOPLE, worst.ratio, "ratio", GOAL, what, parts)
