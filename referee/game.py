"""A game as the fold of its record: everything that the next entry is judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cards.games.contract import Choice, Deal, Face, Line, Outcome, Position, State
from referee.header import Header

HELD = ("together", "reveal")
"""Asks whose answers wait beside the record until all are in or the time is up."""

BANKED = ("any", "sealed")
"""Asks whose answers stand in the record at once: their time is thinking time, and the record tells it."""


@dataclass(frozen=True, slots=True)
class MatchDeck:
    """A seat's deck under its blindings (protocol section 6)."""

    certificate: bytes
    """Its digest."""
    positions: tuple[bytes, ...]
    """K_0..K_39."""
    digest: bytes


@dataclass(frozen=True, slots=True)
class Sealed:
    """A seal that was proven and is to be revealed."""

    step: int
    hand: tuple[int, ...]
    boxes: int
    seal: bytes
    fingerprint: bytes
    """16 bytes, for people to compare."""
    at: int = 0
    """When its entry was made, in milliseconds since 1970."""
    envelope: bool = False
    """Whether its reveal was enclosed."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """What the record says of one seat."""

    anchor: bytes | None = None
    deck: MatchDeck | None = None
    newest: tuple[int, bytes] = (0, b"")
    """Its newest known chain value and that value's number."""
    sealed: Sealed | None = None
    """Its seal of the step that runs."""
    owed: Sealed | None = None
    """A seal whose reveal did not come in time."""
    owed_since: int = 0
    """The seq of that time-out."""
    offers_draw: bool = False
    offered: int = -1
    """The step of its newest draw offer: a message of a kind is taken once a step."""
    thought: int = 0
    """Milliseconds that it has taken from its bank."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of whom until when."""

    kind: str
    """The kind of entry that answers: enter, ready, link, move, seal or reveal."""
    how: str
    """"any", "together", "sealed", "reveal" or, for the referee's own asks, "all"."""
    topic: str
    """What is asked, in the mode's word."""
    seats: frozenset[int]
    """Who has not answered yet."""
    step: int
    opened: int
    """The entry that began the step."""
    seq: int
    """The `seen` of an answer is at or after this entry: `opened`; for a reveal the last seal or time-out."""
    since: int
    """The time of the entry that asked, in milliseconds since 1970."""
    until: Mapping[int, int]
    """Of each seat that was asked: the last instant at which its answer is taken."""
    links: Mapping[int, bytes] = field(default_factory=dict)
    """Of a step that asks for links: those that are in, empty for a seat that was silent."""

    @property
    def held(self) -> bool:
        """Whether answers wait until all are in."""
        return self.how in HELD

    @property
    def banked(self) -> bool:
        """Whether the time to answer is taken from the seats' banks."""
        return self.how in BANKED

    def deadline_of(self, seat: int) -> int:
        """The last instant at which this seat's answer is taken, in milliseconds since 1970."""
        return self.until[seat]

    @property
    def deadline(self) -> int:
        """The latest deadline of those who have not answered."""
        return max((self.until[seat] for seat in self.seats), default=self.since)


@dataclass(frozen=True, slots=True)
class DealDue:
    """All links are in; the house deals next."""

    links: Mapping[int, bytes]
    """By seat, empty for a seat that was silent."""


@dataclass(frozen=True, slots=True)
class AccountDue:
    """The house accounts next for what was played or turned up."""

    account: Mapping[str, Any]
    """The body of that entry."""


@dataclass(frozen=True, slots=True)
class Between:
    """No step runs, and the rules name what the house does next.

    It turns cards up, or shows secret deals before a fresh one.
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
    """Those that were in, if the game ended while links were asked for: a snapshot keeps them."""


Phase = Asking | DealDue | AccountDue | Between | Ended | Over
"""What a game waits for."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal, as a step of the trail; `order` None while it is secret."""

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
    """Choices, as they were played."""

    choices: Mapping[int, Choice]
    lines: tuple[Line, ...] | None


