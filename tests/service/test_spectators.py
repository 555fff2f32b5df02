"""Spectators: what lies open for all, whenever they come, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask

from referee import Game, apply, dump_game, read_entry, verify_record, view
from service.operations import tables
from service.runtime import Runtime
from service.web.etags import FINAL, OWN
from tests.service.match_kit import Match, deck_id, sit_down
from tests.service.rematch_kit import over
from tests.service.service_kit import ON_SQLITE_FIRST, Guest

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
DAY = 24 * 3_600_000


@pytest.fixture
def nobody(app: Flask) -> Guest:
    """Somebody who is not signed in."""
    return Guest(app.test_client(), "nobody", b"")


def fold(guest: Guest, game_id: str, game: Game | None = None) -> Game:
    """A spectator's own fold, from where they were."""
    after = -1 if game is None else game.seq
    shown = guest.get(f"/games/{game_id}/entries?after={after}")
    assert shown.status_code == 200, shown.text
    for data in shown.json["entries"]:
        game = apply(game, read_entry(data))
    assert game is not None
    return game


def sees_only_what_is_open(guest: Guest, match: Match) -> None:
    """A spectator's view is the view of nobody's seat, and of the same in their own fold."""
    shown = guest.get(f"/games/{match.id}").json
    assert shown["seat"] is None
    house, own = match.fold, fold(guest, match.id)
    assert {**view(house, None), "spectators": True, "deck": None, "deck_id": None} == shown
    assert view(own, None) == view(house, None)
    open_to_all = house.rules.sees(house.state, None)
    assert {int(position) for position in shown["state"]["faces"]} <= open_to_all


@ON_SQLITE_FIRST
def test_a_match_is_watched_from_its_middle_as_from_its_start(
    house: Runtime, clock: list[int], nobody: Guest, seat: Callable[..., Guest]
) -> None:
    ann, bob, eve = seat("ann"), seat("bob", "night-market"), seat("eve")
    match = sit_down(house, clock, [ann, bob], seed=41)
    early = fold(nobody, match.id)
    listed = nobody.get("/live").json["items"]
    assert [(game["id"], game["mode"], game["names"]) for game in listed] == [
        (match.id, "chef", ["ann", "bob"])
    ]
    match.until("reveal")
    for looker in (nobody, eve):
        sees_only_what_is_open(looker, match)

    # One chef's reveal waits for the other's. Until then no path shows it to anybody.
    chair = match.chairs[0]
    chair.catch_up()
    message = chair.message()
    assert chair.send(message)["seq"] is None
    for path in ("", "/entries", "/rounds", "/record"):
        assert message.json()["signature"] not in nobody.get(f"/games/{match.id}{path}").text
    sees_only_what_is_open(eve, match)

    # A seat's own data stays a seat's own.
    assert eve.get(f"/games/{match.id}/faces").json["faces"] == []
    assert nobody.get(f"/games/{match.id}/faces").status_code == 401
    refused = eve.post(f"/games/{match.id}/certificate", {"seat": 0, "seed": "A" * 43})
    assert refused.json["code"] == "not_your_seat"
    assert eve.post(f"/games/{match.id}/entries", message.json()).json["code"] == "not_your_seat"

    # A newcomer knows as much as those who were there from the start.
    match.step()
    late, early = fold(eve, match.id), fold(nobody, match.id, early)
    assert dump_game(late) == dump_game(early)
    assert late.seq == match.fold.seq
    so_far = nobody.get(f"/games/{match.id}/record").data
    assert verify_record(so_far, house.keys.public, unfinished=True).valid

    leaver = match.chairs[1]
    assert leaver.post(leaver.seat.resign(leaver.catch_up())).status_code == 201
    assert nobody.get("/live").json["items"] == []
    assert nobody.get(f"/games/{match.id}").json["over"]


