"""A session at one seat: it follows the record, sends what is due, and writes down what must not be lost.

Bots (`client.match`) and people (`cloche.table`) play through the same lines. Two threads may use a
session: one waits for news, the other brings choices. Messages are built and sent under the follower's lock.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from cards.games.contract import IllegalMove, Move
from player import standing_in
from player.due import Choose, Wanted, answer, due, forced, seen
from player.follow import Follower, OnEntry
from player.house import ApiProblem, House, HouseFault, TableInfo
from player.one_history import LockNote, Speaker, fresh_of, other_answer, still_needed
from player.seat import OwnSeat, SealedChoice
from player.sent_log import SentMessage, with_newest
from player.table_terms import require_terms
from player.vault import PlayerVault
from player.vault_format import GameNote, VaultError, newer
from player.watchfulness import Concern, OnConcern
from referee import Game
from referee.message import Message

GONE_ON = frozenset({"game_over", "not_asked", "seen_too_old", "seen_unknown", "wrong_kind", "wrong_step"})
"""The codes of refusals that only say that the game has gone on meanwhile."""
TRIES = 5
"""The number of these refusals in a row that are believed."""
CHOICES = ("move", "seal")
"""The kinds of messages that carry a choice. All others follow from what is known."""
ASKED_AGAIN = ("move", "unlock")
"""The kinds that a step may ask for again after a time-out, where nobody deals (protocol section 20.9)."""
FORGOTTEN = (
    "Your program was started again while these cards were mixed, or another one plays your seat. It can't"
    " tell any more what it has shown under its lock, so it stays silent until the next lock: this deal is"
    " made without yours, and your cards lie open."
)
_PAUSE = 0.25
"""Seconds to pause after such a refusal."""


class SendResult(Enum):
    """The fate of a message."""

    SENT = "sent"
    GONE_ON = "gone_on"
    """The game had gone on: look again."""
    ALREADY = "already"
    """Another process or device of this player has answered before. That answer stands."""
    NOTHING = "nothing"
    """Nothing could be sent now."""


class NotNow(RuntimeError):
    """Nothing of this kind can be sent at the moment. `code` is stable, `text` is for people.

    The codes are not_asked, too_early and game_over.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass
