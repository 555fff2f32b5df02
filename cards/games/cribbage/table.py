"""The table of cribbage: where the cards lie, what may be cut, laid away, played and claimed.

A board holds positions, counts and points only, so every fold of a game has the same board, whichever
faces it knows. Bracketed numbers are sections of docs/rules/cribbage.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from random import Random
from typing import Any, Literal, NamedTuple

from cards.games import french
from cards.games.contract import Face, Legal, Move, Position, Refusal, Seat
from cards.games.cribbage.score import LOW, MOST, VALUE, ScoreItem
from cards.games.house_pack import NOBODY, HouseBoard, misnamed, misstated

Phase = Literal[
    "shuffle",
    "cut",
    "cut shown",
    "deal",
    "lay",
    "starter",
    "starter shown",
    "play",
    "crib",
    "claim",
    "answer",
    "over",
]
Row = tuple[Position, ...]
"""Positions in an order."""

PACKET = 4
"""Fewest cards in each packet of a cut (2, 5)."""
ROUND = {
    seats: tuple(tuple((seat + i) % seats for i in range(1, seats + 1)) for seat in range(seats))
    for seats in (2, 3, 4)
}
"""All seats round the table from the one after a seat to itself, by the number of seats and that seat."""
BEST = 29
"""The highest claim there is: no hand counts more (9)."""
STOCK = {2: range(12, 52), 3: range(16, 52), 4: range(20, 52)}
"""The stock by the number of seats; with three a card of the crib's own lies before it (3, 11)."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The options of a match, and what follows from them."""

    seats: int
    target: int
    games: int
    """Games that win the match; a lurch counts as two."""
    muggins: bool
    plays_on: bool
    """True if the game goes on when a player is out: the option `absent`."""

    @property
    def sides(self) -> int:
        """The number of scores: four players are two partnerships (11)."""
        return 2 if self.seats == 4 else self.seats

    @property
    def cards(self) -> int:
        """Cards that each is dealt (3, 11)."""
        return 6 if self.seats == 2 else 5

    @property
    def away(self) -> int:
        """Cards that each lays away (4, 11)."""
        return self.cards - 4

    @property
    def stock(self) -> range:
        """The stock after the deal, top first."""
        return STOCK[self.seats]


class Pegged(NamedTuple):
    """Points that were just pegged, or a game that was won: a line of the account."""

    kind: str
    """"heels", "play", "go", "hand", "crib", "muggins", "game"."""
    seat: Seat
    points: int
    total: int
    """The score of the seat's side after it."""
    items: tuple[ScoreItem, ...] = ()
    claim: int | None = None


class DealInPlay(NamedTuple):
    """A deal from its first card to its show. It is a tuple, since every card played makes a new one."""

    held: tuple[Row, ...] = ()
    """The cards that are still in the hand, by seat, ascending."""
    laid: tuple[Row, ...] = ()
    """The cards that went to the crib, by seat."""
    played: tuple[Row, ...] = ()
    """The cards that were played, by seat, in the order played."""
    starter: Position | None = None
    pile: Row = ()
    """The cards of the running count, in order."""
    reached: int = 0
    """The running count: 0 to 31."""
    mover: Seat = 0
    """The seat that cuts, plays, claims or answers."""
    last: Seat = 0
    """The seat that laid the last card."""
    said: frozenset[Seat] = NOBODY
    """The seats that said go in this count."""
    claims: tuple[int, ...] = ()
    """Muggins: what has been claimed, in the order of showing; the last awaits its answer (9)."""
    shown: bool = False
    """True if the crib has been turned up."""

    @property
    def turned_up(self) -> Position:
        """The starter's position, once it has been cut; ValueError before."""
        if self.starter is None:
            raise ValueError("no starter has been cut")
        return self.starter


