"""Games in which the pack is shuffled again."""

from __future__ import annotations

from itertools import islice

from cards.games.big_c.hands import STRENGTH
from cards.games.contract import Move
from tests.referee.table import Table


def lowest(table: Table, seat: int) -> Move:
    """The lowest single card that may be played: that makes many footstools."""
    game = table.views[seat]
    moves = list(islice(game.rules.legal(game.state, seat), 30))
    singles = [move for move in moves if len(move.get("cards", ())) == 1]
    return min(singles, key=lambda move: STRENGTH[move["cards"][0]], default=moves[0])
