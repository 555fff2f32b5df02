"""The table of Pancakes (flip): where cards lie, and what may be done in each phase (docs/rules/flip.md).

A board holds positions only, so every fold of a game has the same board, whichever faces it knows.
Bracketed numbers are sections of that page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from cards.games import french
from cards.games.contract import Face, Legal, Move, Position, Refusal, Seat, State
from cards.games.flip.griddle import RANK, STACKS, WILD, Griddle, Stack, fits, ranks_on, servings, tops
from cards.games.house_pack import (
    NOBODY,
    NOTHING,
    HouseBoard,
    Positions,
    misnamed,
    misstated,
)

JOKERS = 2
HAND = 5
"""Cards of a hand, as it is dealt."""

Phase = Literal["deal", "lay", "cook", "draw", "drawn", "show", "serve", "flip", "over"]

PLACE: dict[str, int] = {code: french.place(code) for code in (*french.PACK, french.JOKER)}

_PACKS = {jokers: french.packs(1, jokers=JOKERS if jokers else 0) for jokers in (False, True)}


def pack(jokers: bool) -> tuple[str, ...]:
    """The pack in canonical order (1)."""
    return _PACKS[jokers]


@dataclass(frozen=True)
class Board(HouseBoard):
    """The place of every card, by position."""

    seats: int
    jokers: bool
    target: int
    """Points that end a set; 0 where a single game is played."""
    plays_on: bool
    """True if the game goes on when a player is out: the option `absent`."""
    phase: Phase
    game: int
    """The number of the game, from 1; 0 before the first."""
    totals: tuple[int, ...]
    """Points of the games that are over."""
    missed: tuple[int, ...]
    """Choices that each seat has missed in a row."""
    gone: frozenset[Seat] = NOBODY
    """The seats that are out: they resigned, or missed three choices in a row."""
    reason: str = ""
    """The reason why it is over."""
    mover: Seat = 0
    turns: int = 0
    """Turns that are over in this game."""
    passes: int = 0
    """Turns in a row that were passes."""
    called: bool = False
    """True if Pancakes! was called, and only passes have come since."""
    idle: bool = False
    """True if the action of this turn was forfeited, and no Serving was taken."""
    drawn: Position | None = None
    """The card that was drawn last and has to be played."""
    hands: tuple[Positions, ...] = ()
    griddle: Griddle = ()
    trays: tuple[tuple[Position, ...], ...] = ()
    """Servings, four cards each."""
    pile: Position = 0
    """The top card of the Draw Pile; the rest lies under it in ascending order."""
    unseen: Positions = NOTHING
    """Cards of the Griddle that have not been face-up yet."""
    completed: int = 0
    """Hands completed, when playing alone."""
    lessons: int = 0
    """The lessons that were made since the set began (16), out of eleven, as bits: see `lessons`."""
    last: tuple[int, ...] = ()
    """The points of the game that is just over; empty while a game runs."""

    @property
    def size(self) -> int:
        """Cards of the pack."""
        return len(_PACKS[self.jokers])


def playable(code: str, ranks: list[int]) -> bool:
    """Tell whether a card fits on any of the Stacks that `ranks` fit on (4)."""
    rank = RANK[code]
    return rank == WILD or rank in ranks or WILD in ranks


def may_play(state: State[Board]) -> bool:
    """Tell whether a card of the mover's hand, as far as it is known here, fits anywhere (4)."""
    board, faces = state.board, state.faces
    ranks = ranks_on(board.griddle, faces)
    return any(p in faces and playable(faces[p], ranks) for p in board.hands[board.mover])


def _said(move: Mapping[str, Any], verb: str) -> Refusal | None:
    """Say what is wrong with the form of {verb: true}."""
    if move[verb] is True:
        return None
    return Refusal("malformed", f'The move is {{"{verb}": true}}.', "flip 15", f"/{verb}")


