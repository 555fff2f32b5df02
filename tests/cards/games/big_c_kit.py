"""Games of Big C in a chosen situation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from cards.games import find
from cards.games.big_c.hands import Combination
from cards.games.big_c.seek import KINDS, some
from cards.games.big_c.table import Board, pack
from cards.games.contract import Mode, Move, State

BIG_C: Mode[Board] = find("big-c")
PASS = {"pass": True}


def begun(*hands: str, absent: str = "end", lots: Sequence[int] = ()) -> State[Board]:
    """A game after the deal of equally large hands: all are to present. The stock is the 3 of diamonds."""
    dealt = [hand.split() for hand in hands]
    size = len(dealt[0])
    state = BIG_C.start({"hand": size, "absent": absent}, len(hands))
    state = BIG_C.deal(state, [tuple(lots) or tuple(range(len(hands)))])
    state = BIG_C.deal(state, [None])
    faces = {seat * size + i: code for seat, hand in enumerate(dealt) for i, code in enumerate(hand)}
    return state.knowing({**dict.fromkeys(state.board.stock, "3D"), **faces})


def playing(*hands: str, stock: int = 20, absent: str = "end", first: int = 0) -> State[Board]:
    """A game whose order is decided: by seats, from `first`. The stock is `stock` 3s of diamonds."""
    seats = len(hands)
    state = BIG_C.start({"hand": 13, "absent": absent}, seats)
    held, faces, at = [], {}, 0
    for hand in hands:
        codes = hand.split()
        held.append(frozenset(range(at, at + len(codes))))
        faces |= dict(enumerate(codes, at))
        at += len(codes)
    board = replace(
        state.board,
        phase="play",
        lots=tuple(range(seats)),
        hands=tuple(held),
        stock=tuple(range(at, at + stock)),
        groups=tuple((seat,) for seat in range(seats)),
        mover=first,
        first=at + stock,
    )
    return State(board, {**faces, **dict.fromkeys(board.stock, "3D")})


def move(state: State[Board], seat: int, codes: str) -> Move:
    """The move that plays the named cards, or passes."""
    if codes == "pass":
        return dict(PASS)
    wanted, places = codes.split(), list[int]()
    for code in wanted:
        hand = sorted(state.board.hands[seat])
        places.append(next(p for p in hand if state.faces[p] == code and p not in places))
    places.sort()
    return {"play": places, "cards": [state.faces[p] for p in places]}


def do(state: State[Board], *played: str) -> State[Board]:
    """Play hands and passes, each by the seat whose turn it is."""
    for codes in played:
        seat = state.board.mover
        state = BIG_C.play(state, {seat: move(state, seat, codes)})
    return state


def present(state: State[Board], **cards: str) -> State[Board]:
    """Present cards at the same time, given by seat: s0="5D"."""
    choices: dict[int, Any] = {}
    for name, code in cards.items():
        seat = int(name[1:])
        hand = sorted(state.board.hands[seat] - set(state.board.presented[seat]))
        choices[seat] = {"present": next(p for p in hand if state.faces[p] == code), "card": code}
    return BIG_C.play(state, choices)


def hands(*counts: int) -> st.SearchStrategy[Combination]:
    """Hands of that many cards out of two packs, all kinds about equally likely."""

    def dealt(seed: int) -> Combination:
        rng = Random(seed)
        while True:
            kinds = [kind for count in counts for kind in KINDS[count]]
            cards = dict(enumerate(rng.sample(pack(2), 27)))
            for _, hand in some(cards, None, [rng.choice(kinds)], rng.sample):
                return hand

    return st.integers(0, 2**32).map(dealt)
