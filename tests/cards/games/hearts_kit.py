"""Positions of Chinese Hearts from cards as text, and moves in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cards.games import find
from cards.games.contract import (
    Ask,
    IllegalMove,
    Mode,
    Move,
    State,
)
from cards.games.hearts.table import Board, pack

HEARTS_MODE: Mode[Board] = find("hearts")
DONE = {"done": True}
OPTIONS = {"expose": 60, "card": 30, "first": "first", "absent": "end"}


def dealt(*hands: Sequence[str], first: int = 0) -> State[Board]:
    """A state at the start of a round: each seat holds the named cards, and others that fill its hand."""
    seats = len(hands)
    cards = pack(seats)
    size = len(cards) // seats
    rest = [code for code in cards if not any(code in hand for hand in hands)]
    order: list[str] = []
    for hand in hands:
        fill, rest = rest[: size - len(hand)], rest[size - len(hand) :]
        order += [*hand, *fill]
    state = HEARTS_MODE.start(OPTIONS, seats)
    state = State(replace(state.board, leader=first))
    after = HEARTS_MODE.deal(state, [tuple(cards.index(code) for code in order)])
    return State(after.board, dict(enumerate(order)))


def at(state: State[Board], code: str) -> int:
    """The position of a card."""
    return next(p for p, face in state.faces.items() if face == code)


def do(state: State[Board], seat: int, verb: str, code: str = "") -> State[Board]:
    """Make a seat's move."""
    move: Move = DONE if verb == "done" else {verb: at(state, code), "card": code}
    return HEARTS_MODE.play(state, {seat: move})


def no_more(state: State[Board]) -> State[Board]:
    """Let all seats say done to exposing."""
    while state.board.phase == "expose":
        due = HEARTS_MODE.next(state)
        assert isinstance(due, Ask)
        state = do(state, min(due.seats), "done")
    return state


def play(state: State[Board], *codes: str) -> State[Board]:
    """Play cards, each by the seat whose turn it is."""
    for code in codes:
        state = do(state, state.board.mover, "play", code)
    return state


def codes_of(state: State[Board], seat: int) -> set[str]:
    """The legal cards of a seat."""
    return {move["card"] for move in HEARTS_MODE.legal(state, seat)}


def why_not(state: State[Board], seat: int, move: Any) -> str:
    """The code of a refusal."""
    refusal = HEARTS_MODE.legal(state, seat).refusal(move)
    assert refusal is not None
    with pytest.raises(IllegalMove):
        HEARTS_MODE.play(state, {seat: move})
    return refusal.code
