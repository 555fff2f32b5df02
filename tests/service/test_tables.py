"""Tables: opened, found, joined, left, cancelled; the last seat taken begins the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from werkzeug.test import TestResponse

from service.operations import games
from service.runtime import Bots, Runtime
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest, codes
from tests.service.trade_kit import offer_one

WEEK = 7 * 86_400
"""Seconds of the longest clock."""
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def bots(house: Runtime) -> None:
    """Give this house bots to sit down with; nobody moves them here."""
    hearts = Bots(("careful", "random"), {"easy": "random", "hard": "careful", "best": "careful"})
    object.__setattr__(house, "bots", {"chef": Bots(("greedy",)), "hearts": hearts})


def deck_of(guest: Guest) -> str:
    """The id of a guest's starter deck."""
    return str(guest.get("/decks").json["items"][0]["id"])


def open_chef(guest: Guest, **more: Any) -> TestResponse:
    """A table of chef with a guest's starter deck."""
    return guest.post("/tables", {"mode": "chef", "deck": deck_of(guest), **more})


def held(guest: Guest) -> set[str | None]:
    """Return the games that hold a guest's copies."""
    copies = guest.get("/collection/copies?limit=200").json["items"]
    return {holder for copy in copies for holder in copy["held_by"] or [None]}


def test_a_table_of_one_player_has_seven_days_a_step_and_then_lets_go(
    house: Runtime, clock: list[int], ann: Guest
) -> None:
    table = open_chef(ann, bots=["greedy"], options={"seal": 90}).json
    options, game = table["options"], table["game"]
    assert (options["seal"], options["bank"]) == (90, 0), "what is asked for counts, and a bank is no clock"
    assert {options[name] for name in ("enter", "ready", "link", "reveal", "choice")} == {WEEK}
    clock[0] += WEEK * 1000
    games.resolve(house, game)
    assert game in held(ann)
    clock[0] += games.GRACE_MS + 1
    games.resolve(house, game)
    assert ann.get(f"/games/{game}").json["over"]
    assert game not in held(ann)


def test_a_table_where_somebody_else_may_sit_down_has_short_clocks(ann: Guest) -> None:
    table = ann.post("/tables", {"mode": "hearts", "seats": 4, "bots": ["careful"]}).json
    assert table["options"]["card"] == 30


@ON_SQLITE
def test_a_pace_names_the_clocks_of_a_table(ann: Guest, bob: Guest) -> None:
    days = ann.post("/tables", {"mode": "big-c", "pace": "3-days", "options": {"enter": 600}}).json
    assert days["options"] == {
        **ann.post("/tables", {"mode": "big-c"}).json["options"],
        **dict.fromkeys(("link", "present", "ready", "turn"), 3 * 86_400),
        "enter": 600,
    }
    assert bob.post(f"/tables/{days['id']}/join", {}).json["options"] == days["options"]
    alone = open_chef(ann, bots=["greedy"], pace="quick").json["options"]
    assert (alone["seal"], alone["enter"]) == (30, WEEK), "nobody waits to enter"
    refused = ann.post("/tables", {"mode": "big-c", "pace": "hasty"})
    assert refused.status_code == 422
    assert [pointer for _, pointer in codes(refused)] == ["/pace"]


def test_the_last_seat_taken_begins_the_game(ann: Guest, bob: Guest) -> None:
    opened = open_chef(ann, options={"enter": 300})
    assert opened.status_code == 201
    table = opened.json
    assert (table["state"], table["game"]) == ("open", None)
    assert table["options"]["enter"] == 300
    assert set(table["options"]) > {"enter", "ready", "link"}
    assert table["seats"] == [{"name": "Ann", "bot": None}, None]
    assert held(ann) == {None}

    assert [t["id"] for t in bob.get("/tables").json["items"]] == [table["id"]]
    joined = bob.post(f"/tables/{table['id']}/join", {"deck": deck_of(bob)})
    assert joined.status_code == 200
    assert joined.json["state"] == "playing"
    assert [seat["name"] for seat in joined.json["seats"]] == ["Ann", "bob"]
    game = joined.json["game"]
    assert ann.get(f"/tables/{table['id']}").json["game"] == game
    assert ann.get("/tables").json["items"] == []
    assert held(ann) == held(bob) == {game}

    seen = ann.get(f"/games/{game}").json
    assert (seen["mode"], seen["seat"], seen["asked"]["kind"]) == ("chef", 0, "enter")
    assert [seat["name"] for seat in seen["seats"]] == ["Ann", "bob"]
    assert bob.get(f"/games/{game}").json["seat"] == 1


def test_against_the_houses_bot_the_game_begins_at_once(ann: Guest) -> None:
    table = open_chef(ann, bots=["greedy"]).json
    assert table["state"] == "playing"
    assert [seat["bot"] for seat in table["seats"]] == [None, "greedy"]
    assert held(ann) == {table["game"]}


def test_a_mode_with_a_common_pack_asks_for_no_deck(ann: Guest) -> None:
    table = ann.post("/tables", {"mode": "hearts", "bots": ["careful", "random", "random"]}).json
    assert table["state"] == "playing"
    assert held(ann) == {None}


