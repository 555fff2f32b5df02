"""Searching cards and decks over HTTP: orders and pages, warnings, refusals at a column, who may ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import event

from crypto.encoding import b64, canonical, parse, unb64
from service.operations import deck_lists
from service.runtime import Runtime
from tests.service.service_kit import Guest, app_of, codes, house_in


@pytest.fixture(scope="module")
def shared(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """One house for all that only looks at cards."""
    house = house_in(tmp_path_factory.mktemp("search"), migrated_file, [1_790_000_000_000])
    yield house
    house.close()


@pytest.fixture(scope="module")
def nobody(shared: Runtime) -> Guest:
    """Somebody who is not signed in there."""
    return Guest(app_of(shared).test_client(), "", b"")


def _q(query: str, path: str = "/cards", **more: Any) -> str:
    return path + "?" + "&".join([f"q={quote(query)}", *(f"{name}={value}" for name, value in more.items())])


def _all(guest: Guest, query: str, path: str = "/cards", limit: int = 3) -> list[dict[str, Any]]:
    """Everything that is found, page by page."""
    found: list[dict[str, Any]] = []
    more: dict[str, Any] = {"limit": limit}
    while True:
        answer = guest.get(_q(query, path, **more))
        assert answer.status_code == 200, answer.json
        assert len(answer.json["items"]) <= limit
        found += answer.json["items"]
        if answer.json["next"] is None:
            return found
        more["cursor"] = answer.json["next"]


class TestCards:
    def test_a_query_finds_cards_in_its_order(self, nobody: Guest, shared: Runtime) -> None:
        found = _all(nobody, "t:recipe -is:onetime sort:-cost sort:name")
        recipes = [card for card in shared.catalog.cards.values() if card.is_recipe and not card.one_time]
        assert {card["number"] for card in found} == {card.number for card in recipes}
        costs = [sum(card["costs"].values()) for card in found]
        assert costs == sorted(costs, reverse=True)
        assert found == _all(nobody, "t:recipe -is:onetime sort:-cost sort:name", limit=200)
        assert nobody.get("/cards/" + found[0]["slug"]).json == found[0]

    def test_how_it_was_understood_and_what_was_passed_over(self, nobody: Guest) -> None:
        answer = nobody.get(_q("T:rec cots:3 Tuna sort:tastiness")).json
        assert answer["query"] == "type:recipe name:tuna"
        assert [(w["code"], w["parameter"], w["column"]) for w in answer["warnings"]] == [
            ("unknown_key", "q", 7),
            ("unknown_sort", "q", 24),
        ]
        assert "cost?" in answer["warnings"][0]["detail"]
        plain = nobody.get("/cards").json
        assert (plain["query"], plain["warnings"]) == (None, [])

    @pytest.mark.parametrize(
        ("query", "code", "column"),
        [
            ("", "empty_query", 1),
            ("cots:3", "empty_query", 1),
            ("tuna (cost<3", "unclosed_parenthesis", 6),
            ("tuna cost<much", "bad_number", 11),
            ("r:epic", "bad_choice", 3),
            ("x" * 501, "query_too_long", 501),
        ],
    )
    def test_a_refusal_points_at_a_column(self, nobody: Guest, query: str, code: str, column: int) -> None:
        answer = nobody.get(_q(query))
        assert (answer.status_code, answer.json["code"]) == (400, code)
        (fault,) = answer.json["errors"]
        assert (fault["code"], fault["parameter"], fault["column"]) == (code, "q", column)
        assert f"Column {column} " in fault["detail"]
        assert code != "bad_choice" or fault["expected"] == ["common", "uncommon", "rare", "legendary"]

    def test_the_limits_are_the_houses(self, shared: Runtime) -> None:
        tight = replace(shared.settings, query_length=20, query_terms=2, query_depth=1)
        there = Guest(app_of(replace(shared, settings=tight)).test_client(), "", b"")
        assert there.get(_q("(tuna salt)")).status_code == 200
        for query, code in (("a" * 21, "query_too_long"), ("a b c", "too_many_terms"), ("((a))", "too_deep")):
            assert there.get(_q(query)).json["code"] == code

    def test_a_cursor_is_for_its_query(self, nobody: Guest) -> None:
        cursor = nobody.get(_q("t:recipe sort:name", limit=2)).json["next"]
        assert nobody.get(_q(" type=recipe  sort:name ", limit=2, cursor=cursor)).status_code == 200
        others = [_q("t:recipe sort:-name", cursor=cursor), _q("t:recipe", cursor=cursor)]
        others += [_q("t:recipe sort:name", cursor=cursor, set="PB")]
        others += [_q("t:recipe sort:name", cursor=nobody.get("/cards?limit=1").json["next"])]
        for path in others:
            answer = nobody.get(path)
            assert (answer.status_code, answer.json["code"]) == (400, "cursor_of_another_query"), path
            assert codes(answer) == [("cursor_of_another_query", "cursor")]
        assert nobody.get(f"/cards?cursor={cursor}").json["code"] == "bad_cursor"

    @pytest.mark.parametrize(
        "change", [lambda key: [*key, 1], lambda key: key[:2], lambda key: [key[0], 1, "a"]]
    )
    def test_a_made_up_cursor_is_refused(self, nobody: Guest, change: Any) -> None:
        cursor = nobody.get(_q("t:recipe sort:name", limit=2)).json["next"]
        made = b64(canonical(change(parse(unb64(cursor)))))
        assert nobody.get(_q("t:recipe sort:name", cursor=made)).json["code"] == "bad_cursor"
        assert nobody.get(_q("t:recipe sort:name", cursor="AAAA")).json["code"] == "bad_cursor"

    def test_of_one_set(self, nobody: Guest) -> None:
        assert nobody.get(_q("name=salt", set="PB")).json["items"]
        assert nobody.get(_q("name=salt", set="XX")).status_code == 404

    def test_it_is_documented(self, nobody: Guest) -> None:
        paths = nobody.client.get("/api/openapi.json").json["paths"]
        for path in ("/api/v1/cards", "/api/v1/decks"):
            parameters = {p["name"]: p for p in paths[path]["get"]["parameters"]}
            assert "docs/search.md" in parameters["q"]["description"]


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_own_is_for_those_who_are_signed_in(nobody: Guest, ann: Guest, house: Runtime) -> None:
    answer = nobody.get(_q("own>0"))
    assert (answer.status_code, answer.json["code"]) == (401, "not_signed_in")
    owned = house.catalog.starters["trattoria"].counts
    assert {card["number"] for card in _all(ann, "own>0", limit=7)} == set(owned)
    most = _all(ann, "sort:-own", limit=50)
    assert [owned.get(card["number"], 0) for card in most] == sorted(
        (owned.get(number, 0) for number in house.catalog.cards), reverse=True
    )
    ann.post("/collection/basics", {"cards": {"salt": 1}})
    assert ann.get(_q("name=salt own>=1")).json["items"]


def _build(guest: Guest, clock: list[int]) -> None:
    """Some decks beside the starter's, an hour apart."""
    for i, name in enumerate(["Salt Only", "Tuna Salt", "Half", "Élan"]):
        clock[0] += 3_600_000
        cards = [{"salt": 3}, {"salt": 2, "tuna": 3}, {"tomato": 3, "bread": 3}, {"bread": 1}][i]
        assert guest.post("/decks", {"name": name, "cards": cards}).status_code == 201


