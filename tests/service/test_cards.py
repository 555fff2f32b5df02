"""The catalogue, the modes and the long lists over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from cards import games
from crypto.encoding import b64
from referee import all_options
from service.runtime import Runtime
from tests.service.service_kit import API, codes

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def _get(client: FlaskClient, path: str) -> Any:
    answer = client.get(API + path)
    assert answer.status_code == 200, answer.json
    return answer.json


def _numbers(client: FlaskClient, path: str) -> list[int]:
    """The numbers of all cards of a list, page by page."""
    seen: list[int] = []
    cursor = ""
    while True:
        shown = _get(client, path + cursor)
        seen += [card["number"] for card in shown["items"]]
        if shown["next"] is None:
            return seen
        cursor = f"&cursor={shown['next']}"


def test_cards_are_paged_and_none_is_lost(client: FlaskClient, house: Runtime) -> None:
    assert _numbers(client, "/cards?limit=17") == list(house.catalog.cards)


def test_a_page_that_ends_with_the_list_has_no_next(client: FlaskClient, house: Runtime) -> None:
    left = len(house.catalog.cards)
    cursor = ""
    while left > 200:
        left -= 200
        cursor = f"&cursor={_get(client, f'/cards?limit=200{cursor}')['next']}"
    assert _get(client, f"/cards?limit={left}{cursor}")["next"] is None
    assert _get(client, f"/cards?limit={left - 1}{cursor}")["next"] is not None


def test_a_card_is_found_by_slug_and_by_number(client: FlaskClient, house: Runtime) -> None:
    card = house.catalog.by_slug("tomato")
    by_slug = _get(client, "/cards/tomato")
    assert by_slug == _get(client, f"/cards/{card.number}")
    assert {name: by_slug[name] for name in card.text()} == card.text()
    assert by_slug["basic"] is True


def test_cards_of_a_set(client: FlaskClient, house: Runtime) -> None:
    first = house.catalog.sets[0]
    listed = _get(client, "/sets")["items"]
    assert [s["code"] for s in listed] == [s.code for s in house.catalog.sets]
    assert _get(client, f"/sets/{first.code}")["cards"] == len(first.printings)
    numbers = _numbers(client, f"/cards?limit=200&set={first.code}")
    assert numbers == [p.card.number for p in first.printings]


def test_starters_are_whole_decks(client: FlaskClient) -> None:
    starters = _get(client, "/starters")["items"]
    assert len(starters) >= 2
    assert all(sum(starter["cards"].values()) == 40 for starter in starters)


def test_modes_say_their_options(client: FlaskClient) -> None:
    modes = {m["name"]: m for m in _get(client, "/modes")["items"]}
    assert set(modes) == set(games.names())
    for name, shown in modes.items():
        facts = games.find(name).facts
        assert (shown["seats"]["min"], shown["seats"]["max"]) == facts.seats
        assert shown["own_decks"] is facts.own_decks
        assert [option["name"] for option in shown["options"]] == [
            o.name for o in all_options(games.find(name))
        ]


@pytest.mark.parametrize(
    "path", ["/cards/no-such-card", "/cards/99999999999", "/cards/0", "/sets/XX", "/cards?set=X"]
)
def test_what_is_not_there_is_a_404(client: FlaskClient, path: str) -> None:
    answer = client.get(API + path)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "cursor", ["x", "%20", "AAAA", b64(b"[]"), b64(b'["a"]'), b64(b"[1,2]"), b64(b"[true]"), b64(b"[1e3]")]
)
def test_a_made_up_cursor_is_refused(client: FlaskClient, cursor: str) -> None:
    answer = client.get(f"{API}/cards?cursor={cursor}")
    assert (answer.status_code, answer.json["code"]) == (400, "bad_cursor")
    assert codes(answer) == [("bad_cursor", "cursor")]


@pytest.mark.parametrize("limit", ["0", "201", "-1", "many", "1.5"])
def test_a_page_has_from_1_to_200_items(client: FlaskClient, limit: str) -> None:
    answer = client.get(f"{API}/cards?limit={limit}")
    assert answer.status_code == 422
    assert codes(answer) == [("invalid", "limit")]
