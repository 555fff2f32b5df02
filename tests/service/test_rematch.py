"""Playing again: one rematch a game, for the same players, begun once however many ask at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from service.runtime import Bots, Runtime
from tests.service.match_kit import Match, deck_id, follow, sit_down
from tests.service.races_kit import at_once
from tests.service.rematch_kit import over
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, codes
from tests.service.trade_kit import offer_one

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@pytest.fixture
def three(house: Runtime, clock: list[int], seat: Callable[..., Guest]) -> Match:
    """A game of hearts that is over: Ann, a bot, Bob, Cleo."""
    guests = [seat(name) for name in ("Ann", "Bob", "Cleo")]
    options = {"enter": 120, "card": 240}
    return over(sit_down(house, clock, guests, mode="hearts", bots=["careful"], options=options, seed=31))


def names(table: dict) -> list[str | None]:
    """Return the names of the players by seat."""
    return [None if seat is None else seat["name"] for seat in table["seats"]]


@ON_SQLITE_FIRST
def test_a_rematch_is_the_same_game_with_everybody_one_seat_up(
    house: Runtime, clock: list[int], three: Match, seat: Callable[..., Guest]
) -> None:
    ann, bob, cleo = (chair.guest for chair in three.chairs)
    eve = seat("eve")
    path = f"/games/{three.id}/rematch"
    assert bob.get(path).status_code == 404
    made = bob.post(path, {})
    assert made.status_code == 201, made.text
    table = made.json
    assert names(table) == ["careful (house)", "Bob", None, None]
    assert (table["state"], table["rematch_of"], table["opened_by"]) == ("open", three.id, "Bob")
    assert (table["private"], table["spectators"], table["invitation"]) == (True, True, None)
    assert (table["mode"], table["options"]["enter"], table["options"]["card"]) == ("hearts", 120, 240)

    # The others find it, strangers do not.
    for guest in (ann, cleo):
        assert guest.get(path).json == guest.get(f"/tables/{table['id']}").json == table
        assert [t["id"] for t in guest.get("/tables?mine=true").json["items"]] == [table["id"]]
    for answer in (eve.get(f"/tables/{table['id']}"), eve.post(f"/tables/{table['id']}/join", {})):
        assert answer.status_code == 404
    assert eve.post(path, {}).json["code"] == eve.get(path).json["code"] == "not_your_game"
    assert eve.get("/tables").json["items"] == eve.get("/tables?mine=true").json["items"] == []

    # Asked twice it is the same table; the plain way of joining leads to the kept seat as well.
    assert bob.post(path, {}).json == table
    assert names(cleo.post(f"/tables/{table['id']}/join", {}).json) == [
        "careful (house)",
        "Bob",
        "Cleo",
        None,
    ]
    begun = ann.post(path, {}).json
    assert (begun["state"], names(begun)) == ("playing", ["careful (house)", "Bob", "Cleo", "Ann"])
    assert bob.post(path, {}).json["game"] == cleo.get(path).json["game"] == begun["game"]
    again = follow(house, clock, [ann, bob, cleo], begun["game"], Random(1), "hearts")
    assert [chair.number for chair in again.chairs] == [3, 1, 2]
    assert again.until("move").deals == 1
    # Everybody may watch it as the first game, and the list says so.
    assert [game["id"] for game in eve.get("/live").json["items"]] == [again.id]


@ON_SQLITE_FIRST
def test_against_bots_alone_it_begins_at_once(house: Runtime, clock: list[int], ann: Guest) -> None:
    match = over(sit_down(house, clock, [ann], bots=["greedy"], seed=32))
    path = f"/games/{match.id}/rematch"
    missing = ann.post(path, {})
    assert (missing.status_code, codes(missing)) == (422, [("deck_missing", "/deck")])
    assert ann.post(path, {"deck": "none"}).status_code == 404
    assert ann.get(path).status_code == 404
    table = ann.post(path, {"deck": deck_id(ann)}).json
    assert (table["state"], names(table)) == ("playing", ["greedy (house)", "Ann"])
    again = over(follow(house, clock, [ann], table["game"], Random(2)))
    # The rematch has a rematch of its own, and Ann is first again; the first game keeps the one it had.
    assert ann.post(path, {"deck": deck_id(ann)}).json["game"] == again.id
    third = ann.post(f"/games/{again.id}/rematch", {"deck": deck_id(ann)}).json
    assert names(third) == ["Ann", "greedy (house)"]


def test_all_who_ask_at_once_end_at_one_table(three: Match) -> None:
    guests = [chair.guest for chair in three.chairs]
    path = f"/games/{three.id}/rematch"
    answers = at_once([lambda guest=guest: guest.post(path, {}).json for guest in guests * 3])
    assert len({table["id"] for table in answers}) == 1
    [game] = {table["game"] for table in answers if table["state"] == "playing"}
    assert all(guest.get(f"/games/{game}").json["seat"] is not None for guest in guests)


@ON_SQLITE
def test_a_rematch_comes_after_the_game(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    match = sit_down(house, clock, [ann, bob], seed=33)
    refused = ann.post(f"/games/{match.id}/rematch", {"deck": deck_id(ann)})
    assert (refused.status_code, refused.json["code"]) == (409, "game_running")
    assert ann.get(f"/games/{match.id}/rematch").status_code == 404
    assert ann.post("/games/none/rematch", {}).status_code == 404


@ON_SQLITE
def test_one_that_was_cancelled_or_has_expired_makes_way(clock: list[int], three: Match) -> None:
    ann, bob, cleo = (chair.guest for chair in three.chairs)
    path = f"/games/{three.id}/rematch"
    first = ann.post(path, {}).json
    assert bob.delete(f"/tables/{first['id']}").json["code"] == "not_your_table"
    assert ann.delete(f"/tables/{first['id']}").status_code == 204
    assert bob.get(path).status_code == 404
    second = bob.post(path, {}).json
    assert second["id"] != first["id"]
    clock[0] += 24 * 3_600_000 + 1
    assert bob.get(f"/tables/{second['id']}").json["state"] == "expired"
    third = cleo.post(path, {}).json
    assert third["id"] not in (first["id"], second["id"])
    assert (third["state"], third["opened_by"]) == ("open", "Cleo")
    assert ann.post(path, {}).json["id"] == third["id"]


@ON_SQLITE
def test_a_deck_of_which_a_copy_is_offered_by_then_closes_it(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = over(sit_down(house, clock, [ann, bob], seed=34))
    path = f"/games/{match.id}/rematch"
    first = ann.post(path, {"deck": deck_id(ann)}).json
    offer_one(house, ann)  # a copy of ann's deck lies in an offer
    refused = bob.post(path, {"deck": deck_id(bob)})
    assert (refused.status_code, refused.json["code"]) == (409, "table_cancelled")
    assert bob.get(f"/tables/{first['id']}").json["state"] == "cancelled"
    assert bob.post(path, {"deck": deck_id(bob)}).json["state"] == "open"


@ON_SQLITE
def test_what_can_not_be_played_as_it_was_is_said(house: Runtime, three: Match) -> None:
    object.__setattr__(house, "bots", {"hearts": Bots(("random",))})
    refused = three.chairs[0].guest.post(f"/games/{three.id}/rematch", {})
    assert (refused.status_code, refused.json["code"]) == (409, "no_rematch")
