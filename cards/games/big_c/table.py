"""The table of Big C: where cards lie, what may be presented, played and passed (docs/rules/big-c.md).

A board holds positions only, so every fold of a game has the same board,
whichever faces it knows. Bracketed numbers are sections of that page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from cards.games import french
from cards.games.big_c.hands import (
    SIZES,
    STRENGTH,
    Combination,
    Comparison,
    combination_of,
    combination_played,
    compare,
)
from cards.games.big_c.seek import KINDS, every, some
from cards.games.contract import Face, Legal, Move, Position, Refusal, Seat, State
from cards.games.house_pack import (
    NOBODY,
    NOTHING,
    HouseBoard,
    Positions,
    misnamed,
    misstated,
)

Phase = Literal["lots", "deal", "present", "play", "shuffle", "over"]
PASS: Move = {"pass": True}

PASSING = 0.25
"""The probability that a sample passes where it may."""


@cache
def pack(seats: int) -> tuple[str, ...]:
    """All packs in canonical order, two Jokers each: one for two players, but at least two (1)."""
    return french.packs(max(2, -(-seats // 2)), jokers=2)


@cache
def copies(seats: int) -> Mapping[str, int]:
    """Count how often each card is among all packs."""
    return Counter(pack(seats))


@dataclass(frozen=True)
class Board(HouseBoard):
    """The place of every card, by position; the i-th block of the shuffled packs is seat i's."""

    seats: int
    hand_size: int
    plays_on: bool
    """True if the game goes on when a player is out: the option `absent`."""
    phase: Phase
    missed: tuple[int, ...]
    """Choices that each seat has missed in a row."""
    gone: frozenset[Seat] = NOBODY
    """The seats that are out: they resigned, or missed three choices in a row."""
    lots: tuple[Seat, ...] = ()
    """The seats in an order of chance, for cards that can't be told apart to the end (3)."""
    hands: tuple[Positions, ...] = ()
    stock: tuple[Position, ...] = ()
    """Unplayed cards, top first."""
    played: tuple[Position, ...] = ()
    """Played cards but for the hand on the table."""
    table: tuple[Position, ...] = ()
    """The hand that the next must beat, ascending; none while a type is to be chosen."""
    last: Seat = 0
    """The seat that played that hand."""
    groups: tuple[tuple[Seat, ...], ...] = ()
    """The order of play as far as it is decided: tied seats are one group. In the end each stands alone."""
    presented: tuple[tuple[Position, ...], ...] = ()
    """The cards that each seat has presented, while the order is being decided."""
    known: Positions = NOTHING
    """Cards in hands that were presented, and are known to all."""
    mover: Seat = 0
    passes: int = 0
    """Passes since the last hand was played, or of seats that could not choose a type."""
    turns: int = 0
    owed: tuple[Seat, int] | None = None
    """The seat that draws more cards once the played ones are shuffled, and how many."""
    first: Position = 0
    """The first position that was never used."""
    winners: tuple[Seat, ...] = ()
    reason: str = ""

    @property
    def tied(self) -> frozenset[Seat]:
        """The seats that must present a card (3)."""
        return frozenset(seat for group in self.groups if len(group) > 1 for seat in group)

    @property
    def points(self) -> tuple[int, ...]:
        """The points by seat: minus the number of cards in hand."""
        return tuple(-len(hand) for hand in self.hands) or (0,) * self.seats

    def after(self, seat: Seat) -> Seat:
        """The seat after `seat` in the order of play that holds cards."""
        order = [found for group in self.groups for found in group]
        at = order.index(seat) + 1
        return next(other for other in (*order[at:], *order[:at]) if self.hands[other])


def on_table(state: State[Board]) -> Combination | None:
    """The hand to beat; None while a type is to be chosen."""
    table = state.board.table
    return combination_played(state.faces[p] for p in table) if table else None


def held_by(state: State[Board], seat: Seat) -> dict[Position, str]:
    """A seat's cards by position, as far as they are known."""
    faces = state.faces
    return {p: faces[p] for p in sorted(state.board.hands[seat]) if p in faces}


def presentable(state: State[Board], seat: Seat) -> Positions:
    """The cards that may be presented: not shown before, and of a new face while there is one (3).

    A card without a face may be presented, and may be of a face that was shown.
    """
    board, faces = state.board, state.faces
    left = board.hands[seat] - frozenset(board.presented[seat])
    shown = {faces[p] for p in board.presented[seat]}
    if not any(p in faces and faces[p] not in shown for p in left):
        return left
    return frozenset(p for p in left if faces.get(p) not in shown)


def wrong_card(
    state: State[Board], stated: Mapping[Position, str], pointers: Mapping[Position, str]
) -> Refusal | None:
    """The refusal of the first card that does not lie where it is stated, as far as faces are known.

    `pointers` name the fields of the cards.
    """
    faces, cards = state.faces, pack(state.board.seats)
    unknown: Counter[str] = Counter()
    for position, code in stated.items():
        refusal = misstated(faces, position, code, cards, "big-c 11", pointers[position], unknown[code])
        if refusal:
            return refusal
        unknown[code] += position not in faces
    return None


