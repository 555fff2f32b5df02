"""The Griddle of Pancakes (flip): eight Stacks, what fits on them, how they flip (docs/rules/flip.md).

A Stack is a tuple from its bottom to its top. A card that lies face-up is its position, one that lies
face-down the position's complement (`~p`, which is negative). Bracketed numbers are sections of that page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from cards.games import french
from cards.games.contract import Face, Position

Stack = tuple[int, ...]
Griddle = tuple[Stack, ...]

STACKS = 8
SERVING = 4
"""Cards of a Serving."""

WILD = -1
"""Stands for any rank: that of a Stack on which any card fits, and that of a Joker."""

RANK: dict[str, int] = {**{code: french.rank(code) for code in french.PACK}, french.JOKER: WILD}
RED: dict[str, bool] = {code: french.suit(code) in "DH" for code in french.PACK}


def flipped(stack: Stack) -> Stack:
    """The Stack upside down: the other order, and every card on its other side (5).

    >>> flipped((~3, 7)), flipped(())
    ((-8, 3), ())
    """
    return tuple([~card for card in reversed(stack)])


def ranks_on(griddle: Griddle, faces: Mapping[Position, Face]) -> list[int]:
    """The rank that fits on each Stack: WILD where it is empty or shows a card back or a Joker (4)."""
    ranks = []
    for stack in griddle:
        top = stack[-1] if stack else WILD
        ranks.append(RANK[faces[top]] if top >= 0 else WILD)
    return ranks


def tops(griddle: Griddle) -> list[int | None]:
    """The top card of every Stack, as it lies there; None where it is empty."""
    return [stack[-1] if stack else None for stack in griddle]


def fits(code: str, stack: Stack, faces: Mapping[Position, Face]) -> bool:
    """Tell whether a card may be laid on a Stack (4)."""
    if code == french.JOKER or not stack or stack[-1] < 0:
        return True
    return RANK[faces[stack[-1]]] in (RANK[code], WILD)


def placed(stack: Stack, position: Position, faces: Mapping[Position, Face]) -> Stack:
    """The Stack with a card laid on it, flipped where the card differs in colour from what it covers (5)."""
    after = (*stack, position)
    code, top = faces[position], stack[-1] if stack else WILD
    if code == french.JOKER:
        return flipped(after)
    if top < 0:  # empty, or a card back: of the colour of any card but a Joker
        return after
    under = faces[top]
    return flipped(after) if under == french.JOKER or RED[under] != RED[code] else after


def taken(stack: Stack) -> Stack:
    """The Stack without its top card; a card back that this exposes is turned face-up (7)."""
    rest = stack[:-1]
    return (*rest[:-1], ~rest[-1]) if rest and rest[-1] < 0 else rest


def transferred(griddle: Griddle, source: int, target: int, faces: Mapping[Position, Face]) -> Griddle:
    """The Griddle after the top card of one Stack was laid on another (7)."""
    stacks = list(griddle)
    card = stacks[source][-1]
    stacks[source] = taken(stacks[source])
    stacks[target] = placed(stacks[target], card, faces)
    return tuple(stacks)


def serving(stack: Stack, faces: Mapping[Position, Face]) -> bool:
    """Tell whether the top four cards are face-up, of one rank, and none a Joker (9)."""
    return bool(servings((stack,), faces))


def servings(griddle: Griddle, faces: Mapping[Position, Face]) -> list[int]:
    """The Stacks with a Serving on top, by index.

    The rules call it after every action, so the rarest test is first.
    """
    found = []
    for i, stack in enumerate(griddle):
        if len(stack) >= SERVING and stack[-4] >= 0 and stack[-3] >= 0 and stack[-2] >= 0 and stack[-1] >= 0:
            rank = RANK[faces[stack[-1]]]
            if rank != WILD and all(RANK[faces[card]] == rank for card in stack[-SERVING:]):
                found.append(i)
    return found


def showing(positions: frozenset[Position], stacks: Iterable[Stack]) -> frozenset[Position]:
    """Return those of these cards that lie face-up on the Stacks."""
    return positions.intersection(chain.from_iterable(stacks))
