"""Profiles: results by deck, of which nobody learns more than the owner shows, and favourite dishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlmodel import col, select, update

from service.models import GameEntry, GameRow, GameSeat, RatingChange, TableSeat, TimesServed
from service.operations import dish_books, favourites, rating_books, roles
from service.operations.games import stop
from service.runtime import Runtime
from tests.service.match_kit import Match, deck_id, sit_down
from tests.service.rating_kit import finished
from tests.service.service_kit import API, PASSWORD, Guest
from tests.service.tournament_kit import created, entered, look, started

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""
NONE = {"games": 0, "wins": 0, "draws": 0, "losses": 0}
WON = {"games": 1, "wins": 1, "draws": 0, "losses": 0}
LOST = {"games": 1, "wins": 0, "draws": 0, "losses": 1}


def by_deck(asker: Guest, player: Guest, mode: str = "chef") -> dict[str, Any]:
    answer = asker.get(f"/players/{player.handle}/ratings/{mode}/decks")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def served_one_course(house: Runtime, clock: list[int], ann: Guest, bob: Guest, **more: Any) -> Match:
    """A game of chefs of which a round is over, and which ann then gives up."""
    match = sit_down(house, clock, [ann, bob], **more)
    while not ann.get(f"/games/{match.id}/pictures").json["items"]:
        match.step()
    chair = match.chairs[0]
    assert chair.post(chair.seat.resign(chair.catch_up())).status_code == 201
    match.work()
    assert match.fold.over
    return match


def told(house: Runtime, game: str) -> dict[str, Counter[tuple[str, ...]]]:
    """What the accounts of a game say that each seat's player has served: recipe, ingredients by slug."""
    with house.read() as session:
        entries = session.exec(
            select(GameEntry.entry).where(GameEntry.game_id == game, GameEntry.kind == "account")
        ).all()
        seats = session.exec(select(GameSeat).where(GameSeat.game_id == game)).all()
    players = {seat.seat: seat.player_id or "" for seat in seats}
    found: dict[str, Counter[tuple[str, ...]]] = {player: Counter() for player in players.values()}
    for entry in entries:
        for line in entry["body"]["lines"]:
            if line["kind"] == "dish" and line["recipe"] is not None:
                found[players[line["seat"]]][line["recipe"], *sorted(line["ingredients"])] += 1
    return found


def shown_dishes(asker: Guest, player: Guest) -> Counter[tuple[str, ...]]:
    items = asker.get(f"/players/{player.handle}/dishes").json["items"]
    return Counter(
        {
            (each["recipe"]["slug"], *sorted(card["slug"] for card in each["ingredients"])): each["times"]
            for each in items
        }
    )


def test_a_deck_that_is_not_public_is_shown_to_its_owner_alone(
    house: Runtime, clock: list[int], client: FlaskClient, ann: Guest, bob: Guest
) -> None:
    served_one_course(house, clock, ann, bob, rated=True)
    deck = deck_id(ann)
    name = ann.get(f"/decks/{deck}").json["name"]
    mine = {"deck": deck, "name": name, "visibility": "private", "deleted": False, **LOST}
    assert by_deck(ann, ann) == {"items": [mine], "others": NONE}
    strangers = f"{API}/players/ann/ratings/chef/decks"
    for visibility in ("private", "unlisted"):
        set_visibility(ann, deck, visibility)
        assert by_deck(bob, ann) == client.get(strangers).json == {"items": [], "others": LOST}
        assert name not in bob.get("/players/ann/ratings/chef/decks").text
    set_visibility(ann, deck, "public")
    public = {**mine, "visibility": "public"}
    assert by_deck(bob, ann) == client.get(strangers).json == {"items": [public], "others": NONE}
    assert by_deck(bob, bob)["items"][0] == {**by_deck(bob, bob)["items"][0], **WON}
    roles.give(house, None, "bob", roles.MODERATOR)
    assert bob.put(f"/moderation/decks/{deck}/hidden", {"reason": "rude"}).status_code in (200, 204)
    assert by_deck(bob, ann)["items"][0]["name"] == "(hidden name)"
    assert name not in client.get(strangers).text
    assert by_deck(ann, ann)["items"][0]["name"] == name
    assert ann.edit("DELETE", f"/decks/{deck}").status_code == 204
    assert by_deck(ann, ann)["items"][0]["deleted"]
    assert by_deck(bob, ann) == {"items": [], "others": LOST}
    assert client.get(f"{API}/players/nobody/ratings/chef/decks").status_code == 404


