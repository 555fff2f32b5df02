"""Pancakes (flip) for a bot by sampled worlds: hidden cards, and what a game is worth if it is played on."""

from __future__ import annotations

from bots.played_on import PlayedOn, unseen
from cards.games.contract import Face, Position, Seat, State
from cards.games.flip.table import Board, pack


class FlipWorlds(PlayedOn[Board]):
    """A world is worth what the game pays the seat, less what it pays the others on average."""

    def hidden(self, state: State[Board]) -> tuple[list[Position], list[Face]]:
        board, faces = state.board, state.faces
        places = [p for p in range(board.size) if p not in faces]
        return places, unseen(pack(board.jokers), faces.values())

    def is_over(self, state: State[Board]) -> bool:
        return state.board.phase in ("deal", "over")

    def value(self, state: State[Board], seat: Seat) -> float:
        points = [*state.board.last]
        if not points:
            points = [-len(hand) for hand in state.board.hands]
        own = points.pop(seat)
        return own - sum(points) / len(points)
