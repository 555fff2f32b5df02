"""Games of cribbage in a chosen situation."""

from __future__ import annotations

from typing import Any

from bots.simulate import options_of
from cards.games import find, french
from cards.games.contract import Ask, Mode, Move, State, Turn
from cards.games.cribbage.table import Board

MODE: Mode[Board] = find("cribbage")


def started(*hands: str, starter: str = "", dealer: int = 0, **options: Any) -> State[Board]:
    """A state after the deal: each seat holds the named cards first, and a cut of four finds the starter."""
    seats = len(hands)
    state = MODE.start(options_of(MODE, options), seats)
    size = state.board.setup.cards
    named = [hand.split() for hand in hands]
    taken = {code for hand in named for code in hand} | {starter}
    rest = [code for code in french.PACK if code not in taken]
    order: list[str] = []
    for hand in named:
        order += hand + [rest.pop() for _ in range(size - len(hand))]
    order += rest
    if starter:
        order.insert(state.board.setup.stock.start + 4, starter)
    state = State(state.board.but(phase="deal", dealer=dealer))
    after = MODE.deal(state, [tuple(french.place(code) for code in order)])
    return State(after.board, dict(enumerate(order)))


def at(state: State[Board], code: str) -> int:
    """The position of a card."""
    return next(p for p, face in state.faces.items() if face == code)


def do(state: State[Board], *moves: Move) -> State[Board]:
    """Play moves of the seats that are asked, and turn up what the rules turn up in between."""
    for move in moves:
        due = MODE.next(state)
        assert isinstance(due, Ask)
        state = turned(MODE.play(state, {min(due.seats): move}))
    return state


def turned(state: State[Board]) -> State[Board]:
    due = MODE.next(state)
    if isinstance(due, Turn):
        state = MODE.turn(state, {p: state.faces[p] for p in due.positions or ()})
    return state


def playing(*hands: str, starter: str = "QD", **given: Any) -> State[Board]:
    """A state at the start of the play: each seat holds these four cards, and has laid two others away."""
    state = started(*hands, starter=starter, **given)
    away = state.board.setup.away
    choices = {seat: {"lay": [*held[-away:]]} for seat, held in enumerate(state.board.hand.held)}
    return do(MODE.play(state, choices), {"cut": 4})


def play(state: State[Board], codes: str) -> State[Board]:
    """Play cards by the seats whose turn it is, with go where no card fits."""
    for code in codes.split():
        state = said(state)
        state = do(state, {"play": at(state, code), "card": code})
    return said(state)


def said(state: State[Board]) -> State[Board]:
    """Say every go that must be said."""
    while (move := MODE.compelled(state, state.board.hand.mover)) is not None:
        state = do(state, move)
    return state
