"""A game's state, folded from its record: everything needed to judge the next entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from cards.games.contract import Choice, Deal, Face, Line, Mode, Outcome, Position, State, Turn
from referee.dealerless.masked import Attempt, InPlay, Masked, MaskedPack
from referee.header import Header
from referee.record import ANNUL

HELD = ("together", "reveal", "share")
"""The kinds of ask whose answers wait beside the record until all are in or the time is up."""

BANKED = ("any", "sealed")
"""The kinds of ask whose answers enter the record at once. The record shows the time that each took."""


@dataclass(frozen=True, slots=True)
class MatchDeck:
    """A seat's certified deck, shuffled and blinded (protocol section 6)."""

    certificate: bytes
    """The certificate's digest."""
    positions: tuple[bytes, ...]
    """K_0..K_39."""
    digest: bytes


@dataclass(frozen=True, slots=True)
class Sealed:
    """A seal whose proof was checked, and that must be revealed."""

    step: int
    hand: tuple[int, ...]
    boxes: int
    seal: bytes
    fingerprint: bytes
    """16 bytes, for people to compare."""
    at: int = 0
    """The time of the seal's entry, in milliseconds since 1970."""
    envelope: bool = False
    """True if the reveal was enclosed with the seal."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """The state of one seat by the record."""

    anchor: bytes | None = None
    deck: MatchDeck | None = None
    newest: tuple[int, bytes] = (0, b"")
    """The number and value of the newest known link of the seat's chain."""
    sealed: Sealed | None = None
    """The seat's seal of the running step."""
    owed: Sealed | None = None
    """The seal whose reveal did not come in time."""
    owed_since: int = 0
    """The seq of that time-out."""
    offers_draw: bool = False
    offered: int = -1
    """The step of the seat's newest draw offer. A seat may offer a draw once a step."""
    thought: int = 0
    """Milliseconds that the seat has used of its bank."""
    timeouts: Mapping[str, int] = field(default_factory=dict)
    """How often the seat let its time pass so far, by the kind of message that did not come."""

    @property
    def withheld(self) -> int:
        """The number of links that the seat has withheld."""
        return self.timeouts.get("link", 0)

    @property
    def commitment(self) -> bytes:
        """The digest that commits the seat to its chain and deck: its anchor, or that of its match deck."""
        assert self.anchor is not None, "nothing is dealt before every seat has entered"
        return self.anchor if self.deck is None else self.deck.digest


@dataclass(frozen=True, slots=True)
class Asking:
    """Answers are awaited: which kind, of which seats, until when."""

    kind: str
    """The kind of entry that answers: enter, ready, link, move, seal, reveal, lock, mix, share or unlock."""
    how: str
    """"any", "together", "sealed", "reveal" or, for the referee's own asks, "all" or "share"."""
    topic: str
    """The topic of the question, in the mode's own word."""
    seats: frozenset[int]
    """The seats that have not answered yet."""
    step: int
    opened: int
    """The entry that began the step."""
    seq: int
    """An answer's `seen` must be this entry or later: `opened`, or for a reveal the last seal or time-out."""
    since: int
    """The time of the entry that asked, in milliseconds since 1970."""
    until: Mapping[int, int]
    """The deadline of each seat that was asked: the last instant at which its answer is accepted."""
    given: Mapping[int, int] = field(default_factory=dict)
    """Milliseconds before a seat's deadline that its bank is not charged for: an absence has added them."""

    @property
    def held(self) -> bool:
        """True if answers wait until all are in."""
        return self.how in HELD

    @property
    def banked(self) -> bool:
        """True if the time to answer is taken from the seats' banks."""
        return self.how in BANKED

    def deadline_of(self, seat: int) -> int:
        """The last instant at which this seat's answer is accepted, in milliseconds since 1970."""
        return self.until[seat]

    @property
    def deadline(self) -> int:
        """The latest deadline of the seats that have not answered."""
        return max((self.until[seat] for seat in self.seats), default=self.since)


@dataclass(frozen=True, slots=True)
class DealDue:
    """All links are in; the house deals next."""

    kind: ClassVar[str] = "deal"
    deal: Deal
    """The deal that the rules want from chance."""
    links: Mapping[int, bytes]
    """Each seat's link; empty for a seat that was silent."""


@dataclass(frozen=True, slots=True)
class PartyDue:
    """The house's own lock, mix, share or unlock is due, at a table without a dealer (protocol 20.2)."""

    kind: str
    asking: Asking | None = None
    """The step that began, and that runs once the house has spoken."""