@dataclass(frozen=True, slots=True)
class Left:
    """A seat that has resigned from a game that goes on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Trail:
    """What a fold that lacks faces remembers, to fold again when they are shown (protocol section 7)."""

    base: State[Any]
    items: tuple[Dealt | Turned | Played | Left, ...] = ()

    def then(self, item: Dealt | Turned | Played | Left) -> Trail:
        """The trail, one item longer."""
        return replace(self, items=(*self.items, item))


@dataclass(frozen=True)
class Game:
    """A game after its entries 0..seq. Frozen; `referee.fold.apply` gives the next."""

    header: Header
    seq: int
    digest: bytes
    """Of the newest entry."""
    at: int
    """Of the newest entry, in milliseconds since 1970."""
    step: int
    seats: tuple[SeatState, ...]
    state: State[Any]
    """The rules' state, with the faces that this fold knows."""
    phase: Phase
    choices: Mapping[int, Choice] = field(default_factory=dict)
    """Choices and misses of the running step that stand in the record already."""
    deals: int = 0
    """Deals done."""
    house_newest: tuple[int, bytes] = (0, b"")
    """The house's newest known chain value and its number."""
    seed: bytes | None = None
    """z of protocol section 7, known with the first links."""
    unshown: tuple[int, ...] = ()
    """Deals whose link the house has not published yet."""
    firsts: Mapping[int, Position] = field(default_factory=dict)
    """The first position of each of those deals."""
    past_links: Mapping[int, Mapping[int, bytes]] = field(default_factory=dict)
    """The seats' links of the deals that are not shown yet."""
    trail: Trail | None = None
    closed: tuple[int, int] = (0, 0)
    """The step closed last and the seq of the entry that had asked it."""
    recent: tuple[tuple[int, bytes], ...] = ()
    """Entries that a message's `seen` may name: seq and digest, ascending."""

    def seat(self, seat: int) -> SeatState:
        """What the record says of a seat."""
        return self.seats[seat]

    def with_seat(self, seat: int, **changes: Any) -> Game:
        """This game with a seat changed."""
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], **changes)
        return replace(self, seats=tuple(seats))

    def knowing(self, faces: Mapping[Position, Face]) -> Game:
        """This game with more faces known: what its reader alone may see."""
        return replace(self, state=self.state.knowing(faces))

    @property
    def asking(self) -> Asking | None:
        """What is asked of whom; None while the house must speak first, and after the result."""
        match self.phase:
            case Asking():
                return self.phase
            case Ended(_, asking):
                return asking
        return None

    @property
    def links(self) -> Mapping[int, bytes] | None:
        """The links of the next deal that are in; None while none are asked for."""
        if isinstance(self.phase, DealDue | Over):
            return self.phase.links
        asking = self.asking
        return asking.links if asking is not None and asking.kind == "link" else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ends, once that is known."""
        return self.phase.outcome if isinstance(self.phase, Ended | Over) else None

    @property
    def over(self) -> bool:
        """Whether `result` stands in the record."""
        return isinstance(self.phase, Over)

    @property
    def gone(self) -> frozenset[int]:
        """Seats that are out: what is asked of them the house answers at once."""
        out: frozenset[int] = self.rules.gone(self.state)
        return out

    @property
    def rules(self) -> Any:
        """The mode that the game is played by."""
        return self.header.mode


@dataclass(frozen=True, slots=True)
class Duty:
    """What the house must append next: a kind and, where no secret of the house is in it, its body."""

    kind: str
    body: Mapping[str, Any] | None = None
    deal: int = 0
    """Of a `shown`."""
    seat: int = 0
    """Of a time-out: a seat that is out."""


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """An outcome as `result` states it: {points, winners, reason}; None before there is one."""
    if outcome is None:
        return None
    return {
        "points": list(outcome.points),
        "winners": list(outcome.winners),
        "reason": outcome.reason,
    }