def _names(guest: Guest, query: str, **how: Any) -> list[str]:
    return [deck["name"] for deck in _all(guest, query, "/decks", **how)]


def test_decks_are_found(ann: Guest, bob: Guest, clock: list[int]) -> None:
    _build(ann, clock)
    starter = "Corner Trattoria"
    assert _names(ann, "salt") == ["Salt Only", "Tuna Salt"]
    assert _names(ann, "uses:salt size<40") == ["Salt Only", "Tuna Salt"]
    assert _names(ann, "size<40 sort:-size") == ["Half", "Tuna Salt", "Salt Only", "Élan"]
    assert _names(ann, "is:legal") == [starter]
    owned = ann.get("/collection?limit=200").json["items"]
    salt = next((holding["owned"] for holding in owned if holding["card"] == "salt"), 0)
    tuna = next((holding["owned"] for holding in owned if holding["card"] == "tuna"), 0)
    lacking = max(0, 2 - salt) + max(0, 3 - tuna)
    assert lacking > 0
    assert "Tuna Salt" in _names(ann, f"missing:{lacking}")
    assert "Tuna Salt" not in _names(ann, f"missing<{lacking} or is:owned")
    assert _names(ann, "elan or trattoria sort:-created") == ["Élan", starter]
    assert _names(ann, "size>=0 sort:-created", limit=2) == [
        "Élan",
        "Half",
        "Tuna Salt",
        "Salt Only",
        starter,
    ]
    assert _names(bob, "uses:bread or size>0") == ["Night Market"]
    found = ann.get(_q("salt", "/decks")).json["items"][0]
    assert ann.get(f"/decks/{found['id']}").json == found


