"""Statistics of decks over HTTP: as the cards say them, the same for the same seed, and bounded."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from cards.catalog.deck_rules import MOST_COPIES
from cards.decks.statistics import hands, statistics_of, suggestions
from crypto.identity import new_private_key
from service.models import DeckRevision
from service.runtime import Runtime
from tests.service.service_kit import PASSWORD, Guest, app_of, codes, house_in, registration

SMALL = {"cards": {"bread": 3, "butter": 2, "salt": 2, "toast": 2, "bread-and-butter": 1}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Any:
    opened = house_in(tmp_path_factory.mktemp("house"), migrated_file, [1_790_000_000_000])
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ann(house: Runtime) -> Guest:
    client: FlaskClient = app_of(house).test_client()
    guest = Guest(client, "ann", new_private_key())
    assert guest.post("/players", registration(guest, "ann", guest.private)).status_code == 201
    token = guest.post("/tokens", {"handle": "ann", "password": PASSWORD}).json["token"]
    guest.headers = {"Authorization": f"Bearer {token}"}
    return guest


@pytest.fixture(scope="module")
def starter(ann: Guest) -> str:
    return str(ann.get("/decks").json["items"][0]["id"])


def _deck(house: Runtime, cards: dict[str, int]) -> Any:
    return {house.catalog.by_slug(slug): n for slug, n in cards.items()}


def test_a_deck_and_the_same_cards_have_the_statistics_of_their_cards(
    ann: Guest, house: Runtime, starter: str
) -> None:
    cards = ann.get(f"/decks/{starter}").json["cards"]
    found = ann.get(f"/decks/{starter}/statistics?rounds=4&seed=x")
    assert found.status_code == 200
    assert found.json == statistics_of(_deck(house, cards), 4, "x")
    assert ann.post("/decks/statistics?rounds=4&seed=x", {"cards": cards}).data == found.data
    assert len(ann.get(f"/decks/{starter}/statistics").json["yum"]) == 10
    assert ann.post("/decks/statistics", {"text": "3 Bread\n1 Toast"}).json["size"] == 4


def test_the_picture_is_the_same_each_time_and_says_whose_it_is(ann: Guest, starter: str) -> None:
    answer = ann.get(f"/decks/{starter}/statistics.svg?rounds=6")
    assert (answer.status_code, answer.content_type) == (200, "image/svg+xml")
    assert answer.data == ann.get(f"/decks/{starter}/statistics.svg?rounds=6").data
    root = ElementTree.fromstring(answer.text)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert ann.get(f"/decks/{starter}").json["name"] in texts
    assert "40 cards: 16 recipes, 24 ingredients" in texts
    other = ann.post("/decks/statistics.svg?rounds=6", SMALL)
    assert (other.status_code, other.content_type) == (200, "image/svg+xml")
    assert "10 cards: 3 recipes, 7 ingredients" in other.text


def test_hands_come_again_by_their_seed(ann: Guest, house: Runtime, starter: str) -> None:
    cards = ann.get(f"/decks/{starter}").json["cards"]
    found = ann.get(f"/decks/{starter}/hands?seed=7&count=2&rounds=3").json
    assert found == hands(_deck(house, cards), 3, 2, "7")
    assert found == ann.post("/decks/hands?seed=7&count=2&rounds=3", {"cards": cards}).json
    more = ann.get(f"/decks/{starter}/hands?seed=7&count=5&rounds=3").json
    assert more["hands"][:2] == found["hands"]
    assert ann.get(f"/decks/{starter}/hands?seed=8&count=2&rounds=3").json["hands"] != found["hands"]


def test_only_cards_that_are_owned_are_suggested(ann: Guest, house: Runtime, starter: str) -> None:
    cards = ann.get(f"/decks/{starter}").json["cards"]
    nothing = ann.get(f"/decks/{starter}/suggestions").json
    assert (nothing["candidates"], nothing["items"]) == (0, [])  # all that is owned is in the deck
    assert ann.post("/collection/basics", {"cards": {"butter": 1, "salt": 2, "potato": 2}}).status_code == 201
    found = ann.get(f"/decks/{starter}/suggestions?seed=3").json
    owned = {holding["card"]: holding["owned"] for holding in ann.get("/collection?limit=200").json["items"]}
    assert found["candidates"] == 2  # of potatoes the deck has all that it may
    assert found["items"]
    for item in found["items"]:
        assert owned[item["add"]] > cards.get(item["add"], 0)
        assert cards.get(item["add"], 0) < MOST_COPIES
        assert cards[item["remove"]] >= 1
        assert item["gain"]["mean"] > 0
        assert item["clear"] == (item["gain"]["mean"] > 2 * item["gain"]["error"])
    assert found == {**suggestions(_deck(house, cards), _deck(house, owned), "3"), "beyond": None}
    assert found == ann.post("/decks/suggestions?seed=3", {"cards": cards}).json


@pytest.mark.parametrize(
    ("query", "parameter"),
    [("rounds=0", "rounds"), ("rounds=19", "rounds"), ("seed=", "seed"), ("seed=" + "x" * 61, "seed")],
)
def test_how_far_and_by_what_is_bounded(ann: Guest, starter: str, query: str, parameter: str) -> None:
    answer = ann.get(f"/decks/{starter}/statistics?{query}")
    assert answer.status_code in (400, 422)
    assert [place for _, place in codes(answer)] == [parameter]


def test_a_deck_too_large_is_refused_and_an_empty_one_is_not(ann: Guest) -> None:
    for path in ("statistics", "statistics.svg", "hands", "suggestions"):
        assert ann.post(f"/decks/{path}", {"cards": {}}).status_code == 200
        answer = ann.post(f"/decks/{path}", {"cards": {"bread": 61}})
        assert (answer.status_code, codes(answer)) == (422, [("too_many_cards", "/cards")])


def test_they_are_computed_one_at_a_time(ann: Guest, starter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("service.api.deck_statistics")
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    for path in ("statistics", "statistics.svg", "hands", "suggestions"):
        with module._alone():
            answer = ann.get(f"/decks/{starter}/{path}")
        assert (answer.status_code, answer.json["code"]) == (503, "busy")
        assert int(answer.headers["Retry-After"]) > 0
        assert ann.get(f"/decks/{starter}/{path}").status_code == 200


def test_a_deck_with_a_card_that_the_house_lost_says_which(ann: Guest, house: Runtime) -> None:
    made = ann.post("/decks", {"name": "lost", "cards": {"bread": 1}}).json["id"]
    with house.write() as session:
        session.get_one(DeckRevision, (made, 1)).cards = {"1001": 1, "77001": 2}
    for path in ("statistics", "statistics.svg", "hands", "suggestions"):
        answer = ann.get(f"/decks/{made}/{path}")
        assert (answer.status_code, codes(answer)) == (422, [("unknown_card", "/cards/77001")])
