"""Two players of one match on a real house, who do everything at the same instant."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from cards.catalog import card_sets
from cards.games.contract import Move
from client.http import Api
from crypto.encoding import b64
from crypto.identity import new_private_key
from player.due import answer, due, seen
from player.house import Acknowledgement
from player.seat import OwnSeat, SealedChoice
from referee import Game, Message, Trusting, apply, read_entry, verify_record
from referee.message import receipt_holds
from tests.stack import Stack
from tests.waiting import until

PASSWORD = "correct horse"
PAUSE = 10.0
"""Seconds of a long poll."""
ENOUGH = 20
"""Points after which nobody serves anything: the match is to last."""


@dataclass
class Guest:
    """Somebody who is signed in at a house."""

    api: Api
    private: bytes
    token: str
    starter: str

    @classmethod
    def register(cls, stack: Stack, handle: str, starter: str = "trattoria") -> Guest:
        """Register somebody with a starter deck."""
        api, private = Api(stack.url), new_private_key()
        api.register(handle, PASSWORD, private, api.house().key, starter)
        return cls(api, private, api.issue_token(handle, PASSWORD, "test"), starter)

    def deck(self) -> str:
        """The id of the starter deck."""
        return next(self.api.decks()).id

    def seat(self, number: int, match_secret: bytes) -> OwnSeat:
        """A seat with the starter deck and the secrets of one match."""
        known = card_sets.load()
        counts = known.starters[self.starter].counts
        deck = tuple(known.cards[card] for card, count in sorted(counts.items()) for _ in range(count))
        return OwnSeat(number, self.private, match_secret, deck)


@dataclass
class Duel:
    """A match of chef; both messages of a step are made beforehand and posted at the same instant."""

    guests: Sequence[Guest]
    game_id: str
    seats: Sequence[OwnSeat]
    rng: Random
    pairs: int = 0
    """Pairs of seals posted at the same instant."""
    answers: list[tuple[Message, Acknowledgement]] = field(default_factory=list)
    kept: list[SealedChoice | None] = field(default_factory=lambda: [None, None])
    _game: Game | None = None

    @classmethod
    def begin(cls, stack: Stack, number: int) -> Duel:
        """Register two players and seat them at a table."""
        rng = Random(number)
        guests = [
            Guest.register(stack, f"duel-{number}-{seat}", starter)
            for seat, starter in enumerate(("trattoria", "night-market"))
        ]
        table = guests[0].api.open_table("chef", deck=guests[0].deck())
        game = guests[1].api.join(table.id, guests[1].deck()).game
        assert game is not None, "the last seat begins the game"
        duel = cls(guests, game, [guest.seat(i, rng.randbytes(32)) for i, guest in enumerate(guests)], rng)
        duel.catch_up()
        return duel

    @property
    def game(self) -> Game:
        """The fold of the record so far: trusted here, verified from the file at the end."""
        assert self._game is not None, "nothing was fetched yet"
        return self._game

    def catch_up(self, wait: float = 0.0) -> None:
        """Fetch what is new."""
        more = True
        while more:
            after = -1 if self._game is None else self._game.seq
            entries, more = self.guests[0].api.entries(self.game_id, after, wait)
            for data in entries:
                self._game = apply(self._game, read_entry(data), Trusting())
            wait = 0.0

    def choose(self, seat: int) -> Callable[[Game], Move]:
        """Keep the opening hand; now a meal, now nothing."""

        def choice(game: Game) -> Move:
            assert game.asking is not None, "something is asked"
            if game.asking.kind == "move":
                return {"choice": "keep"}
            if max(game.rules.points(game.state)) >= ENOUGH or self.rng.random() < 0.6:
                return {"dishes": []}
            return game.rules.legal(seen(game, seat).state, seat).sample(self.rng)

        return choice

    def messages(self) -> list[Message]:
        """Build the due messages of both players, as anybody does."""
        game, messages = self.game, []
        for seat, guest in zip(self.seats, self.guests, strict=True):
            if due(game, seat.number, self.kept[seat.number]) is None:
                continue
            certify = partial(guest.api.certificate, self.game_id, seat.number)
            built = answer(game, seat, self.choose(seat.number), certify, self.kept[seat.number])
            assert built is not None, "it is due"
            message, self.kept[seat.number] = built
            messages.append(message)
        return messages

    def strike(self) -> None:
        """Answer the running step, all who are asked at once, and wait until the house has gone on."""
        game, messages = self.game, self.messages()
        assert game.asking is not None, "somebody is asked"
        kind, step = game.asking.kind, game.step
        self.answers += zip(messages, self._post(messages), strict=True)
        self.pairs += kind == "seal" and len(messages) == 2
        until(lambda: self._gone_on(step, kind), what=f"the house goes on after {kind} of step {step}")

    def _gone_on(self, step: int, kind: str) -> bool:
        self.catch_up(PAUSE)
        asking = self.game.asking
        return self.game.over or (asking is not None and (asking.step, asking.kind) != (step, kind))

    def _post(self, messages: Sequence[Message]) -> list[Acknowledgement]:
        gate = threading.Barrier(len(messages))

        def post(message: Message) -> Acknowledgement:
            api = self.guests[message.seat].api
            gate.wait()
            return api.send(message)

        with ThreadPoolExecutor(len(messages)) as pool:
            return list(pool.map(post, messages))

    def play(self, rounds: int) -> None:
        """Play so many rounds, then give up, so that the record has its end."""
        while self.pairs < rounds or (self.game.asking is not None and self.game.asking.kind == "reveal"):
            if self.game.over:
                return
            self.strike()
        if not self.game.over:
            self.guests[0].api.send(self.seats[0].resign(self.game))
            self.catch_up()
            assert self.game.over

    def check(self) -> int:
        """A stranger verifies the record: nothing lost, nothing doubled. Returns the number of rounds."""
        house = self.guests[0].api.house()
        record = self.guests[1].api.record(self.game_id)
        report = verify_record(record, house.key)
        assert report.valid, report.fault
        entries: list[dict[str, Any]] = json.loads(record)["entries"]
        assert not [entry for entry in entries if entry["kind"] == "timeout"]

        signatures = [entry["player_signature"] for entry in entries if entry["player_signature"]]
        assert len(set(signatures)) == len(signatures)
        for message, accepted in self.answers:
            assert accepted.receipt.message == message.digest
            assert receipt_holds(accepted.receipt, house.key)
            assert b64(message.signature) in signatures
        assert len(signatures) <= len(self.answers) + 1  # and the resignation

        steps = sorted({entry["step"] for entry in entries if entry["kind"] == "seal"})
        for step in steps:
            told = sorted(
                (e["kind"], e["actor"]) for e in entries if e["step"] == step and e["kind"] != "resign"
            )
            expected = [("account", "house"), ("reveal", "0"), ("reveal", "1"), ("seal", "0"), ("seal", "1")]
            assert [pair for pair in told if pair[0] != "result"] == expected
        assert len(steps) == self.pairs
        return len(steps)
