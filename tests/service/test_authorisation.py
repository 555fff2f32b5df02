"""Every operation of the OpenAPI document is tried by everybody who may not, and by those who may.

The expected answers are data by class (`authorisation_kit`). An operation without a class fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlmodel import col, update
from werkzeug.test import TestResponse

from crypto.encoding import b64
from crypto.identity import new_private_key
from service.api.boosters import Choice
from service.models import Token
from service.operations import moderation, roles, tournaments
from service.operations.sanctions import SUSPENDED
from service.runtime import Runtime
from service.stopping import stopping
from tests.service.authorisation_kit import CLASSES, OPERATIONS, PUBLIC, YES
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import (
    API,
    PASSWORD,
    Guest,
    answered,
    app_of,
    give_coins,
    house_in,
    registration,
)
from tests.service.trade_kit import enrich

KNOWN_THINGS = {("a picture", "watched"), ("a picture", "over"), ("an entry", "theirs")}
"""Games and tournaments that everybody may know of: what is 404 there is the picture, or the entry."""
KNOWN = {
    "/me/blocks/{handle}": "/me/blocks/dave",
    "/formats/{name}": "/formats/open",
    "{handle}": "bob",
    "{mode}": "hearts",
    "/bulk/{name}": "/bulk/PB-1.1.0.json",
    "{name}": "tomato",
    "{version}": "1.0.0",
    "{number}": "1",
    "{board}": "1",
    "{key}": "1156-1027",
    "/sets/{code}": "/sets/PB",
    "/cards/{code}": "/cards/PB",
}
"""The parts of a path that belong to nobody."""
WEBHOOK = {"url": "https://example.org/hook", "events": ["*"]}
CUP = {"name": "Cup", "system": "swiss", "mode": "big-c"}
BODIES: dict[str, Any] = {
    "POST /webhooks": WEBHOOK,
    "PUT /me/box": {"file": None},
    "POST /tokens": {"handle": "bob", "password": PASSWORD},
    "POST /tokens/challenge": {"handle": "bob", "purpose": "sign-in"},
    "POST /me/deletion": {"current": "not this"},
    "PUT /me/password": {"password": PASSWORD, "current": PASSWORD},
    "POST /collection/basics": {"cards": {"salt": 1}},
    "POST /collection/outside": {
        "copies": ["7c9e6679-7425-40de-944b-e07fc1f90ae7"],
        "to": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    },
    "POST /boosters": {"set": "PB"},
    "POST /boosters/{booster_id}/ask": {name: b64(bytes(64)) for name in ("anchor", "prev", "seal", "asked")},
    "POST /boosters/{booster_id}/open": {"receipt": Choice.example["receipt"], "nonce": b64(bytes(32))},
    "POST /decks": {"name": "x", "cards": {}},
    "POST /decks/validate": {"cards": {}},
    "POST /decks/convert": {"cards": {}},
    "POST /decks/missing": {"cards": {}},
    "PATCH /decks/{deck_id}": {"tags": ["x"]},
    **{
        f"POST /decks/{name}": {"cards": {}}
        for name in ("statistics", "statistics.svg", "hands", "suggestions")
    },
    "PUT /decks/{deck_id}": {"name": "x", "cards": {}},
    "POST /offers": {"gives": {"coins": 1}, "wants": {"cards": {"tuna": 1}}},
    "PUT /wishes": {"cards": {"tuna": 1}},
    "POST /market/cost": {"cards": {"tuna": 1}},
    "POST /tables": {"mode": "hearts", "seats": 4},
    "POST /challenges": {"to": "carol", "mode": "big-c"},
    "POST /queue": {"mode": "big-c"},
    "POST /games/{game_id}/certificate": {"seat": 0, "seed": b64(bytes(32))},
    "PUT /moderation/players/{handle}/role": {"role": "moderator"},
    "POST /moderation/players/{handle}/rename": {"handle": "robert", "reason": "x"},
    "PUT /me/phrases": {"muted": False},
    "POST /games/{game_id}/phrases": {"phrase": "thanks"},
    "POST /reports": {"about": "bob", "kind": "stalling"},
    "POST /moderation/reports/{report_id}/close": {"verdict": "upheld"},
    "PUT /moderation/players/{handle}/suspension": {"reason": "x"},
    "PUT /moderation/players/{handle}/freeze": {"reason": "x"},
    "POST /moderation/players/{handle}/revoke-tokens": {"reason": "x"},
    "PUT /moderation/decks/{deck_id}/hidden": {"reason": "x"},
    "PUT /moderation/decks/{deck_id}/shown": {"reason": "x"},
    "PUT /moderation/tables/{table_id}/hidden": {"reason": "x"},
    "PUT /moderation/tables/{table_id}/shown": {"reason": "x"},
    "POST /tournaments": CUP,
    "POST /tournaments/{tournament_id}/cancel": {"reason": "x"},
    "PUT /tournaments/{tournament_id}/rounds/{number}/matches/{board}": {"result": "draw", "reason": "x"},
    "POST /tournaments/{tournament_id}/entries/{handle}/drop": {"reason": "x"},
    "POST /tournaments/{tournament_id}/entries/{handle}/restore": {"reason": "x"},
}


@dataclass
class World:
    """A house; ann owns and plays, bob sits with her, mallory has nothing to do with it."""

    house: Runtime
    ann: Guest
    bob: Guest
    mallory: Guest
    mia: Guest
    """A moderator, who has nothing to do with ann either."""
    bad: dict[str, Guest]
    """The guests with a token that no longer works, or never did, by the code of the refusal."""
    games: dict[str, Match]
    messages: dict[str, Any]
    """The message that ann's seat is asked for in each game."""

    def ids(self, path: str) -> dict[str, str]:
        """The things of ann's that a path can name, and one that there is not."""
        unknown = str(uuid4())
        if "{game_id}" in path:
            return {**{name: match.id for name, match in self.games.items()}, "unknown": unknown}
        if "{deck_id}" in path:
            made = {}
            for visibility in ("private", "unlisted", "public"):
                body = {"name": "hers", "cards": {}, "visibility": visibility}
                made[visibility] = self.ann.post("/decks", body).json["id"]
            return {**made, "unknown": unknown}
        if "{copy_id}" in path:
            return {"theirs": self.ann.get("/collection/copies").json["items"][0]["id"], "unknown": unknown}
        if "{booster_id}" in path:
            return {"theirs": self.ann.post("/boosters", {"set": "PB"}).json["id"], "unknown": unknown}
        if "{webhook_id}" in path:
            for webhook in self.ann.get("/webhooks").json["items"]:
                self.ann.delete(f"/webhooks/{webhook['id']}")
            made = self.ann.post("/webhooks", WEBHOOK).json["id"]
            return {"theirs": made, "unknown": unknown}
        if "{report_id}" in path:
            made = self.ann.get("/reports").json["items"]
            made = made or [self.ann.post("/reports", BODIES["POST /reports"]).json]
            return {"theirs": made[0]["id"], "unknown": unknown}
        if "{token_id}" in path:
            made = self.ann.post("/tokens", {"handle": "ann", "password": PASSWORD}).json["id"]
            return {"theirs": made, "unknown": unknown}
        if "{token}" in path:
            return {"unknown": "0" * 64}
        if "{statement_id}" in path:
            return {"unknown": unknown}
        if "{offer_id}" in path:
            terms = BODIES["POST /offers"]
            return {
                "public": self.ann.post("/offers", terms).json["id"],
                "private": self.ann.post("/offers", {**terms, "to": "bob"}).json["id"],
                "unknown": unknown,
            }
        if "{challenge_id}" in path:
            self.withdraw(self.ann)
            made = self.ann.post("/challenges", {"to": "bob", "mode": "big-c"}).json["id"]
            return {"theirs": made, "unknown": unknown}
        if "{tournament_id}" in path:
            return {"theirs": self.tournament("/rounds/" in path), "unknown": unknown}
        if "{table_id}" not in path and "/invitations/" not in path:
            for guest in (self.ann, self.mallory) if path in ("/challenges", "/queue") else ():
                self.withdraw(guest)
                if path == "/queue":
                    guest.post("/queue", {"mode": "big-c"})
            return {"": ""}
        body = {"mode": "hearts", "seats": 4}
        private = self.ann.post("/tables", {**body, "private": True}).json
        if "/invitations/" in path:
            return {"private": private["invitation"], "unknown": private["invitation"][::-1]}
        public = self.ann.post("/tables", body).json["id"]
        return {"public": public, "private": private["id"], "unknown": unknown}

    def withdraw(self, guest: Guest) -> None:
        """Somebody has no challenge any more."""
        for challenge in guest.get("/challenges").json["items"]:
            guest.post(f"/challenges/{challenge['id']}/withdraw", {})

    def tournament(self, running: bool) -> str:
        """A tournament that ann directs: open, with her and bob, or running between bob and mallory."""
        self.tidy()
        cup: str = self.ann.post("/tournaments", CUP).json["id"]
        for guest in (self.bob, self.mallory if running else self.ann):
            assert guest.put(f"/tournaments/{cup}/entry", {}).status_code == 200
        if running:
            assert self.ann.post(f"/tournaments/{cup}/start", {}).status_code == 200
            tournaments.advance(self.house, cup)
        return cup

    def tidy(self) -> None:
        """Cancel the tables and the tournaments: nobody has many."""
        for shown in self.ann.get("/tournaments").json["items"]:
            for guest in (self.ann, self.mallory):
                if shown["director"] == guest.handle and shown["state"] in ("open", "running"):
                    guest.post(f"/tournaments/{shown['id']}/cancel", {"reason": "x"})
        for guest in (self.ann, self.mallory):
            for table in guest.get("/tables?mine=true").json["items"]:
                guest.delete(f"/tables/{table['id']}")

    def ask(self, guest: Guest, operation: str, thing: str, value: str) -> TestResponse:
        """The answer to an operation upon a thing."""
        method, path = operation.split()
        for name, known in KNOWN.items():
            path = path.replace(name, known)
        if operation == "DELETE /tokens":
            path += "?others=true"  # their own tokens are still needed
        body = BODIES.get(operation, {})
        if operation == "POST /players":
            body = registration(guest, f"p{uuid4().hex[:12]}", new_private_key())
        if operation == "PATCH /me":
            body = {"handle": guest.handle}
        if operation == "POST /tokens/by-key":
            body = {"handle": guest.handle, "answer": answered(guest)}
        if operation == "POST /games/{game_id}/entries":
            body = self.messages.get(thing, self.messages["closed"])
        # Under a key, as a client asks: whatever changes something does so in one transaction.
        sent = {**guest.headers, "Idempotency-Key": str(uuid4())}
        if operation.partition(" ")[0] != "GET":
            sent["If-Match"] = "*"
        guest = replace(guest, headers=sent)
        stopping.set()  # so that streams end by themselves
        try:
            answer = guest.request(method, re.sub(r"\{\w+\}", value, path), None if method == "GET" else body)
            answer.get_data()
        finally:
            stopping.clear()
        answer.close()
        return answer


