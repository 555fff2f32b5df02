"""What a mover at a table of Pancakes (flip) may do, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from cards.games.contract import IllegalMove, Outcome, State
from cards.games.flip.table import Board
from tests.cards.games.flip_table import FLIP, at


def why_not(state: State[Board], move: Any) -> tuple[str, str]:
    """The code and section of the refusal of the mover's move."""
    seat = state.board.mover
    refusal = FLIP.legal(state, seat).refusal(move)
    assert refusal is not None
    with pytest.raises(IllegalMove):
        FLIP.play(state, {seat: move})
    return refusal.code, refusal.section


def laying(state: State[Board], verb: str, code: str, stack: int) -> dict[str, Any]:
    return {verb: at(state, code), "card": code, "stack": stack}


def outcome(state: State[Board]) -> Outcome:
    due = FLIP.next(state)
    assert isinstance(due, Outcome)
    return due


def kinds(state: State[Board]) -> set[str]:
    """The verbs from which the mover may choose."""
    return {next(iter(move)) for move in FLIP.legal(state, state.board.mover)}
