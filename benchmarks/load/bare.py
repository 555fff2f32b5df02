"""Matches at the bound: signed messages without a game, from each seat in its turn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.turns.serving import BareGame
from benchmarks.turns.table import Visitor
from benchmarks.turns.wsgi import Request
from crypto.encoding import b64, unb64
from player.seat import OwnSeat
from referee import Message, read_entry, write_message


@dataclass
class Bare:
    """The state of a game of the bound. It is never over."""

    seq: int = 0
    over: bool = False
    digest: bytes = bytes(64)

    @property
    def step(self) -> int:
        """The step of the next message."""
        return self.seq + 1


@dataclass
class BareMatch:
    """A game of the bound, as a driver plays it."""

    id: str
    seats: Sequence[OwnSeat]
    visitors: Sequence[Visitor]
    game: Bare = field(default_factory=Bare)
    _sent: int = 0
    """The seq after which the newest message was built."""

    @property
    def path(self) -> str:
        """The path that messages go to and entries come from."""
        return f"/games/{self.id}/entries"

    def post(self, message: Message) -> Request:
        """Make the request that sends a message."""
        return Request("POST", self.path, self.visitors[message.seat].token, message.json())

    def faces(self, seat: int) -> Request:
        """Raise AssertionError: no seat has cards."""
        raise AssertionError("no seat has cards")

    def know(self, seat: int, statements: Sequence[Any]) -> None:
        """Do nothing: no seat has cards."""

    def take(self, entries: Sequence[Any]) -> None:
        """Follow the chain to its newest entry."""
        newest = read_entry(entries[-1])
        if newest.seq > self.game.seq:
            self.game.seq, self.game.digest = newest.seq, newest.digest

    def lacking(self) -> list[int]:
        """Return no seats: none has cards."""
        return []

    def due(self) -> list[int]:
        """Return the seat whose turn it is, once the message before has come back."""
        return [self.game.seq % len(self.seats)] if self._sent <= self.game.seq else []

    def message(self, number: int) -> Message:
        """Build a message as long as one of a game."""
        seat, self._sent = self.seats[number], self.game.seq + 1
        seen = {"seq": self.game.seq, "digest": b64(self.game.digest)}
        body = {"move": {"choice": "cook", "card": self._sent % 52, "stack": 3}, "seen": seen}
        return write_message(seat.private, self.id, self._sent, number, "move", body)


def matches(file: Path, first: int, count: int) -> list[BareMatch]:
    """Read some of the games that `serving.prepare` has written down."""
    games = [BareGame(**game) for game in json.loads(file.read_text(encoding="utf-8"))]
    found = []
    for game in games[first : first + count]:
        keys = [unb64(text, 32) for text in game.private]
        seats = [OwnSeat(number, key, bytes(32)) for number, key in enumerate(keys)]
        visitors = [Visitor(key, token, None, "") for key, token in zip(keys, game.tokens, strict=True)]
        found.append(BareMatch(game.id, seats, visitors))
    return found