@dataclass(frozen=True)
class Board(HouseBoard):
    """A match, as far as it has come."""

    setup: Setup
    phase: Phase
    round: int
    """Deals so far, of all games of the match."""
    dealer: Seat
    scores: tuple[int, ...]
    """The scores by side, in this game."""
    won: tuple[int, ...]
    """The number of games won, by side."""
    missed: tuple[int, ...]
    """Choices that each seat has missed in a row."""
    hand: DealInPlay
    cuts: Row = ()
    """The cuts for the deal, in seat order (2)."""
    news: tuple[Pegged, ...] = ()
    """The points pegged and games won by the last move or card turned up."""
    gone: frozenset[Seat] = NOBODY
    """The seats that are out: they resigned, or missed three choices in a row."""
    reason: str = ""
    """The reason why it is over."""

    @property
    def plays_on(self) -> bool:
        return self.setup.plays_on

    @property
    def sides_left(self) -> int:
        """The number of sides that still have a player (10)."""
        return len({self.side(seat) for seat in self.left})

    def side(self, seat: Seat) -> int:
        """The side on whose score a seat pegs."""
        return seat % len(self.scores)

    @property
    def crib(self) -> Row:
        """The positions of the crib's cards."""
        laid = self.hand.laid
        crib = tuple(chain.from_iterable(laid))
        return (*crib, STOCK[3].start - 1) if len(laid) == 3 else crib

    @property
    def showing(self) -> tuple[Seat, ...]:
        """The seats in the order in which their hands are shown, the dealer last (8)."""
        return ROUND[self.setup.seats][self.dealer]

    @property
    def claimer(self) -> Seat:
        """The seat of the newest claim: hands are claimed in the order of showing, then the crib (9)."""
        return (*self.showing, self.dealer)[len(self.hand.claims) - 1]

    @property
    def answering(self) -> Seat:
        """The seat that may object to the newest claim: the next one of another side that is not out (9)."""
        side, others = self.side(self.claimer), ROUND[self.setup.seats][self.claimer]
        return next(seat for seat in others if self.side(seat) != side and seat not in self.gone)


_PLACES = {name: i for i, name in enumerate(DealInPlay._fields)}


def but(hand: DealInPlay, **changes: Any) -> DealInPlay:
    """`hand._replace(**changes)`, for little more than half its cost."""
    values = [*hand]
    for name, value in changes.items():
        values[_PLACES[name]] = value
    return tuple.__new__(DealInPlay, values)


def after(held: Sequence[Row], seat: Seat, said: frozenset[Seat]) -> Seat | None:
    """The next seat, going round from `seat`, that holds cards and has not said go (6); `seat` comes last."""
    for other in ROUND[len(held)][seat]:
        if held[other] and other not in said:
            return other
    return None


def lowest(positions: Collection[Position], faces: Mapping[Position, Face], count: int = 1) -> Row:
    """The lowest cards of some, by rank and then suit; all faces known."""
    return tuple(sorted(positions, key=lambda p: LOW[faces[p]])[:count])


def fitting(held: Row, faces: Mapping[Position, Face], count: int) -> list[Position]:
    """The known cards that a count takes: up to 21 any card does (6)."""
    most = MOST - count
    if most >= 10:
        return [p for p in held if p in faces]
    return [p for p in held if p in faces and VALUE[faces[p]] <= most]


def can_play(held: Row, faces: Mapping[Position, Face], count: int) -> bool:
    """Tell whether a hand holds a card that fits, as far as is known: up to 21 any card does (6)."""
    return bool(held) and (count + 10 <= MOST or bool(fitting(held, faces, count)))


_CARD, _GO, _LAY = frozenset(("play", "card")), frozenset(("go",)), frozenset(("lay",))
_WHOLE = frozenset((int,))
"""The type of whole numbers in JSON; true and false have a type of their own."""


class Cutting(Legal):
    """Lift `low` to `high` cards to show the card below them, which no other player has cut (2, 5)."""

    __slots__ = ("_high", "_low", "_section", "_taken")

    def __init__(self, low: int, high: int, taken: Collection[int], section: str) -> None:
        self._low, self._high, self._taken, self._section = low, high, taken, section

    def __iter__(self) -> Iterator[Move]:
        for depth in range(self._low, self._high + 1):
            if depth not in self._taken:
                yield {"cut": depth}

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict) or move.keys() != {"cut"}:
            return Refusal("malformed", 'A cut is {"cut": number of cards lifted}.', "cribbage 12")
        depth = move["cut"]
        if type(depth) is not int:
            return Refusal("malformed", "A number of cards is a whole number.", "cribbage 12", "/cut")
        if not self._low <= depth <= self._high:
            text = f"Each packet keeps at least four cards: lift {self._low} to {self._high}."
            return Refusal("packet_too_thin", text, self._section, "/cut")
        if depth in self._taken:
            return Refusal("cut_there_already", "Another player has cut that card.", self._section, "/cut")
        return None

    def sample(self, rng: Random) -> Move:
        while (depth := rng.randrange(self._low, self._high + 1)) in self._taken:
            pass
        return {"cut": depth}


