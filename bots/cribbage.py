"""Bots for cribbage: one that plays for points, and one that plays to the score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, assert_never

from bots.cribbage_worlds import CribbageWorlds
from bots.cribs import CRIBS, ways_to_lay
from bots.levels import Level
from bots.worlds import best_of
from cards.games import french
from cards.games.contract import Mode, Move, Seat, State
from cards.games.cribbage.score import GO, MOST, RANK, VALUE, pegged
from cards.games.cribbage.table import Board, after
from cards.games.cribbage.tally import counted


@dataclass(frozen=True, slots=True)
class Counter:
    """Keeps the four cards that are worth most with an average starter, the crib counted in or against.

    In the play it weighs what it pegs against what the next player is expected to peg in reply. It claims
    what its cards count, and objects to every wrong claim.
    """

    level = Level.MEDIUM

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A legal move; only the depth of a cut is random."""
        board: Board = state.board
        match board.phase:
            case "lay":
                return self.lays(state, seat)[0]
            case "play":
                return self.plays(mode, state, seat)[0]
            case "claim":
                return {"claim": counted(state, len(board.hand.claims)).total}
            case "answer":
                right = counted(state, len(board.hand.claims) - 1).total
                return {"accept": True} if right == board.hand.claims[-1] else {"object": right}
            case "cut" | "starter":
                return mode.legal(state, seat).sample(rng)
            case "shuffle" | "cut shown" | "deal" | "starter shown" | "crib" | "over":
                raise ValueError("nothing is asked now")
            case _:
                assert_never(board.phase)

    # Laying away

    def lays(self, state: State[Board], seat: Seat) -> list[Move]:
        """All ways to lay away, the best first."""
        board = state.board
        held = {french.place(state.faces[position]): position for position in board.hand.held[seat]}
        others = board.side(seat) != board.side(board.dealer)
        crib, sign = CRIBS[board.setup.seats][others], -1 if others else 1
        ways = ways_to_lay([*held], board.setup.away, crib, sign)
        return [{"lay": [held[place] for place in laid]} for laid in ways]

    # The play

    def plays(self, mode: Mode[Any], state: State[Board], seat: Seat) -> list[Move]:
        """All moves of the play, the best first."""
        moves = list(mode.legal(state, seat))
        if len(moves) == 1:
            return moves
        hand = state.board.hand
        pile = tuple(RANK[state.faces[position]] for position in hand.pile)
        unseen = self._unseen(state)
        follower = after(hand.held, seat, hand.said | {seat})
        theirs = 0 if follower is None else len(hand.held[follower])

        def worth(move: Move) -> tuple[float, int]:
            return reply_counted((*pile, RANK[move["card"]]), unseen, theirs), VALUE[move["card"]]

        return sorted(moves, key=worth, reverse=True)

    @staticmethod
    def _unseen(state: State[Board]) -> dict[int, int]:
        """Count the cards of each rank that this view does not show."""
        counts = dict.fromkeys(range(1, 14), 4)
        for code in state.faces.values():
            counts[RANK[code]] -= 1
        return counts


def reply_counted(ranks: tuple[int, ...], unseen: Mapping[int, int], theirs: int) -> float:
    """Return what the newest card of a count pegs, less what the best reply to it is expected to.

    `unseen` counts the hidden cards by rank; the next player holds `theirs` of them. Each rank is taken to
    be in that hand or not, independently of the others. If no card can follow, the point for a go counts.
    """
    gain = float(sum(item.points for item in pegged(ranks)))
    if sum(min(rank, 10) for rank in ranks) == MOST:
        return gain
    for points, likely in replies(ranks, unseen, theirs):
        gain += likely * (GO.points if points is None else -points)
    return gain


def replies(
    ranks: tuple[int, ...], unseen: Mapping[int, int], theirs: int
) -> Iterator[tuple[int | None, float]]:
    """The points that the next player pegs with the best card it holds, and how likely that card is the best.

    The points are None for the case that no card can follow. The arguments are those of `reply_counted`.
    """
    count = sum(min(rank, 10) for rank in ranks)
    total = max(sum(unseen.values()), 1)
    found = [
        (sum(item.points for item in pegged((*ranks, rank))), (1 - number / total) ** theirs)
        for rank, number in unseen.items()
        if number and count + min(rank, 10) <= MOST
    ]
    nothing = 1.0
    for points, lacking in sorted(found, reverse=True):
        yield points, nothing * (1 - lacking)
        nothing *= lacking
    yield None, nothing


@dataclass(frozen=True, slots=True)
class Pegger:
    """Plays to the score: near the goal, and where a lurch may come, for the chance to win the match.

    It tries what `quick` likes best in sampled worlds (`bots.cribbage_worlds`). Everywhere else, points are
    what brings it nearer to the goal, and `quick` plays for points.
    """

    quick: Counter = Counter()
    """The bot that ranks its moves, and chooses while the goal is far."""
    tries: int = 240
    """Trials of a stage: see `bots.worlds.best_of`."""
    lays: int = 4
    """The number of ways to lay away that it tries."""
    near: int = 40
    """The points that the leading side lacks from which on it plays to the score."""
    level = Level.HARD
    thinks = True

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """The move that wins the match most often; far from the goal, the move of `quick`."""
        board: Board = state.board
        if board.phase not in ("lay", "play") or not self.counts_down(board):
            return self.quick.choose(mode, state, seat, rng)
        if board.phase == "play":
            moves = self.quick.plays(mode, state, seat)
        else:
            moves = self.quick.lays(state, seat)[: self.lays]
        return best_of(moves, CribbageWorlds(), state, seat, self.tries, rng)

    def counts_down(self, board: Board) -> bool:
        """Tell whether a side is near the goal of its game."""
        return board.setup.target - max(board.scores) <= self.near
