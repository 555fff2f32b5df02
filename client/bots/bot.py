"""What a bot is, and one that plays any game legally."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from cards.mode import Mode, Move, Seat, State


class Bot(Protocol):
    """Chooses for a seat that is asked."""

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A legal move; the same for the same arguments and the same state of `rng`.

        `state` is what the seat sees: with own decks the faces of its hand are known,
        whatever the rules keep from it is not.

        A bot that plays for whoever learns the game, rather than to win, says so by `teaches = True`.
        """
        ...


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Plays a legal move at random, in any mode."""

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A legal move by the mode's own sampling."""
        return mode.legal(state, seat).sample(rng)
