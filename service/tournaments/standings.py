"""Standings: points, tie-breaks and places.

The tie-breaks are FIDE's (Handbook C.07), with their rules for rounds without a game:

- Buchholz: the points of all opponents. Sonneborn-Berger: those of whom one has beaten, and half of those
  with whom one has drawn.
- In a Swiss tournament a round without a game counts as one against an opponent with the player's own points.
- The points of somebody who has gone away count, for others, as if the rounds since then had been drawn.
- In a round robin all players have the same opponents, so a forfeited game counts like any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.tournaments import ELIMINATION, ROUND_ROBIN, SWISS

WIN, DRAW = 2, 1
"""Half points."""
FIRST, SECOND, DRAWN, NEITHER, BYE, REST = RESULTS = ("first", "second", "draw", "neither", "bye", "rest")
"""How a match can end: one of two wins, both draw, both lose; a bye is a win, a rest brings nothing."""


@dataclass(frozen=True, slots=True)
class DecidedMatch:
    """A decided match of a round."""

    round: int
    first: str
    second: str | None
    """None for a bye and a rest."""
    result: str
    played: bool = True
    """False for a match without a game: a bye, a rest, one or both did not come."""
    number: int = 0
    """Counts the matches of a round from 1, where their order matters."""

    def points(self, player: str) -> int:
        """The half points of one of its players."""
        if self.result == BYE or self.result == (FIRST if player == self.first else SECOND):
            return WIN
        return DRAW if self.result == DRAWN else 0

    def opponent(self, player: str) -> str | None:
        """The other player; None in a bye and a rest."""
        return self.second if player == self.first else self.first


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place."""

    player: str
    place: int
    """Counts from 1. Players whom no tie-break parts share one."""
    points: int
    """Half points."""
    buchholz: int
    """Half points."""
    sonneborn: int
    """Quarter points."""
    wins: int
    """Games won at a table."""


def standings(
    system: str, seeds: Sequence[str], boards: Sequence[DecidedMatch], rounds: int
) -> list[Standing]:
    """The standings after so many rounds, the best first. Players on one place come in the order of `seeds`.

    The tie-breaks, in order: in a Swiss tournament Buchholz, Sonneborn-Berger, wins; in a round robin
    Sonneborn-Berger, wins; in an elimination none, since who loses later stands higher.
    """
    mine: dict[str, dict[int, DecidedMatch]] = defaultdict(dict)
    for board in boards:
        for player in (board.first, board.second):
            if player is not None:
                mine[player][board.round] = board
    points = {seed: sum(board.points(seed) for board in mine[seed].values()) for seed in seeds}
    worth = {
        seed: points[seed] + (DRAW * _away(mine[seed], seed, rounds) if system == SWISS else 0)
        for seed in seeds
    }
    found = [_standing(system, seed, mine[seed], points, worth, rounds) for seed in seeds]
    keys = {standing.player: _key(system, standing) for standing in found}
    found.sort(key=lambda standing: keys[standing.player], reverse=True)
    placed: list[Standing] = []
    for number, each in enumerate(found, 1):
        tied = placed and keys[placed[-1].player] == keys[each.player]
        place = placed[-1].place if tied else number
        placed.append(Standing(each.player, place, each.points, each.buchholz, each.sonneborn, each.wins))
    return placed


def _key(system: str, standing: Standing) -> tuple[int, ...]:
    if system == ELIMINATION:
        return (standing.points,)
    if system == ROUND_ROBIN:
        return standing.points, standing.sonneborn, standing.wins
    return standing.points, standing.buchholz, standing.sonneborn, standing.wins


def _standing(
    system: str,
    player: str,
    mine: Mapping[int, DecidedMatch],
    points: Mapping[str, int],
    worth: Mapping[str, int],
    rounds: int,
) -> Standing:
    """A player's points and tie-breaks, still without a place."""
    buchholz = sonneborn = wins = 0
    for number in range(1, rounds + 1):
        board = mine.get(number)
        won = 0 if board is None else board.points(player)
        opponent = None if board is None else board.opponent(player)
        counts = board is not None and opponent is not None and (board.played or system == ROUND_ROBIN)
        if counts and opponent is not None:
            other = worth[opponent]
        else:
            other = points[player] if system == SWISS else 0
        buchholz += other
        sonneborn += other * won
        wins += board is not None and board.played and won == WIN
    return Standing(player, 0, points[player], buchholz, sonneborn, wins)


def _away(mine: Mapping[int, DecidedMatch], player: str, rounds: int) -> int:
    """The last rounds, in a row, that a player has missed: not paired, or lost without a game."""
    missed = 0
    for number in range(rounds, 0, -1):
        board = mine.get(number)
        if board is not None and (board.played or board.points(player)):
            break
        missed += 1
    return missed
