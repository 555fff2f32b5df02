"""A house without the base set, or with another one than it had: everything answers, and says what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cards.catalog.cards import Catalog
from crypto.encoding import b64
from crypto.identity import new_private_key
from service.runtime import Runtime
from tests.cards.catalog.other_sets import other_sets
from tests.service.match_kit import deck_id, sit_down
from tests.service.rematch_kit import over
from tests.service.service_kit import PASSWORD, Guest, app_of, codes, house_in, registration


@pytest.fixture
def kind() -> str:
    """No word of SQL is spoken here."""
    return "sqlite"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Cards that are not ours, with a starter deck and boosters."""
    return other_sets(tmp_path_factory.mktemp("whole"), whole=True)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[Runtime]:
    """A house of other cards alone, without starter decks and boosters."""
    folder = tmp_path_factory.mktemp("bare")
    sets = folder / "sets"
    sets.mkdir()
    opened = house_in(folder, migrated_file, [1_790_000_000_000])
    yield replace(opened, catalog=other_sets(sets, whole=False))
    opened.close()


@pytest.fixture(scope="module")
def cook(bare: Runtime) -> Guest:
    """A player who has registered there, where there is no starter deck to choose."""
    guest = Guest(app_of(bare).test_client(), "cook", new_private_key())
    body = registration(guest, "cook", guest.private)
    refused = guest.post("/players", body)
    assert (refused.status_code, codes(refused)) == (422, [("unknown_starter", "/starter")])
    del body["starter"]
    made = guest.post("/players", body)
    assert made.status_code == 201, made.json
    token = guest.post("/tokens", {"handle": "cook", "password": PASSWORD}).json["token"]
    guest.headers = {"Authorization": f"Bearer {token}"}
    return guest


def moved(house: Runtime, catalog: Catalog, *guests: Guest) -> tuple[Runtime, list[Guest]]:
    """The house opened again with other cards, and its players there."""
    again = replace(house, catalog=catalog)
    client = app_of(again).test_client()
    return again, [replace(guest, client=client) for guest in guests]


def test_our_formats_say_what_they_can_of_other_cards(cook: Guest) -> None:
    formats = {each["name"]: each for each in cook.get("/formats").json["items"]}
    assert [*formats] == ["home-cooking", "one-of-each", "open"]
    assert (formats["one-of-each"]["copies"], formats["one-of-each"]["restricted"]) == (1, [])
    cards = {"other-rice": 3, "other-dish-1": 2, "other-dish-4": 1}
    answer = cook.post("/decks/validate?rules=basic,home-cooking,one-of-each,open", {"cards": cards})
    assert answer.status_code == 200, answer.json
    assert {(fault["rules"], fault["code"]) for fault in answer.json["faults"]} == {
        ("basic", "deck_size"),
        ("home-cooking", "rarity_not_allowed"),
        ("one-of-each", "restricted_card"),
    }


def test_without_starter_decks_one_begins_with_nothing(cook: Guest) -> None:
    assert cook.get("/starters").json == {"items": []}
    assert cook.get("/decks").json["items"] == cook.get("/collection").json["items"] == []
    assert cook.post("/collection/basics", {"cards": {"other-rice": 3}}).status_code == 201
    assert [each["card"] for each in cook.get("/collection").json["items"]] == ["other-rice"]


def test_where_there_are_starter_decks_one_must_be_chosen(ann: Guest) -> None:
    body = registration(ann, "else", new_private_key())
    for starter in ({}, {"starter": None}):
        refused = ann.post("/players", {**{k: body[k] for k in body.keys() - {"starter"}}, **starter})
        assert (refused.status_code, codes(refused)) == (422, [("required", "/starter")])


def test_without_starter_decks_no_bot_brings_one(cook: Guest) -> None:
    bots = {each["name"]: each["bots"] for each in cook.get("/modes").json["items"]}
    assert bots["chef"] == []
    assert bots["hearts"]
    deck = cook.post("/decks", {"name": "Rice", "cards": {"other-rice": 3}}).json["id"]
    refused = cook.post("/tables", {"mode": "chef", "deck": deck, "bots": ["greedy"]})
    assert (refused.status_code, codes(refused)) == (422, [("unknown_bot", "/bots/0")])


def test_without_boosters_there_are_none(cook: Guest) -> None:
    assert cook.get("/boosters/odds").json == {"items": []}
    refused = cook.post("/boosters", {"set": "PB"})
    assert (refused.status_code, codes(refused)) == (422, [("no_boosters", "/set")])


def test_other_cards_are_found_and_played(house: Runtime, whole: Catalog, clock: list[int]) -> None:
    other, (nobody,) = moved(house, whole, Guest(app_of(house).test_client(), "dan", b""))
    dan = replace(nobody, private=new_private_key())
    assert dan.post("/players", registration(dan, "dan", dan.private, "other-start")).status_code == 201
    token = dan.post("/tokens", {"handle": "dan", "password": PASSWORD}).json["token"]
    dan.headers = {"Authorization": f"Bearer {token}"}
    assert [each["name"] for each in dan.get("/decks?q=is:legal").json["items"]] == ["Other Start"]
    assert [each["set"] for each in dan.get("/boosters/odds").json["items"]] == ["OS"]
    match = sit_down(other, clock, [dan], "chef", bots=["greedy"])
    match.until("seal")
    assert match.fold.seq > 4


def test_whose_deck_is_of_cards_that_are_gone_sits_at_no_table(
    house: Runtime, clock: list[int], whole: Catalog, ann: Guest, bob: Guest
) -> None:
    """Their certificate could not be made: the table is closed where the game would begin."""
    table = ann.post("/tables", {"mode": "chef", "deck": deck_id(ann)}).json
    _, (ann, bob) = moved(house, whole, ann, bob)
    refused = bob.post(f"/tables/{table['id']}/join", {"deck": deck_id(bob)})
    assert (refused.status_code, refused.json["code"]) == (422, "deck_illegal")
    eve = replace(bob, handle="eve", private=new_private_key())
    assert eve.post("/players", registration(eve, "eve", eve.private, "other-start")).status_code == 201
    token = eve.post("/tokens", {"handle": "eve", "password": PASSWORD}).json["token"]
    eve.headers = {"Authorization": f"Bearer {token}"}
    joined = eve.post(f"/tables/{table['id']}/join", {"deck": deck_id(eve)})
    assert (joined.status_code, joined.json["code"]) == (409, "table_cancelled")
    assert "errors" not in joined.json
    assert eve.get(f"/tables/{table['id']}").json["state"] == "cancelled"


def test_a_game_that_began_with_cards_that_are_gone_goes_on(
    house: Runtime, clock: list[int], whole: Catalog, ann: Guest
) -> None:
    table = ann.post("/tables", {"mode": "chef", "deck": deck_id(ann), "bots": ["greedy"]}).json
    _, (ann,) = moved(house, whole, ann)
    body = {"seat": 0, "seed": b64(bytes(32))}
    assert ann.post(f"/games/{table['game']}/certificate", body).status_code == 200


def test_no_rematch_with_a_bot_whose_cards_are_gone(
    house: Runtime, clock: list[int], whole: Catalog, seat: Callable[..., Guest]
) -> None:
    match = over(sit_down(house, clock, [seat("ann")], "chef", bots=["greedy"], seed=34))
    _, (ann,) = moved(house, whole, match.chairs[0].guest)
    refused = ann.post(f"/games/{match.id}/rematch", {"deck": deck_id(ann)})
    assert (refused.status_code, refused.json["code"]) == (409, "no_rematch")
