"""Copies and deck lists: owned, minted, held, built, revised, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.operations import holds
from service.problems import Problem
from service.runtime import Runtime
from tests.service.service_kit import Guest, codes

GAME = "0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c55"
OTHER = "6d1b4c52-52c4-4d0c-a6cf-2d5a30a5b1c4"


def _starter(guest: Guest) -> dict[str, Any]:
    (deck,) = guest.get("/decks").json["items"]
    return dict(deck)


def test_minted_basics_carry_the_next_serial_numbers(ann: Guest, bob: Guest) -> None:
    before = {
        guest.handle: [c["serial"] for c in guest.get("/collection/copies?card=salt").json["items"]]
        for guest in (ann, bob)
    }
    made = ann.post("/collection/basics", {"cards": {"salt": 2}})
    assert made.status_code == 201
    known = sum(len(serials) for serials in before.values())
    assert [copy["serial"] for copy in made.json["items"]] == [known + 1, known + 2]
    assert {copy["origin"] for copy in made.json["items"]} == {"basic"}
    again = bob.post("/collection/basics", {"cards": {"salt": 1}})
    assert again.json["items"][0]["serial"] == known + 3


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        ({"margherita-pizza": 1}, ("not_basic", "/cards/margherita-pizza")),
        ({"salt": 61}, ("bad_count", "/cards")),
        ({}, ("bad_count", "/cards")),
        ({"salt": 0}, ("bad_count", "/cards/salt")),
        ({"salt": -1}, ("bad_count", "/cards/salt")),
        ({"salt": True}, ("bad_count", "/cards/salt")),
        ({"salt": "2"}, ("bad_count", "/cards/salt")),
        ({"nothing": 1}, ("unknown_card", "/cards/nothing")),
        ({"a/b~c": 1}, ("unknown_card", "/cards/a~1b~0c")),
        ({"salt": 1, "1013": 1}, ("repeated_card", "/cards/1013")),
        (["salt"], ("invalid", "/cards")),
    ],
)
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_what_can_not_be_minted_is_said(ann: Guest, cards: Any, fault: tuple[str, str]) -> None:
    answer = ann.post("/collection/basics", {"cards": cards})
    assert answer.status_code == 422
    assert fault in codes(answer)


def test_the_collection_is_paged(ann: Guest, house: Runtime) -> None:
    starter = house.catalog.starters["trattoria"]
    seen: list[tuple[int, int]] = []
    cursor = ""
    while True:
        shown = ann.get(f"/collection?limit=7{cursor}").json
        seen += [(h["number"], h["owned"]) for h in shown["items"]]
        if shown["next"] is None:
            break
        cursor = f"&cursor={shown['next']}"
    assert seen == sorted(starter.counts.items())
    copies: list[str] = []
    cursor = ""
    while True:
        shown = ann.get(f"/collection/copies?limit=7{cursor}").json
        copies += [copy["id"] for copy in shown["items"]]
        if shown["next"] is None:
            break
        cursor = f"&cursor={shown['next']}"
    assert len(set(copies)) == len(copies) == 40


def test_decks_are_built_revised_and_looked_back_on(ann: Guest, clock: list[int]) -> None:
    made = ann.post("/decks", {"name": " First ", "cards": {"tomato": 3, "1004": 1}})
    assert made.status_code == 201
    deck = made.json
    assert (deck["revision"], deck["name"], deck["size"]) == (1, "First", 4)
    assert deck["cards"] == {"tomato": 3, "onion": 1}
    clock[0] += 1000
    path = f"/decks/{deck['id']}"
    revised = ann.edit("PUT", path, {"name": "Second", "cards": {"tomato": 2}}).json
    assert (revised["revision"], revised["name"], revised["cards"]) == (2, "Second", {"tomato": 2})
    assert revised["created_at"] == deck["created_at"] < revised["revised_at"]
    assert ann.edit("PUT", path, {"name": "Second", "cards": {"tomato": 2}}).json["revision"] == 2
    assert ann.get(path).json == revised
    assert ann.get(f"{path}/revisions").json["items"] == [revised, deck]
    assert ann.get(f"{path}/revisions?limit=1").json["next"] is not None
    assert ann.get(f"{path}/revisions/1").json == deck
    assert ann.get(f"{path}/revisions/3").status_code == 404


def test_a_deleted_deck_is_gone(ann: Guest) -> None:
    path = f"/decks/{_starter(ann)['id']}"
    assert ann.edit("DELETE", path).status_code == 204
    for answer in (
        ann.get(path),
        ann.edit("DELETE", path),
        ann.edit("PUT", path, {"name": "x", "cards": {}}),
    ):
        assert answer.status_code == 404
    assert ann.get(f"{path}/revisions").status_code == 404
    assert ann.get("/decks").json["items"] == []


def test_nobody_sees_another_ones_deck(ann: Guest, bob: Guest) -> None:
    path = f"/decks/{_starter(ann)['id']}"
    body = {"name": "Mine", "cards": {}}
    for answer in (
        bob.get(path),
        bob.edit("PUT", path, body),
        bob.edit("DELETE", path),
        bob.get(f"{path}/validation"),
    ):
        assert answer.status_code == 404
    assert ann.get(path).status_code == 200


def test_decks_are_paged_in_the_order_of_their_making(ann: Guest) -> None:
    for name in ("b", "a", "d", "c"):
        ann.post("/decks", {"name": name, "cards": {}})
    names: list[str] = []
    cursor = ""
    while True:
        shown = ann.get(f"/decks?limit=2{cursor}").json
        names += [deck["name"] for deck in shown["items"]]
        if shown["next"] is None:
            break
        cursor = f"&cursor={shown['next']}"
    assert sorted(names) == sorted(["Corner Trattoria", "a", "b", "c", "d"])


def test_a_player_keeps_a_limited_number_of_decks(ann: Guest, house: Runtime) -> None:
    object.__setattr__(house, "settings", replace(house.settings, decks_per_player=2))
    assert ann.post("/decks", {"name": "x", "cards": {}}).status_code == 201
    full = ann.post("/decks", {"name": "y", "cards": {}})
    assert (full.status_code, full.json["code"], full.json["at_most"]) == (409, "too_many_decks", 2)
    ann.edit("DELETE", f"/decks/{_starter_id(ann)}")
    assert ann.post("/decks", {"name": "z", "cards": {}}).status_code == 201


def _starter_id(guest: Guest) -> str:
    decks = guest.get("/decks").json["items"]
    return str(next(deck["id"] for deck in decks if deck["name"] == "Corner Trattoria"))


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "two\nlines", "nul\0", "lone \ud800", 7, None])
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_deck_has_a_plain_name(ann: Guest, name: Any) -> None:
    answer = ann.post("/decks", {"name": name, "cards": {}})
    assert answer.status_code in (400, 422)


def test_validation_names_every_fault_at_once(ann: Guest) -> None:
    answer = ann.post("/decks/validate", {"cards": {"tomato": 4, "beans": 1}})
    assert answer.status_code == 200
    verdict = answer.json
    assert verdict["legal"] is False
    found = {(fault["code"], fault["pointer"]) for fault in verdict["faults"]}
    assert ("deck_size", "/cards") in found
    assert ("too_many_copies", "/cards/tomato") in found
    assert ("not_owned", "/cards/beans") in found
    numbers = next(fault for fault in verdict["faults"] if fault["code"] == "too_many_copies")
    assert (numbers["copies"], numbers["at_most"]) == (4, 3)
    assert {warning["code"] for warning in verdict["warnings"]} == {"advice_recipes"}


def _hold(house: Runtime, guest: Guest, counts: dict[int, int], game: str) -> None:
    with house.write() as session:
        holds.hold_deck(session, house.catalog, guest.id, counts, game)


def test_what_is_missing_is_counted_and_nothing_is_held(ann: Guest, house: Runtime) -> None:
    potato = house.catalog.by_slug("potato").number
    beans = house.catalog.by_slug("beans").number
    _hold(house, ann, {potato: 1}, GAME)
    with pytest.raises(Problem) as refused:
        _hold(house, ann, {potato: 4, beans: 1}, OTHER)
    assert [(f.pointer, f.data["playable"], f.data["missing"]) for f in refused.value.errors] == [
        ("/cards/potato", 3, 1),
        ("/cards/beans", 0, 1),
    ]
    free = {h["number"]: h["free"] for h in ann.get("/collection?limit=200").json["items"]}
    assert free[potato] == 2


def test_two_decks_are_held_or_none(seat: Callable[..., Guest], house: Runtime) -> None:
    first, second = seat("first"), seat("second")
    counts = dict(house.catalog.starters["trattoria"].counts)
    too_many = {card: n + 1 for card, n in counts.items()}
    for decks in ([(second.id, too_many), (first.id, counts)], [(second.id, counts), (first.id, too_many)]):
        with pytest.raises(holds.DeckGone) as gone, house.write() as session:
            holds.hold_decks(session, house.catalog, decks, GAME)
        assert gone.value.player_id == next(who for who, cards in decks if cards == too_many)
        for guest in (first, second):
            assert {c["state"] for c in guest.get("/collection/copies?limit=200").json["items"]} == {"free"}