def test_a_search_sees_the_newest_revision_of_decks_that_are_there(ann: Guest, clock: list[int]) -> None:
    _build(ann, clock)
    (half,) = ann.get(_q("half", "/decks")).json["items"]
    (tuna,) = ann.get(_q("uses:tuna size<40", "/decks")).json["items"]
    clock[0] += 86_400_000
    ann.edit("PUT", f"/decks/{half['id']}", {"name": "Whole", "cards": {"salt": 1}})
    ann.edit("DELETE", f"/decks/{tuna['id']}")
    assert _names(ann, "half") == []
    assert _names(ann, "uses:salt size<40 sort:-updated") == ["Whole", "Salt Only"]
    assert _names(ann, "revision:2") == ["Whole"]


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_decks_are_searched_by_their_owner_alone(nobody: Guest, ann: Guest) -> None:
    assert nobody.get(_q("salt", "/decks")).status_code == 401
    assert ann.get(_q("t:recipe", "/decks")).json["code"] == "empty_query"
    answer = ann.get(_q("trattoria t:recipe", "/decks")).json
    assert [w["code"] for w in answer["warnings"]] == ["unknown_key"]
    assert len(answer["items"]) == 1


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_nobodys_favourites_are_not_looked_for_deck_by_deck(ann: Guest, house: Runtime) -> None:
    """A search by strangers once read all favourites of the house for every public deck."""
    nobody = Guest(ann.client, "", b"")
    ann.post("/decks", {"name": "Shown", "cards": {"salt": 1}, "visibility": "public"})
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        asked.append((statement, parameters))

    event.listen(house.database.engine, "before_cursor_execute", note)
    try:
        assert len(nobody.get(_q("uses:salt", "/decks/public")).json["items"]) == 1
    finally:
        event.remove(house.database.engine, "before_cursor_execute", note)
    with house.database.engine.connect() as connection:
        plans = [
            row[3]
            for statement, parameters in asked
            if statement.startswith("SELECT")
            for row in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters)
        ]
    assert any("ix_deck_listed" in step for step in plans)
    assert [step for step in plans if step.startswith("SCAN")] == []


def test_a_list_is_read_where_a_query_asks_for_cards_and_once(ann: Guest, bob: Guest) -> None:
    for i in range(4):
        deck = {"name": f"Deck {i}", "cards": {"salt": i + 1}, "visibility": "public", "tags": ["quick"]}
        assert ann.post("/decks", deck).status_code == 201

    def found(query: str) -> tuple[int, int]:
        """Count the decks that were found, and the lists that were read for that."""
        before = deck_lists.counts_in.cache_info().misses
        items = bob.get(_q(query, "/decks/public")).json["items"]
        return len(items), deck_lists.counts_in.cache_info().misses - before

    deck_lists.counts_in.cache_clear()
    assert found("tag:quick deck sort:-updated") == (4, 0)
    assert found("tag:slow uses:salt") == (0, 0)
    assert found("uses:salt size>2 sort:size") == (2, 4)
    assert found("missing:0 or uses:salt") == (4, 0)


def test_very_long_lists_are_found_and_not_kept_in_memory(ann: Guest, house: Runtime) -> None:
    cards = dict.fromkeys(list(house.catalog.cards)[:200], 1)
    long = {"name": "Larder", "cards": {str(number): n for number, n in cards.items()}}
    assert ann.post("/decks", long).status_code == 201
    deck_lists.counts_in.cache_clear()
    assert _names(ann, "size:200") == ["Larder"]
    assert deck_lists.counts_in.cache_info().currsize == 1  # the starter deck's
