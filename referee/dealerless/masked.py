"""A pack under locks: who locks which card, and which card it is once nobody does (protocol section 20).

A *party* is a seat, or the house, whose number is 255. Positions are the mode's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

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
    def mixes(self) -> bool:
        """True if there is anything to mix. A pack of one card lies open, since its face is known."""
        return len(self.pack) > 1

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


@dataclass(frozen=True, slots=True)
class InPlay:
    """A secret deal in play, with those that were dealt to the same table later (protocol section 20.8)."""

    pack: MaskedPack
    """The pack of the newest of these deals."""
    before: State[Any]
    """The state before the first of them, to which the game comes back if they are void."""
    silent: Mapping[int, int] = field(default_factory=dict)
    """Time-outs of each seat since then, at which nobody could move for it."""
    out: frozenset[int] = frozenset()
    """The seats that are out by them."""
    older: tuple[MaskedPack, ...] = ()
    """The packs of the deals before the newest, whose cards are in play too."""
    kept: frozenset[Position] = frozenset()
    """Cards of the running turn that a seat has taken, and that are not the one to be turned up."""

    @property
    def packs(self) -> tuple[MaskedPack, ...]:
        """All packs in play, the oldest first."""
        return (*self.older, self.pack)

    def of(self, position: Position) -> MaskedPack | None:
        """The pack to which the card at a position belongs; None if it is under no locks at all."""
        return next((pack for pack in self.packs if position in pack.positions), None)

    def lockers(self, position: Position) -> frozenset[Party]:
        """The parties whose locks lie on a card."""
        pack = self.of(position)
        return frozenset() if pack is None else pack.lockers(position)

    def locked(self, positions: Iterable[Position]) -> tuple[Position, ...]:
        """Those of some positions that anybody locks, ascending."""
        return tuple(sorted(p for p in positions if self.lockers(p)))

    def with_shares(self, party: Party, shares: Mapping[Position, bytes]) -> InPlay:
        """This deal with shares of one party."""
        packs = [
            pack.with_shares(party, {p: share for p, share in shares.items() if p in pack.positions})
            for pack in self.packs
        ]
        return replace(self, pack=packs[-1], older=tuple(packs[:-1]))


@dataclass(frozen=True, slots=True)
class Attempt:
    """A secret deal in the making (protocol section 20.2)."""

    pack: MaskedPack
    excluded: frozenset[int] = frozenset()
    """The seats that fell silent in an earlier attempt at this deal, or in this one."""
    mixed: tuple[Party, ...] = ()
    """The parties that have mixed, in order."""
    played: InPlay | None = None
    """The deal in play to which this one adds cards; None where it deals a whole pack."""

    def with_shares(self, party: Party, shares: Mapping[Position, bytes]) -> Attempt:
        """This attempt with shares of one party."""
        return replace(self, pack=self.pack.with_shares(party, shares))


Masked = Attempt | InPlay


def cards_in_play(masked: Masked | None) -> InPlay | None:
    """The deal in play; also while cards are added to it."""
    return masked.played if isinstance(masked, Attempt) else masked


def owned(mode: Mode[Any], state: State[Any], seats: Iterable[int]) -> dict[Position, int]:
    """The owner of each position: the seat that sees its card while not everybody does (protocol 20.7)."""
    everybody = mode.sees(state, None)
    return {p: seat for seat in seats for p in mode.sees(state, seat) - everybody}


def owners(mode: Mode[Any], ask: Deal, before: State[Any], seats: Iterable[int]) -> dict[Position, int]:
    """The owner of each position that a deal gives to a seat, ascending (protocol section 20.7)."""
    after = mode.deal(before, [None] * len(ask.draws))
    found = owned(mode, after, seats)
    dealt = range(ask.first, ask.first + len(ask.pack or ()))
    return {p: found[p] for p in dealt if p in found}