def _stack(value: object, pointer: str) -> Refusal | None:
    """Say what is wrong with the number of a Stack."""
    if type(value) is int and 1 <= value <= STACKS:
        return None
    return Refusal("no_such_stack", f"Stacks are numbered from 1 to {STACKS}.", "flip 2", pointer)


def _laying(move: Mapping[str, Any], verb: str) -> Refusal | None:
    """Say what is wrong with the form of {verb: position, "card": code, "stack": number}."""
    if move.keys() != {verb, "card", "stack"}:
        form = f'{{"{verb}": position, "card": code, "stack": number}}'
        return Refusal("malformed", f"The move is {form}.", "flip 15")
    refusal = misnamed(move[verb], move["card"], RANK, "flip 15", f"/{verb}")
    return refusal or _stack(move["stack"], "/stack")


def misfit(code: str, stack: Stack, faces: Mapping[Position, Face]) -> Refusal | None:
    """The refusal of a card that does not fit on a Stack (4)."""
    if fits(code, stack, faces):
        return None
    text = f"The {french.title(code)} lies on its own rank, a Joker, a card back or an empty Stack alone."
    return Refusal("does_not_fit", text, "flip 4", "/stack")


def _room(ranks: list[int]) -> list[int]:
    """Count the Stacks that a card fits on, by its rank; WILD indexes the last entry, which is a Joker's."""
    room = [ranks.count(WILD)] * (len(french.RANKS) + 1)
    for rank in ranks:
        room[rank] += 1
    room[WILD] = STACKS
    return room


def _targets(ranks: list[int], rank: int, source: int) -> list[int]:
    """The Stacks, by index, on which a card of that rank fits, without the one that it comes from."""
    if rank == WILD:
        return [i for i in range(STACKS) if i != source]
    fitting = (rank, WILD)
    return [i for i, on in enumerate(ranks) if on in fitting and i != source]


