"""The one contract that every game fulfils.

Every card is a position; a view is a state with fewer faces. A mode is a pure
function of its states: no clock, no randomness of its own, no I/O. The referee
asks `next`, gathers what it names, and hands the whole of it to `deal`, `turn`
or `play`; so rules never meet half a submission and never roll a die.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any, Generic, TypeVar

from cards.catalog.deck_rules import DECK_SIZE as DECK_SIZE
from cards.games.accounts import Section, told_of
from cards.games.schemas import Schemas

Seat = int
Position = int
Face = Any
"""The value that a card shows.

With own decks it is a `cards.catalog.cards.Card`, with a house pack a code such as "QS".
"""
Move = dict[str, Any]
"""A mode's own JSON object."""
Line = dict[str, Any]
"""A line of an account: a JSON object with at least `text`, for people."""

B = TypeVar("B")


def own(seat: Seat, index: int) -> Position:
    """The position in a state of card `index` (0..39) of a seat's own deck; records name `index` alone."""
    return seat * DECK_SIZE + index


@dataclass(frozen=True, slots=True)
class State(Generic[B]):
    """The place of every card (`board`, frozen, of the mode's own type) and the faces that are known here."""

    board: B
    faces: Mapping[Position, Face] = field(default_factory=dict)

    def knowing(self, faces: Mapping[Position, Face]) -> State[B]:
        """Return this state with more faces."""
        return self if faces.items() <= self.faces.items() else State(self.board, {**self.faces, **faces})

    def seen(self, positions: frozenset[Position]) -> State[B]:
        """Return this state with the faces at `positions` only: a view."""
        return State(self.board, {p: f for p, f in self.faces.items() if p in positions})


class How(Enum):
    """The way in which an ask is answered."""

    ANY = "any"
    """Each answer counts at once."""
    TOGETHER = "together"
    """Nobody sees another's choice until all are in."""
    SEALED = "sealed"
    """Chosen in secret under a proof."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to seats: who must choose, how, and which clock runs (the name of an option in seconds)."""

    seats: frozenset[Seat]
    how: How
    clock: str
    topic: str
    """The topic of the question, in a word: "redraw", "meal", "expose", "card"."""


@dataclass(frozen=True, slots=True)
class Draw:
    """`count` cards from a pool: of a seat's own deck (indices 0..39), or of the table (`stream` None)."""

    stream: Seat | None
    pool: tuple[int, ...]
    """Ascending."""
    count: int


@dataclass(frozen=True, slots=True)
class Deal:
    """The draws that chance must decide next."""

    draws: tuple[Draw, ...]
    """The draws in seat order, without the seats that have nothing left to draw.

    At most one draw of the table.
    """
    secret: bool = False
    """True if the house's link stays secret for now; what was drawn is then None to a fold that lacks it.

    While such a deal is not shown, each deal after it is secret too: a later link gives away the earlier.
    """
    fresh: bool = False
    """True if earlier deals' positions are gone, so that their cards need no longer be secret."""
    pack: tuple[Face, ...] | None = None
    """The pack of a secret draw of the table, in canonical order. Card i drawn becomes position first + i."""
    first: Position = 0
    """The position of the first card drawn; positions that stay, if the deal is not fresh, come before it."""


@dataclass(frozen=True, slots=True)
class CardsAndTraits:
    """Positions and traits, about which a claim or a search is made at a table without a dealer."""

    positions: frozenset[Position]
    traits: frozenset[str]
    """Names in `Facts.traits`."""


@dataclass(frozen=True, slots=True)
class CardByCard:
    """Cards that a seat takes one after another until one has one of some traits.

    That card is turned up. The seat keeps those before it, and nobody else sees them.
    """

    seat: Seat
    positions: tuple[Position, ...]
    """In the order in which they are taken."""
    traits: frozenset[str]
    """Names in `Facts.traits`."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Positions whose faces the rules turn up; None where this state lacks the faces to say which."""

    positions: frozenset[Position] | None
    seek: CardsAndTraits | None = None
    """Where `positions` is None: exactly one of these cards has one of these traits, and is turned up."""
    taking: CardByCard | None = None
    """Where `positions` is None: the first of these cards is turned up that has a trait, or none has."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end. A draw lists all as winners, a void game nobody."""

    points: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: str


class Miss(Enum):
    """The message that a seat failed to send in time."""

    CHOICE = "choice"
    SEAL = "seal"
    OPENING = "opening"
    COMPELLED = "compelled"
    """The seat missed nothing: the rules left one move, and the house made it at once."""


@dataclass(frozen=True, slots=True)
class Missed:
    """The choice of a seat that was silent; `move` is what the house played for it, if anything."""

    what: Miss
    move: Move | None = None


Choice = Move | Missed


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a move: a stable code, the reason in words, the rule's section, the field at fault."""

    code: str
    text: str
    section: str
    pointer: str = ""