class Session:
    """One seat of one game. Everything that must survive a crash lies in the player's vault."""

    api: House
    vault: PlayerVault
    game_id: str
    deck: Mapping[str, int] = field(default_factory=dict)
    """Copies by slug of the deck that we sat down with, if the mode has own decks."""
    watch: OnEntry = lambda before, entry, after: None
    envelope: bool = False
    """True if seals enclose their reveal, if the game takes envelopes (protocol section 11)."""
    terms: TableInfo | None = None
    """The table at which we have just sat down; None for a game that has begun before."""
    warn: OnConcern = lambda concern: None
    """A callback for what the player should know at once."""
    follower: Follower = field(init=False, repr=False)
    """Our fold of the record, once `start` was called."""
    seat: OwnSeat = field(init=False, repr=False)
    """Our own seat, once `start` was called."""
    _note: GameNote = field(init=False, repr=False)
    """The note on this game that the vault keeps."""
    _done: set[Wanted] = field(default_factory=set)
    """The messages that the house has taken from us."""
    _tries: int = 0
    """Refusals in a row that said that the game has gone on."""
    _chosen: tuple[Wanted, Move] | None = None
    """A choice that was made, and not yet sent."""
    stands_in: bool = True
    """True if our program moves for a player who is late, where nobody else can (`standing_in`)."""
    _drawn: set[bytes] = field(default_factory=set, repr=False)
    """The random bytes of the locks that this sitting has drawn."""
    _warned: set[Wanted] = field(default_factory=set)
    """What we had to keep silent about."""

    def start(self) -> Game:
        """Fetch the record so far and sit down. For a new game, first write down its match secret.

        Raises `HouseFault`, `ApiProblem`, `Unreachable`; `VaultError` elsewhere if another device has
        begun this game and holds its secrets, or game_over if the game has ended since.
        """
        note = self.vault.note(self.game_id)
        # A game keeps the house key with which it began, even if the house has another one by now.
        house_key = (note and note.house_key) or self.vault.identity.house_key
        self.follower = follower = Follower(
            self.api,
            self.game_id,
            house_key,
            head=None if note is None else note.head,
            sent=() if note is None else note.sent,
            watch=self.watch,
            warn=lambda concern: self.warn(concern),
            elsewhere=self._elsewhere,
        )
        follower.catch_up()
        follower.require_head()
        self._note = self._begin() if note is None else self._with_deck(note)
        self._done |= {sent.answers for sent in self._note.sent if sent.receipt is not None}
        self.seat = self._own_seat()
        follower.sit(self.seat)
        return follower.game

    def _elsewhere(self) -> list[SentMessage]:
        """The messages of our other games whose receipts are by the key of this game's house."""
        notes, ours = self.vault.contents.games, self.follower.game.header.house_key
        known = self.vault.identity.house_key
        others = (note for game, note in notes.items() if game != self.game_id)
        return [sent for note in others if (note.house_key or known) == ours for sent in note.sent]

    @property
    def game(self) -> Game:
        """The fold of the record so far, with our own cards."""
        return self.follower.game

    @property
    def kept(self) -> SealedChoice | None:
        """The choice of our newest seal, as it is written down."""
        return self._note.kept

    @property
    def chosen(self) -> bool:
        """True if a choice has been made and waits to be sent."""
        wanted = self.wanted()
        return wanted is not None and wanted[1] in CHOICES and self._settled(wanted)

    def seen(self) -> Game:
        """The game with the faces that our seat may see, and no others."""
        return seen(self.game.knowing(self.seat.hand(self.game)), self.seat.number)

    def _begin(self) -> GameNote:
        """Draw the match secret of a new game, and write it down before anything is made from it."""
        game = self.follower.game
        header = game.header
        ours = [i for i, player in enumerate(header.players) if player.key == self.vault.identity.public]
        if not ours:
            raise HouseFault("wrong_seat", "no seat of this game has our key")
        if self.terms is not None:
            require_terms(game, self.terms, self.follower.entries)
        if game.over:
            raise VaultError(
                "game_over", f"Game {self.game_id} is over. See it: cloche replay {self.game_id}"
            )
        if game.seat(ours[0]).anchor is not None:
            text = (
                f"Game {self.game_id} was begun on another device. Its secrets are not in {self.vault.disk}."
                " Run `cloche vault export FILE` there, then `cloche vault import FILE` here."
            )
            raise VaultError("elsewhere", text)
        deck, key = self._numbered(), header.house_key
        head = game.seq, game.digest  # from now on the record must begin like this
        note = GameNote(ours[0], secrets.token_bytes(32), deck, head=head, house_key=key)
        return self.vault.begin(self.game_id, note)

    def _numbered(self) -> dict[int, int]:
        """The deck that we sat down with, as copies by card number."""
        known = self.game.header.cards
        numbers = {card.slug: number for number, card in known.items()}
        cards = self.deck if known else {}
        unknown = sorted(cards.keys() - numbers.keys())
        if unknown:
            raise HouseFault("wrong_cards", f"the game lacks cards of our deck: {', '.join(unknown)}")
        return {numbers[slug]: count for slug, count in cards.items()}

    def _with_deck(self, note: GameNote) -> GameNote:
        """The note from the vault, with the deck that is named now if we have not entered with another."""
        deck = self._numbered()
        entered = note.sent or self.game.seat(note.seat).anchor is not None
        if entered or deck in ({}, note.deck):
            return note
        return self.vault.keep(self.game_id, replace(note, deck=deck))

    def _own_seat(self) -> OwnSeat:
        """Our seat, from the note and the key in the vault."""
        cards = self.follower.game.header.cards
        deck = [cards[number] for number, count in sorted(self._note.deck.items()) for _ in range(count)]
        note = self._note
        seat = OwnSeat(note.seat, self.vault.identity.private, note.match_secret, tuple(deck))
        return seat if note.lock is None else seat.with_lock(note.lock.fresh, fresh_of(note.older_locks))

    def catch_up(self, wait: float = 0.0) -> int:
        """Fetch and fold new entries, waiting up to `wait` seconds (see `Follower.catch_up`)."""
        left = self.until_standing_in()
        found = self.follower.catch_up(wait if left is None else min(wait, left))
        if self.until_standing_in() == 0.0:
            self._stand_in()
        return found

    def until_standing_in(self) -> float | None:
        """The seconds until our program moves for its player (`catch_up`), 0 if it is time; None: never."""
        at = standing_in.due_at(self.game, self._note.seat) if self.stands_in else None
        if at is None or self.asks() is None:
            return None
        return max(0.0, (at - self.follower.ahead - self.follower.clock()) / 1000)

    def _stand_in(self) -> None:
        """Make the move of an absent player, and say so."""
        try:
            move = standing_in.move_of(self.seen(), self._note.seat)
            sent = SendResult.NOTHING if move is None else self.choose(move)
        except NotNow:
            return  # our player was quicker
        if sent is SendResult.SENT:
            self.warn(Concern("stood_in", standing_in.TEXT))

    def wanted(self) -> Wanted | None:
        """The message that we must send now; None if there is none, or it was sent already."""
        wanted = due(self.game, self._note.seat, self._note.kept)
        if wanted is None or wanted in self._done or self.follower.behind:
            return None
        if wanted[1] == "move" and self.follower.lacks():
            return None  # the house has not told us all our cards yet
        return None if self._must_be_silent(wanted) else wanted

    def _must_be_silent(self, wanted: Wanted) -> bool:
        """Tell whether our seat may not speak under its lock (`one_history`), and say so once."""
        note = self._note
        drawn = frozenset(self._drawn)
        speaker = Speaker(self.seat, note.lock, note.head, note.sent, drawn, note.older_locks)
        silent = speaker.must_be_silent(self.game, self.follower.entries, *wanted)
        if silent and wanted not in self._warned:
            self._warned.add(wanted)
            self.warn(Concern("lock_forgotten", FORGOTTEN))
        return silent

    def asks(self) -> Wanted | None:
        """The choice that our player must make now; None if there is none."""
        wanted = self.wanted()
        if wanted is None or wanted[1] not in CHOICES or self._settled(wanted) or self._forced():
            return None
        return wanted

    def _forced(self) -> bool:
        """Tell whether the rules leave one move, which our program sends by itself."""
        return self.game.header.dealerless and forced(self.seen(), self._note.seat) is not None

    def _settled(self, wanted: Wanted) -> bool:
        """Tell whether the choice was made, and only has to be sent or sent again."""
        kept = self._note.kept
        sealed = wanted[1] == "seal" and kept is not None and kept.step == wanted[0]
        chosen = self._chosen is not None and self._chosen[0] == wanted
        return sealed or chosen or self._signed(wanted) is not None

    def _signed(self, wanted: Wanted) -> Message | None:
        """The message that we have signed for this already. We never sign two, and the house may have it."""
        return next((sent.message for sent in self._note.sent if sent.answers == wanted), None)

    def locked_out(self) -> bool:
        """Tell whether our seat must open a seal that another device made. Only that device can open it."""
        asking, kept = self.game.asking, self._note.kept
        asked = asking is not None and asking.kind == "reveal" and self._note.seat in asking.seats
        return asked and (kept is None or kept.step != self.game.step)

    def recover(self) -> bool:
        """Read what the vault knows by now of a seal that another device made; True if we can open it.

        The vault may have taken that device's file in since we sat down.
        """
        with self.follower.lock:
            self._reread()
        return not self.locked_out()

    def choose(self, move: Move) -> SendResult:
        """Take our player's choice and send it. If the house is away, a later `answer` sends it.

        Raises `IllegalMove`; `NotNow` if no choice is asked for; and what `answer` raises.
        """
        with self.follower.lock:
            self._read_own()
            wanted = self.asks()
            if wanted is None:
                raise NotNow("not_asked", "Nothing is asked of you at the moment.")
            game = self.seen()
            refusal = game.rules.legal(game.state, self._note.seat).refusal(move)
            if refusal is not None:
                raise IllegalMove(refusal)
            self._chosen = (wanted, move)
            return self.answer()

    def answer(self, choose: Choose | None = None) -> SendResult:
        """Send what is due. If that is a choice that was not made yet, `choose` makes it.

        Without `choose`, and without a choice that was made, nothing is sent.
        Raises `HouseFault`, `ApiProblem`, `Unreachable`, `Refused`.
        """
        with self.follower.lock:
            self._read_own()
            if self.wanted() is not None:
                self._reread()
            wanted = self.wanted()
            if wanted is None:
                return SendResult.NOTHING
            signed = self._signed(wanted)
            if signed is not None:
                return self._send(signed)
            if wanted[1] == "lock":
                self._draw_lock()
            if self._chosen is not None and self._chosen[0] == wanted:
                choose = _made(self._chosen[1])
            elif wanted[1] in CHOICES and choose is None and not (self._settled(wanted) or self._forced()):
                return SendResult.NOTHING
            found = answer(
                self.game, self.seat, choose or _nobody, self._certificate, self._note.kept, self.envelope
            )
            return SendResult.NOTHING if found is None else self._send(*found)

    def _draw_lock(self) -> None:
        """Draw the random bytes of a new lock. They are written down with the message."""
        masked, known = self.game.masked, self._note.lock
        if masked is None or (
            known is not None and known.fresh in self._drawn and known.asked == masked.pack.asked
        ):
            return
        fresh = secrets.token_bytes(32)
        self._drawn.add(fresh)
        notes = (*self._note.older_locks, *(() if known is None else (known,)))
        older = still_needed(masked, notes)
        self._set(replace(self._note, lock=LockNote(masked.pack.asked, fresh), older_locks=older))

    def _read_own(self) -> None:
        """Read our last message in the record before we send another (see `Follower.behind`)."""
        if self.follower.behind:
            self.follower.catch_up()

    def resign(self) -> SendResult:
        """Resign the game. Raises `NotNow`, and what `answer` raises."""
        return self._send_unasked(self.seat.resign)

    def offer_draw(self) -> SendResult:
        """Offer a draw, or agree to one. Raises `NotNow`, and what `answer` raises."""
        return self._send_unasked(self.seat.offer_draw)

    def _send_unasked(self, write: Callable[[Game], Message]) -> SendResult:
        """Send a message that no step asks for, and send it anew if the game had gone on meanwhile.

        Raises `NotNow` before cards have been dealt and after the end, and what `answer` raises.
        """
        with self.follower.lock:
            if self.game.outcome is not None:
                raise NotNow("game_over", "The game is over.")
            if self.game.deals == 0:
                raise NotNow("too_early", "Nothing has been dealt yet.")
            sent = self._send(write(self.game))
            for _ in range(TRIES):
                if sent is SendResult.GONE_ON and self.game.outcome is None:
                    sent = self._send(write(self.game))
            return sent

    def finish(self) -> None:
        """Drop the secrets of this game, which is over."""
        self.vault.forget(self.game_id)

    def _certificate(self, seed: bytes) -> Mapping[str, Any]:
        return self.api.certificate(self.game_id, self._note.seat, seed)

    def _send(self, message: Message, kept: SealedChoice | None = None) -> SendResult:
        """Write a message down, send it, and write down its receipt.

        A player who comes back, here or on another device, then neither sends two messages in one step nor
        follows another record, and can prove what the house has taken.
        """
        sent = SentMessage(message)
        try:
            self._keep(sent, kept, self._alone_with(message))
        except _Elsewhere as elsewhere:
            if elsewhere.result is SendResult.ALREADY:
                self._settle(sent.answers)
            else:
                self._read_on()
            return elsewhere.result
        try:
            accepted = self.follower.send(message)
        except ApiProblem as problem:
            if problem.status < 500:  # a house that broke down over the message may have it all the same
                others = tuple(item for item in self._note.sent if item is not sent)
                self._write(replace(self._note, sent=others))
            return self._refused(sent.answers, problem)
        self._keep(replace(sent, receipt=accepted.receipt))
        self._settle(sent.answers)
        return SendResult.SENT

    def _settle(self, wanted: Wanted) -> None:
        """Remember that this is answered."""
        self._done.add(wanted)
        self._tries = 0
        if self._chosen is not None and self._chosen[0] == wanted:
            self._chosen = None

    def _refused(self, wanted: Wanted, problem: ApiProblem) -> SendResult:
        """Find out what a refusal means: answered before, the game has gone on, or refused for good."""
        if problem.code == "already_sent":
            self._settle(wanted)
            return SendResult.ALREADY
        if problem.code == "too_late":
            if self.game.header.dealerless and wanted[1] in ASKED_AGAIN:
                self._read_on()  # the house writes the time-out next, and asks us once more
            else:
                self._settle(wanted)  # no second try: the house writes the time-out next
            return SendResult.GONE_ON
        self._tries += 1
        if problem.code not in GONE_ON or self._tries > TRIES:
            self._chosen = None
            raise problem
        self._read_on()
        return SendResult.GONE_ON

    def _read_on(self) -> None:
        """Read what the house has entered meanwhile. A thread that follows waits for our lock until then."""
        self.api.pause(_PAUSE)
        self.follower.catch_up()

    def _alone_with(self, message: Message) -> Callable[[GameNote], None]:
        """Check, before a message is written down, what other programs of ours have written meanwhile.

        Where nobody deals, two programs must neither give one step two answers nor speak in two records.
        """

        def check(held: GameNote) -> None:
            if not self.game.header.dealerless:
                return
            if other_answer(held.sent, message):
                raise _Elsewhere(SendResult.ALREADY)
            if not self.follower.holds(held.head):
                raise _Elsewhere(SendResult.GONE_ON)

        return check

    def _keep(
        self,
        sent: SentMessage,
        kept: SealedChoice | None = None,
        check: Callable[[GameNote], None] = lambda held: None,
    ) -> None:
        """Write down a message, the choice of a seal, and the newest entry that the message has seen."""
        read, before = (sent.seen.seq, sent.seen.digest), self._note.head
        head = before if before is not None and before[0] > read[0] else read
        newest = with_newest(self._note.sent, sent)
        self._write(replace(self._note, kept=kept or self._note.kept, head=head, sent=newest), check)

    def _write(self, note: GameNote, check: Callable[[GameNote], None] = lambda held: None) -> None:
        self._set(self.vault.keep(self.game_id, note, check))

    def _set(self, note: GameNote) -> None:
        """Take a note as ours, and sit under the lock that it names."""
        self._note = note
        if note.lock is not None:
            self.seat = self.seat.with_lock(note.lock.fresh, fresh_of(note.older_locks))

    def _reread(self) -> None:
        """Merge what another process has sent or sealed for this seat: a step has one answer."""
        held = self.vault.reread(self.game_id)
        if held is not None:
            self._set(newer(self.game_id, self._note, held))


class _Elsewhere(Exception):
    """Another program of this player has written more than this one knew."""

    def __init__(self, result: SendResult) -> None:
        super().__init__(result.value)
        self.result = result


def _made(move: Move) -> Choose:
    """The `Choose` of a choice that was made before."""
    return lambda game: move


def _nobody(game: Game) -> Move:
    """The `Choose` for messages that carry no choice."""
    raise AssertionError("no choice is due")
