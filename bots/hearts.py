"""A bot for Chinese Hearts: ducks what costs points, takes what brings them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from bots.levels import Level
from cards.games import french
from cards.games.contract import Mode, Move, Seat, State
from cards.games.hearts.score import BASE
from cards.games.hearts.table import EXPOSABLE, Board, pack

QUEEN, JACK, TEN = "QS", "JD", "10C"
OVER_THE_QUEEN = frozenset(("KS", "AS"))
OVER_THE_JACK = frozenset(("QD", "KD", "AD"))

TEN_WORTH = -40
"""The estimated worth of the ten of clubs: it doubles totals, and most totals are losses."""


def worth(code: str) -> int:
    """The estimated points for collecting a card, most often negative."""
    return TEN_WORTH if code == TEN else BASE.get(code, 0)


@dataclass(frozen=True, slots=True)
class Careful:
    """Exposes only a jack of diamonds that it is likely to win; looks at each trick alone.

    It follows below the highest card where it can. As the last to play it takes tricks that are worth
    winning. It discards the costliest cards first.
    """

    level = Level.MEDIUM

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """The bot's move; it is deterministic and makes no use of `rng`."""
        moves = list(mode.legal(state, seat))
        if state.board.phase == "expose":
            return self._expose(state, seat, moves)
        by_card = {move["card"]: move for move in moves}
        if len(by_card) == 1:
            return moves[0]
        board: Board = state.board
        trick = [state.faces[position] for position in board.trick]
        if not trick:
            return by_card[self._lead(state, [*by_card])]
        if french.suit(next(iter(by_card))) != french.suit(trick[0]):
            return by_card[self._discard(state, [*by_card])]
        return by_card[self._follow(trick, [*by_card], last=len(trick) == board.seats - 1)]

    @staticmethod
    def _expose(state: State[Board], seat: Seat, moves: list[Move]) -> Move:
        hand = {state.faces[position] for position in state.board.hands[seat]}
        sure = len(hand & OVER_THE_JACK) >= 2
        return next((m for m in moves if m.get("card") == JACK and sure), {"done": True})

    @staticmethod
    def _unseen(state: State[Board]) -> set[str]:
        """Cards that this view does not show: the others' hands."""
        return {*pack(state.board.seats)} - {*state.faces.values()}

    def _lead(self, state: State[Board], cards: list[str]) -> str:
        """The card that is most likely to be beaten, and does the least harm if it is not."""
        unseen = self._unseen(state)

        def harm(code: str) -> tuple[bool, float, int]:
            suit = {other for other in unseen if french.suit(other) == french.suit(code)}
            higher = sum(1 for other in suit if french.rank(other) > french.rank(code))
            lures = code in OVER_THE_QUEEN and QUEEN in unseen
            risk = 1 - higher / len(suit) if suit else 1.0
            own = worth(code) if code == JACK else abs(worth(code))
            return (code in EXPOSABLE or lures, risk + own / 100, french.rank(code))

        return min(cards, key=harm)

    @staticmethod
    def _follow(trick: list[str], cards: list[str], *, last: bool) -> str:
        """The highest card that stays below the trick's highest, unless the trick is worth having."""
        suit = french.suit(trick[0])
        top = max(french.rank(code) for code in trick if french.suit(code) == suit)
        below = [code for code in cards if french.rank(code) < top]
        above = [code for code in cards if french.rank(code) > top]
        brings = sum(worth(code) for code in trick)
        if last and above:
            best = max(above, key=lambda code: (worth(code), french.rank(code)))
            if brings + worth(best) > 0 or (brings == 0 and worth(best) == 0):
                return best
        if below:
            return min(below, key=lambda code: (worth(code), -french.rank(code)))
        if last:
            return max(above, key=lambda code: (worth(code), french.rank(code)))
        return min(above, key=lambda code: (code == QUEEN, french.rank(code)))

    def _discard(self, state: State[Board], cards: list[str]) -> str:
        """The card that is most harmful to keep."""
        queen_out = QUEEN in self._unseen(state)

        def burden(code: str) -> tuple[int, int]:
            lure = 60 if queen_out and code in OVER_THE_QUEEN else 0
            return (-worth(code) + lure, french.rank(code))

        return max(cards, key=burden)
