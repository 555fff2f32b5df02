"""The board of Pancake: where every card lies, and how far the match has come (docs/rules/chef.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cards.games.chef.judge import SEATS
from cards.games.chef.meal import COURSES, FINAL, Course
from cards.games.contract import DECK_SIZE, Packing, Position, Seat

Cards = tuple[int, ...]
"""Indices in a seat's own deck, ascending."""


@dataclass(frozen=True, slots=True)
class Board:
    """The place of every card, by its index in its owner's deck; pairs are by seat."""

    phase: Literal["deal", "redraw", "meal", "over"] = "deal"
    round: int = 0
    """0 while hands are dealt and redrawn, then from 1."""
    final: int = 0
    """The number of this final round, 1 to 3; 0 before."""
    asked: frozenset[Seat] = frozenset(SEATS)
    """The seats that are asked in round 0: first those that are dealt a hand, then those that may redraw."""
    points: tuple[int, int] = (0, 0)
    redraws: tuple[int, int] = (0, 0)
    missed: tuple[int, int] = (0, 0)
    """Rounds in a row in which a seal or an opening was missed."""
    hands: tuple[Cards, Cards] = ((), ())
    piles: tuple[Cards, Cards] = (tuple(range(DECK_SIZE)), tuple(range(DECK_SIZE)))
    discards: tuple[Cards, Cards] = ((), ())
    opened: frozenset[Position] = frozenset()
    """All cards that were ever served, as positions in the state."""
    owed: tuple[Packing | None, Packing | None] = (None, None)
    """The packing of the seal whose reveal each seat owes."""
    reason: str = ""
    """The reason why the match is over."""

    @property
    def courses(self) -> tuple[Course, ...]:
        """The courses of this round."""
        return FINAL if self.final else COURSES
