"""What plays a seat in a person's stead: the shape of a bot, and its choices."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from cards.games.contract import Mode, Move, Seat, State
from player.due import Choose


class Bot(Protocol):
    """Chooses for a seat that is asked."""

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A legal move; the same for the same arguments and the same state of `rng`.

        `state` is what the seat sees: with own decks the faces of its hand are known,
        whatever the rules keep from it is not.

        A bot that plays for whoever learns the game, rather than to win, says so by `teaches = True`.
        """
        ...


def by_bot(bot: Bot, seat: Seat, rng: Random) -> Choose:
    """The choices of a bot for `seat`."""
    return lambda game: bot.choose(game.rules, game.state, seat, rng)
