"""Prizes: all coins of a tournament, shared by place."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def shared(coins: int, percents: Sequence[int], places: Sequence[int]) -> list[int]:
    """The coins of each player, in the order of the standings; together they are exactly `coins`.

    `percents` are the shares of the first places, and `places` the place of each player. Where there are
    fewer players than prizes, the prizes of the others are shared in the same proportion. Players on one
    place share its prizes evenly. A coin that can't be split goes to the one who stands first.

    >>> shared(100, [50, 30, 20], [1, 2, 2, 4])
    [50, 25, 25, 0]
    >>> shared(10, [60, 40], [1])
    [10]
    """
    paid = list(percents[: len(places)])
    total = sum(paid)
    if not total:
        return [0] * len(places)
    steps = [coins * sum(paid[:k]) // total for k in range(len(paid) + 1)]
    prizes = [after - before for before, after in itertools.pairwise(steps)]
    prizes += [0] * (len(places) - len(prizes))
    found: list[int] = []
    while len(found) < len(places):
        start = len(found)
        tied = places.count(places[start])
        each, odd = divmod(sum(prizes[start : start + tied]), tied)
        found += [each + (k < odd) for k in range(tied)]
    return found
