"""Versions of card sets and ids that changed, over HTTP: by a sample set in which everything has happened."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from cards.catalog import card_sets
from cards.catalog.cards import Catalog
from cards.catalog.changes import digest
from crypto.identity import new_private_key
from service.config import Settings
from service.runtime import Runtime
from tests.cards.catalog.histories_kit import moving
from tests.service.service_kit import API, PASSWORD, Guest, app_of, codes, registration


@pytest.fixture
def kind() -> str:
    """No word of SQL is spoken here."""
    return "sqlite"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Three versions: salmon became trout, then char; tuna was withdrawn for a new card; its starter too."""
    return moving(tmp_path_factory.mktemp("sets"))


@pytest.fixture
def house(settings: Settings, sample: Catalog) -> Runtime:
    return replace(Runtime.open(settings), catalog=sample)


@pytest.fixture
def base(settings: Settings) -> FlaskClient:
    """A house with the base set."""
    return app_of(Runtime.open(settings)).test_client()


def get(client: FlaskClient, path: str, status: int = 200) -> Any:
    answer = client.get(API + path)
    assert answer.status_code == status, answer.json
    return answer.json


def test_the_versions_of_a_set_are_listed_the_newest_first(client: FlaskClient, sample: Catalog) -> None:
    items = get(client, "/sets/PB/versions")["items"]
    assert [item["version"] for item in items] == ["3.0.0", "2.0.0", "1.0.0"]
    assert items[0] == get(client, "/sets/PB/versions/3.0.0")
    assert [item["sha256"] for item in items] == [
        digest(known) for known in (sample.sets[0], *sample.sets[0].earlier)
    ]
    assert [item["starters"] for item in items] == [[], [], ["lunch"]]
    assert items[0]["text"] == "Version 3.0.0."


def test_old_versions_of_cards_stay_readable(client: FlaskClient) -> None:
    path = "/sets/PB/versions/1.0.0/cards"
    old = get(client, f"{path}/salmon")
    assert (old["name"], old["version"], old["number"]) == ("Salmon", "1.0.0", 1028)
    assert old == get(client, f"{path}/1028")
    assert get(client, "/cards/1028")["name"] == "Char"
    listed = get(client, f"{path}?limit=5")
    assert [card["number"] for card in listed["items"]] == [1001, 1002, 1003, 1004, 1005]
    rest = get(client, f"{path}?limit=200&cursor={listed['next']}")
    assert rest["next"] is None
    assert old in rest["items"]
    get(client, f"{path}/char", 404)
    get(client, f"{path}/1900", 404)


@pytest.mark.parametrize(
    "path", ["/sets/XX/versions", "/sets/PB/versions/9.9.9", "/sets/PB/versions/3.0.0/changes?since=1"]
)
def test_what_never_was_is_a_404(client: FlaskClient, path: str) -> None:
    assert get(client, path, 404)["code"] == "not_found"


def test_what_changed_is_told_as_data_and_in_words(client: FlaskClient) -> None:
    step = get(client, "/sets/PB/versions/3.0.0/changes")
    assert (step["since"], step["level"]) == ("2.0.0", "major")
    assert [(c["what"], c["id"], c["field"], c["before"], c["after"]) for c in step["changes"]] == [
        ("card", "1028", "slug", "trout", "char"),
        ("card", "1028", "name", "Trout", "Char"),
    ]
    whole = get(client, "/sets/PB/versions/3.0.0/changes?since=1.0.0")
    assert "New 900 (1900) is new." in [change["text"] for change in whole["changes"]]
    back = get(client, "/sets/PB/versions/1.0.0/changes?since=3.0.0")
    assert len(back["changes"]) == len(whole["changes"])
    first = get(client, "/sets/PB/versions/1.0.0/changes")
    assert (first["since"], first["changes"], first["level"]) == ("1.0.0", [], None)


def test_ids_that_changed_are_listed_for_ever(client: FlaskClient) -> None:
    listed = get(client, "/migrations?limit=2")
    assert [(m["kind"], m["old"], m["new"], m["moved_to"]) for m in listed["items"]] == [
        ("renamed", "salmon", "trout", "char"),
        ("replaced", "tuna", "new-900", "new-900"),
    ]
    rest = get(client, f"/migrations?cursor={listed['next']}")
    assert [(m["version"], m["old"], m["moved_to"]) for m in rest["items"]] == [("3.0.0", "trout", "char")]
    assert rest["next"] is None


