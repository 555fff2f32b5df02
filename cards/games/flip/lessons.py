"""The eleven moves that teach Pancakes (flip) (docs/rules/flip.md, section 16).

They are numbered as there, and gathered as bits: lesson n is `1 << n`.
"""

from __future__ import annotations

from collections.abc import Mapping

from cards.games import french
from cards.games.contract import Face, Move, Position
from cards.games.flip.griddle import RED, Griddle

LESSONS: Mapping[int, str] = {
    1: "a card from the hand that flips a Stack",
    2: "a card from the hand that does not flip the Stack",
    3: "a card from one Stack to another",
    4: "a card from the hand on an empty Stack or a card back",
    5: "a Joker",
    6: "looking through a Stack",
    7: "taking a Serving",
    8: "how many cards somebody holds",
    9: "drawing, when nothing fits",
    10: "forfeiting the action",
    11: "Pancakes!",
}
OPEN = 1 << 6 | 1 << 8
"""Lessons that need no move: every player can see these things at any time."""

FLIPS, STAYS, TRANSFER, ON_BACK, JOKER, SERVE, DRAW, FORFEIT, PANCAKES = (
    1 << n for n in (1, 2, 3, 4, 5, 7, 9, 10, 11)
)
ALL = sum(1 << n for n in LESSONS)


def lesson(griddle: Griddle, faces: Mapping[Position, Face], move: Move) -> int:
    """Return what a legal move teaches, as bits; `faces` has the card that it lays."""
    if "play" in move:
        code, stack = move["card"], griddle[move["stack"] - 1]
        if code == french.JOKER:
            return JOKER
        if not stack or stack[-1] < 0:
            return ON_BACK
        under = faces[stack[-1]]
        return FLIPS if under == french.JOKER or RED[under] != RED[code] else STAYS
    if "transfer" in move:
        return TRANSFER | JOKER if move["card"] == french.JOKER else TRANSFER
    if "serve" in move:
        return SERVE
    return DRAW if "draw" in move else FORFEIT if "forfeit" in move else 0


def numbers(bits: int) -> list[int]:
    """The lessons in a set of bits, ascending.

    >>> numbers(1 << 3 | 1 << 1)
    [1, 3]
    """
    return [n for n in LESSONS if bits >> n & 1]
