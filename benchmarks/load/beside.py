"""The cost of a turn beside the least that it can cost, in one thread and without a network."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median, median_high

from benchmarks.load.findings import LoadFinding, PartResults
from benchmarks.load.sizes import Sizes
from benchmarks.turns.measure import Turns, play_meals, play_turns, sides
from benchmarks.turns.scratch import NoServer, databases

COUNTED = 20
"""Turns whose statements are counted beside an open loop."""
_OPEN = "A turn of flip on {}: a message and both followers' reads, against the same without rules."
SEALED = "A sealed turn of chef: a seal, its share of closing the step, and both reads, against the bound."


def _turn(name: str, turns: Turns, goal: float, what: str) -> LoadFinding:
    pairs = turns.pairs
    parts = {
        "house ms": median(turns.house) * 1000,
        "bound ms": median(turns.bound) * 1000,
        "pairs, lower quartile": pairs.lower,
        "pairs, upper quartile": pairs.upper,
        "turns": float(len(turns.house)),
    }
    return LoadFinding(name, turns.ratio, "ratio", goal, what, parts)


def ticks(sizes: Sizes, what: str, total: int) -> Callable[[], None]:
    """Return a callback for after each of `total` pieces of work, which tells how far it is."""
    done = 0

    def told() -> None:
        nonlocal done
        done += 1
        sizes.tick(what, done / total)

    return told


def on_sqlite(sizes: Sizes) -> PartResults:
    """Measure turns in process on SQLite, and the statements of their requests."""
    folder = sizes.folder / "turns-sqlite"
    folder.mkdir()
    with sides(folder, seed=sizes.seed) as at:
        turns = play_turns(at, sizes.turns, ticks(sizes, "turns on SQLite", sizes.turns))
    return PartResults([_turn("turn_sqlite", turns, 2.0, _OPEN.format("SQLite")), *_statements(turns)])


def statements(sizes: Sizes) -> PartResults:
    """Count the statements of some turns in process on SQLite."""
    folder = sizes.folder / "statements"
    folder.mkdir()
    with sides(folder, seed=sizes.seed) as at:
        turns = play_turns(at, COUNTED, ticks(sizes, "statements", COUNTED))
    return PartResults(_statements(turns))


def _statements(turns: Turns) -> list[LoadFinding]:
    """Make the figures of the statements of requests."""
    posts, reads = turns.post_statements, turns.read_statements
    return [
        LoadFinding(
            "statements_post",
            float(median_high(posts)),
            "statements",
            8,
            "The median message's statements on the embedded set-up; the BEGIN counts, the COMMIT does not.",
            {"most statements": float(max(posts)), "fewest statements": float(min(posts))},
        ),
        LoadFinding(
            "statements_read",
            float(max(reads)),
            "statements",
            0,
            "The most statements of a follower's read on the embedded set-up.",
            {"median statements": median(reads)},
        ),
    ]


def on_postgresql(sizes: Sizes) -> PartResults:
    """Measure turns in process on PostgreSQL."""
    folder = sizes.folder / "turns-postgresql"
    folder.mkdir()
    try:
        with databases(2) as (house, bound), sides(folder, (house, bound), sizes.seed) as at:
            turns = play_turns(at, sizes.turns, ticks(sizes, "turns on PostgreSQL", sizes.turns))
    except NoServer as missing:
        return PartResults(lacking=[f"turn_postgresql: {missing}"])
    return PartResults([_turn("turn_postgresql", turns, 2.5, _OPEN.format("PostgreSQL"))])


def sealed(sizes: Sizes) -> PartResults:
    """Measure sealed turns in process."""
    folder = sizes.folder / "turns-sealed"
    folder.mkdir()
    with sides(folder, seed=sizes.seed) as at:
        turns = play_meals(at, sizes.meals, ticks(sizes, "sealed turns", sizes.meals))
    return PartResults([_turn("turn_sealed", turns, 2.0, SEALED)])
