"""A bot that plays any game legally."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from bots.levels import Level
from cards.games.contract import Mode, Move, Seat, State


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Plays a legal move at random, in any mode."""

    level = Level.EASY

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A legal move by the mode's own sampling."""
        return mode.legal(state, seat).sample(rng)
