"""A bot for cribbage: weighs its hand and the crib, pegs what it can and gives little away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, assert_never

from bots.levels import Level
from cards.games import french
from cards.games.contract import Mode, Move, Position, Seat, State
from cards.games.cribbage.bulk import shows
from cards.games.cribbage.score import GO, MOST, RANK, VALUE, pegged
from cards.games.cribbage.table import Board, after
from cards.games.cribbage.tally import counted

CRIBS = 600
"""Random cribs by which a discard is weighed; more of them hardly change a choice."""


@cache
def crib_worth(one: int, other: int) -> float:
    """Return what a crib with two cards of these ranks (1 to 13) brings on average; suits are left aside.

    The other cards are drawn regardless of suit. So flushes and nobs, which depend on suits, add the same
    average to all discards and change no choice.
    """
    rng = Random(one * 13 + other)
    deck = [number for number, code in enumerate(french.PACK) if RANK[code] not in (one, other)]
    first = [number for number, code in enumerate(french.PACK) if RANK[code] == one]
    second = [number for number, code in enumerate(french.PACK) if RANK[code] == other]
    mine = (first[0], second[1])
    deck += sorted({*first, *second} - {*mine})
    cards = bytearray()
    for _ in range(CRIBS):
        cards += bytes((*mine, *rng.sample(deck, 3)))
    return sum(shows(bytes(cards), crib=True)) / CRIBS


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
                return self._lay(state, seat)
            case "play":
                return self._play(mode, state, seat)
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

    def _lay(self, state: State[Board], seat: Seat) -> Move:
        board = state.board
        held = board.hand.held[seat]
        codes = {position: state.faces[position] for position in held}
        ours = 1 if board.side(seat) == board.side(board.dealer) else -1

        def worth(away: tuple[Position, ...]) -> float:
            kept = [codes[p] for p in held if p not in away]
            return self.kept_worth(kept, set(codes.values())) + ours * self.crib_of([codes[p] for p in away])

        chosen = max(combinations(held, board.setup.away), key=worth)
        return {"lay": [*chosen]}

    @staticmethod
    def kept_worth(kept: list[str], dealt: set[str]) -> float:
        """Return what four cards count on average, over all starters that were not dealt to this hand."""
        numbers = bytes(map(french.place, kept))
        starters = [number for number, code in enumerate(french.PACK) if code not in dealt]
        return sum(shows(b"".join(numbers + bytes((starter,)) for starter in starters))) / len(starters)

    @staticmethod
    def crib_of(away: list[str]) -> float:
        """Return what the cards laid away bring to the crib.

        A single card counts by the average of its partners.
        """
        ranks = sorted(RANK[code] for code in away)
        if len(ranks) == 2:
            return crib_worth(ranks[0], ranks[1])
        return sum(crib_worth(*sorted((ranks[0], other))) for other in range(1, 14)) / 13

    # The play

    def _play(self, mode: Mode[Any], state: State[Board], seat: Seat) -> Move:
        moves = list(mode.legal(state, seat))
        if len(moves) == 1:
            return moves[0]
        hand = state.board.hand
        pile = tuple(RANK[state.faces[position]] for position in hand.pile)
        unseen = self._unseen(state)
        follower = after(hand.held, seat, hand.said | {seat})
        theirs = 0 if follower is None else len(hand.held[follower])

        def worth(move: Move) -> tuple[float, int]:
            return reply_counted((*pile, RANK[move["card"]]), unseen, theirs), VALUE[move["card"]]

        return max(moves, key=worth)

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