@ON_SQLITE
@pytest.mark.parametrize("steps", [15, pytest.param(40, marks=pytest.mark.long)])
def test_a_spectator_sees_no_hand(
    house: Runtime, clock: list[int], nobody: Guest, seat: Callable[..., Guest], steps: int
) -> None:
    guests = [seat(name) for name in ("ann", "bob", "cleo")]
    match = sit_down(house, clock, guests, mode="hearts", seed=42)
    match.until("move")
    shown = nobody.get(f"/games/{match.id}").json["state"]
    hands = {position for hand in shown["hands"] for position in hand}
    assert len(hands) >= 51
    for _ in range(steps):
        sees_only_what_is_open(nobody, match)
        state = nobody.get(f"/games/{match.id}").json["state"]
        hidden = {p for hand in state["hands"] for p in hand} - set(state["exposed"])
        assert not hidden & {int(position) for position in state["faces"]}
        match.step()


@ON_SQLITE
def test_a_seat_alone_sees_the_deck_with_which_it_sat_down(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, nobody: Guest
) -> None:
    """It stays that deck when its player edits the list: the house certifies no other."""
    mine, theirs = (guest.get("/decks").json["items"][0] for guest in (ann, bob))
    match = sit_down(house, clock, [ann, bob], seed=44)
    fewer = dict(list(mine["cards"].items())[1:])
    assert ann.edit("PATCH", f"/decks/{mine['id']}", {"cards": fewer}).status_code == 200
    for guest, deck in ((ann, mine), (bob, theirs)):
        assert guest.get(f"/games/{match.id}").json["deck"] == deck["cards"]
        assert guest.get(f"/games/{match.id}").json["deck_id"] == deck["id"]
    pack = sit_down(house, clock, [ann, bob], mode="cribbage", seed=45)
    for guest, game in ((nobody, match), (ann, pack)):
        shown = guest.get(f"/games/{game.id}").json
        assert (shown["deck"], shown["deck_id"]) == (None, None)


@ON_SQLITE
def test_a_seat_knows_its_deck_list_after_the_game_too(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, nobody: Guest
) -> None:
    """So a rematch needs no choice. The cards are not kept: the list has them."""
    lists = [guest.get("/decks").json["items"][0]["id"] for guest in (ann, bob)]
    match = sit_down(house, clock, [ann, bob], seed=44)
    match.until("move")
    chair = match.chairs[0]
    assert chair.post(chair.seat.resign(chair.catch_up())).status_code == 201
    for guest, expected in ((ann, lists[0]), (bob, lists[1]), (nobody, None)):
        shown = guest.get(f"/games/{match.id}").json
        assert (shown["over"], shown["deck"], shown["deck_id"]) == (True, None, expected)


@ON_SQLITE
def test_without_spectators_a_game_is_its_players(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest], nobody: Guest
) -> None:
    eve = seat("eve")
    match = sit_down(house, clock, [ann, bob], seed=43, spectators=False)
    assert ann.get(f"/games/{match.id}").json["spectators"] is False
    for path in ("", "/entries", "/rounds", "/record"):
        assert eve.get(f"/games/{match.id}{path}").json["code"] == "not_your_game"
        assert nobody.get(f"/games/{match.id}{path}").json["code"] == "not_signed_in"
    assert nobody.get("/live").json["items"] == []


@ON_SQLITE
def test_a_private_table_may_be_watched_if_its_opener_says_so(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, nobody: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob], seed=44, private=True, spectators=True)
    assert nobody.get("/live").json["items"] == []  # a private table stands in no list
    assert nobody.get("/live?mode=chef").json["items"] == []
    sees_only_what_is_open(nobody, match)


@ON_SQLITE
def test_a_record_may_be_kept_by_any_cache_once_the_game_is_over(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, nobody: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob], seed=46)
    path = f"/games/{match.id}/record"
    running = nobody.get(path)
    assert running.headers["Cache-Control"] == OWN
    assert running.headers["Vary"] == "Authorization"
    over(match)
    final = [guest.get(path) for guest in (nobody, ann)]
    for answer in final:
        assert answer.headers["Cache-Control"] == FINAL
        assert answer.headers["Vary"] == "Accept-Encoding"  # and not on who asks
        assert answer.headers["ETag"] == f'"{sha256(answer.data).hexdigest()}"' != running.headers["ETag"]
    assert final[0].data == final[1].data
    nobody.headers["If-None-Match"] = final[0].headers["ETag"]
    again = nobody.get(path)
    assert (again.status_code, again.data, again.headers["Cache-Control"]) == (304, b"", FINAL)