class IllegalMove(ValueError):
    """A move that the rules refuse."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.text} ({refusal.section})")
        self.refusal = refusal


class Legal(ABC):
    """The legal moves of a seat: a lazy view. Iterate it, ask `move in`, draw a sample, or ask why not.

    With faces missing, `refusal` refuses what the known faces already forbid and no more.
    """

    @abstractmethod
    def __iter__(self) -> Iterator[Move]: ...

    @abstractmethod
    def refusal(self, move: object) -> Refusal | None:
        """Say why `move` (any JSON value) is refused; None if it is legal."""

    def __contains__(self, move: object) -> bool:
        return self.refusal(move) is None

    def sample(self, rng: Random) -> Move:
        """One legal move at random; where there are too many to list, by the mode's own way."""
        return rng.choice(list(self))


@dataclass(frozen=True, slots=True)
class Packing:
    """The cards and boxes that a SEALED choice packs (protocol section 8)."""

    hand: tuple[int, ...]
    """Indices in the seat's own deck, ascending."""
    boxes: int
    """The number of boxes (courses), which count from 1."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a table: `kind` is "seconds", "integer", "flag" or "choice"."""

    name: str
    kind: str
    default: Any
    text: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    off: int | None = None
    """A value outside the range that switches the option off."""

    def fault(self, value: object) -> str | None:
        """Say why `value` is not one of this option's; None if it is."""
        if self.kind == "flag":
            return None if isinstance(value, bool) else "the value must be true or false"
        if self.kind == "choice":
            return None if value in self.choices else f"the value must be one of {', '.join(self.choices)}"
        if not isinstance(value, int) or isinstance(value, bool):
            return "the value must be a whole number"
        if value == self.off:
            return None
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            either = "" if self.off is None else f"{self.off} or "
            return f"the value must be {either}from {self.low} to {self.high}"
        return None


LONGEST_CLOCK = 7 * 86400
"""The longest clock of a step, in seconds."""


def seconds(name: str, default: int, text: str) -> Option:
    """A clock: from 5 s to 7 days (rulings, chef 11)."""
    return Option(name, "seconds", default, text, 5, LONGEST_CLOCK)


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a mode, as data."""

    name: str
    title: str
    summary: str
    rules: str
    """The rules version, pinned in a game's first entry: whole numbers, parted by points."""
    seats: tuple[int, int]
    """Fewest and most players."""
    options: tuple[Option, ...]
    """The mode's own, among them every clock that its asks name (not the referee's enter, ready, link)."""
    own_decks: bool
    traits: tuple[str, ...] = ()
    """Names of what `Mode.has` tells of a face, in a fixed order: each 1 to 20 of A-Z, a-z, 0-9.

    A mode without any can't be played without a dealer.
    """
    most_without_dealer: int | None = None
    """Most players without a dealer, where these are fewer: a larger pack does not fit in a message."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of something in an account, drawn on request."""

    title: str
    draw: Callable[[], str]
    """Makes the SVG; the same each time."""
    dish: str | None = None
    """The key of the dish that it shows (`cards.pictures.dishes`), by which an image of it is found."""
    seat: Seat | None = None
    """The seat whose work it shows; None where it shows nobody's alone."""


