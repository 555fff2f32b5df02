"""The choice of a course for each dish of a plan: a small game, solved by mixing strategies.

Nothing here knows a state; `bots.chef` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from random import Random

from cards.games.chef.menus import Menu, fleeting

Order = tuple[int | None, ...]
"""The dish of a plan for each course, the course with the most points first."""

Belief = Sequence[dict[int, float]]
"""The probability of each yum (0: none served), for each of the opponent's dishes, the best first."""


@cache
def orders(dishes: int, courses: int) -> tuple[Order, ...]:
    """Every way to serve all of so many dishes as different courses; the natural order first."""
    places: tuple[int | None, ...] = (*range(dishes), *(None,) * (courses - dishes))
    return tuple(dict.fromkeys(permutations(places)))


def edge(yum: int, rival: dict[int, float]) -> float:
    """Return how much likelier a dish is to win its course than to lose it."""
    return sum(p if yum > other else -p for other, p in rival.items() if yum != other)


def payoffs(
    rows: Sequence[tuple[Menu, Order]], belief: Belief, points: Sequence[int], thrift: float
) -> list[list[float]]:
    """Return the expected lead in points by row (a plan in an order) and order of the opponent's dishes."""
    edges: dict[tuple[int, int], float] = {}
    columns = orders(len(belief), len(points))
    table = []
    for plan, order in rows:
        yums = [0 if i is None else plan[i].yum for i in order]
        spent = thrift * fleeting(plan)
        row = []
        for column in columns:
            total = -spent
            for yum, rank, worth in zip(yums, column, points, strict=True):
                if rank is None:
                    continue
                if (yum, rank) not in edges:
                    edges[yum, rank] = edge(yum, belief[rank])
                total += worth * edges[yum, rank]
            row.append(total)
        table.append(row)
    return table


def mixed(table: Sequence[Sequence[float]], habit: float, turns: int, rng: Random) -> int:
    """A row drawn from a mixed strategy, found by fictitious play against the columns that hurt most.

    The first column is the opponent's habit, which it is assumed to keep with probability `habit`. The
    first half of the turns only warms up.
    """
    natural = [row[0] for row in table]
    gains = [0.0] * len(table)
    losses = [0.0] * len(table[0])
    column = 0
    played = []
    for _ in range(turns):
        for i, row in enumerate(table):
            gains[i] += habit * natural[i] + (1 - habit) * row[column]
        choice = max(range(len(table)), key=gains.__getitem__)
        played.append(choice)
        for j, value in enumerate(table[choice]):
            losses[j] += value
        column = min(range(len(losses)), key=losses.__getitem__)
    return rng.choice(played[turns // 2 :])
