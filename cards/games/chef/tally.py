"""Statistics of Pancake matches, counted from their accounts, to compare decks, cards and bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from cards.games.chef.board import Board
from cards.games.chef.judge import SEATS
from cards.games.chef.menus import hand_of
from cards.games.chef.search import best
from cards.games.contract import Line, State

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
    offered: Counter[int] = field(default_factory=Counter)
    """Courses offered by round, once for each seat."""
    empty: Counter[int] = field(default_factory=Counter)
    """The number of these in which the seat served nothing."""
    yum: Counter[int] = field(default_factory=Counter)
    """Dishes served, by their yum."""
    worth: Counter[int] = field(default_factory=Counter)
    """The yum of all dishes by round."""
    repeated: Counter[int] = field(default_factory=Counter)
    """Dishes by round whose recipe and ingredients the seat served in an earlier round."""
    leads: Counter[int] = field(default_factory=Counter)
    """Changes of the lead by round: a seat is ahead after it, and the last that was ahead is the other."""
    redraws: int = 0
    """Hands that were put back."""
    openings: int = 0
    """Opening hands, the first of each seat."""
    barren: int = 0
    """The number of these that can serve nothing."""

    @property
    def matches(self) -> int:
        """The number of matches that were counted."""
        return self.lengths.total()

    @property
    def rounds(self) -> int:
        """The number of rounds that they had in all."""
        return sum(rounds * n for rounds, n in self.lengths.items())

    @property
    def dishes(self) -> int:
        """The number of dishes that they had in all."""
        return self.yum.total()

    def served(self, number: int) -> int:
        """The number of dishes that were served in a round."""
        return self.offered[number] - self.empty[number]

    def late(self) -> tuple[int, int]:
        """The courses offered after the opening rounds, once for each seat; the empty ones among them."""
        late = [number for number in self.offered if number > OPENING]
        return sum(self.offered[number] for number in late), sum(self.empty[number] for number in late)

    def opened(self, state: State[Board]) -> None:
        """Count the opening hands of a match that asks its seats to keep or redraw for the first time."""
        board = state.board
        if board.phase != "redraw" or any(board.redraws):
            return
        for seat in SEATS:
            self.openings += 1
            self.barren += best(Counter(hand_of(state, seat).values())) is None

    def add(self, accounts: Iterable[Sequence[Line]]) -> None:
        """Count a match by its accounts, in order (docs/rules/chef.md, 10)."""
        rounds = 0
        points = [0, 0]
        leader = None
        served: tuple[set[object], set[object]] = (set(), set())
        for account in accounts:
            for line in account:
                if line["kind"] == "redraw":
                    self.redraws += 1
                    points[1 - line["seat"]] += line["points"]
                elif line["kind"] == "course" and line["winner"] is not None:
                    points[line["winner"]] += line["points"]
                elif line["kind"] == "forfeit":
                    points[line["seat"]] += line["points"]
            if account[0]["kind"] != "round":
                continue
            rounds += 1
            self._round(account, rounds)
            self._repeats(account, rounds, served)
            if points[0] != points[1]:
                ahead = points.index(max(points))
                self.leads[rounds] += leader is not None and leader != ahead
                leader = ahead
        self.lengths[rounds] += 1

    def _round(self, account: Sequence[Line], number: int) -> None:
        served = {(line["course"], line["seat"]): line["yum"] for line in account if line["kind"] == "dish"}
        yums = [yum for yum in served.values() if yum is not None]
        self.yum.update(yums)
        self.worth[number] += sum(yums)
        for course in (line["course"] for line in account if line["kind"] == "course"):
            one, other = (served.get((course, seat)) for seat in SEATS)
            self.courses += 1
            self.both += one is not None and other is not None
            self.tied += one is not None and one == other
            self.offered[number] += len(SEATS)
            self.empty[number] += (one, other).count(None)

    def _repeats(self, account: Sequence[Line], number: int, served: tuple[set[object], set[object]]) -> None:
        """Count the dishes of a round that their seats served before, and remember them all."""
        dishes = [
            (line["seat"], (line["recipe"], *sorted(line["ingredients"])))
            for line in account
            if line["kind"] == "dish" and line["recipe"] is not None
        ]
        self.repeated[number] += sum(dish in served[seat] for seat, dish in dishes)
        for seat, dish in dishes:
            served[seat].add(dish)

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})
