"""A house in which all that is random or tells the time is fixed, and one who writes down what it says."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from crypto.encoding import b64
from crypto.identity import new_private_key
from player.seat import OwnSeat
from referee.checks import Remembering
from service.app import create_app
from service.config import UNLIMITED, Settings
from service.publisher import Publisher
from service.runtime import Runtime
from tests.service.match_kit import Chair, Match, deck_of
from tests.service.service_kit import API, PASSWORD, Guest, registration
from tests.tables import migrate
from worker.bots import by_mode

START = 1_790_000_000_000
NAMED = {"X-Request-Id": "the-same-in-both"}
NOT_ASKED = {
    "/metrics": "for the operator alone; counts and seconds of the process",
}
"""Paths that no player's client asks, with the reason."""


@dataclass(frozen=True)
class Shot:
    """One answer of the house, whole."""

    who: str
    asked: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass
class Recorder(Guest):
    """A guest whose every answer is written down."""

    who: str = ""
    tape: list[Shot] = field(default_factory=list)

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Ask, and write down."""
        return self.open(method, API + path, body, **headers)

    def open(self, method: str, path: str, body: Any = None, **more: str) -> TestResponse:
        """Ask for a path from the root."""
        sent = {**self.headers, **NAMED, **{name.replace("_", "-"): value for name, value in more.items()}}
        answer = self.client.open(path, method=method, json=body, headers=sent)
        headers = tuple((name, value) for name, value in answer.headers.items())
        self.tape.append(Shot(self.who, f"{method} {path}", answer.status_code, headers, answer.data))
        return answer

    def again(self, app: Flask, who: str) -> Recorder:
        """The same person by a new connection, who remembers nothing."""
        return replace(self, client=app.test_client(), who=who)


@contextmanager
def fixed(monkeypatch: pytest.MonkeyPatch, seed: str) -> Iterator[None]:
    """The system's randomness at its source comes from a seed: ids, tokens, keys, secrets, masks."""
    rng = random.Random(seed)
    with monkeypatch.context() as patch:
        patch.setattr(os, "urandom", rng.randbytes)
        patch.setattr(random, "_urandom", rng.randbytes)
        patch.setattr(time, "time_ns", lambda: START * 1_000_000)  # the house's keys say since when
        yield


class Unheard(Publisher):
    """Sends no wake-ups: their work is done by hand, and the broker's client rolls dice of its own."""

    def send(self, task: str, *args: str) -> bool:
        """Send nothing."""
        return True


