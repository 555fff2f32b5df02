"""A seat of one game over HTTP: follows the record, sends what is due, writes down what must not be lost.

Bots (`client.match`) and people (`cloche.table`) play through the same lines. A session may be used by
two threads: one waits for news, the other brings choices; what is built and sent is built under the
follower's lock.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from cards.games.contract import IllegalMove, Move
from player.due import Choose, answer, due, seen
from player.follow import Follower, OnEntry
from player.house import ApiProblem, House, HouseFault, TableInfo
from player.seat import OwnSeat, SealedChoice
from player.sent_log import SentMessage, with_newest
from player.table_terms import require_terms
from player.vault import PlayerVault
from player.vault_format import GameNote, VaultError, newer
from referee import Game
from referee.message import Message

GONE_ON = frozenset(
    {
        "game_over",
        "not_asked",
        "seen_too_old",
        "seen_unknown",
        "wrong_kind",
        "wrong_step",
    }
)
"""Refusals that only say that the game has gone on meanwhile."""
TRIES = 5
"""How often in a row that is believed."""
CHOICES = ("move", "seal")
"""Kinds of messages that carry a choice; all others follow from what is known."""
_PAUSE = 0.25

Wanted = tuple[int, str]
"""A step and a kind of message."""


class SendResult(Enum):
    """What became of an answer."""

    SENT = "sent"
    GONE_ON = "gone_on"
    """The game had gone on: look again."""
    ALREADY = "already"
    """This seat has answered before, in another process or on another device; that answer stands."""
    NOTHING = "nothing"
    """Nothing could be sent now."""


class NotNow(RuntimeError):
    """A choice that nobody asks for at the moment. `code` is stable, `text` for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass
