"""The chance to win a match of cribbage from its scores: who gets to the goal first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import erf, exp, sqrt

from cards.games.contract import Seat
from cards.games.cribbage.table import Board
from cards.games.cribbage.tally import LURCH, stakes

NEAR = 60
"""Points that two players lack together from which on `duel` reckons deal by deal."""
SPREAD = 2.3
"""The variance of what a player makes, a point."""
FIRST = 3.5
"""The points that it is worth to deal next, far from the goal."""


def ahead(mine: float, theirs: float) -> float:
    """The chance to make `mine` points before another makes `theirs`, as of two normal variables."""
    if mine <= 0 or theirs <= 0:
        return float(mine <= 0)
    return (1 + erf((theirs - mine) / sqrt(2 * SPREAD * (mine + theirs)))) / 2


# What a deal of two `counter` brings by points, from 0, of 1,000 deals: what the dealer pegs, what the other
# makes in all (never nothing here, so that a duel ends), and the dealer's hand and crib.
PEGGED = (0, 206, 191, 211, 150, 103, 63, 30, 19, 9, 8, 4)
MADE = (0, 1, 12, 16, 44, 66, 72, 86, 88, 108, 95, 93, 73, 60, 42, 39, 27, 26, 13, 12, 4, 6, 4, 4, 2, 1, 1, 2)
COUNTED = (
    *(0, 0, 3, 1, 19, 10, 37, 24, 89, 41, 112, 55, 122, 67, 98, 55, 80, 28),
    *(54, 22, 29, 11, 15, 6, 9, 2, 4, 1, 4, 1),
)
SHARES = tuple(tuple(n / sum(column) for n in column) for column in (PEGGED, MADE, COUNTED))


@cache
def duel(dealer: int, other: int) -> float:
    """The chance of the dealer of two, who lacks so many points, against one who lacks `other`.

    A deal goes in its order: the dealer's pegging, all that the other makes, the dealer's hand and crib.
    """
    if dealer <= 0 or other <= 0:
        return float(dealer <= 0)
    if dealer + other > NEAR:
        return ahead(dealer - FIRST, other)
    pegs, theirs, rest = SHARES
    found = 0.0
    for pegged, share in enumerate(pegs):
        if pegged >= dealer:
            found += share
            continue
        for made, likely in enumerate(theirs[:other]):
            if not likely:
                continue
            lack = dealer - pegged
            part = 0.0
            for counted, chance in enumerate(rest[:lack]):
                part += chance * (1 - duel(other - made, lack - counted))
            found += share * likely * (part + sum(rest[lack:]))
    return found


@cache
def match_chance(lacking: tuple[int, ...], side: int) -> float:
    """The chance of a side to win a match in which the sides lack so many games, all equally strong."""
    winner = next((other for other, games in enumerate(lacking) if games <= 0), None)
    if winner is not None:
        return float(winner == side)
    after = [(*lacking[:other], lacking[other] - 1, *lacking[other + 1 :]) for other in range(len(lacking))]
    return sum(match_chance(games, side) for games in after) / len(lacking)


@dataclass(frozen=True, slots=True)
class Race:
    """A match as it stands: the target of a game, and the games that each side lacks."""

    target: int
    lacking: tuple[int, ...]
    seats: int

    @classmethod
    def of(cls, board: Board) -> Race:
        """The race of a board."""
        setup = board.setup
        return cls(setup.target, tuple(setup.games - won for won in board.won), setup.seats)

    def won(self, scores: list[int], winner: int, side: int) -> float:
        """The chance of `side` to win the match after `winner` has won this game with these scores."""
        games = stakes(self.target, [n for other, n in enumerate(scores) if other != winner])
        return self._after(winner, games, side)

    def _after(self, winner: int, games: int, side: int) -> float:
        left = self.lacking[winner] - games
        return match_chance((*self.lacking[:winner], left, *self.lacking[winner + 1 :]), side)

    def chance(self, scores: list[int], dealer: Seat, side: int) -> float:
        """The chance of `side` to win the match if the next deal is dealt by `dealer` at these scores."""
        lack = [self.target - score for score in scores]
        found = 0.0
        for winner, likely in enumerate(self.winners(lack, dealer % len(scores))):
            if max(self.lacking) == 1 or self.target != 121:
                found += likely * self._after(winner, 1, side)
                continue
            lurched = likely
            for other, score in enumerate(scores):
                if other != winner:
                    lurched = min(lurched, ahead(lack[winner], LURCH - score))
            found += lurched * self._after(winner, 2, side) + (likely - lurched) * self._after(
                winner, 1, side
            )
        return found

    def winners(self, lack: list[int], dealer: int) -> list[float]:
        """The chance of each side to win this game."""
        if self.seats == 2:
            chance = duel(lack[dealer], lack[1 - dealer])
            return [chance, 1 - chance] if dealer == 0 else [1 - chance, chance]
        spread = sqrt(SPREAD * sum(lack) * 2 / len(lack))
        weights = [
            exp(1.7 * ((FIRST if side == dealer else 0) - need) / spread) for side, need in enumerate(lack)
        ]
        total = sum(weights)
        return [weight / total for weight in weights]
