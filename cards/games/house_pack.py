"""The parts that modes with a house pack share: boards, absent players, stated cards, states as JSON.

A board holds positions, counts and points only. So every fold of a game has the same board, whichever faces
it knows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Container, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, Self, TypeVar, get_args, get_origin, get_type_hints

from cards.games import french
from cards.games.common import refuse
from cards.games.contract import (
    Choice,
    Deal,
    Draw,
    Face,
    IllegalMove,
    Missed,
    Mode,
    Move,
    Option,
    Position,
    Refusal,
    Seat,
    State,
)

Positions = frozenset[Position]
NOTHING: Positions = frozenset()
NOBODY: frozenset[Seat] = frozenset()

MISSES = 3
"""Choices missed in a row that take a player out."""


def absent_option(what: str = "game") -> Option:
    """The option that says whether a game (or a set) goes on when a player leaves it."""
    return Option(
        "absent",
        "choice",
        "end",
        f"The effect of a player who leaves: the {what} ends, or the house plays on for that seat.",
        choices=("end", "play"),
    )


def secret_deal(pack: tuple[str, ...], first: Position = 0, *, fresh: bool = True) -> Deal:
    """All cards of a pack, in an order that nobody may know."""
    draw = Draw(None, tuple(range(len(pack))), len(pack))
    return Deal((draw,), secret=True, fresh=fresh, pack=pack, first=first)


# Boards and absent players

_new, _set = object.__new__, object.__setattr__


class HouseBoard:
    """The place of every card, by position, and the seats that are still there.

    A board is a frozen dataclass without slots, its fields in the order of its JSON.
    """

    # Every board has these three, read-only. Only the type checker sees them here: at run time, a dataclass
    # would take an inherited property for the default value of its field.
    if TYPE_CHECKING:

        @property
        def plays_on(self) -> bool:
            """True if the game goes on when a player is out: the option `absent`."""

        @property
        def missed(self) -> tuple[int, ...]:
            """Choices that each seat has missed in a row."""

        @property
        def gone(self) -> frozenset[Seat]:
            """The seats that are out: they resigned, or missed three choices in a row."""

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed: `dataclasses.replace`, in a fifth of its time.

        Every decision of a game makes two or three boards.
        """
        was = self.__dict__
        values = {**was, **changes}  # the attributes of a `copy()` would be slower to read
        if len(values) != len(was):
            raise TypeError("a board has no such field")
        copy = _new(self.__class__)
        _set(copy, "__dict__", values)
        return copy

    @property
    def left(self) -> tuple[Seat, ...]:
        """The seats that are not out."""
        return tuple(seat for seat in range(len(self.missed)) if seat not in self.gone)

    @property
    def sides_left(self) -> int:
        """The number of sides that still have a player."""
        return len(self.left)

    @property
    def goes_on(self) -> bool:
        """True if enough players are left: all, or some on two sides where the table plays on."""
        return not self.gone or (self.plays_on and self.sides_left > 1)

    def counting(self, missed: Mapping[Seat, bool]) -> tuple[Self, frozenset[Seat]]:
        """Return this board after some seats chose or missed their choice, and the seats that are now out.

        `missed` says of each of these seats whether it missed. The seats now out are not among `gone` yet.
        """
        counts = [*self.missed]
        for seat, silent in missed.items():
            if seat not in self.gone:
                counts[seat] = counts[seat] + 1 if silent else 0
        if tuple(counts) == self.missed:
            return self, NOBODY
        out = frozenset(seat for seat in missed if seat not in self.gone and counts[seat] >= MISSES)
        return self.but(missed=tuple(counts)), out


H = TypeVar("H", bound=HouseBoard)


