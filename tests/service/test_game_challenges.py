"""Challenges: one player asks another by handle, and a game begins once, however many answers meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import col, select

from service.models import GameChallenge, GameRow
from service.operations import game_challenges as challenges
from service.operations import moderation, paces
from service.operations.seating import mode_of
from service.runtime import Runtime
from tests.service.match_kit import deck_id
from tests.service.races_kit import at_once
from tests.service.rating_kit import finished
from tests.service.service_kit import Guest

HOUR = 3_600_000
ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""


def challenged(by: Guest, to: Guest, **more: Any) -> str:
    made = by.post("/challenges", {"to": to.handle, "mode": "big-c", **more})
    assert made.status_code == 201, made.text
    return str(made.json["id"])


def names(guest: Guest) -> list[str]:
    return [event["event"] for event in guest.get("/feed").json["events"]]


def test_a_challenge_is_accepted_and_the_game_begins(ann: Guest, bob: Guest, house: Runtime) -> None:
    found = challenged(ann, bob, rated=True, pace="3-days")
    shown = bob.get(f"/challenges/{found}").json
    assert (shown["challenger"], shown["challenged"], shown["state"]) == ("Ann", "bob", "open")
    assert shown["options"]["turn"] == 3 * 86_400
    assert [each["id"] for each in bob.get("/challenges").json["items"]] == [found]
    assert names(bob) == ["challenge.made"]
    taken = bob.post(f"/challenges/{found}/accept", {}).json
    assert taken["state"] == "accepted"
    game = ann.get(f"/games/{taken['game']}").json
    assert game["seat"] == 0
    assert {"challenge.accepted", "game.begun"} <= set(names(ann))
    with house.read() as session:
        assert session.get_one(GameRow, taken["game"]).rated
    assert ann.get("/challenges").json["items"] == []
    for verb, guest in (("accept", bob), ("decline", bob), ("withdraw", ann)):
        again = guest.post(f"/challenges/{found}/{verb}", {})
        assert (again.status_code, again.json["code"]) == (409, "challenge_closed")


def test_players_of_own_decks_bring_them(ann: Guest, bob: Guest) -> None:
    refused = ann.post("/challenges", {"to": "bob", "mode": "chef"})
    assert (refused.status_code, refused.json["code"]) == (422, "deck_missing")
    found = challenged(ann, bob, mode="chef", deck=deck_id(ann), pace="7-days")
    assert bob.post(f"/challenges/{found}/accept", {}).json["code"] == "deck_missing"
    assert bob.post(f"/challenges/{found}/accept", {"deck": deck_id(bob)}).json["state"] == "accepted"


def test_a_deck_plays_three_games_by_correspondence_at_once(
    ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    deck = deck_id(ann)
    for other in (bob, seat("cleo"), seat("dora")):
        found = challenged(ann, other, mode="chef", deck=deck, pace="7-days", rated=True)
        taken = other.post(f"/challenges/{found}/accept", {"deck": deck_id(other)}).json
        assert taken["state"] == "accepted", taken
        assert taken["options"]["seal"] == 7 * 86_400
    assert len(ann.get("/games?state=running").json["items"]) == 3
    assert names(ann).count("game.asked") == 3, "the feed and webhooks tell whose move it is"


def test_a_deck_that_is_gone_withdraws_its_challenge(ann: Guest, bob: Guest) -> None:
    deck = deck_id(ann)
    found = challenged(ann, bob, mode="chef", deck=deck)
    assert ann.delete(f"/decks/{deck}", If_Match="*").status_code == 204
    refused = bob.post(f"/challenges/{found}/accept", {"deck": deck_id(bob)})
    assert (refused.status_code, refused.json["code"]) == (409, "challenge_closed")
    assert ann.get(f"/challenges/{found}").json["state"] == "withdrawn"


def test_a_challenge_is_declined_or_withdrawn_or_runs_out(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int]
) -> None:
    first = challenged(ann, bob)
    assert bob.post(f"/challenges/{first}/decline", {}).json["state"] == "declined"
    second = challenged(ann, bob)
    assert ann.post(f"/challenges/{second}/withdraw", {}).json["state"] == "withdrawn"
    third = challenged(ann, bob)
    clock[0] += challenges.HOURS * HOUR
    assert bob.get(f"/challenges/{third}").json["state"] == "expired"
    assert bob.post(f"/challenges/{third}/accept", {}).json["code"] == "challenge_closed"
    assert bob.get("/challenges").json["items"] == []
    assert challenges.expire(house, clock[0]) == 1
    assert challenges.expire(house, clock[0]) == 0
    assert names(ann) == ["challenge.declined", "challenge.expired"]
    made = ["challenge.made"] * 2
    assert names(bob) == [
        made[0],
        "challenge.made",
        "challenge.withdrawn",
        "challenge.made",
        "challenge.expired",
    ]


def test_only_its_two_players_know_of_a_challenge(ann: Guest, bob: Guest, seat: Callable[..., Guest]) -> None:
    eve = seat("eve")
    found = challenged(ann, bob)
    assert eve.get(f"/challenges/{found}").status_code == 404
    for verb in ("accept", "decline", "withdraw"):
        assert eve.post(f"/challenges/{found}/{verb}", {}).status_code == 404
    assert eve.get("/challenges").json["items"] == []
    assert ann.post(f"/challenges/{found}/accept", {}).json["code"] == "own_challenge"
    assert bob.post(f"/challenges/{found}/withdraw", {}).json["code"] == "not_your_challenge"


@ONE
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"to": "nobody-here", "mode": "big-c"}, 404, "not_found"),
        ({"to": "ann", "mode": "big-c"}, 422, "own_challenge"),
        ({"to": "bob", "mode": "no-such"}, 422, "unknown_mode"),
        ({"to": "bob", "mode": "hearts"}, 422, "not_for_two"),
        ({"to": "bob", "mode": "big-c", "options": {"turn": 1}}, 422, "bad_option"),
        ({"to": "bob", "mode": "big-c", "format": "open"}, 422, "no_own_deck"),
        ({"to": "bob", "mode": "big-c", "pace": "hasty"}, 422, "invalid_request"),
    ],
)
def test_what_can_not_be_asked_is_refused(
    ann: Guest, bob: Guest, body: dict[str, Any], status: int, code: str
) -> None:
    refused = ann.post("/challenges", body)
    assert (refused.status_code, refused.json["code"]) == (status, code), refused.text
    assert ann.get("/challenges").json["items"] == []
    assert names(bob) == []


@ONE
def test_a_player_asks_another_once_and_ten_players_at_most(
    ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    challenged(ann, bob)
    assert ann.post("/challenges", {"to": "bob", "mode": "flip"}).json["code"] == "already_challenged"
    for number in range(challenges.MOST_OPEN - 1):
        challenged(ann, seat(f"guest{number}"))
    refused = ann.post("/challenges", {"to": seat("last").handle, "mode": "big-c"})
    assert (refused.status_code, refused.json["code"]) == (409, "too_many_challenges")


@ONE
def test_blocks_keep_challenges_away(ann: Guest, bob: Guest) -> None:
    found = challenged(ann, bob)
    assert bob.put("/me/blocks/ann", None).status_code < 300
    assert bob.get("/challenges").json["items"] == ann.get("/challenges").json["items"] == []
    assert bob.post(f"/challenges/{found}/accept", {}).json["code"] == "blocked"
    ann.post(f"/challenges/{found}/withdraw", {})
    assert ann.post("/challenges", {"to": "bob", "mode": "big-c"}).json["code"] == "unreachable_player"
    assert bob.post("/challenges", {"to": "ann", "mode": "big-c"}).json["code"] == "blocked"


@ONE
def test_a_rated_challenge_needs_a_rated_game_that_would_count(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    for _ in range(house.settings.rated_games_a_day):
        finished(house, [ann, bob], [0])
    refused = ann.post("/challenges", {"to": "bob", "mode": "big-c", "rated": True})
    assert (refused.status_code, refused.json["code"]) == (409, "same_opponents")
    challenged(ann, bob)


def test_answers_that_meet_begin_one_game(ann: Guest, bob: Guest, house: Runtime) -> None:
    found = challenged(ann, bob)
    jobs: list[Callable[[], object]] = [
        lambda: bob.post(f"/challenges/{found}/accept", {}).status_code for _ in range(4)
    ]
    jobs += [lambda: ann.post(f"/challenges/{found}/withdraw", {}).status_code for _ in range(2)]
    jobs += [lambda: bob.post(f"/challenges/{found}/decline", {}).status_code]
    answers = at_once(jobs)
    assert sorted(map(str, answers)) == ["200", *["409"] * 6], answers
    with house.read() as session:
        state = session.get_one(GameChallenge, found).state
        games = session.exec(select(GameRow).where(col(GameRow.mode) == "big-c")).all()
    assert len(games) == (state == "accepted")


def test_challenges_that_meet_are_one_to_a_player(ann: Guest, bob: Guest) -> None:
    body = {"to": "bob", "mode": "big-c"}
    answers = at_once([lambda: ann.post("/challenges", body).status_code for _ in range(5)])
    assert sorted(map(str, answers)) == ["201", *["409"] * 4], answers


@pytest.mark.parametrize("mode", ["chef", "hearts", "cribbage", "big-c", "flip"])
def test_a_pace_sets_every_clock_and_leaves_the_bank_alone(mode: str) -> None:
    rules = mode_of(mode)
    assert paces.options_of(rules, "usual") == {}
    days = paces.options_of(rules, "5-days")
    assert set(days.values()) == {5 * 86_400}
    assert {"enter", "ready", "link"} <= days.keys()
    quick = paces.options_of(rules, "quick")
    assert set(quick.values()) == {30}
    assert quick.keys() < days.keys()
    assert "bank" not in days
    assert [pace for pace in paces.PACES if paces.by_correspondence(pace)] == [
        "1-day",
        "2-days",
        "3-days",
        "4-days",
        "5-days",
        "6-days",
        "7-days",
    ]


@ONE
def test_suspended_players_neither_challenge_nor_accept(ann: Guest, bob: Guest, house: Runtime) -> None:
    found = challenged(ann, bob)
    moderation.impose(house, None, "bob", "suspended", reason="rude words", hours=None)
    for path, body in (("/challenges", {"to": "ann", "mode": "flip"}), (f"/challenges/{found}/accept", {})):
        refused = bob.post(path, body)
        assert (refused.status_code, refused.json["code"]) == (403, "suspended")
    moderation.lift(house, None, "bob", "suspended")
    moderation.impose(house, None, "ann", "suspended", reason="rude words", hours=None)
    assert bob.post(f"/challenges/{found}/accept", {}).json["code"] == "challenge_closed"
    assert bob.get(f"/challenges/{found}").json["state"] == "withdrawn"
