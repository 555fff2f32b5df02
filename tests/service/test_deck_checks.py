"""Several sets of rules at once, formats, and what is missing, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from cards.catalog.cards import RARITIES
from cards.decks import formats
from crypto.identity import new_private_key
from service.models import DeckRevision
from service.operations import holds
from service.runtime import Runtime
from tests.service.service_kit import API, PASSWORD, Guest, app_of, codes, house_in, registration

GAME = "0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c55"
NONE = dict.fromkeys(RARITIES, 0)
BAD = {"tomato": 4, "paella": 2, "caviar": 1, "beans": 1}


@pytest.fixture(scope="module")
def house(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """One house for all these tests, with a format of its own."""
    folder = tmp_path_factory.mktemp("checks")
    opened = house_in(folder, migrated_file, [1_790_000_000_000])
    own = {"format": "spring", "name": "Spring", "version": "2.1.0", "text": "Light.", "sets": ["PB"]}
    opened.settings.own_formats.mkdir()
    (opened.settings.own_formats / "spring.yaml").write_text(yaml.safe_dump(own))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ann(house: Runtime) -> Guest:
    """The player who builds decks."""
    guest = Guest(app_of(house).test_client(), "ann", new_private_key())
    guest.id = guest.post("/players", registration(guest, "ann", guest.private)).json["id"]
    token = guest.post("/tokens", {"handle": "ann", "password": PASSWORD}).json["token"]
    guest.headers = {"Authorization": f"Bearer {token}"}
    return guest


def test_formats_are_published_with_their_rules(ann: Guest, house: Runtime) -> None:
    nobody = replace(ann, headers={})
    items = nobody.get("/formats").json["items"]
    assert [each["name"] for each in items] == sorted([*formats.load(house.catalog), "spring"])
    for each in items:
        assert nobody.get(f"/formats/{each['name']}").json == each
    by_name = {each["name"]: each for each in items}
    assert by_name["home-cooking"]["rarities"] == {"uncommon": 8, "rare": 0, "legendary": 0}
    assert by_name["one-of-each"]["copies"] == 1
    assert [(r["card"], r["copies"]) for r in by_name["one-of-each"]["restricted"]] == [("caviar", 0)]
    assert (by_name["spring"]["sets"], by_name["open"]["sets"]) == (["PB"], None)
    assert by_name["spring"]["version"] == "2.1.0"
    assert nobody.get("/formats/nonsuch").status_code == 404


def test_every_fault_of_every_set_of_rules_comes_at_once(ann: Guest) -> None:
    rules = "basic,owned,home-cooking,one-of-each,open"
    verdict = ann.post(f"/decks/validate?rules={rules}", {"cards": BAD}).json
    assert verdict["legal"] is False
    assert {each["name"]: each["legal"] for each in verdict["rules"]} == {
        "basic": False,
        "owned": False,
        "home-cooking": False,
        "one-of-each": False,
        "open": True,
    }
    found = {(f["rules"], f["code"], f["pointer"]) for f in verdict["faults"]}
    assert len(found) == len(verdict["faults"])
    assert found == {
        ("basic", "deck_size", "/cards"),
        ("basic", "too_many_copies", "/cards/tomato"),
        ("owned", "not_owned", "/cards/tomato"),
        ("owned", "not_owned", "/cards/paella"),
        ("owned", "not_owned", "/cards/caviar"),
        ("owned", "not_owned", "/cards/beans"),
        ("home-cooking", "rarity_not_allowed", "/cards/paella"),
        ("home-cooking", "rarity_not_allowed", "/cards/caviar"),
        ("one-of-each", "restricted_card", "/cards/paella"),
        ("one-of-each", "banned_card", "/cards/caviar"),
    }
    assert {warning["rules"] for warning in verdict["warnings"]} == {"basic"}
    deck = ann.post("/decks", {"name": "Bad", "cards": BAD}).json["id"]
    assert ann.get(f"/decks/{deck}/validation?rules={rules}").json == verdict


def test_each_set_of_rules_can_be_asked_alone(ann: Guest) -> None:
    for name, codes_ in (
        ("basic", {"deck_size", "too_many_copies"}),
        ("owned", {"not_owned"}),
        ("home-cooking", {"rarity_not_allowed"}),
        ("open", set()),
    ):
        verdict = ann.post(f"/decks/validate?rules={name}", {"cards": BAD}).json
        assert {fault["code"] for fault in verdict["faults"]} == codes_
        assert verdict["rules"] == [{"name": name, "legal": not codes_}]
        assert bool(verdict["warnings"]) is (name == "basic")
    usual = ann.post("/decks/validate", {"cards": BAD}).json
    assert usual == ann.post("/decks/validate?rules=basic,owned", {"cards": BAD}).json
    twice = ann.post("/decks/validate?rules=%20open,,open%20", {"cards": BAD}).json
    assert [each["name"] for each in twice["rules"]] == ["open"]


def test_a_format_with_a_fault_spoils_no_other_rules_and_is_read_once_it_is_mended(
    ann: Guest, house: Runtime, tmp_path: Path
) -> None:
    """The house was open already when the file was written."""
    own = replace(house, settings=replace(house.settings, data=tmp_path))
    guest = replace(ann, client=app_of(own).test_client())
    own.settings.own_formats.mkdir()
    file = own.settings.own_formats / "autumn.yaml"
    file.write_text("format: autumn\n")
    for answer in (
        guest.get("/formats"),
        guest.get("/formats/open"),
        guest.post("/decks/validate?rules=open", {"cards": BAD}),
    ):
        assert (answer.status_code, answer.json["code"]) == (500, "formats_unreadable")
        assert "autumn" not in answer.text
    for query in ("", "?rules=basic,owned"):
        assert guest.post(f"/decks/validate{query}", {"cards": BAD}).status_code == 200
    text = {"format": "autumn", "name": "Autumn", "version": "1.0.0", "text": "Heavy."}
    file.write_text(yaml.safe_dump(text))
    assert guest.get("/formats/autumn").status_code == 200


@pytest.mark.parametrize(
    ("rules", "faults"),
    [
        ("nonsuch,open,other", ["unknown_rules", "unknown_rules"]),
        ("", ["no_rules"]),
        (",", ["no_rules"]),
        ("BASIC", ["unknown_rules"]),
    ],
)
def test_rules_that_there_are_not_are_named(ann: Guest, rules: str, faults: list[str]) -> None:
    answer = ann.post(f"/decks/validate?rules={rules}", {"cards": {}})
    assert answer.status_code == 422
    assert codes(answer) == [(code, "rules") for code in faults]
    assert "home-cooking" in answer.json["errors"][0]["detail"]


def test_the_starters_are_legal_and_nothing_of_them_is_missing(ann: Guest) -> None:
    deck = ann.get("/decks?q=trattoria").json["items"][0]["id"]
    verdict = ann.get(f"/decks/{deck}/validation?rules=basic,owned,open").json
    assert (verdict["legal"], verdict["faults"]) == (True, [])
    assert ann.get(f"/decks/{deck}/missing").json == {
        "missing": 0,
        "mintable": 0,
        "by_rarity": NONE,
        "items": [],
    }


def test_what_is_missing_is_told_by_card_with_what_is_free(ann: Guest, house: Runtime) -> None:
    cards = {"bread": 4, "salt": 2, "paella": 2}
    owned = {h["card"]: h["owned"] for h in ann.get("/collection?limit=200").json["items"]}
    bread = house.catalog.by_slug("bread").number
    with house.write() as session:
        holds.hold_deck(session, house.catalog, ann.id, {bread: 1}, GAME)
    try:
        found = ann.post("/decks/missing", {"cards": cards}).json
    finally:
        with house.write() as session:
            holds.release_game(session, GAME)
    lacks = {slug: n - owned.get(slug, 0) for slug, n in cards.items() if n > owned.get(slug, 0)}
    assert {item["card"]: item["missing"] for item in found["items"]} == lacks
    assert {"salt", "paella"} <= lacks.keys()
    assert found["missing"] == sum(lacks.values())
    basics = {slug for slug in lacks if slug in ("bread", "salt")}
    assert {item["card"] for item in found["items"] if item["mintable"]} == basics
    assert found["mintable"] == sum(lacks[slug] for slug in basics)
    assert found["by_rarity"] == {**NONE, "rare": lacks["paella"]}
    by_card = {item["card"]: item for item in found["items"]}
    assert (by_card["paella"]["rarity"], by_card["salt"]["needed"]) == ("rare", 2)
    assert by_card["bread"]["playable"] == by_card["bread"]["owned"]  # a match that holds one shares it
    minted = {slug: lacks[slug] for slug in basics}
    assert ann.post("/collection/basics", {"cards": minted}).status_code == 201
    after = ann.post("/decks/missing", {"cards": cards}).json
    assert (after["missing"], after["mintable"]) == (lacks["paella"], 0)


def test_a_card_that_the_house_lost_is_missing_by_its_number(ann: Guest, house: Runtime) -> None:
    deck = ann.post("/decks", {"name": "lost", "cards": {"bread": 1}}).json["id"]
    with house.write() as session:
        session.get_one(DeckRevision, (deck, 1)).cards = {"77001": 2}
    found = ann.get(f"/decks/{deck}/missing").json
    item: dict[str, Any] = found["items"][0]
    assert (item["card"], item["missing"], item["rarity"], item["mintable"]) == ("77001", 2, None, False)
    assert (found["missing"], found["by_rarity"]) == (2, NONE)
    verdict = ann.get(f"/decks/{deck}/validation?rules=basic,owned,open").json
    assert {(f["rules"], f["code"]) for f in verdict["faults"]} >= {
        ("basic", "unknown_card"),
        ("owned", "not_owned"),
        ("open", "unknown_card"),
    }


def test_nobody_is_told_without_a_token(ann: Guest) -> None:
    for path in ("/decks/validate", "/decks/missing"):
        assert ann.client.post(f"{API}{path}", json={"cards": {}}).status_code == 401