def test_an_old_slug_leads_to_its_card(client: FlaskClient) -> None:
    for old in ("salmon", "trout"):
        answer = client.get(f"{API}/cards/{old}")
        assert (answer.status_code, answer.location) == (308, f"{API}/cards/char")
        assert answer.json["moved_to"] == "char"
        assert answer.json["code"] == "card_moved"
        assert "ETag" not in answer.headers
    assert client.get(f"{API}/cards/salmon", follow_redirects=True).json["slug"] == "char"


def test_a_withdrawn_card_is_readable_and_says_what_is_in_its_place(client: FlaskClient) -> None:
    tuna = get(client, "/cards/tuna")
    assert (tuna["retired"], tuna["moved_to"]) == (True, "new-900")
    assert (get(client, "/cards/char")["moved_to"], get(client, "/cards/char")["retired"]) == (None, False)
    found = get(client, "/cards?q=is:retired")["items"]
    assert [card["slug"] for card in found] == ["tuna"]


@pytest.fixture
def ann(client: FlaskClient, house: Runtime, sample: Catalog) -> Guest:
    """A player, who came while there was still a starter to choose."""
    guest = Guest(client, "ann", new_private_key())
    house_then = replace(house, catalog=Catalog(sample.sets[0].earlier[-1:]))
    before = app_of(house_then).test_client()
    made = before.post(f"{API}/players", json=registration(before, "ann", guest.private, "lunch"))
    assert made.status_code == 201, made.json
    issued = guest.post("/tokens", {"handle": "ann", "password": PASSWORD})
    guest.headers = {"Authorization": f"Bearer {issued.json['token']}"}
    return guest


def notices(answer: Any) -> list[tuple[str, Any]]:
    """Return what the header says: (code, line or pointer)."""
    found = json.loads(answer.headers.get("Cloche-Notices", "[]"))
    return [(each["code"], each.get("line", each.get("pointer"))) for each in found]


def test_a_deck_list_in_old_words_is_read_with_a_notice(ann: Guest) -> None:
    text = ann.post("/decks/convert", {"text": "2 Salmon\n1 trout\n1 Tuna\n2 Bread"})
    assert text.json["cards"] == {"bread": 2, "tuna": 1, "char": 3}
    assert notices(text) == [("renamed_card", 1), ("renamed_card", 2), ("withdrawn_card", 3)]
    cards = ann.post("/decks", {"name": "Old", "cards": {"salmon": 2, "bread": 1, "tuna": 1}})
    assert cards.status_code == 201
    assert cards.json["cards"] == {"bread": 1, "tuna": 1, "char": 2}
    assert notices(cards) == [("renamed_card", "/cards/salmon"), ("withdrawn_card", "/cards/tuna")]
    assert "Cloche-Notices" not in ann.post("/decks/convert", {"cards": {"bread": 1}}).headers


def test_a_card_by_its_old_and_its_new_slug_is_named_twice(ann: Guest) -> None:
    answer = ann.post("/decks/convert", {"cards": {"salmon": 2, "char": 1}})
    assert [error["code"] for error in answer.json["errors"]] == ["repeated_card"]


def test_no_more_of_a_withdrawn_card_are_minted(ann: Guest, house: Runtime) -> None:
    assert ann.post("/collection/basics", {"cards": {"bread": 1}}).status_code in (200, 201)
    bread = next(p for p in house.catalog.printings.values() if p.card.slug == "bread")
    gone = [replace(p, retired=p is bread) for p in house.catalog.printings.values()]
    sets = [replace(house.catalog.sets[0], printings=tuple(gone))]
    app = app_of(replace(house, catalog=Catalog(sets)))
    after = app.test_client().post(
        f"{API}/collection/basics", json={"cards": {"bread": 1}}, headers=ann.headers
    )
    assert (after.status_code, codes(after)) == (422, [("retired_card", "/cards/bread")])


def test_the_base_set_as_it_was(base: FlaskClient) -> None:
    versions = get(base, "/sets/PB/versions")["items"]
    assert {v["version"]: v["cards"] for v in versions}["1.0.0"] == 90
    assert get(base, "/sets/PB/versions/1.0.0/cards/tomato")["version"] == "1.0.0"
    step = get(base, "/sets/PB/versions/1.1.0/changes")
    assert (step["level"], len(step["changes"])) == ("minor", 138)
    assert get(base, "/migrations") == {"items": [], "next": None}
    assert card_sets.load().moves == ()


def test_a_folder_of_ones_own_needs_no_history(tmp_path: Path, client: FlaskClient) -> None:
    (tmp_path / "set.yaml").write_text(
        (card_sets.FOLDER / "base.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    assert card_sets.load(tmp_path).sets[0].earlier == ()