def set_visibility(guest: Guest, deck: str, visibility: str) -> None:
    changed = guest.edit("PATCH", f"/decks/{deck}", {"visibility": visibility})
    assert changed.status_code == 200, changed.text


def test_results_by_deck_follow_from_records_and_go_with_the_account(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = served_one_course(house, clock, ann, bob, rated=True)
    assert rating_books.check(house) == (1, [])
    with house.write() as session:
        session.execute(
            update(RatingChange).where(col(RatingChange.player_id) == ann.id).values(deck_id=None)
        )
    _, wrong = rating_books.check(house)
    assert [each.table for each in wrong] == ["rating_change"]
    rating_books.rewrite(house)
    assert by_deck(ann, ann)["items"][0]["games"] == 1
    assert ann.post("/me/deletion", {"current": PASSWORD}).status_code == 204
    with house.read() as session:
        for model in (GameSeat, TableSeat, RatingChange):
            named = session.exec(select(model.player_id, model.deck_id)).all()
            assert {player for player, deck in named if deck is None} == {ann.id}, model
        assert {row.player_id for row in session.exec(select(TimesServed))} <= {bob.id}
    assert rating_books.check(house) == (1, [])
    assert dish_books.check(house) == {}
    assert bob.get(f"/games/{match.id}/rating").status_code == 200


def test_no_deck_of_a_tournament_that_runs_shows_in_a_profile(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    deck = deck_id(ann)
    set_visibility(ann, deck, "public")
    finished(house, [ann, bob], [0], mode="chef", decks=(deck, None))
    assert by_deck(bob, ann)["items"][0]["games"] == 1
    clock[0] += 1000
    cup = created(ann, rounds=1)
    entered(cup, [ann, bob])
    clock[0] += 1000
    finished(house, [ann, bob], [0], mode="chef", decks=(deck, None))
    started(house, clock, ann, cup)
    shown = by_deck(bob, ann)
    assert (shown["items"][0]["games"], shown["others"]) == (1, WON)
    assert by_deck(ann, ann)["items"][0]["games"] == 2
    cancelled = ann.post(f"/tournaments/{cup}/cancel", {"reason": "rain"})
    assert cancelled.status_code == 200, cancelled.text
    look(house)
    assert by_deck(bob, ann)["items"][0]["games"] == 2


@ONE
def test_a_mode_without_decks_has_all_its_games_left_over(house: Runtime, ann: Guest, bob: Guest) -> None:
    finished(house, [ann, bob], [0])
    assert by_deck(bob, ann, "big-c") == {"items": [], "others": WON}
    assert by_deck(bob, ann, "hearts") == {"items": [], "others": NONE}


def test_favourite_dishes_are_counted_once_and_follow_from_the_records(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    counts: dict[str, Counter[tuple[str, ...]]] = {ann.id: Counter(), bob.id: Counter()}
    for private in (False, True):
        match = served_one_course(house, clock, ann, bob, seed=int(private), private=private)
        for player, served in told(house, match.id).items():
            counts[player] += served
    assert counts[ann.id] or counts[bob.id]
    for guest in (ann, bob):
        expected = counts[guest.id]
        assert shown_dishes(bob, guest) == Counter(dict(expected.most_common(favourites.MOST_LISTED)))
        times = [each["times"] for each in bob.get(f"/players/{guest.handle}/dishes").json["items"]]
        assert times == sorted(times, reverse=True)
    assert dish_books.check(house) == {}
    with house.write() as session:
        row = session.exec(select(TimesServed)).first()
        assert row is not None
        key, player = row.dish, row.player_id
        row.times += 7
        session.add(row)
        session.add(TimesServed(player_id=player, dish="1-2-3", times=1, at=1))
    assert dish_books.check(house) == {player: {key, "1-2-3"}}
    assert dish_books.rewrite(house) == {player: {key, "1-2-3"}}
    assert dish_books.check(house) == {}
    assert shown_dishes(ann, ann) + shown_dishes(ann, bob) == counts[ann.id] + counts[bob.id]


@ONE
def test_dishes_of_a_running_game_and_of_one_without_a_result_count_for_nothing(
    house: Runtime, clock: list[int], seat: Callable[..., Guest], ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob])
    while not ann.get(f"/games/{match.id}/pictures").json["items"]:
        match.step()
    assert shown_dishes(bob, ann) == shown_dishes(ann, bob) == Counter()
    with house.write() as session:
        stop(session, session.get_one(GameRow, match.id), house.now())
    assert shown_dishes(bob, ann) == shown_dishes(ann, bob) == Counter()
    assert dish_books.check(house) == {}
