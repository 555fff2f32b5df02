"""The house answers everything as its OpenAPI document says, and never with a fault of its own.

The requests come from the document itself: for every operation some that fit it and some that do not, by a
player in the midst of games and by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation.modes import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from crypto.identity import new_private_key
from service.app import create_app
from service.config import Settings
from service.operations import moderation, roles, tournaments
from service.operations.sanctions import SUSPENDED
from service.runtime import Runtime
from service.stopping import stopping
from tests.service.match_kit import Match, deck_id, sit_down
from tests.service.service_kit import PASSWORD, Guest, give_coins, house_in, registration
from tests.service.trade_kit import enrich

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
NOW = 1_790_000_000_000
HOOK = {"url": "https://example.org/hook", "events": ["*"]}
LEAVING = ("DELETE /api/v1/tokens", "POST /api/v1/me/deletion")
"""The operations after which the caller is not signed in any more."""
QUICK = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # to make a failing request smaller takes a minute
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True)
class World:
    """A house with players in the midst of things."""

    schema: Any
    ann: Guest
    others: Sequence[Guest]
    """Another player, a suspended one and a moderator."""
    leaver: Guest
    """The player for operations that end the caller's own sign-in."""
    known: dict[str, list[str]]
    """Values for the variables of paths."""

    def askers(self, label: str) -> list[Guest | None]:
        """Who asks: mostly the player in the midst of things, and often somebody else, or nobody.

        Nobody but the leaver ends their own sign-in.
        """
        if label in LEAVING:
            return [self.leaver, self.leaver, self.leaver, None]
        return [self.ann, self.ann, self.ann, None, *self.others]


def _schema(app: Any) -> Any:
    return schemathesis.openapi.from_wsgi("/api/openapi.json", app)


def _operations(schema: Any) -> dict[str, Any]:
    return {operation.label: operation for operation in (found.ok() for found in schema.get_all_operations())}


LABELS = sorted(_operations(_schema(create_app(Settings(database="sqlite:////nowhere/house.sqlite3")))))


def _guest(app: Any, handle: str) -> Guest:
    guest = Guest(app.test_client(), handle, new_private_key())
    assert guest.post("/players", registration(guest, handle, guest.private)).status_code == 201
    token = guest.post("/tokens", {"handle": handle, "password": PASSWORD}).json["token"]
    guest.headers = {"Authorization": f"Bearer {token}"}
    return guest


def _void(house: Runtime, clock: list[int], guests: list[Guest]) -> Match:
    """A game that nobody enters, so that it is void."""
    over = sit_down(house, clock, guests, "hearts", seed=2)
    while not over.fold.over:
        over.lapse()
    return over


