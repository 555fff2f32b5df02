"""The move that a program makes for its player shortly before the deadline, where nobody deals.

The house can't move for a hidden hand. So the program of a seat that is late sends the move that the rules
give to an absent player, unless its player forbids it (protocol section 20.2).
"""

from __future__ import annotations

from cards.games.contract import Move
from referee.game import Game

LEAD = 3_000
"""Milliseconds before the deadline at which the program moves. The shortest clock has five seconds."""
TEXT = (
    "Your time was nearly up, and nobody else can play a card of yours. So your program has made the move"
    " that the rules give to a player who is away."
)


def due_at(game: Game, seat: int) -> int | None:
    """Return when the program moves for its player, in milliseconds since 1970 by the house's clock.

    None where nothing is to be chosen, or where the house can move for the seat. `game` is everybody's fold.
    """
    asking = game.asking
    asked = asking is not None and asking.kind == "move" and seat in asking.seats
    if asking is None or not asked or not game.header.dealerless or game.over:
        return None
    if game.rules.absent(game.state, seat) is not None:
        return None
    return asking.deadline_of(seat) - LEAD


def move_of(game: Game, seat: int) -> Move | None:
    """The move of an absent player; `game` has the faces of the seat's own cards."""
    return game.rules.absent(game.state, seat)
