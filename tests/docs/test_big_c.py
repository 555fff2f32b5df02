"""Big C by its page and by the program, side by side: the same moves, the same cards drawn, the same end.

No keys, links and entries here, so many more games can be played than records be read; whole records of the
game are read in test_protocol.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import pytest

from cards.games import find
from cards.games.big_c.hands import STRENGTH
from cards.games.big_c.table import Board
from cards.games.contract import Ask, Deal, Miss, Missed, Mode, Move, Outcome, State
from tests.docs.page_big_c import BigC
from tests.docs.page_proofs import Invalid

QUICK = (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 25)
"""Games that are soon over, the last of them of twelve."""
RULES: Mode[Board] = find("big-c")


@dataclass
class Both:
    """One game, by either program; chance and choices come from `rng`."""

    rng: Random
    state: State[Board]
    page: BigC
    silence: float
    leaving: float
    """The probability that a seat misses a choice, and that somebody resigns before it."""

    @classmethod
    def begin(cls, seed: int) -> Both:
        """A game of a size and options of chance."""
        rng = Random(f"big-c {seed}")
        seats, hand = rng.choice([2, 2, 3, 4, 4, 5, 7, 12]), rng.choice([5, 6, 8, 13, 27])
        options = {"hand": hand, "absent": rng.choice(["end", "play"])}
        silence, leaving = rng.choice([0, 0, 0.05, 0.3]), rng.choice([0, 0, 0.01])
        return cls(rng, RULES.start(options, seats), BigC(seats, options), silence, leaving)

    def play(self) -> str:
        """Play to the end and return the reason."""
        while True:
            due, asked = RULES.next(self.state), self.page.next()
            assert [*RULES.points(self.state)] == self.page.points
            assert RULES.gone(self.state) == self.page.gone
            match due:
                case Outcome():
                    assert asked[0] == "over"
                    self.same_end(due)
                    return due.reason
                case Deal():
                    assert asked[0] == "deal"
                    assert due.fresh == (due.secret and len(asked) == 1)
                    self.deal(due)
                case Ask():
                    assert asked == ("ask", due.how.value, {*due.seats}, due.clock)
                    if self.rng.random() < self.leaving and (reason := self.resign()):
                        return reason
                    self.choose(due)

    def same_end(self, outcome: Outcome) -> None:
        """The page's outcome is this one."""
        points, winners = [*outcome.points], [*outcome.winners]
        assert self.page.outcome == {"points": points, "winners": winners, "reason": outcome.reason}

    def deal(self, due: Deal) -> None:
        """The same order for both."""
        [(_, pool, count)], secret = self.page.draws()
        [draw] = due.draws
        assert ((*pool,), count, secret) == (draw.pool, draw.count, due.secret)
        order = self.rng.sample(draw.pool, count)
        self.state = RULES.deal(self.state, [tuple(order)])
        self.page.dealt([(None, order)])
        if due.pack is not None:
            self.state = self.state.knowing({due.first + i: due.pack[card] for i, card in enumerate(order)})
        assert self.page.face == self.state.faces

    def resign(self) -> str:
        """Somebody who is not out gives up; the reason if that ends the game."""
        seat = self.rng.choice(self.state.board.left)
        after = RULES.leave(self.state, seat)
        assert (self.page.resigned(seat) is None) == (after is not None)
        if after is None:
            self.same_end(RULES.end(self.state, "resigned", frozenset({seat})))
            return "resigned"
        self.state = after
        return ""

    def allowed(self, seat: int, move: Move) -> bool:
        """Tell whether the page allows a move."""
        try:
            self.page.check(seat, move)
        except Invalid:
            return False
        return True

    def choose(self, due: Ask) -> None:
        """Let the asked seat choose, or let the time pass. Some moves are tried that may be illegal."""
        moves: dict[int, Any] = {}
        for seat in sorted(due.seats):
            for tried in (self.tried(seat) for _ in range(3)):
                assert (tried in RULES.legal(self.state, seat)) == self.allowed(seat, tried), tried
            absent = RULES.absent(self.state, seat)
            assert absent == self.page.absent(seat)
            if seat in self.page.gone or self.rng.random() < self.silence:
                moves[seat] = Missed(Miss.CHOICE, absent)
            else:
                moves[seat] = self.move(seat)
                assert self.allowed(seat, moves[seat])
        after = RULES.play(self.state, moves)
        lines = RULES.account(self.state, moves, after)
        told = self.page.play(
            {seat: ("missed", m.move) if isinstance(m, Missed) else m for seat, m in moves.items()}
        )
        expected = None if lines is None else {"points": [*RULES.points(after)], "lines": [*lines]}
        assert told == expected
        self.state = after

    def move(self, seat: int) -> Move:
        """A legal move; often the lowest single card, for that makes footstools."""
        legal = RULES.legal(self.state, seat)
        singles = [move for move in islice(legal, 25) if len(move.get("cards", ())) == 1]
        if singles and self.rng.random() < 0.5:
            return min(singles, key=lambda move: STRENGTH[move["cards"][0]])
        return legal.sample(self.rng)

    def tried(self, seat: int) -> Move:
        """A move of cards in the hand; they are near each other, so that many make a hand."""
        faces, hand = self.state.faces, sorted(self.state.board.hands[seat])
        one = self.rng.choice(hand)
        if self.state.board.phase == "present":
            return {"present": one, "card": faces[one]}
        if self.rng.random() < 0.1:
            return {"pass": True}

        def away(position: int) -> float:
            if faces[position] == "Joker":
                return 6 * self.rng.random()
            return abs(STRENGTH[faces[position]] - STRENGTH[faces[one]]) / 4 + 2.5 * self.rng.random()

        size = self.rng.choice([len(self.state.board.table) or 5, 1, 2, 3, 5])
        places = sorted(sorted(hand, key=away)[:size])
        return {"play": places, "cards": [faces[place] for place in places]}


def test_page_and_program_play_the_same_games() -> None:
    reasons = {Both.begin(seed).play() for seed in QUICK}
    assert reasons >= {"out", "missed", "resigned"}


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 1200, 50))
def test_page_and_program_play_the_same_games_at_length(first: int) -> None:
    for seed in range(first, first + 50):
        Both.begin(seed).play()