@ON_SQLITE
def test_a_bot_sits_down_by_name_or_by_level(ann: Guest) -> None:
    table = ann.post("/tables", {"mode": "hearts", "bots": ["hard", "easy", "random"]}).json
    assert [seat["bot"] for seat in table["seats"]] == [None, "careful", "random", "random"]
    refused = ann.post("/tables", {"mode": "hearts", "bots": ["careful", "grand"]})
    assert (refused.status_code, codes(refused)) == (422, [("unknown_bot", "/bots/1")])
    text = "The bots for Chinese Hearts are careful, random; the levels: easy, hard, best."
    assert refused.json["errors"][0]["detail"] == text


@ON_SQLITE
def test_the_modes_name_a_bot_for_each_level(ann: Guest) -> None:
    modes = {each["name"]: each for each in ann.get("/modes").json["items"]}
    assert modes["hearts"]["bots"] == ["careful", "random"]
    assert modes["hearts"]["levels"] == {"easy": "random", "hard": "careful", "best": "careful"}
    assert modes["chef"]["levels"] == {}
    assert modes["flip"]["bots"] == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"mode": "poker"}, ("unknown_mode", "/mode")),
        ({"options": {"enter": 4}}, ("bad_option", "/options/enter")),
        ({"options": {"enter": "60"}}, ("bad_option", "/options/enter")),
        ({"options": {"enter": True}}, ("bad_option", "/options/enter")),
        ({"options": {"colour": 1}}, ("unknown_option", "/options/colour")),
        ({"options": {"a/b": 1}}, ("unknown_option", "/options/a~1b")),
        ({"seats": 3}, ("bad_seats", "/seats")),
        ({"seats": 1}, ("bad_seats", "/seats")),
        ({"seats": "2"}, ("invalid", "/seats")),
        ({"bots": ["greedy", "greedy"]}, ("bad_seats", "/bots")),
        ({"bots": ["deep-blue"]}, ("unknown_bot", "/bots/0")),
        ({"deck": None}, ("deck_missing", "/deck")),
    ],
)
@ON_SQLITE
def test_what_can_not_be_opened_is_said(ann: Guest, body: dict[str, Any], fault: tuple[str, str]) -> None:
    answer = open_chef(ann, **body)
    assert answer.status_code == 422, answer.json
    assert codes(answer) == [fault]
    assert ann.get("/tables").json["items"] == []


@ON_SQLITE
def test_lists_are_asked_for_of_modes_that_there_are(ann: Guest) -> None:
    open_chef(ann)
    for path in ("/tables", "/live"):
        assert ann.get(f"{path}?mode=chef").status_code == 200
        answer = ann.get(f"{path}?mode=poker")
        assert (answer.status_code, codes(answer)) == (422, [("unknown_mode", "mode")])


@ON_SQLITE
def test_refusals_of_tables_are_sentences(ann: Guest) -> None:
    told = [open_chef(ann, **body).json["detail"] for body in ({"options": {"colour": 1}}, {"seats": 3})]
    assert told == ["An option is not valid: Pancake has no such option.", "Pancake is for 2 players."]


def test_a_seat_takes_a_legal_deck_that_is_owned(ann: Guest, bob: Guest, house: Runtime) -> None:
    unowned = dict(house.catalog.starters["night-market"].counts)
    cards = {str(number): count for number, count in unowned.items()}
    made = ann.post("/decks", {"name": "Theirs", "cards": cards}).json
    refused = ann.post("/tables", {"mode": "chef", "deck": made["id"]})
    assert (refused.status_code, refused.json["code"]) == (422, "deck_illegal")
    assert {code for code, _ in codes(refused)} == {"not_owned"}
    one = house.catalog.cards[next(iter(house.catalog.starters["trattoria"].counts))].slug
    unfinished = ann.post("/decks", {"name": "Short", "cards": {one: 1}}).json
    refused = ann.post("/tables", {"mode": "chef", "deck": unfinished["id"]})
    assert codes(refused) == [("deck_size", "/cards")]
    assert ann.post("/tables", {"mode": "chef", "deck": deck_of(bob)}).status_code == 404


def test_a_seat_keeps_the_deck_with_which_it_was_taken(ann: Guest, bob: Guest, house: Runtime) -> None:
    table = open_chef(ann).json
    ann.edit("PUT", f"/decks/{deck_of(ann)}", {"name": "Changed", "cards": {"tomato": 1}})
    joined = bob.post(f"/tables/{table['id']}/join", {"deck": deck_of(bob)}).json
    assert joined["state"] == "playing"
    assert held(ann) == {joined["game"]}


def test_one_deck_plays_several_matches_at_a_time(ann: Guest, bob: Guest) -> None:
    first = open_chef(ann).json
    games = [open_chef(ann, bots=["greedy"]).json["game"] for _ in range(2)]
    joined = bob.post(f"/tables/{first['id']}/join", {"deck": deck_of(bob)})
    assert joined.json["state"] == "playing"
    assert held(ann) == {*games, joined.json["game"]}
    assert held(bob) == {joined.json["game"]}