def test_games_to_watch_are_listed_newest_first_and_paged(
    house: Runtime, clock: list[int], ann: Guest, nobody: Guest
) -> None:
    begun = []
    for number in range(5):
        clock[0] += number % 2  # some begin in the same millisecond
        body = {"mode": "hearts", "bots": ["random"] * 2, "spectators": number != 2}
        begun.append((clock[0], ann.post("/tables", body).json["game"]))
    watched = [game for number, game in enumerate(begun) if number != 2]
    chef = ann.post("/tables", {"mode": "chef", "deck": deck_id(ann), "bots": ["greedy"]}).json["game"]
    seen: list[str] = []
    cursor = ""
    while True:
        shown = nobody.get(f"/live?mode=hearts&limit=2{cursor}").json
        seen += [game["id"] for game in shown["items"]]
        if shown["next"] is None:
            break
        cursor = f"&cursor={shown['next']}"
    assert seen == [game for _, game in sorted(watched, reverse=True)]
    assert [game["id"] for game in nobody.get("/live?mode=chef").json["items"]] == [chef]
    assert nobody.get("/live?mode=cribbage").json["items"] == []
    assert nobody.get("/live?cursor=x").status_code == 400


def test_a_table_that_does_not_fill_expires(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    ann, bob = seat("ann"), seat("bob")
    old = [ann.post("/tables", {"mode": "hearts", "private": i == 0}).json for i in range(5)]
    clock[0] += DAY
    assert len(bob.get("/tables").json["items"]) == 4
    clock[0] += 1
    # Nobody has swept: it is closed all the same.
    path = f"/tables/{old[1]['id']}"
    assert bob.get("/tables").json["items"] == ann.get("/tables?mine=true").json["items"] == []
    assert bob.get(path).json["state"] == "expired"
    for answer in (bob.post(f"{path}/join", {}), ann.delete(path), bob.post(f"{path}/leave", {})):
        assert (answer.status_code, answer.json["code"], answer.json["state"]) == (
            409,
            "table_closed",
            "expired",
        )
    code = old[0]["invitation"]
    assert bob.get(f"/invitations/{code}").json["state"] == "expired"
    assert bob.post(f"/tables/{old[0]['id']}/join", {"invitation": code}).json["code"] == "table_closed"
    fresh = ann.post("/tables", {"mode": "hearts"}).json  # the expired ones do not count
    played = ann.post("/tables", {"mode": "hearts", "bots": ["random"] * 2}).json

    assert tables.expire(house, clock[0]) == 5
    assert tables.expire(house, clock[0]) == 0
    assert bob.get(path).json["state"] == "expired"
    assert ann.get(f"/tables/{fresh['id']}").json["state"] == "open"
    clock[0] += DAY + 1
    assert tables.expire(house, clock[0]) == 1
    assert ann.get(f"/tables/{played['id']}").json["state"] == "playing"


@ON_SQLITE_FIRST
def test_a_draw_is_offered_withdrawn_declined_and_agreed(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, nobody: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob], seed=45)
    first, second = match.chairs
    early = first.post(first.seat.offer_draw(first.catch_up()))
    assert early.status_code == 409  # before the first deal there is nothing to share
    match.until("seal")

    def offers() -> list[bool]:
        [shown] = {str(g.get(f"/games/{match.id}").json["seats"]) for g in (ann, bob, nobody)}
        seats: list[dict[str, Any]] = ann.get(f"/games/{match.id}").json["seats"]
        assert shown == str(seats)
        return [seat["offers_draw"] for seat in seats]

    def offer(chair: Any) -> int:
        return chair.post(chair.seat.offer_draw(chair.catch_up())).status_code

    assert offer(first) == 201
    assert offers() == [True, False]
    # The other plays on: that is how it is declined. Its sender plays on: that is how it is withdrawn.
    second.catch_up()
    second.send()
    assert offers() == [True, False]
    first.catch_up()
    first.send()
    assert offers() == [False, False]
    match.until("seal")
    assert offer(second) == 201
    assert offers() == [False, True]
    assert offer(first) == 201
    ended = ann.get(f"/games/{match.id}").json
    assert (ended["outcome"]["reason"], ended["outcome"]["winners"]) == ("agreed", [0, 1])
