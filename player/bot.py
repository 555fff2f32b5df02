"""The contract of a bot: an object that chooses moves for a seat."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from cards.games.contract import Mode, Move, Seat, State

if TYPE_CHECKING:  # `cloche modes` lists bots, and should not wait until all of the protocol is imported
    from player.due import Choose


class Bot(Protocol):
    """Chooses for a seat that is asked.

    A bot may have more attributes: `level` (`bots.levels`) says how well it plays. `teaches = True` marks one
    that plays for somebody who learns the game, rather than to win. `thinks = True` marks one whose choices
    take so long that nobody should wait for them in the same thread; it has `quick`, a bot that chooses at
    once.
    """

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A legal move; the same for the same arguments and the same state of `rng`.

        `state` is what the seat sees. With own decks it has the faces of the seat's hand; whatever the
        rules hide from the seat is not in it.
        """
        ...


def by_bot(bot: Bot, seat: Seat, rng: Random) -> Choose:
    """Have a bot make the choices of a seat."""
    return lambda game: bot.choose(game.rules, game.state, seat, rng)