@pytest.fixture(scope="module")
def world(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One house for all operations."""
    clock = [NOW]
    house = house_in(tmp_path_factory.mktemp("schema"), migrated_file, clock)
    app = create_app(house=house)
    ann, bob, carol = (_guest(app, name) for name in ("ann", "bob", "carol"))
    over = _void(house, clock, [ann, bob, carol])
    running = sit_down(house, clock, [ann, bob])
    running.until("seal")
    hearts = sit_down(house, clock, [ann, bob, carol], "hearts", seed=1)
    hearts.until("move")
    theirs = sit_down(house, clock, [bob, carol, _guest(app, "dora")], "hearts", seed=3)
    give_coins(house, ann.get("/me").json["id"], 100_000)
    tables = [ann.post("/tables", {"mode": "hearts", "seats": 4}).json["id"] for _ in range(2)]
    more = {"visibility": "public", "tags": ["quick"]}
    shown = bob.post("/decks", {"name": "Shown", "cards": {"tomato": 2, "paella": 1}, **more}).json["id"]
    for guest in (ann, bob):
        guest.id = guest.get("/me").json["id"]
        enrich(house, guest, coins=50, tuna=9)
    terms = {"gives": {"cards": {"tuna": 1}}, "wants": {"coins": 2}}
    offers = [guest.post("/offers", terms).json["id"] for guest in (ann, bob, bob, bob)]
    private = bob.post("/tables", {"mode": "hearts", "seats": 4, "private": True}).json
    asked = [(ann, "bob"), (bob, "ann"), (carol, "bob")]
    challenges = [guest.post("/challenges", {"to": to, "mode": "big-c"}).json["id"] for guest, to in asked]
    reports = [guest.post("/reports", {"about": to, "kind": "other"}).json["id"] for guest, to in asked]
    cups = _tournaments(house, [ann, bob, carol])
    others = [_guest(app, name) for name in ("otto", "sue", "mia", "vic")][:-1]
    roles.give(house, None, "mia", roles.MODERATOR)
    moderation.impose(house, None, "sue", SUSPENDED, reason="x", hours=None)
    yield World(
        _schema(app),
        ann,
        others,
        _guest(app, "lea"),
        {
            "offer_id": offers,
            "challenge_id": challenges,
            "report_id": reports,
            "tournament_id": cups,
            "board": ["1", "2"],
            "mode": ["hearts", "big-c"],
            "key": ["1001-1", "2"],
            "game_id": [running.id, hearts.id, over.id, theirs.id],
            "table_id": [*tables, private["id"]],
            "deck_id": [deck_id(ann), deck_id(bob), shown],
            "other_id": [deck_id(ann), deck_id(bob), shown],
            "copy_id": [guest.get("/collection/copies").json["items"][0]["id"] for guest in (ann, bob)],
            "booster_id": [ann.post("/boosters", {"set": "PB"}).json["id"] for _ in range(3)],
            "webhook_id": [guest.post("/webhooks", HOOK).json["id"] for guest in (ann, ann, bob)],
            "token_id": [item["id"] for item in bob.get("/tokens").json["items"]],
            "token": ["0" * 64],
            "statement_id": [str(uuid4())],
            "handle": ["ann", "BOB"],
            "name": ["tomato", "1001", "PB-1.1.0.json"],
            "version": ["1.1.0", "1.0.0"],
            "code": ["PB", str(private["invitation"])],
            "number": ["1", "2"],
        },
    )
    house.close()


def _tournaments(house: Runtime, guests: list[Guest]) -> list[str]:
    """One that runs between the last two guests, and two that are open; directed by the first two."""
    terms = {"name": "Cup", "system": "swiss", "mode": "big-c"}
    cups: list[str] = [guest.post("/tournaments", terms).json["id"] for guest in (guests[0], *guests[:2])]
    for cup, players in zip(cups, (guests[1:], guests[:2], guests[1:]), strict=True):
        for guest in players:
            assert guest.put(f"/tournaments/{cup}/entry", {}).status_code == 200
    assert guests[0].post(f"/tournaments/{cups[0]}/start", {}).status_code == 200
    tournaments.advance(house, cups[0])
    return cups


def _look(world: World, label: str, how: settings) -> None:
    operation = _operations(world.schema)[label]
    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))
    documented = set(operation.definition.raw["responses"])
    streams = "text/event-stream" in str(operation.definition.raw["responses"].get("200"))

    @how
    @given(case=cases, data=st.data())
    def look(case: Any, data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if data.draw(st.integers(0, 3)):
                case.path_parameters[name] = data.draw(st.sampled_from(world.known[name]))
        if _number((case.query or {}).get("wait")):
            case.query["wait"] = 0.01  # nobody waits here
        if "If-Match" in (case.headers or {}) and data.draw(st.integers(0, 3)):
            case.headers["If-Match"] = "*"  # else hardly a change would come to pass
        asker = data.draw(st.sampled_from(world.askers(label)))
        if asker is world.others[-1] and "/moderation/players" in label:
            case.path_parameters["handle"] = "vic"  # nobody else's tests suffer from what a moderator does
        # An answer without a network is not decompressed.
        headers = {"Accept-Encoding": "identity", **({} if asker is None else asker.headers)}
        if streams:
            stopping.set()  # a house that closes ends its streams
        try:
            response = case.call(headers=dict(headers))
        finally:
            stopping.clear()
        case.validate_response(response, checks=CHECKS)
        assert str(response.status_code) in documented, (response.status_code, response.text)

    look()


def _number(value: Any) -> bool:
    try:
        return float(value) > 0
    except (TypeError, ValueError):
        return False


@pytest.mark.slow
@pytest.mark.parametrize("label", LABELS)
def test_the_house_does_what_its_document_says(world: World, label: str) -> None:
    _look(world, label, QUICK)


@pytest.mark.long
@pytest.mark.parametrize("label", LABELS)
def test_the_house_does_what_its_document_says_at_length(world: World, label: str) -> None:
    _look(world, label, settings(QUICK, max_examples=300, derandomize=False))