class Presenting(Legal):
    """Present a card, for the order of play (3)."""

    __slots__ = ("_seat", "_state")

    def __init__(self, state: State[Board], seat: Seat) -> None:
        self._state = state
        self._seat = seat

    def __iter__(self) -> Iterator[Move]:
        faces = self._state.faces
        for position in sorted(presentable(self._state, self._seat)):
            if position in faces:
                yield {"present": position, "card": faces[position]}

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict) or move.keys() != {"present", "card"}:
            return Refusal("malformed", 'The move is {"present": position, "card": code}.', "big-c 11")
        position, code = move["present"], move["card"]
        refusal = misnamed(position, code, STRENGTH, "big-c 11", "/present")
        if refusal:
            return refusal
        board = self._state.board
        if position not in board.hands[self._seat]:
            return Refusal("not_in_hand", "That card is not in your hand.", "big-c 3", "/present")
        if position in board.presented[self._seat]:
            return Refusal("presented_before", "Present another card.", "big-c 3", "/present")
        refusal = wrong_card(self._state, {position: code}, {position: "/card"})
        if refusal:
            return refusal
        if position not in presentable(self._state.knowing({position: code}), self._seat):
            return Refusal("same_card", "Present a card that differs from those before.", "big-c 3", "/card")
        return None


class PlayingCombination(Legal):
    """Choose a type, beat the hand on the table, or pass (4 to 9)."""

    __slots__ = ("_seat", "_state")

    def __init__(self, state: State[Board], seat: Seat) -> None:
        self._state = state
        self._seat = seat

    def _leads(self) -> bool:
        return not self._state.board.table

    def _may_pass(self, held: Mapping[Position, str]) -> bool:
        """Tell whether a pass is legal, as far as is known; a seat with anything but Jokers must lead (9)."""
        return not self._leads() or all(code == french.JOKER for code in held.values())

    def __iter__(self) -> Iterator[Move]:
        held = held_by(self._state, self._seat)
        if self._may_pass(held):
            yield dict(PASS)
        under = on_table(self._state)
        for chosen, _ in every(held, under, len(self._state.board.table) or None):
            yield played(held, chosen)

    def sample(self, rng: Random) -> Move:
        """A pass now and then; else the first hand that is found among kinds and cards in random order.

        A seat that leads tries the sizes in random order too.
        """
        held = held_by(self._state, self._seat)
        passing = self._may_pass(held)
        if passing and rng.random() < PASSING:
            return dict(PASS)
        under = on_table(self._state)
        sizes = [len(self._state.board.table)] if under else rng.sample(SIZES, len(SIZES))
        shuffled = dict(rng.sample([*held.items()], len(held)))
        for size in sizes:
            kinds = rng.sample(KINDS[size], len(KINDS[size]))
            for chosen, _ in some(shuffled, under, kinds, rng.sample):
                return played(held, chosen)
        return dict(PASS)

    def refusal(self, move: object) -> Refusal | None:
        if isinstance(move, dict) and move.keys() == {"pass"}:
            return self._passing(move["pass"])
        stated = self._stated(move)
        if isinstance(stated, Refusal):
            return stated
        pointers = {position: f"/cards/{i}" for i, position in enumerate(stated)}
        refusal = wrong_card(self._state, stated, pointers)
        if refusal:
            return refusal
        hand = combination_of(stated.values())
        if hand is None:
            return Refusal("no_hand", "These cards make no hand.", "big-c 4", "/cards")
        under = on_table(self._state)
        return None if under is None else self._beats(hand, under, len(stated))

    def _passing(self, value: object) -> Refusal | None:
        if value is not True:
            return Refusal("malformed", 'To pass is {"pass": true}.', "big-c 11", "/pass")
        if self._may_pass(held_by(self._state, self._seat)):
            return None
        return Refusal("must_lead", "You choose the type, so you must play a hand.", "big-c 9", "/pass")

    def _stated(self, move: object) -> dict[Position, str] | Refusal:
        """The cards by position, all of them in the hand."""
        if not isinstance(move, dict) or move.keys() != {"play", "cards"}:
            text = 'The move is {"play": [positions], "cards": [codes]} or {"pass": true}.'
            return Refusal("malformed", text, "big-c 11")
        places, codes = move["play"], move["cards"]
        if not isinstance(places, list):
            return Refusal("malformed", "Must be a list of positions.", "big-c 11", "/play")
        if not isinstance(codes, list) or len(codes) != len(places):
            return Refusal("malformed", "Must name one card for each position.", "big-c 11", "/cards")
        if len(places) not in SIZES:
            return Refusal("wrong_size", "A hand has 1, 2, 3 or 5 cards.", "big-c 4", "/play")
        for i, (place, code) in enumerate(zip(places, codes, strict=True)):
            refusal = misnamed(place, code, STRENGTH, "big-c 11", f"/play/{i}", f"/cards/{i}")
            if refusal:
                return refusal
            if place not in self._state.board.hands[self._seat]:
                text = "That card is not in your hand."
                return Refusal("not_in_hand", text, "big-c 11", f"/play/{i}")
            if i and place <= places[i - 1]:
                text = "Positions ascend, each once."
                return Refusal("malformed", text, "big-c 11", f"/play/{i}")
        return dict(zip(places, codes, strict=True))

    def _beats(self, hand: Combination, under: Combination, size: int) -> Refusal | None:
        wanted = len(self._state.board.table)
        if size != wanted:
            cards = "1 card" if wanted == 1 else f"{wanted} cards"
            return Refusal("other_size", f"Hands of {cards} are being played.", "big-c 6", "/play")
        compared = compare(hand, under)
        if compared.legal:
            return None
        if compared is Comparison.ASIDE:
            text = "With the same higher pair, two pairs with another lower one can't be played."
            return Refusal("not_comparable", text, "big-c 6", "/cards")
        text = f"This {hand.kind.title} does not beat the {under.kind.title} on the table."
        return Refusal("not_higher", text, "big-c 6", "/cards")


def played(held: Mapping[Position, Face], chosen: tuple[Position, ...]) -> Move:
    """The move that plays these cards."""
    return {"play": [*chosen], "cards": [held[p] for p in chosen]}
