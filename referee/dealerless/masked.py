"""A pack under locks: who locks which card, and which card it is once nobody does (protocol section 20).

A *party* is a seat, or the house, whose number is 255. Positions are the mode's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from cards.games.contract import Deal, Face, Mode, Position, State
from crypto import lock
from crypto.lock import HOUSE, Pair

Party = int

MOST_SILENT = 3
"""Time-outs in a deal that take a seat out, where nobody can move for it (protocol section 20.9)."""


@dataclass(frozen=True)
class Deck:
    """The different faces of a deal's pack, numbered from 1 in canonical order."""

    order: tuple[int, ...]
    """The number of each card of the pack in canonical order."""
    numbers: Mapping[Face, int]
    points: Mapping[Face, bytes]
    """M of each face."""
    faces: Mapping[bytes, Face]
    """The face of each M."""


@lru_cache(maxsize=64)
def deck_of(mode: Mode[Any], pack: tuple[Face, ...]) -> Deck:
    """Number the faces of a pack, and compute their points (protocol section 20.3)."""
    numbers = {face: number for number, face in enumerate(dict.fromkeys(pack), 1)}
    points = {face: lock.card(number, mode.has(face)) for face, number in numbers.items()}
    faces = {point: face for face, point in points.items()}
    return Deck(tuple(numbers[face] for face in pack), numbers, points, faces)


@lru_cache(maxsize=256)
def _joint(locks: tuple[bytes, ...]) -> bytes:
    return lock.joint(locks)


@dataclass(frozen=True, slots=True)
class MaskedPack:
    """The pack of one attempt, or of the deal that came of it."""

    deal: int
    """The number of the deal."""
    ask: Deal
    """The deal that the rules want; its one draw is of the whole pack."""
    step: int
    """The step of the locks."""
    asked: bytes
    """The digest of the entry that asked for the locks, from which each party derives its key."""
    locks: Mapping[Party, bytes] = field(default_factory=dict)
    cards: tuple[Pair, ...] = ()
    """The pairs as they were mixed last; none before the house has mixed."""
    shares: Mapping[Position, Mapping[Party, bytes]] = field(default_factory=dict)
    """The shares that are known, by position and party."""

    @property
    def pack(self) -> tuple[Face, ...]:
        """The faces of the pack in canonical order."""
        assert self.ask.pack is not None, "a secret deal names its pack"
        return self.ask.pack

    @property
    def positions(self) -> range:
        """The positions of the pack's cards."""
        return range(self.ask.first, self.ask.first + len(self.pack))

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a lock, ascending."""
        return tuple(sorted(self.locks.keys() - {HOUSE}))

    @property
    def joint(self) -> bytes:
        """The joint lock h."""
        return _joint(tuple(self.locks[party] for party in sorted(self.locks)))

    def to_mix(self, mode: Mode[Any]) -> tuple[Pair, ...]:
        """The pack that the next party mixes: in canonical order, until the house has mixed it."""
        if self.cards:
            return self.cards
        deck = deck_of(mode, self.pack)
        return lock.open_pack([deck.points[face] for face in self.pack], self.joint)

    def at(self, position: Position) -> Pair:
        """The pair (a, c) at a position, as it was mixed."""
        return self.cards[position - self.ask.first]

    def lockers(self, position: Position) -> frozenset[Party]:
        """The parties whose locks lie on a card: those with a lock whose share of it is not known."""
        if position not in self.positions:
            return frozenset()
        return frozenset(self.locks.keys() - self.shares.get(position, {}).keys())

    def locked(self, positions: Iterable[Position]) -> tuple[Position, ...]:
        """Those of some positions that anybody locks, ascending."""
        return tuple(sorted(p for p in positions if self.lockers(p)))

    def under(self, position: Position) -> bytes:
        """c of a position less the shares that are known: the card's M, under the locks that are left."""
        return lock.less(self.at(position).c, self.shares.get(position, {}).values())

    def with_shares(self, party: Party, shares: Mapping[Position, bytes]) -> MaskedPack:
        """This pack with shares of one party."""
        known = {p: {**self.shares.get(p, {}), party: share} for p, share in shares.items()}
        return replace(self, shares={**self.shares, **known})


Stage = Literal["lock", "mix", "share", "deal"]
"""What an attempt waits for."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A secret deal in the making (protocol section 20.2)."""

    pack: MaskedPack
    stage: Stage
    excluded: frozenset[int] = frozenset()
    """The seats that fell silent in an earlier attempt at this deal, or in this one."""
    mixed: tuple[Party, ...] = ()
    """The parties that have mixed, in order."""


@dataclass(frozen=True, slots=True)
class InPlay:
    """A secret deal in play."""

    pack: MaskedPack
    before: State[Any]
    """The state before the deal, to which it comes back if the deal is void."""
    silent: Mapping[int, int] = field(default_factory=dict)
    """Time-outs of each seat in this deal, at which nobody could move for it."""
    out: frozenset[int] = frozenset()
    """The seats that are out by them."""


Masked = Attempt | InPlay


def owners(mode: Mode[Any], ask: Deal, before: State[Any], seats: Iterable[int]) -> dict[Position, int]:
    """The owner of each position that a deal gives to a seat, ascending by position (protocol section 20.7).

    It is the seat that sees the card after the deal while not everybody does.
    """
    after = mode.deal(before, [None] * len(ask.draws))
    everybody = mode.sees(after, None)
    owned = {p: seat for seat in seats for p in mode.sees(after, seat) - everybody}
    return dict(sorted(owned.items()))