@dataclass(frozen=True, slots=True)
class MaskedDealDue:
    """All locks, mixes and shares are in; the house states the deal."""

    kind: ClassVar[str] = "deal"
    deal: Deal
    """The deal that the rules want."""


@dataclass(frozen=True, slots=True)
class AnnulDue:
    """A seat has gone out, and a card that it alone can show is needed: the house voids the deal."""

    kind: ClassVar[str] = ANNUL
    deal: int
    """The number of the deal."""
    seats: tuple[int, ...]
    """The seats that have gone out since it was dealt, ascending."""


@dataclass(frozen=True, slots=True)
class AccountDue:
    """The house must append the account of what was played or turned up."""

    kind: ClassVar[str] = "account"
    account: Mapping[str, Any]
    """The body of the `account` entry."""


@dataclass(frozen=True, slots=True)
class Between:
    """No step runs, and the rules name what the house does next.

    The house turns cards up, or shows secret deals before a fresh one.
    """


@dataclass(frozen=True, slots=True)
class Ended:
    """The outcome is known; the house shows what is still secret, then states the result."""

    outcome: Outcome
    asking: Asking | None = None
    """The step that ran when the end came from outside the rules."""


@dataclass(frozen=True, slots=True)
class Over:
    """The result stands in the record."""

    outcome: Outcome
    links: Mapping[int, bytes] | None = None
    """The links received, if the game ended while links were asked for. A snapshot keeps them."""


GamePhase = Asking | PartyDue | MaskedDealDue | AnnulDue | DealDue | AccountDue | Between | Ended | Over
"""The message or act that a game waits for."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal in the trail; the draws in `order` are None while the deal is secret."""

    deal: int
    ask: Deal
    order: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """Faces that the rules turned up."""

    faces: Mapping[Position, Face]
    lines: tuple[Line, ...] | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """Choices that were played together."""

    choices: Mapping[int, Choice]
    lines: tuple[Line, ...] | None


@dataclass(frozen=True, slots=True)
class Left:
    """A seat that has resigned from a game that goes on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Withheld:
    """Seats that are out of a game that goes on, each by its third withheld link."""

    seats: frozenset[int]


@dataclass(frozen=True, slots=True)
class Trail:
    """The events that a fold without the faces remembers, to fold them again once the faces are shown.

    See protocol section 7. `base` is the state before the first event.
    """

    base: State[Any]
    items: tuple[Dealt | Turned | Played | Left | Withheld, ...] = ()

    def then(self, item: Dealt | Turned | Played | Left | Withheld) -> Trail:
        """Return this trail with `item` at its end."""
        return replace(self, items=(*self.items, item))


@dataclass(frozen=True)
class Game:
    """A game after its entries 0..seq. It is frozen; `referee.fold.apply` returns the next one."""

    header: Header
    seq: int
    digest: bytes
    """The digest of the newest entry."""
    at: int
    """The time of the newest entry, in milliseconds since 1970."""
    step: int
    seats: tuple[SeatState, ...]
    state: State[Any]
    """The rules' state, with the faces that this fold knows."""
    phase: GamePhase
    choices: Mapping[int, Choice] = field(default_factory=dict)
    """The choices and misses of the running step that the record contains already."""
    deals: int = 0
    """The number of deals done."""
    house_newest: tuple[int, bytes] = (0, b"")
    """The number and value of the newest known link of the house's chain."""
    seed: bytes | None = None
    """The seed z of protocol section 7, known from the first deal on."""
    unshown: tuple[int, ...] = ()
    """Deals whose link the house has not published yet."""
    firsts: Mapping[int, Position] = field(default_factory=dict)
    """The first position of each of those deals."""
    past_links: Mapping[int, Mapping[int, bytes]] = field(default_factory=dict)
    """The seats' links of the deals that are not shown yet."""
    trail: Trail | None = None
    masked: Masked | None = None
    """The secret deal that the parties make, or that is in play, where nobody deals (protocol section 20)."""
    away: int = 0
    """Milliseconds that the house has been away, as its absences count (protocol section 10.6)."""
    closed: tuple[int, int] = (0, 0)
    """The step closed last, and the seq of the entry that began it."""
    recent: tuple[tuple[int, bytes], ...] = ()
    """The entries that a message's `seen` may name: seq and digest, ascending."""

    def seat(self, seat: int) -> SeatState:
        """The state of a seat by the record."""
        return self.seats[seat]

    def with_seat(self, seat: int, **changes: Any) -> Game:
        """Return this game with some fields of a seat's state changed."""
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], **changes)
        return replace(self, seats=tuple(seats))

    def knowing(self, faces: Mapping[Position, Face]) -> Game:
        """Return this game with more faces known, which only this reader may see."""
        return replace(self, state=self.state.knowing(faces))

    @property
    def asking(self) -> Asking | None:
        """The ask that runs; None while the house must append an entry first, and after the result."""
        match self.phase:
            case Asking():
                return self.phase
            case Ended(_, asking):
                return asking
        return None

    @property
    def links(self) -> Mapping[int, bytes] | None:
        """The links received for the next deal, empty for a silent seat; None while none are asked for."""
        if isinstance(self.phase, DealDue | Over):
            return self.phase.links
        asking = self.asking
        if asking is None or asking.kind != "link":
            return None
        newest = ((seat, self.seats[seat].newest) for seat in self.header.seats if seat not in asking.seats)
        return {seat: link if number == self.deals + 1 else b"" for seat, (number, link) in newest}

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, once it is known."""
        return self.phase.outcome if isinstance(self.phase, Ended | Over) else None

    @property
    def over(self) -> bool:
        """True if the record contains the `result`."""
        return isinstance(self.phase, Over)

    @property
    def gone(self) -> frozenset[int]:
        """The seats that are out. The house answers at once for them."""
        out: frozenset[int] = self.rules.gone(self.state)
        return out

    @property
    def rules(self) -> Mode[Any]:
        """The mode whose rules the game follows."""
        return self.header.mode


@dataclass(frozen=True, slots=True)
class TimeoutDue:
    """The house must answer at once for a seat that is out or has no choice."""

    kind: ClassVar[str] = "timeout"
    seat: int
    missing: str
    """The kind of the seat's answer that does not come."""