class HouseMode(Mode[H]):
    """A mode with a house pack."""

    boards: type[H]
    """The type of its boards."""
    absence: str
    """The section of its rules that says what the house plays for an absent player."""
    plays_lowest: bool
    """True if `absent` plays the lowest card rather than the simplest move, by the code of a refusal."""

    @abstractmethod
    def absent(self, state: State[H], seat: Seat) -> Move | None: ...

    def gone(self, state: State[H]) -> frozenset[Seat]:
        return state.board.gone

    def leave(self, state: State[H], seat: Seat) -> State[H] | None:
        """While players of two sides are left, the house plays on for this one, if the table wants that."""
        board = state.board.but(gone=state.board.gone | {seat})
        return State(board, state.faces) if board.goes_on else None

    def withheld(self, state: State[H], seats: frozenset[Seat]) -> State[H] | None:
        """Withheld links are counted like missed moves: the third takes a seat out."""
        board = state.board.but(gone=state.board.gone | seats)
        return State(board, state.faces) if board.goes_on else None

    def lost(self, state: State[H], reason: str, seats: frozenset[Seat]) -> frozenset[Seat]:
        """The seats that can't win when `seats` end the game for this reason, with those that are out.

        If all who are left would be out at once by silence, nobody is taken out.
        """
        gone = state.board.gone
        return gone if reason == "missed" and seats.issuperset(state.board.left) else gone | seats

    def chosen(self, state: State[H], seat: Seat, choice: Choice) -> Move:
        """The move of a seat, or the one that the house played for it; raises `IllegalMove` if not legal."""
        move = self._stands_for(state, seat, choice) if isinstance(choice, Missed) else choice
        refusal = self.legal(state, seat).refusal(move)
        if refusal:
            raise IllegalMove(refusal)
        return move

    def _stands_for(self, state: State[H], seat: Seat, missed: Missed) -> Move:
        """The move that the house played for `seat`: the one of `absent`, as far as that can be told."""
        due = self.absent(state, seat)
        move = missed.move if missed.move is not None else due
        if move is None:
            raise refuse(
                "choice_lacking", f"The move that was played for seat {seat} is lacking.", self.absence
            )
        if due is not None and move != due:
            text = f"The rules play {due} for seat {seat}."
            if self.plays_lowest:
                raise refuse("not_the_lowest", text, self.absence)
            raise refuse("not_the_simplest", text, self.absence)
        return move

    def dump(self, state: State[H]) -> dict[str, Any]:
        faces = state.faces
        return {
            **_write(state.board),
            "faces": {str(position): faces[position] for position in sorted(faces)},
        }

    def load(self, data: Mapping[str, Any], cards: Mapping[int, Face]) -> State[H]:
        faces = {int(position): face for position, face in data["faces"].items()}
        return State(_read(self.boards, data), faces)


# Cards that a move states


def misnamed(
    position: object, code: object, known: Container[str], section: str, at: str, named: str = "/card"
) -> Refusal | None:
    """The refusal of a position or a card's code that has the wrong form.

    `known` are the codes of all cards; `at` and `named` point to the two fields of the move.
    """
    if type(position) is not int:
        return Refusal("malformed", "A position is a whole number.", section, at)
    if not isinstance(code, str) or code not in known:
        return Refusal("unknown_card", "There is no such card.", section, named)
    return None


def misstated(
    faces: Mapping[Position, Face],
    position: Position,
    code: str,
    pack: tuple[str, ...],
    section: str,
    pointer: str = "/card",
    stated: int = 0,
) -> Refusal | None:
    """The refusal of a card that, as far as faces are known, does not lie at the position that a move states.

    The same move states `stated` copies of it at other positions whose faces are not known.
    """
    face = faces.get(position)
    if face == code:
        return None
    if face is None and [*faces.values()].count(code) + stated < pack.count(code):
        return None
    the = "A" if code == french.JOKER else "The"
    return Refusal("not_that_card", f"{the} {french.title(code)} does not lie there.", section, pointer)


# States as JSON

_Convert = Callable[[Any], Any]


def _write(value: Any) -> dict[str, Any]:
    return {name: write(getattr(value, name)) for name, write, _ in _fields(value.__class__)}


def _read(kind: Any, data: Mapping[str, Any]) -> Any:
    return kind(**{name: read(data[name]) for name, _, read in _fields(kind)})


@cache
def _fields(kind: Any) -> tuple[tuple[str, _Convert, _Convert], ...]:
    """The fields of a dataclass or named tuple in order: the name, how it is written and how it is read."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields
    return tuple((name, *_converters(hints[name])) for name in names)


def _converters(hint: Any) -> tuple[_Convert, _Convert]:
    """Return the functions that write a value of a type as JSON, and read it back."""
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _write, lambda data: _read(hint, data)
    inner = [arg for arg in get_args(hint) if arg not in (NoneType, ...)]
    origin = get_origin(hint)
    if NoneType in get_args(hint):
        write, read = _converters(inner[0])
        if write is _same:
            return _same, _same
        return (
            lambda value: None if value is None else write(value),
            lambda data: None if data is None else read(data),
        )
    if origin is frozenset:
        return sorted, frozenset
    if origin is tuple:
        write, read = _converters(inner[0])
        if write is _same:
            return list, tuple
        return lambda value: [write(item) for item in value], lambda data: tuple(
            [read(item) for item in data]
        )
    return _same, _same


def _same(value: Any) -> Any:
    return value
