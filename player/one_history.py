"""One lock has one history: what a seat looks at before it speaks where nobody deals (protocol section 20.7).

A house that got shares of one lock in two records, with packs that were mixed differently, could read the
hand under that lock. A seat may be shown two records by itself, or because its vault exists twice: it was
restored from an older file, or two programs play from copies of it. So every lock has random bytes of its
own, which its note keeps, and a share goes out in three cases only: from the sitting that drew those bytes,
as the very message that was signed before, or at a table whose clocks last for days.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crypto.encoding import b64, unb64
from crypto.secret import FRESH_BYTES
from player.seat import OwnSeat
from player.sent_log import SentMessage
from referee import Entry, Game
from referee.dealerless.masked import Masked, MaskedPack, cards_in_play
from referee.header import MIX
from referee.message import Message

DAY = 86_400_000
"""Milliseconds. Where programs have so long to mix, nobody expects one sitting to make a whole deal."""


@dataclass(frozen=True, slots=True)
class LockNote:
    """The random bytes of a seat's newest lock, written down before the lock is sent."""

    asked: bytes
    """The digest of the entry that asked for the lock."""
    fresh: bytes = field(repr=False)
    """32 random bytes from which, with the match secret, the lock's key comes."""

    def json(self) -> list[str]:
        """Return it as it stands in the box."""
        return [b64(self.asked), b64(self.fresh)]

    @classmethod
    def load(cls, data: Sequence[str]) -> LockNote:
        """Read it from its JSON."""
        asked, fresh = data
        return cls(unb64(asked, 64), unb64(fresh, FRESH_BYTES))


def packs_with(masked: Masked, seat: int) -> list[MaskedPack]:
    """The packs that a seat has locked: of the attempt, and of the cards in play, the oldest first."""
    playing = cards_in_play(masked)
    packs = () if playing is None else playing.packs
    newest = () if masked is playing else (masked.pack,)
    return [pack for pack in (*packs, *newest) if seat in pack.locks]


def still_needed(masked: Masked, notes: Iterable[LockNote]) -> tuple[LockNote, ...]:
    """Those of some notes whose locks lie on cards in play: no secret outlives its deal."""
    playing = cards_in_play(masked)
    asked = set() if playing is None else {pack.asked for pack in playing.packs}
    return tuple(note for note in notes if note.asked in asked)


def fresh_of(notes: Iterable[LockNote]) -> Mapping[bytes, bytes]:
    """The random bytes of locks, by the entry that asked for each."""
    return {note.asked: note.fresh for note in notes}


@dataclass(frozen=True, slots=True)
class Speaker:
    """A seat that is to speak: what its sitting and its vault know."""

    seat: OwnSeat
    note: LockNote | None
    """The note of its newest lock."""
    head: tuple[int, bytes] | None
    """Seq and digest of the newest entry that it has named as seen."""
    sent: Sequence[SentMessage] = field(repr=False)
    drawn: frozenset[bytes] = field(repr=False)
    """The random bytes of locks that this very sitting has drawn."""
    older: Sequence[LockNote] = field(default=(), repr=False)
    """The notes of its locks on older cards in play."""

    def must_be_silent(self, game: Game, entries: Iterable[Entry], step: int, kind: str) -> bool:
        """Tell whether the seat may not send this kind of message now. It locks anew in the next attempt."""
        masked, number = game.masked, self.seat.number
        if masked is None or kind == "lock":
            return False
        packs = packs_with(masked, number)
        if not packs:
            return False
        known = {note.asked for note in (*self.older, *((self.note,) if self.note else ()))}
        for pack in packs:
            if pack.asked not in known or pack.locks[number] != self.seat.own_lock(pack.asked):
                return True  # another program of this player has locked, or this one has lost its note
        if self._forgotten(packs[0], entries):
            return True
        if kind != "share" or any(item.answers == (step, kind) for item in self.sent):
            return False
        patient = game.header.clock(MIX) >= DAY
        return not patient and (self.note is None or self.note.fresh not in self.drawn)

    def _forgotten(self, first: MaskedPack, entries: Iterable[Entry]) -> bool:
        """Tell whether the seat has spoken under its locks in a record that its vault does not know."""
        said: list[Any] = [
            entry.body["seen"]["seq"]
            for entry in entries
            if entry.actor == str(self.seat.number) and entry.step >= first.step
        ]
        return bool(said) and (self.head is None or self.head[0] < max(said))


def other_answer(sent: Iterable[SentMessage], message: Message) -> bool:
    """Tell whether another message was signed in the place of this one."""
    place = message.step, message.kind
    return any(item.answers == place and item.message.signature != message.signature for item in sent)