class Cooking(Legal):
    """Play from hand or Griddle, draw or forfeit (4 to 8); once a card was drawn, play that one."""

    __slots__ = ("_state",)

    def __init__(self, state: State[Board]) -> None:
        self._state = state

    def _found(self, ranks: list[int]) -> list[tuple[str, Position, int, int, int]]:
        """The actions: verb, position, rank, source Stack (-1: none), and the number of Stacks it fits on."""
        board, faces = self._state.board, self._state.faces
        room, drawn = _room(ranks), board.drawn
        found = []
        for p in sorted(board.hands[board.mover]) if drawn is None else (drawn,):
            if p in faces:
                rank = RANK[faces[p]]
                if room[rank]:
                    found.append(("play", p, rank, -1, room[rank]))
        if drawn is not None:
            return found
        if not found:
            found.append(("draw" if board.pile < board.size else "forfeit", 0, WILD, -1, 1))
        for source, rank in enumerate(ranks):
            if room[rank] > 1:  # a card fits on itself, but goes to another
                stack = board.griddle[source]
                if stack and stack[-1] >= 0:
                    found.append(("transfer", stack[-1], rank, source, room[rank] - 1))
        return found

    def _move(self, verb: str, position: Position, stack: int) -> Move:
        if verb in ("draw", "forfeit"):
            return {verb: True}
        return {verb: position, "card": self._state.faces[position], "stack": stack + 1}

    def __iter__(self) -> Iterator[Move]:
        ranks = ranks_on(self._state.board.griddle, self._state.faces)
        for verb, position, rank, source, many in self._found(ranks):
            for stack in _targets(ranks, rank, source)[:many]:
                yield self._move(verb, position, stack)

    def sample(self, rng: Random) -> Move:
        """Each legal move equally likely, without a list of them all."""
        ranks = ranks_on(self._state.board.griddle, self._state.faces)
        found = self._found(ranks)
        left = int(rng.random() * sum([choice[-1] for choice in found]))
        for verb, position, rank, source, many in found:
            if left < many:
                return self._move(verb, position, _targets(ranks, rank, source)[left])
            left -= many
        raise AssertionError("a seat that is asked has a move")

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict):
            return Refusal("malformed", "A move is an object.", "flip 15")
        if "play" in move:
            return _laying(move, "play") or self._play(move["play"], move["card"], move["stack"] - 1)
        if "transfer" in move:
            return _laying(move, "transfer") or self._transfer(
                move["transfer"], move["card"], move["stack"] - 1
            )
        if move.keys() == {"draw"}:
            return _said(move, "draw") or self._draw()
        if move.keys() == {"forfeit"}:
            return _said(move, "forfeit") or self._forfeit()
        return Refusal("malformed", "A move plays, transfers, draws or forfeits.", "flip 15")

    def _play(self, position: Position, code: str, stack: int) -> Refusal | None:
        board, faces = self._state.board, self._state.faces
        if position not in board.hands[board.mover]:
            return Refusal("not_in_hand", "That card is not in your hand.", "flip 6", "/play")
        if board.drawn is not None and position != board.drawn:
            return Refusal("must_play_drawn", "The card that was drawn must be played.", "flip 6", "/play")
        return misstated(faces, position, code, pack(board.jokers), "flip 15") or misfit(
            code, board.griddle[stack], faces
        )

    def _transfer(self, position: Position, code: str, stack: int) -> Refusal | None:
        board, faces = self._state.board, self._state.faces
        if board.drawn is not None:
            text = "After a draw you play the drawn card, and nothing from the Griddle."
            return Refusal("must_play_drawn", text, "flip 6", "/transfer")
        shown = tops(board.griddle)
        if ~position in shown:
            return Refusal("card_back", "Card backs are never transferred.", "flip 7", "/transfer")
        if position < 0 or position not in shown:
            text = "Only the top card of a Stack is transferred."
            return Refusal("not_on_top", text, "flip 7", "/transfer")
        if shown[stack] == position:
            return Refusal("same_stack", "A transfer goes to another Stack.", "flip 7", "/stack")
        return misstated(faces, position, code, pack(board.jokers), "flip 15") or misfit(
            code, board.griddle[stack], faces
        )

    def _draw(self) -> Refusal | None:
        board = self._state.board
        if board.drawn is not None:
            return Refusal("must_play_drawn", "The card that was drawn must be played.", "flip 6", "/draw")
        if board.pile >= board.size:
            return Refusal("draw_pile_empty", "The Draw Pile is empty.", "flip 6", "/draw")
        if may_play(self._state):
            return Refusal("has_play", "A card of your hand fits, so you can't draw.", "flip 6", "/draw")
        return None

    def _forfeit(self) -> Refusal | None:
        board = self._state.board
        if board.drawn is not None:
            return Refusal("must_play_drawn", "The card that was drawn must be played.", "flip 6", "/forfeit")
        if may_play(self._state):
            return Refusal(
                "has_play", "A card of your hand fits, so you can't forfeit.", "flip 8", "/forfeit"
            )
        if board.pile < board.size:
            return Refusal("must_draw", "You must draw while the Draw Pile has cards.", "flip 8", "/forfeit")
        return None


class Serving(Legal):
    """Take a Serving, or say done (9)."""

    __slots__ = ("_state",)

    def __init__(self, state: State[Board]) -> None:
        self._state = state

    def __iter__(self) -> Iterator[Move]:
        for stack in servings(self._state.board.griddle, self._state.faces):
            yield {"serve": stack + 1}
        yield {"done": True}

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict) or move.keys() not in ({"serve"}, {"done"}):
            return Refusal(
                "malformed", 'Take a Serving with {"serve": number}, or {"done": true}.', "flip 15"
            )
        if "done" in move:
            return _said(move, "done")
        wrong = _stack(move["serve"], "/serve")
        if wrong or move["serve"] - 1 in servings(self._state.board.griddle, self._state.faces):
            return wrong
        return Refusal("no_serving", "No four cards of a rank lie on top of that Stack.", "flip 9", "/serve")
