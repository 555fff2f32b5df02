"""Twin games of cribbage: another hand, another crib, other cards laid away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from cards.games.contract import Move
from referee import Game
from tests.leaks.twins import PackTwin, Twin, waits
from tests.leaks.world import World


@dataclass
class CribbageTwin(PackTwin):
    """The cards that are cut, and ours, are the same; the opponent lays the last two of its hand away."""

    mode = "cribbage"

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """The cuts are the thinnest, the deal is cut for with positions that nobody exchanges."""
        assert game.asking is not None, "somebody is asked"
        match game.asking.topic:
            case "cut":
                return {"cut": 4 + seat}
            case "starter":
                return {"cut": 4}
            case "lay" if seat == 1:
                return {"lay": [10, 11]}
        return super().choose(world, game, seat, rng)


@dataclass
class OtherHand(CribbageTwin):
    """All cards but ours lie elsewhere, and both have laid away."""

    swaps: Mapping[int, int] = field(default_factory=lambda: {i: 57 - i for i in range(6, 52)})

    def done(self, world: World, game: Game) -> bool:
        """The starter is about to be cut."""
        return bool(game.state.board.phase == "starter")


@dataclass
class OtherCrib(CribbageTwin):
    """The opponent has laid other cards away: we play the whole hand, and the crib is still face down."""

    every = 3
    swaps: Mapping[int, int] = field(default_factory=lambda: {10: 50, 50: 10, 11: 51, 51: 11})

    def done(self, world: World, game: Game) -> bool:
        """One card is left to play."""
        hand = game.state.board.hand
        return hand.starter is not None and sum(map(len, hand.held)) == 1


class LaidAway(CribbageTwin):
    """The opponent has laid away other cards of its hand, and we have not."""

    def instead(self, game: Game, seat: int, move: Move) -> Move:
        """The first two."""
        return {"lay": [6, 7]} if seat == 1 and "lay" in move else move

    def done(self, world: World, game: Game) -> bool:
        """The opponent's choice waits."""
        return game.asking is not None and game.asking.topic == "lay" and waits(world, "move")


CRIBBAGE: Mapping[str, Callable[[Path, Path, pytest.MonkeyPatch], Twin]] = {
    "cribbage: another hand": lambda *_: OtherHand(),
    "cribbage: another crib": lambda *_: OtherCrib(),
    "cribbage: what is laid away": lambda *_: LaidAway(),
}
