"""The worth of the cards that a player collected (docs/rules/hearts.md, sections 7 to 9)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cards.games import french
from cards.games.contract import Line, Seat

LIMIT = 4999
"""A game ends once a score is further from zero than this (9)."""

SUN = 10000
LONE_TEN = 50

TEN = "10C"
HEARTS = frozenset(code for code in french.PACK if french.suit(code) == "H")

BASE: dict[str, int] = {
    "QS": -100,
    "JD": 100,
    "AH": -50,
    "KH": -40,
    "QH": -30,
    "JH": -20,
    **{f"{rank}H": -10 for rank in ("5", "6", "7", "8", "9", "10")},
}
"""Base values that are not zero."""

_MEANT_BY_TEN = HEARTS | {"QS", "JD"}
"""The cards with which the ten multiplies the points. Without any of them it has points of its own."""


@dataclass(frozen=True, slots=True)
class Score:
    """A round's points of one player, and what they are made of."""

    values: tuple[tuple[str, int], ...]
    """The cards with a value, in canonical order; the values include exposing and the moon."""
    moon: bool
    sun: bool
    factor: int
    """The factor of the ten of clubs; 1 without it, or where it has points of its own."""
    ten: int
    """The worth of a lone ten of clubs; 0 otherwise."""
    points: int

    def line(self, seat: Seat) -> Line:
        """A line of an account."""
        parts = [f"{french.title(code)} {value:+d}" for code, value in self.values]
        if self.moon:
            parts.append("shot the moon")
        if self.ten:
            parts.append(f"10 of clubs alone {self.ten:+d}")
        elif self.factor > 1:
            parts.append(f"10 of clubs x{self.factor}")
        if self.sun:
            parts.append("shot the sun")
        told = ", ".join(parts) or "nothing of value"
        return {
            "seat": seat,
            "points": self.points,
            "values": [{"card": code, "value": value} for code, value in self.values],
            "factor": self.factor,
            "ten": self.ten,
            "moon": self.moon,
            "sun": self.sun,
            "text": f"Seat {seat}: {told}: {self.points:+d}",
        }


def round_score(collected: Collection[str], exposed: Collection[str]) -> Score:
    """The points for a player's collected cards, `exposed` being all cards exposed in the round.

    >>> round_score(["10C", "QS"], ["QS"]).points
    -400
    """
    cards = frozenset(collected)
    doubled = {french.suit(code) for code in exposed}
    moon = cards >= HEARTS
    values = []
    for code in french.in_order(cards & BASE.keys()):
        value = BASE[code] * (2 if french.suit(code) in doubled else 1)
        values.append((code, -value if moon and code in HEARTS else value))
    total = sum(value for _, value in values)
    sun = moon and cards >= {TEN, "QS", "JD"}
    factor, ten = 1, 0
    if TEN in cards:
        if cards.isdisjoint(_MEANT_BY_TEN):
            ten = LONE_TEN * (2 if TEN in exposed else 1)
        else:
            factor = 4 if TEN in exposed else 2
    points = SUN if sun else total * factor + ten
    return Score(tuple(values), moon, sun, factor, ten, points)


def over(totals: Sequence[int]) -> bool:
    """Tell whether a score ends the game (9)."""
    return any(abs(total) > LIMIT for total in totals)