@dataclass(frozen=True, slots=True)
class TurnDue:
    """The house must turn up the cards that the rules name."""

    kind: ClassVar[str] = "turn"
    turn: Turn


@dataclass(frozen=True, slots=True)
class ShownDue:
    """The house must publish its link of a secret deal."""

    kind: ClassVar[str] = "shown"
    deal: int
    """The number of the deal."""


@dataclass(frozen=True, slots=True)
class ResultDue:
    """The house must state how the game ended."""

    kind: ClassVar[str] = "result"
    outcome: Outcome


Duty = (
    TimeoutDue | PartyDue | MaskedDealDue | AnnulDue | DealDue | AccountDue | TurnDue | ShownDue | ResultDue
)
"""The entry that the house must append next, of its `kind`."""


def wanted_deal(mode: Mode[Any], state: State[Any]) -> Deal:
    """The deal that the rules want in a state in which links or locks are asked for it."""
    wanted = mode.next(state)
    assert isinstance(wanted, Deal), (
        "links and locks are asked for a deal, and nothing changes the state meanwhile"
    )
    return wanted


def asking_of(game: Game) -> Asking:
    """The ask that runs, where the record shows that a seat is asked."""
    assert game.asking is not None, "no seat answers, or lets its time pass, where nothing is asked"
    return game.asking


def match_deck(game: Game, seat: int) -> MatchDeck:
    """The match deck of a seat that seals."""
    deck = game.seat(seat).deck
    assert deck is not None, "a mode that seals is played with own decks, and every seat has entered"
    return deck


def seal_of(game: Game, seat: int) -> Sealed:
    """The seal of the running step of a seat that has sealed."""
    sealed = game.seat(seat).sealed
    assert sealed is not None, "only seats that sealed are asked to reveal"
    return sealed


def attempt_of(game: Game) -> Attempt:
    """The attempt at a deal that is being made."""
    assert isinstance(game.masked, Attempt), "only an attempt asks for this"
    return game.masked


def in_play(game: Game) -> InPlay:
    """The secret deal in play."""
    assert isinstance(game.masked, InPlay), "only a deal in play asks for this"
    return game.masked


def secret_deal(game: Game) -> Masked:
    """The secret deal that is being made or is in play."""
    assert game.masked is not None, "no secret deal has begun"
    return game.masked


def pack_of(game: Game) -> MaskedPack:
    """The pack of the attempt, or the newest of the deal in play."""
    return secret_deal(game).pack


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """An outcome as `result` states it: {points, winners, reason}; None before there is one."""
    if outcome is None:
        return None
    return {
        "points": list(outcome.points),
        "winners": list(outcome.winners),
        "reason": outcome.reason,
    }
