"""The winners of a game of Pancakes (flip), and its points (docs/rules/flip.md, sections 11 and 13)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cards.games.contract import Seat


def winners(hands: Sequence[int], servings: Sequence[int], among: Collection[Seat]) -> tuple[Seat, ...]:
    """The seats of `among` with the fewest cards, and of these with the most Servings.

    >>> winners([2, 1, 1], [0, 1, 1], [0, 1, 2])
    (1, 2)
    """
    best = min((hands[seat], -servings[seat]) for seat in among)
    return tuple(seat for seat in sorted(among) if (hands[seat], -servings[seat]) == best)


def points(hands: Sequence[int], servings: Sequence[int], won: Collection[Seat]) -> tuple[int, ...]:
    """The points that each seat gets for a game of two or more players.

    A winner gets the others' cards less its own, divided by the number of others and rounded up, and a
    point for every Serving. Everybody else gets nothing.

    >>> points([2, 1, 1, 2], [0, 1, 1, 0], (1, 2))
    (0, 3, 3, 0)
    """
    total, others = sum(hands), len(hands) - 1
    return tuple(
        -((2 * hand - total) // others) + served if seat in won else 0
        for seat, (hand, served) in enumerate(zip(hands, servings, strict=True))
    )


def solitaire(completed: int, left: int, servings: int) -> int:
    """The points of a lone player in a game so far.

    >>> solitaire(3, 2, 1)
    14
    """
    return 5 * completed - left + servings