class Laying(Legal):
    """Lay `number` cards of the hand away, face down (4)."""

    __slots__ = ("_held", "_number")

    def __init__(self, held: Row, number: int) -> None:
        self._held, self._number = held, number

    def __iter__(self) -> Iterator[Move]:
        for chosen in combinations(self._held, self._number):
            yield {"lay": [*chosen]}

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict) or move.keys() != _LAY or not isinstance(move["lay"], list):
            return Refusal("malformed", 'Cards are laid away by {"lay": [positions]}.', "cribbage 12")
        chosen = move["lay"]
        if not _WHOLE.issuperset(map(type, chosen)):
            return Refusal("malformed", "A position is a whole number.", "cribbage 12", "/lay")
        if len(chosen) != self._number:
            cards = "one card" if self._number == 1 else f"{self._number} cards"
            return Refusal("wrong_number", f"Lay {cards} away.", "cribbage 4", "/lay")
        different = {*chosen}
        if len(different) != len(chosen):
            return Refusal("card_twice", "You named the same card twice.", "cribbage 4", "/lay")
        if not different.issubset(self._held):
            return Refusal("not_in_hand", "That card is not in your hand.", "cribbage 4", "/lay")
        return None

    def sample(self, rng: Random) -> Move:
        rest = [*self._held]
        return {"lay": [rest.pop(int(rng.random() * len(rest))) for _ in range(self._number)]}


class PlayingToCount(Legal):
    """Play a card that the count takes, or say go where none does (6)."""

    __slots__ = ("_faces", "_held", "_reached")

    def __init__(self, held: Row, faces: Mapping[Position, Face], reached: int) -> None:
        self._held, self._faces, self._reached = held, faces, reached

    def __iter__(self) -> Iterator[Move]:
        fits = fitting(self._held, self._faces, self._reached)
        for position in fits:
            yield {"play": position, "card": self._faces[position]}
        if not fits:
            yield {"go": True}

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict) or (move.keys() != _CARD and move.keys() != _GO):
            text = 'The move is {"play": position, "card": code}, or {"go": true}.'
            return Refusal("malformed", text, "cribbage 12")
        if "go" in move:
            return self._go(move)
        position, code = move["play"], move["card"]
        # Most moves name a card that is known to lie there, and need none of the checks that say why not.
        if type(position) is int and position in self._held and self._faces.get(position) == code:
            return self._past_31(code)
        refusal = misnamed(position, code, VALUE, "cribbage 12", "/play")
        if refusal:
            return refusal
        if position not in self._held:
            return Refusal("not_in_hand", "That card is not in your hand.", "cribbage 6", "/play")
        refusal = misstated(self._faces, position, code, french.PACK, "cribbage 12")
        if refusal:
            return refusal
        return self._past_31(code)

    def _past_31(self, code: str) -> Refusal | None:
        if self._reached + VALUE[code] <= MOST:
            return None
        text = f"The count is {self._reached}: the {french.title(code)} would carry it past 31."
        return Refusal("past_31", text, "cribbage 6", "/play")

    def _go(self, move: Move) -> Refusal | None:
        if move["go"] is not True:
            return Refusal("malformed", 'Go is {"go": true}.', "cribbage 12", "/go")
        if can_play(self._held, self._faces, self._reached):
            return Refusal("can_play", "A card of yours fits, and must be played.", "cribbage 6", "/go")
        return None

    def sample(self, rng: Random) -> Move:
        fits = fitting(self._held, self._faces, self._reached)
        if not fits:
            return {"go": True}
        position = fits[int(rng.random() * len(fits))]
        return {"play": position, "card": self._faces[position]}


class Claiming(Legal):
    """Claim what your cards count (9)."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Move]:
        for points in range(BEST + 1):
            yield {"claim": points}

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict) or move.keys() != {"claim"}:
            return Refusal("malformed", 'A claim is {"claim": points}.', "cribbage 12")
        return _no_count(move["claim"], "/claim")


class Answering(Legal):
    """Let a claim stand, or object with another count (9)."""

    __slots__ = ("_claim",)

    def __init__(self, claim: int) -> None:
        self._claim = claim

    def __iter__(self) -> Iterator[Move]:
        yield {"accept": True}
        for points in range(BEST + 1):
            if points != self._claim:
                yield {"object": points}

    def refusal(self, move: object) -> Refusal | None:
        if not isinstance(move, dict) or move.keys() not in ({"accept"}, {"object"}):
            return Refusal("malformed", 'Say {"accept": true} or {"object": points}.', "cribbage 12")
        if "accept" in move:
            accepts = move["accept"] is True
            return (
                None if accepts else Refusal("malformed", 'Say {"accept": true}.', "cribbage 12", "/accept")
            )
        if type(move["object"]) is int and move["object"] == self._claim:
            return Refusal("same_count", "That is what was claimed.", "cribbage 9", "/object")
        return _no_count(move["object"], "/object")


def _no_count(value: object, pointer: str) -> Refusal | None:
    if type(value) is not int:
        return Refusal("malformed", "Points are a whole number.", "cribbage 12", pointer)
    if not 0 <= value <= BEST:
        return Refusal("no_such_count", "No hand counts that: 0 to 29.", "cribbage 9", pointer)
    return None