def test_a_deck_of_which_a_copy_is_offered_plays_no_match(ann: Guest, bob: Guest, house: Runtime) -> None:
    first = open_chef(ann).json
    offer_one(house, ann)
    again = open_chef(ann, bots=["greedy"])
    assert (again.status_code, again.json["code"]) == (409, "copies_missing")
    assert len(again.json["errors"]) == 1
    # A copy of the deck of the first table lies in the offer: no match can begin, whoever joins.
    joined = bob.post(f"/tables/{first['id']}/join", {"deck": deck_of(bob)})
    assert (joined.status_code, joined.json["code"]) == (409, "table_cancelled")
    assert "errors" not in joined.json
    assert bob.get(f"/tables/{first['id']}").json["state"] == "cancelled"
    assert held(bob) == {None}


def test_who_has_joined_may_leave_and_who_has_opened_may_cancel(seat: Callable[..., Guest]) -> None:
    ann, bob = seat("ann"), seat("bob")
    table = ann.post("/tables", {"mode": "hearts"}).json
    path = f"/tables/{table['id']}"
    assert bob.post(f"{path}/join", {}).json["seats"][1] == {"name": "bob", "bot": None}
    twice = bob.post(f"{path}/join", {})
    assert (twice.status_code, twice.json["code"]) == (409, "already_seated")
    assert bob.post(f"{path}/leave", {}).json["seats"][1] is None
    assert bob.post(f"{path}/leave", {}).json["code"] == "not_seated"
    assert ann.post(f"{path}/leave", {}).json["code"] == "opener_stays"
    assert bob.delete(path).json["code"] == "not_your_table"
    assert ann.delete(path).status_code == 204
    for answer in (ann.delete(path), bob.post(f"{path}/join", {}), bob.post(f"{path}/leave", {})):
        assert (answer.status_code, answer.json["code"]) == (409, "table_closed")
    assert ann.get(path).json["state"] == "cancelled"
    assert ann.get("/tables").json["items"] == []


def test_tables_are_listed_by_mode_and_paged(ann: Guest) -> None:
    hearts = [ann.post("/tables", {"mode": "hearts"}).json["id"] for _ in range(3)]
    chef = open_chef(ann).json["id"]
    assert [t["id"] for t in ann.get("/tables?mode=chef").json["items"]] == [chef]
    seen: list[str] = []
    cursor = ""
    while True:
        shown = ann.get(f"/tables?mode=hearts&limit=2{cursor}").json
        seen += [table["id"] for table in shown["items"]]
        if shown["next"] is None:
            break
        cursor = f"&cursor={shown['next']}"
    assert sorted(seen) == sorted(hearts)


@ON_SQLITE
@pytest.mark.usefixtures("kept_tokens")
def test_a_list_of_many_tables_asks_the_database_no_more_than_one_of_few(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        asked.append(statement)

    def looked() -> tuple[int, list[list[Any]]]:
        asked.clear()
        items = ann.get("/tables").json["items"]
        return len(asked), [table["seats"] for table in items]

    event.listen(house.database.engine, "before_cursor_execute", note)
    ann.post("/tables", {"mode": "hearts", "seats": 4, "bots": ["careful"]})
    few, seats = looked()
    assert seats == [
        [{"name": "Ann", "bot": None}, {"name": "careful (house)", "bot": "careful"}, None, None]
    ]
    for _ in range(4):
        clock[0] += 1000
        bob.post("/tables", {"mode": "hearts"})
    many, seats = looked()
    assert seats[1:] == [[{"name": "bob", "bot": None}, None, None]] * 4
    assert many == few


def test_nobody_opens_tables_without_end(ann: Guest) -> None:
    statuses = [ann.post("/tables", {"mode": "hearts"}).status_code for _ in range(6)]
    assert statuses == [201] * 5 + [409]


def test_nobody_opens_more_tables_by_opening_them_at_once(app: Flask, ann: Guest) -> None:
    def job() -> Callable[[], int]:
        guest = replace(ann, client=app.test_client())
        return lambda: guest.post("/tables", {"mode": "hearts"}).status_code

    assert sorted(at_once([job() for _ in range(8)])) == [201] * 5 + [409] * 3


def test_the_last_seat_is_taken_once(seat: Callable[..., Guest]) -> None:
    guests = [seat(f"guest-{i}") for i in range(6)]
    table = open_chef(guests[0]).json
    decks = {guest.handle: deck_of(guest) for guest in guests}

    def join(guest: Guest) -> int:
        return guest.post(f"/tables/{table['id']}/join", {"deck": decks[guest.handle]}).status_code

    results = at_once([lambda guest=guest: join(guest) for guest in guests[1:]])
    assert sorted(results) == [200] + [409] * 4
    game = guests[0].get(f"/tables/{table['id']}").json["game"]
    assert sum(held(guest) == {game} for guest in guests) == 2


@ON_SQLITE
def test_nobody_sits_without_a_token(client: FlaskClient) -> None:
    assert client.post("/api/v1/tables", json={"mode": "hearts"}).status_code == 401
