"""Big C for a bot by sampled worlds: the hidden hands, and what a game is worth when it is played on."""

from __future__ import annotations

from bots.played_on import PlayedOn, unseen
from cards.games.big_c.table import Board, pack
from cards.games.contract import Face, Position, Seat, State

CARD = 0.02
"""The worth of a card fewer in the hand than the others have, in parts of a win."""


class BigCWorlds(PlayedOn[Board]):
    """A world is worth the share of the win, and a little for cards that are left where nobody has won."""

    def hidden(self, state: State[Board]) -> tuple[list[Position], list[Face]]:
        board, faces = state.board, state.faces
        places = [p for hand in board.hands for p in sorted(hand)] + [*board.stock]
        return [p for p in places if p not in faces], unseen(pack(board.seats), faces.values())

    def is_over(self, state: State[Board]) -> bool:
        return state.board.phase == "over"

    def value(self, state: State[Board], seat: Seat) -> float:
        board = state.board
        points = [*board.points]
        own = points.pop(seat)
        if board.phase == "over":
            share = 1 / len(board.winners) if seat in board.winners else 0.0
        else:
            share = 1 / board.seats
        return share + CARD * (own - sum(points) / len(points))
