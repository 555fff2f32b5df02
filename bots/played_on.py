"""Worlds for modes whose rules are quick enough to be played on as they are.

A world is a state in which every card has a face. The mode itself plays it on, with a quick bot at all seats.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Generic, TypeVar

from bots.simulate import advanced
from cards.games.contract import Face, Mode, Move, Position, Seat, State
from player.bot import Bot

B = TypeVar("B")


class PlayedOn(Generic[B]):
    """Deals the faces that a seat does not see to their positions, at random."""

    def __init__(self, mode: Mode[B], quick: Bot, asks: int) -> None:
        """`quick` chooses for all seats. A world is played on for so many steps at most."""
        self.mode, self.quick, self.asks = mode, quick, asks

    @abstractmethod
    def hidden(self, state: State[B]) -> tuple[list[Position], list[Face]]:
        """The positions in play whose faces a view lacks, and the faces that lie there in some order."""

    @abstractmethod
    def is_over(self, state: State[B]) -> bool:
        """Tell whether there is no need to play on."""

    @abstractmethod
    def value(self, state: State[B], seat: Seat) -> float:
        """The worth of a state to a seat, at the end or where playing on was stopped."""

    def worlds(self, state: State[B], seat: Seat, rng: Random) -> Iterator[State[B]]:
        """Worlds without end that agree with all that `seat` sees in `state`."""
        positions, faces = self.hidden(state)
        while True:
            dealt = zip(positions, rng.sample(faces, len(positions)), strict=True)
            yield State(state.board, {**state.faces, **dict(dealt)})

    def worth(self, world: State[B], seat: Seat, move: Move, rng: Random) -> float:
        """The worth of a move to `seat` in a world, by playing on."""
        state: State[Any] = self.mode.play(world, {seat: move})
        for _ in range(self.asks):
            if self.is_over(state):
                break
            state = advanced(self.mode, state, self.quick, rng)
        return self.value(state, seat)


def unseen(pack: Iterable[Face], seen: Iterable[Face]) -> list[Face]:
    """The cards of a pack that are not among those seen, each as often as it is missing."""
    left = Counter(pack)
    left.subtract(seen)
    return [*left.elements()]
