"""The rounds of single elimination, and of a round robin."""

from __future__ import annotations

from collections.abc import Sequence

Slot = tuple[str | None, str | None]
"""The players of a match. None is nobody: the other one goes on, or rests."""


def rounds_of_elimination(players: int) -> int:
    """The rounds until one of so many players is left.

    >>> [rounds_of_elimination(n) for n in (2, 3, 4, 5, 8, 9)]
    [1, 2, 2, 3, 3, 4]
    """
    return max(players - 1, 1).bit_length()


def rounds_of_round_robin(players: int) -> int:
    """The rounds in which each of so many players meets all others.

    >>> [rounds_of_round_robin(n) for n in (2, 3, 4, 5)]
    [1, 3, 3, 5]
    """
    return players - 1 + players % 2


def first_of_elimination(seeds: Sequence[str]) -> list[Slot]:
    """The first round of players, the best first: the best meet last, and go on without a game if some do.

    >>> first_of_elimination(["1", "2", "3", "4", "5", "6"])
    [('1', None), ('4', '5'), ('2', None), ('3', '6')]
    """
    places = [0]
    for _ in range(rounds_of_elimination(len(seeds))):
        places = [each for place in places for each in (place, 2 * len(places) - 1 - place)]
    named = [seeds[place] if place < len(seeds) else None for place in places]
    return [_seated(a, b) for a, b in zip(named[::2], named[1::2], strict=True)]


def next_of_elimination(winners: Sequence[str | None], seeds: Sequence[str]) -> list[Slot]:
    """The next round, from the winner of each match of the last one. The better seed sits first.

    >>> next_of_elimination(["1", "5", None, "3"], ["1", "2", "3", "4", "5"])
    [('1', '5'), ('3', None)]
    """
    order = {player: place for place, player in enumerate(seeds)}
    pairs = zip(winners[::2], winners[1::2], strict=True)
    return [_seated(*sorted(pair, key=lambda one: order[one] if one else len(order))) for pair in pairs]


def _seated(one: str | None, other: str | None) -> Slot:
    return (one, other) if one is not None else (other, None)


def round_robin(seeds: Sequence[str], number: int) -> list[Slot]:
    """Round `number` (from 1) of a round robin, by the circle method. A player without an opponent rests.

    Everybody sits first as often as second, or once more or less.

    >>> round_robin(["a", "b", "c"], 1)
    [('a', None), ('c', 'b')]
    """
    ring: list[str | None] = [*seeds, *([None] if len(seeds) % 2 else [])]
    fixed, rest = ring[-1], ring[:-1]
    turned = rest[number - 1 :] + rest[: number - 1]
    across = [(turned[0], fixed) if number % 2 else (fixed, turned[0])]
    for k in range(1, len(ring) // 2):
        one, other = turned[k], turned[-k]
        across.append((one, other) if k % 2 == 0 else (other, one))
    return [_seated(*pair) if None in pair else pair for pair in across]