class Session:
    """One seat of one game. What must survive a crash lies in the player's vault."""

    api: House
    vault: PlayerVault
    game_id: str
    deck: Mapping[str, int] = field(default_factory=dict)
    """Copies by slug of the deck that one sat down with, where the mode has own decks."""
    watch: OnEntry = lambda before, entry, after: None
    envelope: bool = False
    """Whether seals enclose their reveal, where the game takes envelopes (protocol section 11)."""
    terms: TableInfo | None = None
    """The table at which we sat down, where the game is to begin now."""
    _done: set[Wanted] = field(default_factory=set)
    _tries: int = 0
    _chosen: tuple[Wanted, Move] | None = None

    def start(self) -> Game:
        """Fetch the record so far and sit down; a new match gets its secret, which is written down first.

        Raises `HouseFault`, `ApiProblem`, `Unreachable`; `VaultError` elsewhere where another device
        has begun this game, whose secrets are not here, game_over where they are of no use any more.
        """
        note = self.vault.note(self.game_id)
        # A game that has begun is known by its own key, whichever the house goes by now.
        house_key = (note and note.house_key) or self.vault.identity.house_key
        self.follower = follower = Follower(
            self.api,
            self.game_id,
            house_key,
            head=None if note is None else note.head,
            sent=() if note is None else note.sent,
            watch=self.watch,
        )
        follower.catch_up()
        follower.require_head()
        self._note = self._begin() if note is None else self._with_deck(note)
        self._done |= {said.answers for said in self._note.sent if said.receipt is not None}
        follower.sit(self._seat())
        return follower.game

    @property
    def game(self) -> Game:
        """The fold of the record so far, with one's own cards."""
        return self.follower.game

    @property
    def seat(self) -> OwnSeat:
        """One's own seat."""
        assert self.follower.seat is not None, "we have sat down"
        return self.follower.seat

    @property
    def kept(self) -> SealedChoice | None:
        """The newest seal's choice, as it is written down."""
        return self._note.kept

    @property
    def chosen(self) -> bool:
        """Whether a choice waits to be sent."""
        wanted = self.wanted()
        return wanted is not None and wanted[1] in CHOICES and self._settled(wanted)

    def seen(self) -> Game:
        """The game with the faces that our seat may see, and no others."""
        return seen(self.game, self.seat.number)

    def _begin(self) -> GameNote:
        """A new match: a secret of its own, written down before anything is made from it."""
        game = self.follower.game
        header = game.header
        ours = [i for i, player in enumerate(header.players) if player.key == self.vault.identity.public]
        if not ours:
            raise HouseFault("wrong_seat", "no seat of this game has our key")
        if self.terms is not None:
            require_terms(game, self.terms, self.follower.entries)
        if game.over:
            raise VaultError("game_over", f"Game {self.game_id} is over: cloche replay {self.game_id}")
        if game.seat(ours[0]).anchor is not None:
            text = (
                f"The secrets of game {self.game_id} are not in {self.vault.disk}: it was begun on another"
                " device. There: cloche vault export FILE; here: cloche vault import FILE."
            )
            raise VaultError("elsewhere", text)
        deck, key = self._numbered(), header.house_key
        head = game.seq, game.digest  # from now on this game is the one that was begun so
        note = GameNote(ours[0], secrets.token_bytes(32), deck, head=head, house_key=key)
        return self.vault.begin(self.game_id, note)

    def _numbered(self) -> dict[int, int]:
        """The deck that one sat down with, as copies by card number."""
        known = self.game.header.cards
        numbers = {card.slug: number for number, card in known.items()}
        cards = self.deck if known else {}
        unknown = sorted(cards.keys() - numbers.keys())
        if unknown:
            raise HouseFault("wrong_cards", f"the game does not know our {', '.join(unknown)}")
        return {numbers[slug]: count for slug, count in cards.items()}

    def _with_deck(self, note: GameNote) -> GameNote:
        """What was written down before, with the deck named now if nothing was entered with the other."""
        deck = self._numbered()
        entered = note.sent or self.game.seat(note.seat).anchor is not None
        if entered or deck in ({}, note.deck):
            return note
        return self.vault.keep(self.game_id, replace(note, deck=deck))

    def _seat(self) -> OwnSeat:
        cards = self.follower.game.header.cards
        deck = [cards[number] for number, count in sorted(self._note.deck.items()) for _ in range(count)]
        return OwnSeat(self._note.seat, self.vault.identity.private, self._note.match_secret, tuple(deck))

    def catch_up(self, wait: float = 0.0) -> int:
        """Fetch and fold what is new, waiting up to `wait` seconds for it (see `Follower`)."""
        return self.follower.catch_up(wait)

    def wanted(self) -> Wanted | None:
        """What is to be sent now, as a step and a kind; None also for what was sent already."""
        wanted = due(self.game, self._note.seat, self._note.kept)
        if wanted is None or wanted in self._done or self.follower.behind:
            return None
        waiting = wanted[1] == "move" and self.follower.lacks()
        return None if waiting else wanted  # the house's word for our cards has not come yet

    def asks(self) -> Wanted | None:
        """The choice that is wanted of our player; None while nothing is left to choose."""
        wanted = self.wanted()
        if wanted is None or wanted[1] not in CHOICES or self._settled(wanted):
            return None
        return wanted

    def _settled(self, wanted: Wanted) -> bool:
        """Whether the choice was made and only has to be sent (again)."""
        kept = self._note.kept
        sealed = wanted[1] == "seal" and kept is not None and kept.step == wanted[0]
        chosen = self._chosen is not None and self._chosen[0] == wanted
        return sealed or chosen or self._signed(wanted) is not None

    def _signed(self, wanted: Wanted) -> Message | None:
        """What was signed for this step and may be with the house already: no step is answered by two."""
        return next((said.message for said in self._note.sent if said.answers == wanted), None)

    def locked_out(self) -> bool:
        """Whether our seat has to open a seal that another device made, and only that device can."""
        asking, kept = self.game.asking, self._note.kept
        asked = asking is not None and asking.kind == "reveal" and self._note.seat in asking.seats
        return asked and (kept is None or kept.step != self.game.step)

    def choose(self, move: Move) -> SendResult:
        """Take our player's choice and send it. Where the house is away it goes out with a later `answer`.

        Raises `IllegalMove`; `NotNow` where nothing is asked; and what `answer` raises.
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
        """Send what is due, if it is no choice, or one that was made; else `choose` makes it.

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
            if self._chosen is not None and self._chosen[0] == wanted:
                choose = _made(self._chosen[1])
            elif wanted[1] in CHOICES and choose is None and not self._settled(wanted):
                return SendResult.NOTHING
            found = answer(
                self.game, self.seat, choose or _nobody, self._certificate, self._note.kept, self.envelope
            )
            assert found is not None, "an answer is due"
            message, kept = found
            return self._send(message, kept)

    def _read_own(self) -> None:
        """Read what we have said last, before we say more (see `Follower.behind`)."""
        if self.follower.behind:
            self.follower.catch_up()

    def resign(self) -> SendResult:
        """Give up the game."""
        with self.follower.lock:
            self._dealt()
            return self._send(self.seat.resign(self.game))

    def offer_draw(self) -> SendResult:
        """Offer a draw, or agree to one."""
        with self.follower.lock:
            self._dealt()
            return self._send(self.seat.offer_draw(self.game))

    def _dealt(self) -> None:
        if self.game.outcome is not None:
            raise NotNow("game_over", "The game is over.")
        if self.game.deals == 0:
            raise NotNow("too_early", "Nothing has been dealt yet.")

    def finish(self) -> None:
        """The game is over: its secrets are dropped."""
        self.vault.forget(self.game_id)

    def _certificate(self, seed: bytes) -> Mapping[str, Any]:
        return self.api.certificate(self.game_id, self._note.seat, seed)

    def _send(self, message: Message, kept: SealedChoice | None = None) -> SendResult:
        """Send a message, written down before it goes, with what it has seen; its receipt when it comes.

        So a player who comes back, here or on another device, neither says two things in one step nor
        follows another record, and can show what the house has taken.
        """
        said = SentMessage(message)
        self._keep(said, kept)
        try:
            accepted = self.follower.send(message)
        except ApiProblem as problem:
            if problem.status < 500:  # else the house may have it all the same
                others = tuple(item for item in self._note.sent if item is not said)
                self._write(replace(self._note, sent=others))
            return self._refused(said.answers, problem)
        self._keep(replace(said, receipt=accepted.receipt))
        self._settle(said.answers)
        return SendResult.SENT

    def _settle(self, wanted: Wanted) -> None:
        self._done.add(wanted)
        self._tries = 0
        if self._chosen is not None and self._chosen[0] == wanted:
            self._chosen = None

    def _refused(self, wanted: Wanted, problem: ApiProblem) -> SendResult:
        """What a refusal means: sent already (before a crash), the game has gone on, or really refused."""
        if problem.code == "already_sent":
            self._settle(wanted)
            return SendResult.ALREADY
        if problem.code == "too_late":
            self._settle(wanted)  # the same again is no use: the house must write the time-out first
            return SendResult.GONE_ON
        self._tries += 1
        if problem.code not in GONE_ON or self._tries > TRIES:
            self._chosen = None
            raise problem
        self.api.pause(_PAUSE)
        return SendResult.GONE_ON

    def _keep(self, said: SentMessage, kept: SealedChoice | None = None) -> None:
        """Write down what is said, a seal's choice, and how far the record had come."""
        read, before = (said.seen.seq, said.seen.digest), self._note.head
        head = before if before is not None and before[0] > read[0] else read
        newest = with_newest(self._note.sent, said)
        self._write(replace(self._note, kept=kept or self._note.kept, head=head, sent=newest))

    def _write(self, note: GameNote) -> None:
        self._note = self.vault.keep(self.game_id, note)

    def _reread(self) -> None:
        """Take in what another process has said or sealed for this seat: there is one answer to a step."""
        held = self.vault.reread(self.game_id)
        if held is not None:
            self._note = newer(self.game_id, self._note, held)


def _made(move: Move) -> Choose:
    """A choice that was made before."""
    return lambda game: move


def _nobody(game: Game) -> Move:
    raise AssertionError("no choice is due")