@dataclass
class World:
    """A house, who sits in it, and what was heard of it. The observer has seat 0."""

    app: Flask
    house: Runtime
    clock: list[int]
    guests: Sequence[Guest]
    onlooker: Recorder
    nobody: Recorder
    tape: list[Shot]
    match: Match | None = None
    table: str = ""

    @classmethod
    def open(cls, folder: Path, template: Path, players: int, starters: Mapping[str, str]) -> World:
        """A new house with so many players and an onlooker; `starters` for those who want another."""
        folder.mkdir()
        shutil.copy(template, folder / "house.sqlite3")
        settings = Settings(
            database=f"sqlite:///{folder}/house.sqlite3",
            data=folder / "var",
            broker="memory://twins",
            **UNLIMITED,  # rates are counted by the system's clock
            password_passes=1,
            password_kib=64,
            password_queue=1000,
        )
        clock, tape = [START], list[Shot]()
        opened = Runtime.open(settings, by_mode())
        house = replace(opened, clock=lambda: clock[0], publisher=Unheard(settings.broker, settings.queue))
        app = create_app(house=house)
        names = ("ann", "bob", "cat", "dan")[:players]
        # Copies are numbered as they are made, for everybody to see: who may have other cards comes last.
        seated = {
            name: _register(app, Recorder if name == "ann" else Guest, name, starters.get(name), tape)
            for name in sorted((*names, "zed"), key=lambda name: name in starters)
        }
        zed = seated["zed"]
        guests = [seated[name] for name in names]
        onlooker = Recorder(**{**vars(zed), "who": "an onlooker", "tape": tape})
        nobody = Recorder(app.test_client(), "", b"", who="nobody", tape=tape)
        return cls(app, house, clock, guests, onlooker, nobody, tape)

    @property
    def observer(self) -> Recorder:
        """The player who sits at seat 0."""
        [first, *_] = self.guests
        assert isinstance(first, Recorder)
        return first

    def sit_down(self, mode: str, own_decks: bool, options: Mapping[str, Any]) -> Match:
        """All players sit down, in order; the house does what is due."""
        table: dict[str, Any] = {}
        chairs: list[Chair] = []
        rng, checks = random.Random(mode), Remembering()
        for number, guest in enumerate(self.guests):
            deck = {"deck": guest.get("/decks").json["items"][0]["id"]} if own_decks else {}
            if number == 0:
                body = {"mode": mode, "seats": len(self.guests), "options": dict(options), **deck}
                made = guest.post("/tables", body)
            else:
                made = guest.post(f"/tables/{table['id']}/join", deck)
            assert made.status_code in (200, 201), made.text
            table = made.json
        self.table = table["id"]
        for number, guest in enumerate(self.guests):
            cards = deck_of(guest, self.house) if own_decks else ()
            seat = OwnSeat(number, guest.private, rng.randbytes(32), cards)
            chairs.append(Chair(guest, table["game"], seat, lambda game: {}, checks=checks))
        self.match = Match(self.house, self.clock, table["game"], chairs, rng)
        self.match.work()
        return self.match

    def look(self) -> None:
        """The observer anew, an onlooker and nobody at all ask what can be asked of a game."""
        assert self.match is not None, "they have sat down"
        late = self.observer.again(self.app, "ann, who comes late")
        for who in (late, self.onlooker, self.nobody):
            for what in ("", "/entries", "/events", "/rounds", "/faces", "/record", "/word"):
                who.get(f"/games/{self.match.id}{what}")

    def look_everywhere(self) -> None:
        """All paths of the house that can be read, by all three; and some that they have no right to."""
        assert self.match is not None, "they have sat down"
        others = self.guests[1]
        values = {
            "game_id": self.match.id,
            "table_id": self.table,
            "deck_id": others.get("/decks").json["items"][0]["id"],
            "other_id": self.observer.get("/decks").json["items"][0]["id"],
            "copy_id": others.get("/collection/copies").json["items"][0]["id"],
            "webhook_id": "none",
            "offer_id": "none",
            "challenge_id": "none",
            "report_id": "none",
            "tournament_id": "none",
            "handle": others.handle,
            "mode": self.match.fold.rules.facts.name,
            "key": "1-2",
            "number": "1",
            "code": "base",
            "name": "bread",
            "token_id": "none",
            "statement_id": "none",
            "token": "none",
            "version": "1",
        }
        late = self.observer.again(self.app, "ann, who comes late")
        for who in (late, self.onlooker, self.nobody):
            for path in readable(self.app, values):
                who.open("GET", path)
            self._trespass(who)

    def _trespass(self, who: Recorder) -> None:
        assert self.match is not None, "they have sat down"
        game = self.match.id
        seed = b64(bytes(32))
        for seat in range(len(self.guests)):
            who.post(f"/games/{game}/certificate", {"seat": seat, "seed": seed})
            step = self.match.fold.step
            for kind in ("move", "seal", "reveal", "link"):
                said = {"step": step, "seat": seat, "kind": kind, "body": {}, "signature": b64(bytes(64))}
                who.post(f"/games/{game}/entries", said)
        who.post(f"/tables/{self.table}/join", {})


def readable(app: Flask, values: Mapping[str, str]) -> list[str]:
    """Every path that answers to GET, filled in; one with a part that nobody has named fails the test."""
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule in NOT_ASKED or rule.rule.startswith("/api/docs"):
            continue
        missing = rule.arguments - values.keys()
        assert not missing, f"{rule.rule}: say what {missing} should be, or in NOT_ASKED why nobody asks it"
        with app.test_request_context():
            adapter = app.url_map.bind("")
            named = {name: values[name] for name in rule.arguments}
            found.append(adapter.build(rule.endpoint, named, method="GET"))
    return sorted(set(found))


def _register(app: Flask, kind: type[Guest], name: str, starter: str | None, tape: list[Shot]) -> Guest:
    more = {"who": name, "tape": tape} if kind is Recorder else {}
    guest = kind(app.test_client(), name, new_private_key(), **more)
    made = guest.post("/players", registration(guest, name, guest.private, starter or "trattoria"))
    assert made.status_code == 201, made.text
    issued = guest.post("/tokens", {"handle": name, "password": PASSWORD})
    guest.token = issued.json["token"]
    guest.headers = {"Authorization": f"Bearer {guest.token}"}
    return guest


def template(folder: Path) -> Path:
    """An SQLite file with today's tables, to be copied."""
    path = folder / "template.sqlite3"
    migrate(f"sqlite:///{path}")
    return path
