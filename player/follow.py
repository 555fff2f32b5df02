"""Following a game: our own fold of the record, entry by entry, with nothing taken on trust.

Everything that the rules, the chain of digests or a signature forbids is the house's fault. It stops the
game here, and the `HouseFault` holds the evidence.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crypto.encoding import b64
from crypto.identity import public_key
from player.house import Acknowledgement, House, HouseFault
from player.seat import OwnSeat
from player.sent_log import SentMessage
from player.watchfulness import HouseClock, OnConcern, absence, concerns
from referee import Entry, Game, Refused, apply, read_entry
from referee.faces import read_faces
from referee.game import Dealt
from referee.message import Message, Receipt, receipt_holds
from referee.succession import related

OnEntry = Callable[[Game | None, Entry, Game], None]
"""A callback for every entry.

It is given the game before the entry (None before the first), the entry, and the game after it.
"""


def wall_clock() -> int:
    """The time by this machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _number(data: object) -> int:
    """The number that pushed data give as their entry's; -1 for what can't be an entry."""
    seq = data.get("seq") if isinstance(data, Mapping) else None
    return seq if isinstance(seq, int) else -1


CROWDED = 0.3
"""Seconds to pause if the house answers a long poll at once with nothing new."""


@dataclass
class Follower:
    """Follows one game at a house whose key is known.

    One thread may wait for news (`catch_up`) while another sends. No thread waits while it holds the lock.
    """

    api: House
    game_id: str
    house_key: bytes
    """The game may name another key if the house shows successions that lead from one to the other."""
    head: tuple[int, bytes] | None = None
    """Seq and digest of an entry that the record held before. It must hold the entry still."""
    sent: tuple[SentMessage, ...] = ()
    """The sent log of our seat, from the vault."""
    watch: OnEntry = lambda before, entry, after: None
    warn: OnConcern = lambda concern: None
    """A callback for what the player should know at once."""
    elsewhere: Callable[[], Iterable[SentMessage]] = tuple
    """What this house has taken from us in other games. Its receipts may say that it was not away."""
    clock: Callable[[], int] = wall_clock
    """Our own clock, in milliseconds since 1970."""
    seat: OwnSeat | None = None
    """Our own seat once `sit` was called. Without it we follow as a spectator."""
    entries: list[Entry] = field(default_factory=list)
    """The record so far, as it was verified here."""
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    """The lock of the fold. A thread holds it to change the fold, or to build a message from it."""
    _game: Game | None = None
    _taken: dict[tuple[int, str], tuple[Message, Receipt]] = field(default_factory=dict)
    """The messages for which the house has given a receipt, by step and kind."""
    _timeouts: list[Entry] = field(default_factory=list)
    """The time-outs of seats that were not out of the game."""
    _entered: dict[int, SentMessage] = field(default_factory=dict)
    """Our messages by the number of the entry that they became, until our record reaches that entry."""
    _told: list[Any] = field(default_factory=list)
    """The house's statements of our cards. They convict the house if those cards were not dealt."""
    _times: HouseClock = field(default_factory=HouseClock)
    """The house's clock beside our own."""
    _absences: list[Entry] = field(default_factory=list)
    """The absences of the house in this game."""

    def __post_init__(self) -> None:
        for sent in self.sent:
            if sent.receipt is not None:
                self._taken[sent.answers] = sent.message, sent.receipt

    @property
    def game(self) -> Game:
        """The fold of all entries so far; `catch_up` must have brought the first."""
        if self._game is None:
            raise RuntimeError("no entry has been fetched yet")
        return self._game

    def sit(self, seat: OwnSeat) -> None:
        """Follow as this seat, whose own cards are known from now on. Raises `HouseFault` wrong_seat."""
        players = self.game.header.players
        if seat.number >= len(players) or players[seat.number].key != public_key(seat.private):
            raise self._fault("wrong_seat", f"seat {seat.number} of this game is not ours", self._last())
        self.seat = seat
        self._game = self.game.knowing(seat.faces)
        for timeout in self._timeouts:
            self._was_late(timeout)
        self._learn_faces()

    def require_head(self) -> None:
        """Check that the record is as long as it was. Raises `HouseFault` rewritten, and as `catch_up` does.

        A house that was restored from a backup says so when it is asked for more (`ApiProblem`). That is
        no fault.
        """
        if self.head is not None and self.game.seq < self.head[0]:
            self.catch_up(CROWDED)
            if self.game.seq < self.head[0]:
                text = f"the record was rewritten: it held entry {self.head[0]} before, and now ends at"
                raise self._rewritten(f"{text} {self.game.seq}", self.entries[-1])

    def catch_up(self, wait: float = 0.0) -> int:
        """Fetch and fold new entries, waiting up to `wait` seconds for the first; returns their number.

        Raises `HouseFault` for an entry that the record must not hold; `ApiProblem`; `Unreachable`.
        """
        began, found, more = time.monotonic(), 0, True
        while more:
            after = -1 if self._game is None else self._game.seq
            listed, more = self.api.entries(self.game_id, after, 0.0 if found else wait)
            with self.lock:
                if self._game is not None and self._game.seq != after:
                    found, more = found + 1, True  # another thread has brought these meanwhile
                    continue
                for data in listed:
                    self._take(data)
            found += len(listed)
            more = more and bool(listed)
        with self.lock:
            self._learn_faces()
        if not found and wait:
            self.api.pause(max(0.0, min(wait, CROWDED) - (time.monotonic() - began)))
        return found

    def feed(self, listed: Sequence[object]) -> int:
        """Fold entries that a stream has pushed; returns their number. Known entries are passed over.

        Where entries before them are missing, all of them are fetched. Raises as `catch_up` does.
        """
        with self.lock:
            new = [data for data in listed if _number(data) > self.game.seq]
            if not new:
                return 0
            if _number(new[0]) == self.game.seq + 1:
                for data in new:
                    self._take(data)
                self._learn_faces()
                return len(new)
        return self.catch_up()

    def _take(self, data: object) -> None:
        """Check one entry by the fold that everybody uses, and take it into our record."""
        before = self._game
        try:
            entry = read_entry(data)
            after = apply(before, entry)
        except Refused as refused:
            text = f"the house sent an entry that is not valid: {refused.text} ({refused.pointer})"
            told = {"faces": self._told} if self._told else {}
            raise self._fault(refused.code, text, {"entry": data, **self._last(), **told}) from None
        if before is None:
            self._is_ours(after, entry)
        if self._known(entry.seq) not in (None, entry.digest):
            text = f"the record was rewritten: entry {entry.seq} is not the one that it held before"
            raise self._rewritten(text, entry)
        self._game = after
        self.entries.append(entry)
        self._stands(entry.seq)
        # A seat that is out is timed out at once, whatever it has sent before (protocol section 10.6).
        if entry.kind == "timeout" and before is not None and entry.body["seat"] not in before.gone:
            self._timeouts.append(entry)
            self._was_late(entry)
        if entry.kind == "away":
            self._absences.append(entry)
            self._was_there([*self._receipts(), *self.elsewhere()], [entry])
        self.watch(before, entry, after)
        if before is not None and self.seat is not None:
            for concern in concerns(before, entry, after, self.seat.number, self._times, self.clock()):
                self.warn(concern)

    def _receipts(self) -> list[SentMessage]:
        """What the house has taken from us in this game."""
        return [SentMessage(message, receipt) for message, receipt in self._taken.values()]

    def _was_there(self, sent: Iterable[SentMessage], absences: Iterable[Entry]) -> None:
        """Raise `HouseFault` for a receipt that is dated inside an absence (protocol section 10.7)."""
        for entry in absences:
            began, ended = absence(entry)
            for item in sent:
                if item.receipt is not None and began < item.receipt.at < ended:
                    text = "the house says that it was away at a time when it gave us a receipt"
                    raise self._fault("was_there", text, {"entry": entry.json(), **item.json()})

    def holds(self, head: tuple[int, bytes] | None) -> bool:
        """Tell whether the record reaches to an entry that our seat has named; seq and digest.

        Raises `HouseFault` rewritten if it has another entry there.
        """
        if head is None:
            return True
        seq, digest = head
        if seq >= len(self.entries):
            return False
        if self.entries[seq].digest != digest:
            text = f"the record was rewritten: entry {seq} is not the one that our seat has named as seen"
            raise self._rewritten(text, self.entries[seq])
        return True

    @property
    def ahead(self) -> int:
        """The most milliseconds by which the house's clock is ahead of ours, as far as receipts tell."""
        return self._times.ahead or 0

    def _known(self, seq: int) -> bytes | None:
        """The digest of an entry as our seat has read it before; None if the seat has not written it down."""
        if self.head is not None and self.head[0] == seq:
            return self.head[1]
        return next((sent.seen.digest for sent in self.sent if sent.seen.seq == seq), None)

    def _rewritten(self, text: str, entry: Entry) -> HouseFault:
        """The fault of a record that has lost entries which our receipts prove."""
        known = self.head and {"seq": self.head[0], "digest": b64(self.head[1])}
        sent = [item.json() for item in self.sent if item.receipt is not None]
        return self._fault("rewritten", text, {"entry": entry.json(), "known": known, "said": sent})

    def _is_ours(self, game: Game, entry: Entry) -> None:
        named = game.header.house_key
        # A game keeps the key with which it began, and the house can rotate its key while we are signed in.
        if named != self.house_key and not related(self.api.house().successions, named, self.house_key):
            text = "the game names another house key than the one that is known"
            raise self._fault("wrong_house", text, {"entry": entry.json(), "known_key": b64(self.house_key)})
        if game.header.game != self.game_id:
            raise self._fault("wrong_game", "the record is about another game", {"entry": entry.json()})

    def _was_late(self, entry: Entry) -> None:
        """Raise `HouseFault` for a time-out of a message that has its receipt (protocol section 10)."""
        if self.seat is None or entry.body["seat"] != self.seat.number:
            return
        taken = self._taken.get((entry.step, entry.body["kind"]))
        if taken is not None:
            message, receipt = taken
            text = f"the house timed out step {entry.step} although it had taken our {entry.body['kind']}"
            # A receipt names its message by a digest alone, so a judge needs both.
            evidence = {"entry": entry.json(), "message": message.json(), "receipt": receipt.json()}
            raise self._fault("false_timeout", text, evidence)

    def send(self, message: Message) -> Acknowledgement:
        """Post a message and keep its receipt. Raises `HouseFault` bad_receipt.

        The caller has built the message from this fold, and holds the lock.
        """
        asking, left = self.game.asking, self.clock()
        accepted = self.api.send(message)
        receipt = accepted.receipt
        evidence = {"message": message.json(), "receipt": receipt.json()}
        if receipt.message != message.digest or not receipt_holds(receipt, self.game.header.house_key):
            raise self._fault(
                "bad_receipt", "the receipt is not for this message, or the house has not signed it", evidence
            )
        asked = asking is not None and (asking.step, asking.kind) == (message.step, message.kind)
        late = asking is not None and asked and receipt.at > asking.deadline_of(message.seat)
        if late and not self._waited(message, accepted):
            raise self._fault("bad_receipt", "the receipt's time lies past the deadline", evidence)
        self._taken[message.step, message.kind] = message, receipt
        self._times.heard(left, receipt)
        self._was_there([SentMessage(message, receipt)], self._absences)
        if accepted.seq is not None:
            self._entered[accepted.seq] = SentMessage(message, receipt)
            if accepted.seq < len(self.entries):
                self._stands(accepted.seq)
        return accepted

    def _waited(self, message: Message, accepted: Acknowledgement) -> bool:
        """Tell whether the record holds a message at the late time of its receipt.

        A message can enter late because an earlier one was missing. The fold has checked that time.
        """
        if accepted.seq is None:
            return False
        self.catch_up()
        found = self.entries[accepted.seq :][:1]
        return any(
            (entry.at, entry.player_signature) == (accepted.receipt.at, message.signature) for entry in found
        )

    @property
    def behind(self) -> bool:
        """True if a message of ours has become an entry that our record does not hold yet.

        A message that we sent now would not have seen that entry, so the house could swap the two.
        """
        return bool(self._entered)

    def _stands(self, seq: int) -> None:
        """Check that an entry of ours is the message that the house said it would be."""
        sent = self._entered.pop(seq, None)
        if sent is not None and self.entries[seq].player_signature != sent.message.signature:
            text = f"the house took our {sent.message.kind} as entry {seq}, and has put another there"
            raise self._fault("not_entered", text, {"entry": self.entries[seq].json(), **sent.json()})

    def lacks(self) -> frozenset[int]:
        """The positions whose faces our seat may see, and the house has not yet told."""
        if self.seat is None or self.game.header.dealerless:
            return frozenset()  # where nobody deals, the seat reads its own cards
        state = self.game.state
        sees: frozenset[int] = self.game.rules.sees(state, self.seat.number)
        return sees - state.faces.keys()

    def _learn_faces(self) -> None:
        """Learn our own cards from the house's signed statements, in modes with a house pack (protocol 7)."""
        if self.seat is None or self.game.over or not self.lacks():
            return
        for statement in self.api.faces(self.game_id):
            try:
                deal, faces = read_faces(self.game.header, self.seat.number, statement)
            except Refused as refused:
                text = f"the house's statement of our cards is not valid: {refused.text}"
                raise self._fault(refused.code, text, {"faces": statement}) from None
            if deal not in self.game.unshown:
                continue
            known = self.game.state.faces
            if statement not in self._told:
                self._told.append(statement)
            if any(known.get(position, face) != face for position, face in faces.items()):
                text = "the house names two cards for one position"
                raise self._fault("two_faces", text, {"faces": statement, "told": self._told})
            if not self._in_the_pack(deal, faces):
                text = "the house names a card that is not in the pack, or one at two positions"
                raise self._fault("wrong_faces", text, {"faces": statement})
            lacks = self.lacks()
            self._game = self.game.knowing({p: face for p, face in faces.items() if p in lacks})

    def _in_the_pack(self, deal: int, faces: Mapping[int, Any]) -> bool:
        """Tell whether these faces can be cards of that deal, none too often. The rules trust them
        afterwards.
        """
        trail = self.game.trail
        asked = [i.ask for i in trail.items if isinstance(i, Dealt) and i.deal == deal] if trail else []
        for ask in asked:
            if ask.pack is None:
                continue
            places = range(ask.first, ask.first + len(ask.pack))
            known = {p: face for p, face in self.game.state.faces.items() if p in places}
            told = [*{**known, **faces}.values()]
            if not all(p in places for p in faces) or any(told.count(f) > ask.pack.count(f) for f in told):
                return False
        return True

    def _fault(self, code: str, text: str, evidence: Mapping[str, Any]) -> HouseFault:
        return HouseFault(code, text, evidence, self.entries)

    def _last(self) -> dict[str, Any]:
        return {"after": self.entries[-1].json()} if self.entries else {}
