"""Statistics of Pancake matches, counted from their accounts, to compare decks, cards and bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cards.games.contract import Line

OPENING = 3
"""Rounds in which a hand is still small. After them an empty course is the deck's own fault."""


@dataclass(slots=True)
class Tally:
    """Counts of some matches; `a + b` counts both."""

    lengths: Counter[int] = field(default_factory=Counter)
    """Matches by how many rounds they had."""
    courses: int = 0
    """Courses offered, in all rounds."""
    both: int = 0
    """The number of these in which both seats served a dish."""
    tied: int = 0
    """The number of these in which the two dishes had equal yum."""
    late: int = 0
    """Courses offered after the opening rounds, once for each seat."""
    empty: int = 0
    """The number of these in which the seat served nothing."""
    yum: Counter[int] = field(default_factory=Counter)
    """Dishes served, by their yum."""

    @property
    def matches(self) -> int:
        """The number of matches that were counted."""
        return self.lengths.total()

    @property
    def rounds(self) -> int:
        """The number of rounds that they had in all."""
        return sum(rounds * n for rounds, n in self.lengths.items())

    def add(self, accounts: Iterable[Sequence[Line]]) -> None:
        """Count a match by its accounts, in order (docs/rules/chef.md, 10)."""
        rounds = 0
        for account in accounts:
            if account[0]["kind"] != "round":
                continue
            rounds += 1
            self._round(account, late=account[0]["round"] > OPENING)
        self.lengths[rounds] += 1

    def _round(self, account: Sequence[Line], late: bool) -> None:
        served = {(line["course"], line["seat"]): line["yum"] for line in account if line["kind"] == "dish"}
        self.yum.update(served.values())
        for course in (line["course"] for line in account if line["kind"] == "course"):
            yums = [served.get((course, seat)) for seat in (0, 1)]
            self.courses += 1
            self.both += None not in yums
            self.tied += None not in yums and yums[0] == yums[1]
            if late:
                self.late += 2
                self.empty += yums.count(None)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.lengths + other.lengths,
            self.courses + other.courses,
            self.both + other.both,
            self.tied + other.tied,
            self.late + other.late,
            self.empty + other.empty,
            self.yum + other.yum,
        )
