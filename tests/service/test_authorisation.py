"""Every operation of the OpenAPI document is tried by everybody who may not, and by those who may.

The expected answers stand here as data, by class of operation. An operation without a class fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
from service.app import create_app
from service.models import Token
from service.operations import moderation, roles, tournaments
from service.operations.sanctions import SUSPENDED
from service.runtime import Runtime
from service.stopping import stopping
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import API, PASSWORD, Guest, answered, give_coins, house_in, registration
from tests.service.trade_kit import enrich

YES = 200
"""Any answer that is no refusal."""

Answers = Mapping[str, tuple[int, int, int]]
"""The answers for each thing to nobody, to a stranger, and to the owner or a player who sits there."""

CLASSES: dict[str, Answers] = {
    "open": {"": (YES, YES, YES)},
    "open, more if signed in": {"": (YES, YES, YES)},
    "mine": {"": (401, YES, YES)},
    "leaving": {"": (401, 403, 403)},  # with a wrong password: they are still needed
    "opening": {"theirs": (401, 404, 409), "unknown": (401, 404, 404)},  # by another commitment
    "owned": {"theirs": (401, 404, YES), "unknown": (401, 404, 404)},
    "own deck": {
        "private": (401, 404, YES),
        "unlisted": (401, 404, YES),
        "public": (401, 404, YES),
        "unknown": (401, 404, 404),
    },
    "shown deck": {
        "private": (404, 404, YES),
        "unlisted": (YES, YES, YES),
        "public": (YES, YES, YES),
        "unknown": (404, 404, 404),
    },
    "shown deck, for players": {
        "private": (401, 404, YES),
        "unlisted": (401, YES, YES),
        "public": (401, YES, YES),
        "unknown": (401, 404, 404),
    },
    "invited": {"private": (401, YES, YES), "unknown": (401, 404, 404)},
    "table": {"public": (401, YES, YES), "private": (401, 404, YES), "unknown": (401, 404, 404)},
    "sitting down": {"public": (401, YES, 409), "private": (401, 404, 409), "unknown": (401, 404, 404)},
    "getting up": {"public": (401, 409, 409), "private": (401, 404, 409), "unknown": (401, 404, 404)},
    "cancelling": {"public": (401, 403, YES), "private": (401, 404, YES), "unknown": (401, 404, 404)},
    "watching": {
        "closed": (401, 403, YES),
        "private": (404, 404, YES),
        "watched": (YES, YES, YES),
        "over": (YES, YES, YES),
        "unknown": (404, 404, 404),
    },
    "a word": {  # this house has no contract of prizes
        "closed": (401, 403, 409),
        "private": (404, 404, 409),
        "watched": (409, 409, 409),
        "over": (409, 409, 409),
        "unknown": (404, 404, 404),
    },
    "a picture": {  # the games here show nothing in pictures
        "closed": (401, 403, 404),
        "private": (404, 404, 404),
        "watched": (404, 404, 404),
        "over": (404, 404, 404),
        "unknown": (404, 404, 404),
    },
    "own cards": {
        "closed": (401, 403, YES),
        "private": (401, 404, YES),
        "watched": (401, YES, YES),
        "over": (401, YES, YES),
        "unknown": (401, 404, 404),
    },
    "seat": {
        "closed": (401, 403, YES),
        "private": (401, 404, YES),
        "watched": (401, 403, YES),
        "over": (401, 403, 409),
        "unknown": (401, 404, 404),
    },
    "certificate": {  # the game here is one in which nobody has a certificate
        "closed": (401, 403, 409),
        "private": (401, 404, 409),
        "watched": (401, 403, 409),
        "over": (401, 403, 409),
        "unknown": (401, 404, 404),
    },
    "an offer": {"public": (401, YES, YES), "private": (401, 404, YES), "unknown": (401, 404, 404)},
    "taking an offer": {"public": (401, 409, 409), "private": (401, 404, 409), "unknown": (401, 404, 404)},
    "declining an offer": {"public": (401, 409, 409), "private": (401, 404, 409), "unknown": (401, 404, 404)},
    "withdrawing an offer": {
        "public": (401, 409, YES),
        "private": (401, 404, YES),
        "unknown": (401, 404, 404),
    },
    "a challenge": {"theirs": (401, 404, YES), "unknown": (401, 404, 404)},
    "a tournament": {"theirs": (YES, YES, YES), "unknown": (404, 404, 404)},
    "a tournament, more if signed in": {"theirs": (YES, YES, YES), "unknown": (404, 404, 404)},
    "a tournament for players": {"theirs": (401, YES, YES), "unknown": (401, 404, 404)},
    "an entry": {"theirs": (401, 404, YES), "unknown": (401, 404, 404)},
    "directing": {"theirs": (401, 403, YES), "unknown": (401, 404, 404)},
    "taking a challenge": {"theirs": (401, 404, 409), "unknown": (401, 404, 404)},
    "rematch": {
        "closed": (401, 403, 409),
        "private": (401, 404, 409),
        "watched": (401, 403, 409),
        "over": (401, 403, YES),
        "unknown": (401, 404, 404),
    },
    "rating": {
        "closed": (401, 403, 409),
        "private": (404, 404, 409),
        "watched": (409, 409, 409),
        "over": (YES, YES, YES),
        "unknown": (404, 404, 404),
    },
    "reward": {
        "closed": (401, 404, 409),
        "private": (401, 404, 409),
        "watched": (401, 404, 409),
        "over": (401, 404, YES),
        "unknown": (401, 404, 404),
    },
    "moderating": {"": (401, 403, 403)},  # test_moderation.py has what those with a role may
    "speaking": {
        "closed": (401, 403, YES),
        "private": (401, 404, YES),
        "watched": (401, 403, YES),
        "over": (401, 403, YES),
        "unknown": (401, 404, 404),
    },
    "moderating a report": {"theirs": (401, 403, 403), "unknown": (401, 403, 403)},
    "moderating a deck": dict.fromkeys(("private", "unlisted", "public", "unknown"), (401, 403, 403)),
    "moderating a table": dict.fromkeys(("public", "private", "unknown"), (401, 403, 403)),
    "looking for a rematch": {
        "closed": (401, 403, 404),
        "private": (401, 404, 404),
        "watched": (401, 403, 404),
        "over": (401, 403, 404),
        "unknown": (401, 404, 404),
    },
}

PUBLIC = ("open", "a tournament")
"""The classes for which nobody needs to sign in, and a token says nothing."""
OPERATIONS = {
    "GET /house": "open",
    "GET /limits": "open",
    "GET /modes": "open",
    "GET /sets": "open",
    "GET /sets/{code}": "open",
    "GET /sets/{code}/versions": "open",
    "GET /sets/{code}/versions/{version}": "open",
    "GET /sets/{code}/versions/{version}/changes": "open",
    "GET /sets/{code}/versions/{version}/cards": "open",
    "GET /sets/{code}/versions/{version}/cards/{name}": "open",
    "GET /migrations": "open",
    "GET /bulk": "open",
    "GET /bulk/{name}": "open",
    "GET /cards": "open, more if signed in",
    "GET /cards/{name}": "open",
    "GET /cards/{code}/{number}/picture.svg": "open",
    "GET /cards/{code}/{number}/picture": "open",
    "GET /dishes/{key}/picture.svg": "open",
    "GET /dishes/{key}/picture": "open",
    "GET /cards/{code}/{number}/metadata.json": "open",
    "GET /starters": "open",
    "GET /formats": "open",
    "GET /formats/{name}": "open",
    "GET /decks/public": "open, more if signed in",
    "GET /live": "open",
    "GET /players/{handle}": "open",
    "GET /players/{handle}/ratings": "open",
    "GET /players/{handle}/dishes": "open",
    "GET /players/{handle}/ratings/{mode}": "open",
    "GET /players/{handle}/ratings/{mode}/decks": "open, more if signed in",
    "GET /players/{handle}/ratings/{mode}/chart.svg": "open",
    "GET /seasons": "open",
    "GET /leaderboards/{mode}": "open",
    "POST /players": "open",
    "POST /tokens": "open",
    "POST /tokens/challenge": "open",
    "POST /tokens/by-key": "open",
    "GET /me": "mine",
    "GET /me/blocks": "mine",
    "PUT /me/blocks/{handle}": "mine",
    "DELETE /me/blocks/{handle}": "mine",
    "GET /me/box": "mine",
    "PUT /me/box": "mine",
    "PUT /me/password": "mine",
    "PATCH /me": "mine",
    "POST /me/export": "mine",
    "POST /me/deletion": "leaving",
    "GET /tokens": "mine",
    "DELETE /tokens": "mine",
    "GET /collection": "mine",
    "GET /collection/copies": "mine",
    "POST /collection/basics": "mine",
    "GET /collection/copies/{copy_id}": "owned",
    "GET /collection/copies/{copy_id}/provenance": "owned",
    "GET /collection/copies/{copy_id}/metadata.json": "owned",
    "GET /rewards": "open",
    "GET /wallet": "mine",
    "GET /boosters/odds": "open",
    "GET /boosters": "mine",
    "POST /boosters": "mine",
    "POST /boosters/commitment": "mine",
    "GET /boosters/record": "mine",
    "POST /boosters/{booster_id}/ask": "opening",
    "POST /boosters/{booster_id}/open": "opening",
    "GET /decks": "mine",
    "GET /decks/favourites": "mine",
    "POST /decks": "mine",
    "POST /decks/validate": "mine",
    "POST /decks/convert": "mine",
    "POST /decks/missing": "mine",
    "POST /decks/statistics": "mine",
    "POST /decks/statistics.svg": "mine",
    "POST /decks/hands": "mine",
    "POST /decks/suggestions": "mine",
    "GET /tables": "mine",
    "POST /tables": "mine",
    "GET /games": "mine",
    "GET /events": "mine",
    "GET /feed": "mine",
    "DELETE /tokens/{token_id}": "owned",
    "GET /decks/{deck_id}": "shown deck",
    "PUT /decks/{deck_id}": "own deck",
    "PATCH /decks/{deck_id}": "own deck",
    "DELETE /decks/{deck_id}": "own deck",
    "POST /decks/{deck_id}/copy": "shown deck, for players",
    "PUT /decks/{deck_id}/favourite": "shown deck, for players",
    "DELETE /decks/{deck_id}/favourite": "shown deck, for players",
    "GET /decks/{deck_id}/revisions": "shown deck",
    "GET /decks/{deck_id}/revisions/{number}": "shown deck",
    "POST /decks/{deck_id}/revisions/{number}/restore": "own deck",
    "GET /decks/{deck_id}/differences": "shown deck",
    "GET /decks/{deck_id}/compare/{other_id}": "shown deck",
    "GET /decks/{deck_id}/validation": "shown deck, for players",
    "GET /decks/{deck_id}/missing": "shown deck, for players",
    "GET /decks/{deck_id}/export": "shown deck",
    "GET /decks/{deck_id}/statistics": "shown deck, for players",
    "GET /decks/{deck_id}/statistics.svg": "shown deck, for players",
    "GET /decks/{deck_id}/hands": "shown deck, for players",
    "GET /decks/{deck_id}/suggestions": "shown deck, for players",
    "GET /webhooks": "mine",
    "POST /webhooks": "mine",
    "GET /webhooks/{webhook_id}": "owned",
    "DELETE /webhooks/{webhook_id}": "owned",
    "POST /webhooks/{webhook_id}/rotate": "owned",
    "POST /webhooks/{webhook_id}/enable": "owned",
    "POST /webhooks/{webhook_id}/ping": "owned",
    "GET /webhooks/{webhook_id}/deliveries": "owned",
    "GET /invitations/{code}": "invited",
    "GET /tables/{table_id}": "table",
    "POST /tables/{table_id}/join": "sitting down",
    "POST /tables/{table_id}/leave": "getting up",
    "DELETE /tables/{table_id}": "cancelling",
    "GET /me/opponents/{mode}": "mine",
    "GET /challenges": "mine",
    "POST /challenges": "mine",
    "GET /challenges/{challenge_id}": "a challenge",
    "POST /challenges/{challenge_id}/accept": "taking a challenge",
    "POST /challenges/{challenge_id}/decline": "taking a challenge",
    "POST /challenges/{challenge_id}/withdraw": "a challenge",
    "POST /queue": "mine",
    "GET /queue": "mine",
    "DELETE /queue": "mine",
    "GET /tournaments": "open",
    "GET /me/tournaments": "mine",
    "POST /tournaments": "mine",
    "GET /tournaments/{tournament_id}": "a tournament",
    "GET /tournaments/{tournament_id}/standings": "a tournament",
    "GET /tournaments/{tournament_id}/rounds/{number}": "a tournament",
    "GET /tournaments/{tournament_id}/entries/{handle}": "a tournament, more if signed in",
    "GET /tournaments/{tournament_id}/entry": "an entry",
    "PUT /tournaments/{tournament_id}/entry": "a tournament for players",
    "DELETE /tournaments/{tournament_id}/entry": "a tournament for players",
    "POST /tournaments/{tournament_id}/start": "directing",
    "POST /tournaments/{tournament_id}/cancel": "directing",
    "PUT /tournaments/{tournament_id}/rounds/{number}/matches/{board}": "directing",
    "POST /tournaments/{tournament_id}/entries/{handle}/drop": "directing",
    "POST /tournaments/{tournament_id}/entries/{handle}/restore": "directing",
    "GET /offers": "mine",
    "POST /offers": "mine",
    "GET /wishes": "mine",
    "PUT /wishes": "mine",
    "GET /wishes/cost": "mine",
    "POST /market/cost": "mine",
    "GET /prices": "open",
    "GET /prices/{name}": "open",
    "GET /prices/{name}/chart.svg": "open",
    "GET /offers/{offer_id}": "an offer",
    "POST /offers/{offer_id}/accept": "taking an offer",
    "POST /offers/{offer_id}/decline": "declining an offer",
    "POST /offers/{offer_id}/withdraw": "withdrawing an offer",
    "GET /games/{game_id}": "watching",
    "GET /games/{game_id}/entries": "watching",
    "GET /games/{game_id}/rounds": "watching",
    "GET /games/{game_id}/record": "watching",
    "GET /games/{game_id}/word": "a word",
    "GET /chain": "open",
    "GET /games/{game_id}/events": "watching",
    "GET /games/{game_id}/pictures": "watching",
    "GET /games/{game_id}/pictures/{name}.svg": "a picture",
    "GET /games/{game_id}/faces": "own cards",
    "POST /games/{game_id}/entries": "seat",
    "POST /games/{game_id}/certificate": "certificate",
    "POST /games/{game_id}/rematch": "rematch",
    "GET /games/{game_id}/rematch": "looking for a rematch",
    "GET /games/{game_id}/reward": "reward",
    "GET /games/{game_id}/rating": "rating",
    "POST /reports": "mine",
    "GET /me/phrases": "mine",
    "PUT /me/phrases": "mine",
    "POST /games/{game_id}/phrases": "speaking",
    "GET /reports": "mine",
    "GET /reports/{report_id}": "owned",
    "GET /moderation/reports": "moderating",
    "GET /moderation/reports/{report_id}": "moderating a report",
    "POST /moderation/reports/{report_id}/take": "moderating a report",
    "POST /moderation/reports/{report_id}/release": "moderating a report",
    "POST /moderation/reports/{report_id}/close": "moderating a report",
    "GET /me/standing": "mine",
    "GET /moderation/roles": "moderating",
    "GET /moderation/acts": "moderating",
    "GET /moderation/players/{handle}": "moderating",
    "GET /moderation/players/{handle}/signals": "moderating",
    "PUT /moderation/players/{handle}/suspension": "moderating",
    "DELETE /moderation/players/{handle}/suspension": "moderating",
    "PUT /moderation/players/{handle}/freeze": "moderating",
    "DELETE /moderation/players/{handle}/freeze": "moderating",
    "POST /moderation/players/{handle}/revoke-tokens": "moderating",
    "POST /moderation/players/{handle}/rename": "moderating",
    "PUT /moderation/players/{handle}/role": "moderating",
    "DELETE /moderation/players/{handle}/role": "moderating",
    "PUT /moderation/decks/{deck_id}/hidden": "moderating a deck",
    "PUT /moderation/decks/{deck_id}/shown": "moderating a deck",
    "PUT /moderation/tables/{table_id}/hidden": "moderating a table",
    "PUT /moderation/tables/{table_id}/shown": "moderating a table",
}

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
        if "{offer_id}" in path:
            terms = BODIES["POST /offers"]
            return {
                "public": self.ann.post("/offers", terms).json["id"],
                "private": self.ann.post("/offers", {**terms, "to": "bob"}).json["id"],
                "unknown": unknown,
            }
        if "{challenge_id}" in path:
            for challenge in self.ann.get("/challenges").json["items"]:
                self.ann.post(f"/challenges/{challenge['id']}/withdraw", {})
            made = self.ann.post("/challenges", {"to": "bob", "mode": "big-c"}).json["id"]
            return {"theirs": made, "unknown": unknown}
        if "{tournament_id}" in path:
            return {"theirs": self.tournament("/rounds/" in path), "unknown": unknown}
        body = {"mode": "hearts", "seats": 4}
        private = self.ann.post("/tables", {**body, "private": True}).json
        if "/invitations/" in path:
            return {"private": private["invitation"], "unknown": private["invitation"][::-1]}
        if "{table_id}" in path:
            return {
                "public": self.ann.post("/tables", body).json["id"],
                "private": private["id"],
                "unknown": unknown,
            }
        for guest in (self.ann, self.mallory):
            for challenge in guest.get("/challenges").json["items"]:
                guest.post(f"/challenges/{challenge['id']}/withdraw", {})
            if path == "/queue":
                guest.post("/queue", {"mode": "big-c"})
        self.tidy()
        return {"": ""}

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
    app = create_app(house=house)
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
