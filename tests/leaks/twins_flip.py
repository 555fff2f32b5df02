"""Twin games of Pancakes (flip)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cards.games.contract import Move, Turn
from player.due import seen
from referee import Game
from tests.leaks.twins import PackTwin, Script, Twin, play
from tests.leaks.world import World


def _hidden(first: int) -> Mapping[int, int]:
    """The cards under the Stacks, in the others' hands and in the Draw Pile, the other way round."""
    hidden = [*range(8), *range(first, 54)]
    return dict(zip(hidden, reversed(hidden), strict=True))


class NothingQuiet(Exception):
    """Every move turns a card up."""


@dataclass
class UnderTheStacks(PackTwin):
    """All cards that were never face-up lie elsewhere but ours; we have played, and nobody else has."""

    mode = "flip"
    players = 4
    every = 6
    swaps: Mapping[int, int] = field(default_factory=lambda: _hidden(21))
    seed: str = "twins"

    @classmethod
    def found(cls, folder: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> UnderTheStacks:
        """Look for a deal in which we can play without turning anything up. Most deals are such."""
        for number in range(40):
            twin = cls(seed=f"twins {number}")
            try:
                play(
                    twin,
                    False,
                    Script(),
                    folder.parent / f"scout-{number}",
                    template,
                    monkeypatch,
                    look=False,
                )
            except NothingQuiet:
                continue
            return twin
        raise AssertionError("no deal has a quiet turn")

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """We play what turns nothing up. Raises `NothingQuiet` where everything does."""
        mode, state = game.rules, seen(game, seat).state
        quiet = [m for m in mode.legal(state, seat) if "play" in m and not self._turns(mode, state, seat, m)]
        if not quiet:
            raise NothingQuiet
        return rng.choice(quiet)

    @staticmethod
    def _turns(mode: Any, state: Any, seat: int, move: Move) -> bool:
        return isinstance(mode.next(mode.play(state, {seat: move})), Turn)

    def done(self, world: World, game: Game) -> bool:
        """Our turn is over."""
        return bool(game.state.board.turns)


@dataclass
class DrawnCards(PackTwin):
    """Two cards that another player has drawn, and that did not fit, were drawn in the other order."""

    mode = "flip"
    players = 2
    every = 40

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """Leave as few Stacks as can be on which any card fits, so that somebody must draw."""
        mode, state = game.rules, seen(game, seat).state
        moves = list(mode.legal(state, seat))
        rng.shuffle(moves)

        def open_to_all(move: Move) -> int:
            after = mode.play(state, {seat: move}).board.griddle
            return sum(not stack or stack[-1] < 0 or state.faces.get(stack[-1]) == "Joker" for stack in after)

        return min(moves, key=open_to_all)

    def done(self, world: World, game: Game) -> bool:
        """The other player has drawn two that did not fit, and one that does."""
        return self._drawn(game) is not None

    @staticmethod
    def _drawn(game: Game) -> int | None:
        board = game.state.board
        last = board.drawn
        run = board.mover == 1 and last is not None and {last - 1, last - 2} <= board.hands[1]
        return last if run and min(board.hands[1] - {last, last - 1}) < last - 2 else None

    @classmethod
    def found(cls, folder: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> DrawnCards:
        """Play to see which cards are drawn."""
        at: list[int] = []

        class Scout(DrawnCards):
            def done(self, world: World, game: Game) -> bool:
                last = cls._drawn(game)
                at.extend([] if last is None else [last])
                return last is not None

        play(Scout(), False, Script(), folder, template, monkeypatch, look=False)
        return cls({at[0] - 1: at[0] - 2, at[0] - 2: at[0] - 1})


FLIP: Mapping[str, Callable[[Path, Path, pytest.MonkeyPatch], Twin]] = {
    "flip: hands, pile and card backs": UnderTheStacks.found,
    "flip: drawn cards": DrawnCards.found,
}
