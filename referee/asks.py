"""A new step: what is asked, of whom, until when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.clocks import deadlines
from referee.game import Asking, Game


def ask(game: Game, kind: str, how: str, topic: str, seats: Iterable[int], clock: str) -> Asking:
    """A new step, asked by the newest entry."""
    asked = frozenset(seats)
    until = deadlines(game, asked, how, clock)
    return Asking(kind, how, topic, asked, game.step + 1, game.seq, game.seq, game.at, until)


def begun(game: Game, asking: Asking) -> Game:
    """The game with a new step running."""
    return replace(game, step=asking.step, phase=asking)
