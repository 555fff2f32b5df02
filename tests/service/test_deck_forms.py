"""Decks as codes and as text over HTTP: taken wherever cards are, given back in all forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cards.decks.codes import encode
from cards.decks.deck_lists import DeckList
from crypto.identity import new_private_key
from tests.service.service_kit import PASSWORD, Guest, app_of, codes, house_in, registration
from vectors.deck_codes import coded_bytes


@pytest.fixture(scope="module")
def guests(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Guest]]:
    """Two players at one house for all these tests."""
    house = house_in(tmp_path_factory.mktemp("forms"), migrated_file, [1_790_000_000_000])
    app = app_of(house)
    found = [Guest(app.test_client(), handle, new_private_key()) for handle in ("ann", "bob")]
    for guest in found:
        assert guest.post("/players", registration(guest, guest.handle, guest.private)).status_code == 201
        token = guest.post("/tokens", {"handle": guest.handle, "password": PASSWORD}).json["token"]
        guest.headers = {"Authorization": f"Bearer {token}"}
    yield found
    house.close()


@pytest.fixture
def ann(guests: list[Guest]) -> Guest:
    """A player with a starter deck, who came first."""
    return guests[0]


@pytest.fixture
def bob(guests: list[Guest]) -> Guest:
    """Another."""
    return guests[1]


def test_a_deck_goes_out_in_all_forms_and_comes_in_by_each(ann: Guest) -> None:
    starter = ann.get("/decks").json["items"][0]
    forms = ann.get(f"/decks/{starter['id']}/export").json
    assert forms["cards"] == starter["cards"]
    assert forms["faults"] == []
    assert forms["code"].startswith("PK1.")
    for form in ("cards", "code", "text"):
        body = {form: forms[form]}
        made = ann.post("/decks", {"name": form, **body})
        assert (made.status_code, made.json["cards"]) == (201, starter["cards"])
        assert ann.post("/decks/convert", body).json == forms
        assert ann.post("/decks/validate", body).json["legal"] is True
        path = f"/decks/{made.json['id']}"
        assert ann.edit("PUT", path, {"name": form, "text": "1 Salt"}).json["cards"] == {"salt": 1}
        assert ann.edit("PUT", path, {"name": form, **body}).json["cards"] == starter["cards"]


def test_a_deck_that_no_code_can_say_says_why(ann: Guest) -> None:
    forms = ann.post("/decks/convert", {"cards": {"salt": 5, "tomato": 9, "bread": 4}}).json
    assert forms["code"] is None
    assert {(f["code"], f["pointer"], f["copies"]) for f in forms["faults"]} == {
        ("uncodable_count", "/cards/salt", 5),
        ("uncodable_count", "/cards/tomato", 9),
    }
    assert forms["text"].startswith("# Ingredients: 18\n")


def test_every_line_that_can_not_be_read_is_named(ann: Guest) -> None:
    text = "3 Tomato\n2 Tomatoe\nsalt\n# a comment\n0 Bread\n1000 Salt"
    answer = ann.post("/decks", {"name": "x", "text": text})
    assert answer.status_code == 422
    found = [(e["code"], e["pointer"], e["line"]) for e in answer.json["errors"]]
    assert found == [
        ("unknown_card", "/text", 2),
        ("bad_line", "/text", 3),
        ("bad_count", "/text", 5),
        ("bad_line", "/text", 6),
    ]
    assert "Tomato?" in answer.json["errors"][0]["detail"]
    assert "x" not in [deck["name"] for deck in ann.get("/decks").json["items"]]


@pytest.mark.parametrize(
    ("code", "fault", "position"),
    [
        ("PK1.EAEBAwIB1QNQ_wk", "bad_checksum", None),
        ("PK1.EAEBAwIC1QNQ_wk=", "padded", 20),
        ("PK2.EAEBAwIC1QNQ_wk", "bad_prefix", 1),
        (coded_bytes(bytes.fromhex("10010100")), "empty_set", 9),
    ],
)
def test_a_false_code_is_refused_by_its_own_code(
    ann: Guest, code: str, fault: str, position: int | None
) -> None:
    answer = ann.post("/decks/convert", {"code": code})
    assert (answer.status_code, codes(answer)) == (422, [(fault, "/code")])
    assert answer.json["errors"][0].get("position") == position


def test_cards_of_other_houses_are_named_all_at_once(ann: Guest) -> None:
    code = encode(DeckList({1001: 1, 1999: 2, 77001: 3}))
    answer = ann.post("/decks/convert", {"code": code})
    assert [(e["code"], e["number"]) for e in answer.json["errors"]] == [
        ("unknown_card", 1999),
        ("unknown_card", 77001),
    ]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({}, ("required", "/cards")),
        ({"cards": {}, "code": "PK1.EACLKqw"}, ("one_form", "/code")),
        ({"code": "PK1.EACLKqw", "text": ""}, ("one_form", "/text")),
        ({"code": 7}, ("invalid", "/code")),
        ({"text": None}, ("null", "/text")),
        ({"text": ["3 Tomato"]}, ("invalid", "/text")),
        ({"text": "999 Salt\n" * 2}, ("bad_count", "/text")),
    ],
)
def test_one_form_is_given(ann: Guest, body: dict[str, Any], fault: tuple[str, str]) -> None:
    answer = ann.post("/decks/convert", body)
    assert (answer.status_code, codes(answer)) == (422, [fault])


def test_nobody_exports_another_ones_deck(ann: Guest, bob: Guest) -> None:
    deck = ann.get("/decks").json["items"][0]
    assert bob.get(f"/decks/{deck['id']}/export").status_code == 404