def _guest(app: Any, handle: str) -> Guest:
    guest = Guest(app.test_client(), handle, new_private_key())
    assert guest.post("/players", registration(guest, handle, guest.private)).status_code == 201
    return replace(guest, headers={"Authorization": f"Bearer {_token(guest)['token']}"})


def _token(guest: Guest) -> Any:
    return guest.post("/tokens", {"handle": guest.handle, "password": PASSWORD}).json


def _bad(house: Runtime, ann: Guest) -> dict[str, Guest]:
    revoked, expired = _token(ann), _token(ann)
    assert ann.delete(f"/tokens/{revoked['id']}").status_code == 204
    with house.write() as session:
        session.execute(update(Token).where(col(Token.id) == expired["id"]).values(expires_at=house.now()))
    values = {
        "not_signed_in": "Basic YW5uOng=",
        "unknown_token": f"Bearer cloche_{'x' * 43}",
        "revoked_token": f"Bearer {revoked['token']}",
        "expired_token": f"Bearer {expired['token']}",
    }
    return {code: replace(ann, headers={"Authorization": text}) for code, text in values.items()}


@pytest.fixture(scope="module")
def world(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One house for all operations."""
    clock = [1_790_000_000_000]
    house = house_in(tmp_path_factory.mktemp("authorisation"), migrated_file, clock)
    app = app_of(house)
    ann, bob, carol, mallory = (_guest(app, name) for name in ("ann", "bob", "carol", "mallory"))
    _guest(app, "dave")
    mia = _guest(app, "mia")
    roles.give(house, None, "mia", roles.MODERATOR)
    for guest in (ann, mallory, mia):
        give_coins(house, guest.get("/me").json["id"], 1_000)
    kinds = {
        "over": {},
        "closed": {"spectators": False},
        "private": {"private": True},
        "watched": {"spectators": True},
    }
    games, messages = {}, {}
    for number, (name, more) in enumerate(kinds.items()):
        games[name] = sit_down(house, clock, [ann, bob, carol], "hearts", seed=number, **more)
        messages[name] = games[name].chairs[0].message().json()
        while name == "over" and not games[name].fold.over:
            games[name].lapse()
    for guest in (ann, mallory, mia):
        guest.id = guest.get("/me").json["id"]
        enrich(house, guest, coins=100)
    yield World(house, ann, bob, mallory, mia, _bad(house, ann), games, messages)
    house.close()


def _without_id(answer: TestResponse) -> dict[str, Any]:
    document = dict(answer.json or {})
    document.pop("request_id", None)
    return document


def test_every_operation_has_a_class(world: World) -> None:
    document: Any = world.ann.client.get("/api/openapi.json").json
    served = {
        f"{method.upper()} {path.removeprefix(API)}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    }
    assert set(served) == set(OPERATIONS)
    for operation, documented in served.items():
        nobody = {answers[0] for answers in CLASSES[OPERATIONS[operation]].values()}
        needed = documented.get("security")
        assert (needed is None) is (OPERATIONS[operation] in PUBLIC), operation
        assert (needed == [{"bearer": []}]) is (nobody == {401}), operation
        for answers in CLASSES[OPERATIONS[operation]].values():
            assert {str(status) for status in answers if status != YES} <= set(documented["responses"])


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_is_for_whom_it_should_be(world: World, operation: str) -> None:
    answers = CLASSES[OPERATIONS[operation]]
    nobody = replace(world.ann, headers={})
    ids = world.ids(operation.split()[1])
    assert set(ids) == set(answers)
    found: dict[tuple[str, str], TestResponse] = {}
    for who, guest in (("nobody", nobody), ("stranger", world.mallory), ("owner", world.ann)):
        for thing, value in ids.items():
            found[who, thing] = world.ask(guest, operation, thing, value)
    for place, who in enumerate(("nobody", "stranger", "owner")):
        for thing in ids:
            answer, expected = found[who, thing], answers[thing][place]
            if expected == YES:
                assert answer.status_code < 300, (who, thing, answer.text)
            else:
                assert answer.status_code == expected, (who, thing, answer.text)
            if expected == 404 and who != "owner" and (OPERATIONS[operation], thing) not in KNOWN_THINGS:
                # A thing that a player may not know of looks as if it were not there.
                assert _without_id(answer) == _without_id(found[who, "unknown"]), (who, thing)
    world.tidy()


@pytest.mark.parametrize("operation", [name for name, kind in OPERATIONS.items() if kind not in PUBLIC])
def test_a_token_that_does_not_work_is_worse_than_none(world: World, operation: str) -> None:
    for thing, value in world.ids(operation.split()[1]).items():
        for code, guest in world.bad.items():
            answer = world.ask(guest, operation, thing, value)
            assert (answer.status_code, answer.json["code"]) == (401, code), thing
            assert answer.headers["WWW-Authenticate"] == "Bearer"
    world.tidy()


@pytest.mark.parametrize(
    "operation",
    [
        name
        for name, kind in OPERATIONS.items()
        if not kind.startswith(("moderating", "directing", "leaving"))
    ],
)
def test_a_moderator_may_do_no_more_than_another_player(world: World, operation: str) -> None:
    """Elsewhere than in moderation and tournaments, a moderator is a stranger like any other."""
    answers = CLASSES[OPERATIONS[operation]]
    for thing, value in world.ids(operation.split()[1]).items():
        answer, expected = world.ask(world.mia, operation, thing, value), answers[thing][1]
        assert (answer.status_code < 300) == (expected == YES), (thing, answer.text)
        assert expected == YES or answer.status_code == expected, (thing, answer.text)
    world.tidy()


def test_a_suspended_player_may_do_all_but_begin_and_trade(world: World) -> None:
    """Whatever is read, and what ends or gives back, stays open; so nothing stays set aside."""
    reads = [name for name, kind in OPERATIONS.items() if kind == "mine" and name.startswith("GET ")]
    before = {name: world.ask(world.mallory, name, "", "").status_code for name in reads}
    sanction = {"reason": "x", "hours": None}
    moderation.impose(world.house, None, "mallory", SUSPENDED, **sanction)
    assert {name: world.ask(world.mallory, name, "", "").status_code for name in reads} == before
    refused = {}
    for operation in ("POST /tables", "POST /tournaments", "POST /offers", "POST /decks", "PUT /wishes"):
        answer = world.ask(world.mallory, operation, "", "")
        if answer.status_code >= 300:
            refused[operation] = (answer.status_code, answer.json["code"])
    # About ann: the tests before this one may have reported bob, once for all.
    assert world.mallory.post("/reports", BODIES["POST /reports"] | {"about": "ann"}).status_code == 201
    join, accept = "POST /tables/{table_id}/join", "POST /offers/{offer_id}/accept"
    enter, cup = "PUT /tournaments/{tournament_id}/entry", world.tournament(False)
    things = {enter: cup}
    things |= {each: world.ids(each.split()[1])["public"] for each in (join, accept)}
    for operation, value in things.items():
        answer = world.ask(world.mallory, operation, "public", value)
        refused[operation] = (answer.status_code, answer.json["code"])
    moderation.lift(world.house, None, "mallory", SUSPENDED)
    begun = ("POST /tables", "POST /tournaments", "POST /offers", join, accept, enter)
    assert refused == dict.fromkeys(begun, (403, "suspended"))
    world.tidy()


def test_who_sits_elsewhere_speaks_for_nobody_else(world: World) -> None:
    for name, match in world.games.items():
        sent = world.bob.post(f"/games/{match.id}/entries", world.messages[name])
        assert (sent.status_code, sent.json["code"]) == (403, "not_your_seat"), name
        given = world.bob.post(f"/games/{match.id}/certificate", {"seat": 0, "seed": b64(bytes(32))})
        assert (given.status_code, given.json["code"]) == (403, "not_your_seat"), name
        faces = world.bob.get(f"/games/{match.id}/faces").json["faces"]
        assert all(statement["seat"] == 1 for statement in faces)


def test_what_is_mine_is_nobody_elses(world: World) -> None:
    assert world.ann.get("/decks").json["items"] != world.mallory.get("/decks").json["items"]
    assert all("mallory" in game["names"] for game in world.mallory.get("/games").json["items"])
    assert {game["id"] for game in world.ann.get("/games").json["items"]} == {
        match.id for match in world.games.values()
    }
    tokens = {
        guest.handle: {t["id"] for t in guest.get("/tokens").json["items"]}
        for guest in (world.ann, world.mallory)
    }
    assert not tokens["ann"] & tokens["mallory"]
    assert world.mallory.get("/me").json["handle"] == "mallory"
