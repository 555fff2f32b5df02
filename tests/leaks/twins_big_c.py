"""Twin games of Big C: other cards presented, another stock, played cards shuffled in another order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from cards.games.big_c.hands import STRENGTH, combination_of, compare
from cards.games.big_c.table import PASS, on_table, pack
from cards.games.contract import Move, State
from crypto.fairness import draw
from player.due import seen
from referee import Game, dealing
from tests.leaks.twins import Twin, waits
from tests.leaks.world import World


class BigCTwin(Twin):
    """The stock lies in another order. Seat 0 plays little, and the others footstool each other."""

    mode = "big-c"
    players = 3
    options: ClassVar[Mapping[str, Any]] = {"hand": 7}
    every: ClassVar[int] = 8
    waits_for: ClassVar[int] = 0
    """The number of cards that are played before somebody is footstooled."""

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:
        """The secret deals bring another order."""

        def dealt(*asked: Any) -> tuple[int, ...]:
            order = draw(*asked)
            return self.otherwise(order) if len(order) > self.players else order  # lots are no secret

        if second:
            patch.setattr(dealing, "draw", dealt)

    def otherwise(self, order: tuple[int, ...]) -> tuple[int, ...]:
        """The stock upside down."""
        dealt = self.players * self.options["hand"]
        return order[:dealt] + order[: dealt - 1 : -1]

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """Seat 0 presents its highest card, so that another leads, and passes; the others play singles."""
        view = seen(game, seat)
        moves = [*islice(game.rules.legal(view.state, seat), 200)]
        if view.asking is not None and view.asking.topic == "present":
            moves.sort(key=lambda move: STRENGTH[move["card"]])
            return moves[-1 if seat == 0 else 0]
        if PASS in moves and (seat == 0 or view.state.board.last == 0):
            return PASS
        singles = [move for move in moves if len(move.get("play", ())) == 1 and self.suits(view.state, move)]
        return min(singles, key=lambda move: STRENGTH[move["cards"][0]], default=PASS)

    def suits(self, state: State[Any], move: Move) -> bool:
        """Tell whether it is time for what this hand does to the one below."""
        under, over = on_table(state), combination_of(move["cards"])
        if under is None or over is None or not compare(over, under).penalty:
            return True
        return len(state.board.played) >= self.waits_for

    def done(self, world: World, game: Game) -> bool:
        """Somebody else has drawn a card."""
        board, size = game.state.board, game.header.options["hand"]
        drawn = [{p for p in hand if p >= self.players * size} for hand in board.hands]
        assert not drawn or not drawn[0], "that would be no secret to us"
        return board.phase == "play" and any(drawn)


class Presented(BigCTwin):
    """The others hold other cards, and have presented some of them; we have not."""

    def otherwise(self, order: tuple[int, ...]) -> tuple[int, ...]:
        """All cards but ours upside down."""
        hand = self.options["hand"]
        return order[:hand] + order[: hand - 1 : -1]

    def instead(self, game: Game, seat: int, move: Move) -> Move:
        """The card that lies there now."""
        return {**move, "card": game.state.faces[move["present"]]} if seat else move

    def done(self, world: World, game: Game) -> bool:
        """A presented card waits."""
        return waits(world, "move")


class ShuffledAgain(BigCTwin):
    """Everything is dealt, so that played cards are shuffled, and one of them is drawn again."""

    players = 4
    options: ClassVar[Mapping[str, Any]] = {"hand": 27}
    every: ClassVar[int] = 100
    waits_for: ClassVar[int] = 4

    def otherwise(self, order: tuple[int, ...]) -> tuple[int, ...]:
        """The cards that are shuffled again upside down."""
        return order if len(order) == len(pack(self.players)) else order[::-1]


BIG_C: Mapping[str, Callable[[Path, Path, pytest.MonkeyPatch], Twin]] = {
    "big-c: cards presented": lambda *_: Presented(),
    "big-c: a card drawn": lambda *_: BigCTwin(),
    "big-c: cards shuffled again": lambda *_: ShuffledAgain(),
}