class Mode(ABC, Generic[B]):
    """A game. Stateless; one instance is registered."""

    facts: Facts

    @abstractmethod
    def start(self, options: Mapping[str, Any], seats: int) -> State[B]:
        """The state before the first deal; `options` is complete (every option of `facts` has a value)."""

    @abstractmethod
    def next(self, state: State[B]) -> Ask | Deal | Turn | Outcome:
        """Say what happens next. The first of a game is a `Deal`."""

    @abstractmethod
    def deal(self, state: State[B], drawn: Sequence[tuple[int, ...] | None]) -> State[B]:
        """The state after the `Deal` that `next` named; `drawn` is what each draw brought (None: secret).

        A fresh deal drops all old faces; any other deal drops the faces of positions that are gone. The
        caller adds the faces of the new positions.
        """

    def turn(self, state: State[B], faces: Mapping[Position, Face]) -> State[B]:
        """The state after a `Turn`; `faces` are the cards that were turned up."""
        raise IllegalMove(Refusal("no_turn", "These rules turn up no card.", self.facts.title))

    @abstractmethod
    def legal(self, state: State[B], seat: Seat) -> Legal:
        """The moves of `seat`, none if it is not asked. For a SEALED ask the faces of its hand are known."""

    @abstractmethod
    def play(self, state: State[B], choices: Mapping[Seat, Choice]) -> State[B]:
        """The state after all choices of an ask (ANY: one choice).

        The openings of SEALED choices are among the state's faces already. Cards that other moves lay
        open (`opens`) may be; this method adds them if they are not.

        Raises `IllegalMove`. It does not check legality that depends on unknown faces.
        """

    def packing(self, state: State[B], seat: Seat) -> Packing:
        """Return what a SEALED choice of `seat` packs."""
        raise IllegalMove(Refusal("no_seal", "Nothing is sealed in these rules.", self.facts.title))

    def fill(self, packing: Packing, choice: Move) -> tuple[int, ...]:
        """The box of every hand card under `choice`, 0 for one that stays.

        Raises `IllegalMove` on a choice of the wrong form (protocol section 9). The result depends on the
        packing and the choice alone, so an owed reveal can be read long after its round.
        """
        raise IllegalMove(Refusal("no_seal", "Nothing is sealed in these rules.", self.facts.title))

    def late(self, state: State[B], seat: Seat, choice: Move) -> State[B]:
        """The state after an owed reveal, whose openings are among the state's faces already.

        Raises `IllegalMove` if an opened card is not of the type that the choice states.
        """
        raise IllegalMove(Refusal("nothing_owed", "No reveal is owed.", self.facts.title))

    @abstractmethod
    def end(self, state: State[B], reason: str, seats: frozenset[Seat]) -> Outcome:
        """An end from outside the rules.

        "resigned", "withheld", "link_withheld" and "missed" are by `seats`, "agreed" by nobody.
        "link_withheld" is for the first link, "missed" for the third of a seat. "withheld" is for cards that
        nobody else can show, and is judged as "resigned". Seats that are out share no win.
        """

    def gone(self, state: State[B]) -> frozenset[Seat]:
        """The seats that are out while the game goes on; they depend on the board alone.

        A seat that is out is asked like any other. The house answers for it at once, as it does for a seat
        that is late. The seat itself sends nothing more.
        """
        return frozenset()

    def leave(self, state: State[B], seat: Seat) -> State[B] | None:
        """The state after a seat that was not out has resigned; None if that ends the game (`end`).

        The question and the asked seats stay as they were.
        """
        return None

    def withheld(self, state: State[B], seats: frozenset[Seat]) -> State[B] | None:
        """The state after each of `seats` has withheld its third link; None if that ends the game (`end`).

        They are out as after the third missed move, all at once. The deal that comes next stays as it was.
        """
        return None

    def absent(self, state: State[B], seat: Seat) -> Move | None:
        """Choose by the known faces what the house plays for an absent seat; not for SEALED asks."""
        return None

    def opens(self, move: Move) -> Mapping[Position, Face]:
        """The faces that a move lays open by stating positions and cards (protocol section 7)."""
        return {}

    def compelled(self, state: State[B], seat: Seat) -> Move | None:
        """The only move of a seat, if the house makes it at once (for ANY asks).

        It is for what a seat must say about cards that others can't see. A fold that does not know the hand
        accepts any such move. Every fold that knows the hand checks it.
        """
        return None

    def has(self, face: Face) -> frozenset[str]:
        """The traits of a face, names in `Facts.traits`."""
        return frozenset()

    def claim(self, state: State[B], seat: Seat, move: Move) -> CardsAndTraits | None:
        """The cards of a seat that must have none of some traits for its move to be legal; None if it needs
        no such claim.

        `state` has the faces that everybody knows, and `legal` does not refuse the move there. Then the move
        is legal exactly if the claim is true and the cards that it opens lie where it says.
        """
        return None

    @abstractmethod
    def sees(self, state: State[B], seat: Seat | None) -> frozenset[Position]:
        """The positions whose faces a seat (None: a spectator) may see."""

    def account(
        self, before: State[B], choices: Mapping[Seat, Choice], after: State[B]
    ) -> tuple[Line, ...] | None:
        """Say line by line what happened; None where no account is due.

        The fold calls this after every play, and after every turn (without choices then). The account depends
        only on what every fold knows.
        """
        return None

    def sections(self, lines: Sequence[Line], cards: Mapping[int, Face]) -> tuple[Section, ...]:
        """The lines of an account in sections, for readers; `cards` are the cards in play by number.

        Each line is one thing told unless the mode knows better.
        """
        return (Section(None, tuple(told_of(line) for line in lines)),)

    def pictures(
        self, lines: Sequence[Line], cards: Mapping[int, Face], names: Sequence[str]
    ) -> tuple[Picture, ...]:
        """Pictures for an account, drawn from its lines, the cards in play by number and the seats' names."""
        return ()

    def schemas(self) -> Schemas | None:
        """The JSON Schemas of this mode's states, moves and lines, for the house's API document.

        None if it has none: the document then says only that they are objects.
        """
        return None

    @abstractmethod
    def points(self, state: State[B]) -> tuple[int, ...]:
        """The total of each seat so far."""

    @abstractmethod
    def places(self, state: State[B]) -> Mapping[str, tuple[Position, ...]]:
        """Say where every card lies, by the name of the place ("hand 0"): each position in one place."""

    @abstractmethod
    def dump(self, state: State[B]) -> dict[str, Any]:
        """The state as JSON; `load` reads it back."""

    @abstractmethod
    def load(self, data: Mapping[str, Any], cards: Mapping[int, Face]) -> State[B]:
        """A state from its JSON; `cards` are the cards in play by number (own decks)."""
