"""The published bounds: what is within them is admitted, and what is beyond is refused as published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from crypto.identity import new_private_key
from service.config import Settings
from service.operations import watching
from service.runtime import Runtime
from tests.service.service_kit import API, Guest, app_of, registration
from tests.service.trade_kit import enrich

SMALL = {
    "decks_per_player": 4,
    "favourites_per_player": 2,
    "body_limit": 4096,
    "query_length": 60,
    "query_terms": 4,
    "query_depth": 3,
}
Try = Callable[[Guest, int], TestResponse]


@pytest.fixture
def kind() -> str:
    """No word of SQL is spoken here."""
    return "sqlite"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A house that allows less than others."""
    return replace(settings, **SMALL)


def bounds(client: FlaskClient) -> dict[str, Any]:
    return {bound["name"]: bound for bound in client.get(f"{API}/limits").json["bounds"]}


def _body(guest: Guest, n: int) -> TestResponse:
    data = b'{"cards": {"salt": 1}}'
    headers = {**guest.headers, "Content-Type": "application/json"}
    return guest.client.post(f"{API}/decks/validate", data=data.ljust(n), headers=headers)


def _key(guest: Guest, n: int) -> TestResponse:
    headers = {**guest.headers, "Idempotency-Key": "k" * n}
    return guest.client.post(f"{API}/collection/basics", json={"cards": {"salt": 1}}, headers=headers)


def _faults(guest: Guest, cards: dict[str, int]) -> TestResponse:
    """A legal deck list is an answer, an illegal one a document with its faults: as if it were refused."""
    answer = guest.post("/decks/validate", {"cards": cards})
    assert answer.status_code == 200
    found = [fault["code"] for fault in answer.json["faults"]]
    answer.status_code = 200 if not {"deck_size", "too_many_copies"} & {*found} else 422
    return answer


def _deck(guest: Guest, n: int) -> TestResponse:
    """Make a deck of three copies each, and the rest of one more card."""
    slugs = [card["slug"] for card in guest.get("/cards?limit=30").json["items"]]
    return _faults(guest, {slug: min(3, n - 3 * i) for i, slug in enumerate(slugs) if n > 3 * i})


def _copies(guest: Guest, n: int) -> TestResponse:
    slugs = [card["slug"] for card in guest.get("/cards?limit=40&q=-is:basic").json["items"]]
    return _faults(guest, {"salt": n, **dict.fromkeys(slugs[: 40 - n], 1)})


def _fill(make: Callable[[Guest], TestResponse], path: str) -> Try:
    def attempt(guest: Guest, n: int) -> TestResponse:
        while len(guest.get(path).json["items"]) < n - 1:
            assert make(guest).status_code == 201
        return make(guest)

    return attempt


def _labelled(guest: Guest, **more: Any) -> TestResponse:
    return guest.post("/decks", {"name": "X", "cards": {}, **more})


def _favourites(guest: Guest, n: int) -> TestResponse:
    """Return the first of n decks that can't become a favourite, or else the last."""
    while len(guest.get("/decks").json["items"]) < n:
        assert _labelled(guest).status_code == 201
    for deck in guest.get("/decks").json["items"]:
        answer = guest.request("PUT", f"/decks/{deck['id']}/favourite")
        if answer.status_code != 204:
            break
    return answer


TRIES: dict[str, Try] = {
    "body": _body,
    "handle": lambda guest, n: guest.post("/players", registration(guest, "h" * n, new_private_key())),
    "password": lambda guest, n: guest.post(
        "/players", {**registration(guest, "newcomer", new_private_key()), "password": "p" * n}
    ),
    "page": lambda guest, n: guest.get(f"/cards?limit={n}"),
    "idempotency_key": _key,
    "wait": lambda guest, n: guest.get(f"/feed?after=-1&wait={n}"),
    "polled_events": lambda guest, n: guest.get(f"/feed?limit={n}"),
    "decks": _fill(lambda guest: guest.post("/decks", {"name": "X", "cards": {"salt": 1}}), "/decks"),
    "favourites": _favourites,
    "tags": lambda guest, n: _labelled(guest, tags=[f"t{i}" for i in range(n)]),
    "tag": lambda guest, n: _labelled(guest, tags=["t" * n]),
    "note": lambda guest, n: _labelled(guest, note="n" * n),
    "deck": _deck,
    "copies": _copies,
    "listed_copies": lambda guest, n: guest.post("/decks/convert", {"cards": {"salt": n}}),
    "minted": lambda guest, n: guest.post("/collection/basics", {"cards": {"salt": n - 30, "rice": 30}}),
    "offered": lambda guest, n: guest.post(
        "/offers", {"gives": {"cards": {"tuna": 1}}, "wants": {"cards": {"tuna": n}}}
    ),
    "price": lambda guest, n: guest.post("/offers", {"gives": {"cards": {"tuna": 1}}, "wants": {"coins": n}}),
    "offer": lambda guest, n: guest.post(
        "/offers", {"gives": {"cards": {"tuna": 1}}, "wants": {"coins": 1}, "hours": n}
    ),
    "open_tables": _fill(
        lambda guest: guest.post("/tables", {"mode": "hearts", "seats": 4}), "/tables?mine=true"
    ),
    "webhooks": _fill(
        lambda guest: guest.post("/webhooks", {"url": "https://example.org/", "events": ["*"]}), "/webhooks"
    ),
    "url": lambda guest, n: guest.post(
        "/webhooks", {"url": f"https://example.org/{'a' * (n - 20)}", "events": ["*"]}
    ),
    "query": lambda guest, n: guest.get(f"/cards?q=name:{'a' * (n - 5)}"),
    "query_terms": lambda guest, n: guest.get(f"/cards?q={'+'.join(['salt'] * n)}"),
    "query_depth": lambda guest, n: guest.get(f"/cards?q={'(' * n}a or b{')' * n}"),
    "rounds": lambda guest, n: guest.post(
        f"/decks/statistics?rounds={n}", {"cards": {"salt": 1, "tuna-sandwich": 1, "tuna": 1}}
    ),
}


@pytest.mark.parametrize("name", sorted(TRIES))
def test_what_is_published_is_what_holds(client: FlaskClient, house: Runtime, ann: Guest, name: str) -> None:
    bound = bounds(client)[name]
    most = bound["most"]
    enrich(house, ann, tuna=1)
    if name != "wait":  # which would be waited for
        within = TRIES[name](ann, most)
        assert within.status_code in (200, 201, 204), within.json
    beyond = TRIES[name](ann, most + 1)
    assert beyond.status_code in (400, 409, 413, 422), beyond.json
    if "code" in beyond.json:
        told = {beyond.json["code"], *(error["code"] for error in beyond.json.get("errors", []))}
    else:
        told = {fault["code"] for fault in beyond.json["faults"]}
    assert bound["code"] in told


def test_what_is_published_is_what_the_house_was_told(client: FlaskClient, house: Runtime) -> None:
    published = bounds(client)
    for name, setting in (("decks", "decks_per_player"), ("body", "body_limit"), ("query", "query_length")):
        assert published[name]["most"] == SMALL[setting] == getattr(house.settings, setting)
    roomier = app_of(replace(house, settings=replace(house.settings, decks_per_player=9)))
    assert bounds(roomier.test_client())["decks"]["most"] == 9
    assert published["entries"]["most"] == watching.MOST_ENTRIES


def test_every_bound_says_what_it_is(client: FlaskClient) -> None:
    for bound in bounds(client).values():
        assert bound["most"] > 0
        assert bound["text"].endswith(".")
        assert bound["unit"]
