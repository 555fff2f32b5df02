"""The table of Chinese Hearts: where cards lie, what may be exposed and played (docs/rules/hearts.md).

A board holds positions only, so every fold of a game has the same board,
whichever faces it knows. Bracketed numbers are sections of that page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from cards.games import french
from cards.games.contract import Face, Legal, Move, Position, Refusal, Seat, State
from cards.games.house_pack import (
    NOBODY,
    NOTHING,
    HouseBoard,
    Positions,
    misnamed,
    misstated,
)

EXPOSABLE = ("10C", "JD", "AH", "QS")
SUIT: dict[str, str] = {code: french.suit(code) for code in french.PACK}
PLACE: dict[str, int] = {code: french.place(code) for code in french.PACK}

Phase = Literal["first", "deal", "expose", "play", "over"]


@cache
def pack(seats: int) -> tuple[str, ...]:
    """The pack in canonical order without the lowest clubs that keep it from being dealt evenly (1)."""
    return french.PACK[52 % seats :]


@dataclass(frozen=True)
class Board(HouseBoard):
    """The place of every card, by position; the i-th block of the shuffled pack is seat i's."""

    seats: int
    random_first: bool
    phase: Phase
    round: int
    """The number of the round, from 1; 0 before the first hands are dealt."""
    totals: tuple[int, ...]
    leader: Seat
    """The seat that leads this trick, or the first trick of the next round."""
    missed: tuple[int, ...]
    """Choices that each seat has missed in a row."""
    plays_on: bool = False
    """True if the game goes on when a player is out: the option `absent`."""
    gone: frozenset[Seat] = NOBODY
    """The seats that are out: they resigned, or missed three choices in a row."""
    hands: tuple[Positions, ...] = ()
    fronts: tuple[Positions, ...] = ()
    """Exposed cards that were neither played nor picked up."""
    exposed: Positions = NOTHING
    """The cards exposed in this round, wherever they are now."""
    done: frozenset[Seat] = frozenset()
    trick: tuple[Position, ...] = ()
    """The cards of the trick as they were played, the leader's first."""
    collected: tuple[tuple[Position, ...], ...] = ()

    @property
    def mover(self) -> Seat:
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) % self.seats


def forced(exposed: Collection[str]) -> str | None:
    """The fourth exposable card, once the three others are exposed (3)."""
    left = [code for code in EXPOSABLE if code not in exposed]
    return left[0] if len(left) == 1 else None


def pick_up(front: Iterable[Position], faces: Mapping[Position, Face], led: str) -> Positions:
    """The exposed cards that go to the hand at the end of a trick in suit `led` (6)."""
    return frozenset(p for p in front if SUIT[faces[p]] == led)


def playable(hand: Positions, front: Positions, faces: Mapping[Position, Face], led: str | None) -> Positions:
    """The cards that may be played to a trick in suit `led` (None: leading), as far as faces tell (4, 5).

    Positions without a face count as cards of no suit.
    """
    if led is None:
        return hand or front
    for place in (hand, front):
        following = frozenset(p for p in place if p in faces and SUIT[faces[p]] == led)
        if following:
            return following
    return hand | front


def led_suit(state: State[Board]) -> str | None:
    """The suit of the trick; None while its first card is still to come."""
    trick = state.board.trick
    return SUIT[state.faces[trick[0]]] if trick else None


def _statement(move: object, verb: str) -> tuple[Position, str] | Refusal:
    """Position and code of {verb: position, "card": code} (10)."""
    if not isinstance(move, dict) or move.keys() != {verb, "card"}:
        return Refusal("malformed", f'The move is {{"{verb}": position, "card": code}}.', "hearts 10")
    position, code = move[verb], move["card"]
    return misnamed(position, code, SUIT, "hearts 10", f"/{verb}") or (position, code)


class Exposing(Legal):
    """Expose one of the four cards, or say done (3)."""

    __slots__ = ("_seat", "_state")

    def __init__(self, state: State[Board], seat: Seat) -> None:
        self._state = state
        self._seat = seat

    def __iter__(self) -> Iterator[Move]:
        faces = self._state.faces
        for position in sorted(self._state.board.hands[self._seat]):
            if faces.get(position) in EXPOSABLE:
                yield {"expose": position, "card": faces[position]}
        yield {"done": True}

    def refusal(self, move: object) -> Refusal | None:
        if isinstance(move, dict) and move.keys() == {"done"}:
            if move["done"] is True:
                return None
            return Refusal("malformed", 'To expose no more is {"done": true}.', "hearts 10", "/done")
        stated = _statement(move, "expose")
        if isinstance(stated, Refusal):
            return stated
        position, code = stated
        if position not in self._state.board.hands[self._seat]:
            return Refusal("not_in_hand", "That card is not in your hand.", "hearts 3", "/expose")
        if code not in EXPOSABLE:
            text = "Only the 10 of clubs, jack of diamonds, ace of hearts and queen of spades can be exposed."
            return Refusal("not_exposable", text, "hearts 3", "/card")
        return misstated(self._state.faces, position, code, pack(self._state.board.seats), "hearts 10")


class PlayingToTrick(Legal):
    """Lead or follow (4, 5)."""

    __slots__ = ("_seat", "_state")

    def __init__(self, state: State[Board], seat: Seat) -> None:
        self._state = state
        self._seat = seat

    def __iter__(self) -> Iterator[Move]:
        board, faces = self._state.board, self._state.faces
        allowed = playable(board.hands[self._seat], board.fronts[self._seat], faces, led_suit(self._state))
        for position in sorted(allowed):
            if position in faces:
                yield {"play": position, "card": faces[position]}

    def sample(self, rng: Random) -> Move:
        board, faces = self._state.board, self._state.faces
        allowed = playable(board.hands[self._seat], board.fronts[self._seat], faces, led_suit(self._state))
        position = rng.choice(sorted(p for p in allowed if p in faces))
        return {"play": position, "card": faces[position]}

    def refusal(self, move: object) -> Refusal | None:
        stated = _statement(move, "play")
        if isinstance(stated, Refusal):
            return stated
        position, code = stated
        board = self._state.board
        hand, front = board.hands[self._seat], board.fronts[self._seat]
        if position not in hand and position not in front:
            return Refusal(
                "not_held", "That card is neither in your hand nor before you.", "hearts 5", "/play"
            )
        refusal = misstated(self._state.faces, position, code, pack(board.seats), "hearts 10")
        if refusal:
            return refusal
        faces, led = self._state.knowing({position: code}).faces, led_suit(self._state)
        if position in playable(hand, front, faces, led):
            return None
        if led is None:
            return Refusal("hand_leads", "Lead from your hand while you have one.", "hearts 4", "/play")
        return Refusal("must_follow", f"You hold a card of the suit led ({led}).", "hearts 5", "/play")
