"""Play whole matches of Pancake between bots with the referee's code, and verify their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

from benchmarks.chefs import CARDS, COURSES, elsewhere
from benchmarks.measure import Work, WorkPair
from benchmarks.products import deck_terms, meal_terms, raw
from bots import default_bot
from cards import games
from cards.catalog.card_sets import load
from cards.catalog.cards import Card, texts
from crypto.encoding import unb64
from crypto.fairness import Chain
from crypto.group import use
from crypto.identity import public_key
from player.bot import by_bot
from player.due import Choose, answer
from player.seat import OwnSeat, SealedChoice
from referee import Entry, Game, Keeper, Message, SeatedPlayer, accept, close, opening, verify_record, waits
from referee.certificate import certify
from referee.checks import Trusting
from referee.record import record_bytes

ROUNDS = 10
START = 1_795_168_800_000
"""2026-11-20T10:00:00.000Z, in milliseconds since 1970."""
TICK = 1000
NAMES = ("Ada", "Brillat")


class TooShort(ValueError):
    """A match was over before its rounds were played."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match's record file, with what was counted while it was played."""

    data: bytes
    decks: int
    """The number of match decks, with a proof each."""
    hands: tuple[int, ...]
    """The number of cards in hand at every sealed meal; each has a proof."""
    proof_bytes: int
    """The bytes of all proofs together."""

    @property
    def terms(self) -> list[int]:
        """The number of different points in the equations of each proof."""
        return [deck_terms(CARDS)] * self.decks + [meal_terms(cards, COURSES) for cards in self.hands]


@dataclass
class PlayedMatch:
    """A match that the house and all players play in one process, without waiting."""

    keeper: Keeper
    seats: list[OwnSeat]
    choosers: list[Choose]
    game: Game
    entries: list[Entry]
    now: int = START
    kept: dict[int, SealedChoice | None] = field(default_factory=dict)
    waiting: dict[int, Message] = field(default_factory=dict)
    hands: list[int] = field(default_factory=list)
    proof_bytes: int = 0

    def take(self, game: Game, entries: list[Entry]) -> None:
        """Keep the game and the entries that the house has appended."""
        self.game = game
        self.entries += entries

    def send(self, message: Message) -> None:
        """Let a message arrive a second later, and close the step if all its answers are in."""
        self.now += TICK
        held = waits(self.game, message)
        self.take(*accept(self.keeper, self.game, message, self.now, Trusting()))
        if held:
            self.waiting[message.seat] = message
            before = self.game.seq
            self.take(*close(self.keeper, self.game, self.waiting, self.now))
            if self.game.seq > before:
                self.waiting = {}

    def _certificate(self, seat: OwnSeat, seed: bytes) -> Mapping[str, Any]:
        return certify(self.keeper.private, self.game.header, seat.number, seat.deck, seed, self.now)

    def speak(self, seat: OwnSeat) -> None:
        """Let this seat send what it is asked for."""
        said = answer(
            self.game,
            seat,
            self.choosers[seat.number],
            lambda seed: self._certificate(seat, seed),
            self.kept.get(seat.number),
        )
        assert said is not None, "a seat that is asked has an answer"
        message, self.kept[seat.number] = said
        if message.kind == "seal":
            self.hands.append(len(self.game.rules.packing(self.game.state, seat.number).hand))
        self.send(message)
        if "proof" in message.body:
            self.proof_bytes += len(unb64(message.body["proof"]))

    def play(self, rounds: int) -> None:
        """Play `rounds` rounds, then agree to a draw. Raises `TooShort` if the match is over before."""
        self.play_until(lambda: self._done(rounds))
        if len(self.hands) != rounds * len(self.seats) or not self.game.over:
            raise TooShort(f"The match was over after {len(self.hands)} meals.")

    def play_until(self, done: Callable[[], bool]) -> None:
        """Play until `done` says so, then agree to a draw. A match that is over before stays as it is."""
        while self.game.asking is not None and not done():
            for seat in self.seats:
                asked = self.game.asking
                if asked is not None and seat.number in asked.seats - self.waiting.keys():
                    self.speak(seat)
        for seat in self.seats:
            if not self.game.over:
                self.send(seat.offer_draw(self.game))

    def _done(self, rounds: int) -> bool:
        """Tell whether every meal of these rounds has been opened."""
        asked = self.game.asking
        return len(self.hands) == rounds * len(self.seats) and asked is not None and asked.kind == "link"


def play(seed: int, rounds: int = ROUNDS) -> Record:
    """Play a match between the house's best bots with the two starter decks.

    All but the masks follows from `seed`. Raises `TooShort` if the match is over before `rounds` rounds.
    """
    dice, catalog, mode = Random(seed), load(), games.find("chef")
    keeper = Keeper(dice.randbytes(32), Chain(dice.randbytes(64)))
    seats = [
        OwnSeat(number, dice.randbytes(32), dice.randbytes(32), _deck(slug))
        for number, slug in enumerate(sorted(catalog.starters)[: len(NAMES)])
    ]
    players = [SeatedPlayer(name, public_key(seat.private)) for name, seat in zip(NAMES, seats, strict=True)]
    identity = str(UUID(bytes=dice.randbytes(16), version=4))
    game, entries = opening(keeper, identity, mode, {}, players, texts(catalog), START)
    choosers = [by_bot(default_bot("chef"), seat.number, Random(seed)) for seat in seats]
    with use("arkworks"):
        match = PlayedMatch(keeper, seats, choosers, game, list(entries))
        match.play(rounds)
    return Record(record_bytes(match.entries), len(seats), tuple(match.hands), match.proof_bytes)


def _deck(slug: str) -> tuple[Card, ...]:
    catalog = load()
    counts = catalog.starters[slug].counts
    return tuple(catalog.cards[number] for number, n in sorted(counts.items()) for _ in range(n))


def played(after: int, rounds: int = ROUNDS) -> tuple[int, Record]:
    """The first seed from `after` on whose match has that many rounds, and the record of that match."""
    for seed in count(after):
        try:
            return seed, play(seed, rounds)
        except TooShort:
            continue
    raise AssertionError("there is always one more seed")


def record_verify() -> WorkPair:
    """Verify a whole record from its bytes, against the raw products of its proofs."""
    seed, record = elsewhere(played, 0)

    def fresh() -> tuple[Work, Work]:
        nonlocal seed
        seed, own = elsewhere(played, seed)
        seed += 1
        return lambda: verify_record(own.data).valid, raw(own.terms)

    # Certificate, match deck and proof of both; the seal and the proof of each meal.
    decoded = record.decks * (2 * CARDS + 7) + len(record.hands) * (4 + COURSES)
    return WorkPair(
        fresh,
        terms=sum(record.terms),
        proof_bytes=record.proof_bytes,
        decoded=decoded,
        sizes={"record": len(record.data)},
    )
