"""A table of Pancakes (flip) in mid-game, from cards as text: "9H" lies face-up, "#9H" face-down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cards.games import find, french
from cards.games.contract import Mode, Move, State, Turn
from cards.games.flip.griddle import SERVING, STACKS, Stack
from cards.games.flip.table import Board, Phase

FLIP: Mode[Board] = find("flip")
OPTIONS = {"turn": 30, "jokers": True, "target": 0, "absent": "end"}


class Layout:
    """Deals out positions: each card of the pack has its own, the Draw Pile the last ones."""

    def __init__(self, pile: Sequence[str] = ()) -> None:
        self.faces: dict[int, str] = {}
        self.left = [*french.packs(1, 2)]
        self.next = 0
        self.pile_from = len(self.left) - len(pile)
        for position, code in enumerate(pile, self.pile_from):
            self.left.remove(code)
            self.faces[position] = code

    def lay(self, code: str) -> int:
        """The position of a card, which is taken from the rest of the pack."""
        position, self.next = self.next, self.next + 1
        self.left.remove(code)
        self.faces[position] = code
        return position

    def stack(self, codes: Sequence[str]) -> Stack:
        """A Stack, its bottom first."""
        return tuple(~self.lay(c[1:]) if c.startswith("#") else self.lay(c) for c in codes)


def table(
    griddle: Sequence[Sequence[str]],
    *hands: Sequence[str],
    pile: Sequence[str] = (),
    unseen: Sequence[str] = (),
    trays: Sequence[int] = (),
    phase: Phase = "cook",
    options: dict[str, Any] | None = None,
    **more: Any,
) -> State[Board]:
    """A table with seat 0 to move. Stacks that `griddle` leaves out show ranks that are nowhere else.

    `trays` counts Servings, of cards that are nowhere else. Stacks in `unseen` (by their card, "5C") hide
    cards that nobody has seen yet.
    """
    layout = Layout(pile)
    stacks = [layout.stack(codes) for codes in griddle]
    held = tuple(frozenset(layout.lay(code) for code in hand) for hand in hands)
    used = {face[:-1] for face in layout.faces.values()}
    spare = [rank for rank in french.RANKS if rank not in used]
    for pair in [pair for rank in spare for pair in ((f"#{rank}C", f"{rank}S"), (f"#{rank}D", f"{rank}H"))]:
        if len(stacks) < STACKS:
            stacks.append(layout.stack(pair))
    hidden = frozenset(p for p, code in layout.faces.items() if code in unseen)
    rest = [code for code in layout.left if code != french.JOKER]
    served = tuple(
        tuple(layout.lay(rest.pop()) for _ in range(SERVING * n)) for n in trays or [0] * len(hands)
    )
    board = FLIP.start({**OPTIONS, **(options or {})}, len(hands)).board
    board = replace(
        board,
        phase=phase,
        game=1,
        hands=held,
        griddle=tuple(stacks),
        trays=served,
        pile=layout.pile_from,
        unseen=hidden,
        **more,
    )
    return State(board, layout.faces)


def codes(state: State[Board]) -> list[list[str]]:
    """The Griddle as text."""
    faces = state.faces
    return [[faces[c] if c >= 0 else f"#{faces[~c]}" for c in stack] for stack in state.board.griddle]


def at(state: State[Board], code: str) -> int:
    """The position of a card; of two Jokers the first."""
    return next(p for p in sorted(state.faces) if state.faces[p] == code)


def do(state: State[Board], move: Move, *, seat: int | None = None) -> State[Board]:
    """Make a move, and turn up what the rules turn up after it."""
    state = FLIP.play(state, {state.board.mover if seat is None else seat: move})
    return turned(state)


def turned(state: State[Board]) -> State[Board]:
    """Turn up what the rules turn up."""
    while isinstance(due := FLIP.next(state), Turn):
        assert due.positions is not None
        state = FLIP.turn(state, {p: state.faces[p] for p in due.positions})
    return state


def play(state: State[Board], code: str, stack: int) -> State[Board]:
    """Play a card from the mover's hand."""
    hand = state.board.hands[state.board.mover]
    position = next(p for p in sorted(hand) if state.faces[p] == code)
    return do(state, {"play": position, "card": code, "stack": stack})


def transfer(state: State[Board], code: str, stack: int) -> State[Board]:
    """Move a card of the Griddle."""
    position = next(s[-1] for s in state.board.griddle if s and s[-1] >= 0 and state.faces[s[-1]] == code)
    return do(state, {"transfer": position, "card": code, "stack": stack})
