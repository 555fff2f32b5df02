"""A player's feed: what concerns them, numbered without gaps in the order of the commits, and no more."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from crypto.encoding import timestamp
from referee import outcome_json
from referee.record import ANNUL, HOUSE_KINDS, MESSAGE_KINDS, PARTY_KINDS
from service.models import PlayerEvent
from service.notices import Notices
from service.operations import feed, games, tables
from service.runtime import Runtime
from tests.paths import DOCS
from tests.service.listening_kit import Listener, listen, parsed, parts
from tests.service.match_kit import Match, sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest, app_of
from tests.waiting import until

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
DAY = 86_400_000


def told(guest: Guest, after: int = 0) -> list[dict[str, Any]]:
    """A guest's feed by long polling, page by page; its ids are without gaps."""
    events: list[dict[str, Any]] = []
    more = True
    while more:
        last = events[-1]["id"] if events else after
        page = guest.get(f"/feed?after={last}&limit=7").json
        events, more = events + page["events"], page["more"]
    assert [event["id"] for event in events] == list(range(after + 1, after + 1 + len(events)))
    return events


def names(events: list[dict[str, Any]]) -> list[str]:
    """Return the names of events."""
    return [event["event"] for event in events]


def run_all(jobs: list[Callable[[], object]]) -> None:
    """Run them at the same time; none of them fails."""
    assert [result for result in at_once(jobs) if isinstance(result, Exception)] == []


@pytest.fixture
def match(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> Match:
    """Ann and Bob at a table of hearts, with one of the house's bots between them."""
    return sit_down(house, clock, [ann, bob], mode="hearts", bots=["random"], seed=3)


# Told news


def test_a_table_and_its_game_are_told_to_who_sits_there(match: Match, ann: Guest, bob: Guest) -> None:
    mine, other = told(ann), told(bob)
    assert names(mine)[:3] == ["table.joined", "game.begun", "game.asked"]
    assert names(other)[:2] == ["game.begun", "game.asked"]
    at = mine[0]["data"]["at"]
    assert mine[0]["data"] == {"at": at, "table": mine[0]["data"]["table"], "seat": 2, "name": "bob"}
    begun = {"game": match.id, "seq": 0, "mode": "hearts", "names": ["Ann", "random (house)", "bob"]}
    assert mine[1]["data"] == {"at": at, **begun, "seat": 0}
    assert other[0]["data"] == {"at": at, **begun, "seat": 2}
    asking = match.fold.asking
    assert asking is not None
    asked = {"game": match.id, "step": 0, "kind": "enter", "topic": "enter"}
    assert mine[2]["data"] == {"at": at, **asked, "seat": 0, "until": timestamp(asking.deadline_of(0))}

    before = len(mine)
    chair = match.chairs[1]
    chair.send()
    assert told(ann, before) == []  # that Bob has entered changes nothing for Ann
    match.lapse()
    last = told(ann)[-2:]
    assert names(last) == ["game.timed_out", "game.over"]
    assert last[0]["data"]["kind"] == "enter"
    assert last[1]["data"]["outcome"] == outcome_json(match.fold.outcome)
    assert names(told(bob))[-1] == "game.over"
    assert "game.timed_out" not in names(told(bob))


@ON_SQLITE
def test_who_had_no_choice_was_not_late(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    pegging = sit_down(house, clock, [ann, bob], mode="cribbage", seed=1)
    while not [entry for entry in _entries(ann, pegging) if entry["kind"] == "timeout"]:
        pegging.step()  # until the house says go for somebody
    assert "game.timed_out" not in names(told(ann)) + names(told(bob))
    pegging.lapse()
    assert names(told(ann)).count("game.timed_out") + names(told(bob)).count("game.timed_out") == 1


def _entries(guest: Guest, match: Match) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = guest.get(f"/games/{match.id}/entries").json["entries"]
    return entries


@ON_SQLITE
def test_a_draw_is_offered_to_the_others(match: Match, ann: Guest, bob: Guest) -> None:
    match.until("move")
    before = len(told(ann)), len(told(bob))
    chair = match.chairs[1]
    assert chair.post(chair.seat.offer_draw(chair.catch_up())).status_code == 201
    [offered] = told(ann, before[0])
    assert (offered["event"], offered["data"]["game"]) == ("game.draw_offered", match.id)
    assert (offered["data"]["by"], offered["data"]["step"]) == (2, match.fold.step)
    assert told(bob, before[1]) == []


@ON_SQLITE
def test_what_waits_beside_the_record_is_not_told(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob], seed=11)
    match.until("move")
    before = len(told(ann)), len(told(bob))
    assert match.chairs[0].send()["seq"] is None
    assert (len(told(ann)), len(told(bob))) == before
    assert match.chairs[1].send()["seq"] is None
    match.work()
    news = told(bob, before[1])
    assert names(news)[-1] == "game.asked"
    assert news[-1]["data"]["step"] == match.fold.step


@ON_SQLITE
def test_who_leaves_a_table_and_who_closes_it(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    cleo = seat("Cleo")
    body = {"mode": "hearts", "seats": 4}
    table = ann.post("/tables", body).json["id"]
    for guest in (bob, cleo):
        assert guest.post(f"/tables/{table}/join", {}).status_code == 200
    assert bob.post(f"/tables/{table}/leave", {}).status_code == 200
    assert ann.delete(f"/tables/{table}").status_code == 204
    other = ann.post("/tables", body).json["id"]
    clock[0] += 25 * 3_600_000
    assert tables.expire(house, clock[0]) == 1
    assert [(e["event"], e["data"].get("name")) for e in told(ann)] == [
        ("table.joined", "bob"),
        ("table.joined", "Cleo"),
        ("table.left", "bob"),
        ("table.expired", None),
    ]
    assert [e["data"]["table"] for e in told(ann)] == [table] * 3 + [other]
    assert names(told(bob)) == ["table.joined"]
    assert names(told(cleo)) == ["table.left", "table.cancelled"]


@ON_SQLITE
def test_playing_again_is_told_to_the_others(match: Match, ann: Guest, bob: Guest) -> None:
    match.lapse()
    table = ann.post(f"/games/{match.id}/rematch", {}).json["id"]
    last = told(bob)[-1]
    assert (last["event"], last["data"]["game"], last["data"]["table"]) == ("game.rematch", match.id, table)
    assert "game.rematch" not in names(told(ann))


# Numbers


def test_what_was_undone_takes_no_number(house: Runtime, ann: Guest) -> None:
    def tell(fail: bool) -> None:
        with house.write() as session:
            feed.add(house, session, [ann.id], "table.left", table="t")
            session.flush()
            if fail:
                raise ZeroDivisionError

    tell(False)
    with pytest.raises(ZeroDivisionError):
        tell(True)
    tell(False)
    assert [event["id"] for event in told(ann)] == [1, 2]


def test_many_writers_leave_no_gap_and_nobody_waits_in_a_circle(
    app: Flask, house: Runtime, ann: Guest, bob: Guest
) -> None:
    each, writers = 12, 4
    players = [ann.id, bob.id]
    enough = each * writers
    ears = [
        Listener(app, guest, "/events", enough=lambda found: len(found) >= enough) for guest in (ann, bob)
    ]

    def write(number: int) -> None:
        mine = players if number % 2 else players[::-1]
        for n in range(each):
            with house.write() as session:
                for player in mine:
                    feed.add(house, session, [player], "table.left", table=f"{number}/{n}")

    run_all([partial(write, number) for number in range(writers)])
    heard = [ear.end() for ear in ears]
    for guest, events in zip((ann, bob), heard, strict=True):
        assert [int(event.id) for event in events] == list(range(1, enough + 1))
        assert [event.json() for event in events] == [event["data"] for event in told(guest)]
    # Both were told of each commit in one transaction, so both have the same order.
    assert [e.json()["table"] for e in heard[0]] == [e.json()["table"] for e in heard[1]]
    for number in range(writers):
        own = [e.json()["table"] for e in heard[0] if e.json()["table"].startswith(f"{number}/")]
        assert own == [f"{number}/{n}" for n in range(each)]


def test_games_at_the_same_time_are_told_in_one_order(
    app: Flask, house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    matches = [
        sit_down(house, clock, [ann, bob], mode="hearts", bots=["random"], seed=seed) for seed in range(3)
    ]
    start = len(told(ann))
    ear = Listener(
        app, ann, f"/events?after={start}", enough=lambda found: names_of(found).count("game.over") == 3
    )

    def enter(match: Match) -> None:
        for chair in match.chairs:
            own = replace(chair, guest=replace(chair.guest, client=app.test_client()))
            own.catch_up()
            own.send()

    run_all([partial(enter, match) for match in matches])
    assert {match.fold.step for match in matches} == {1}
    clock[0] = max(match.fold.asking.deadline for match in matches if match.fold.asking) + 10_000
    run_all([partial(games.resolve, house, match.id) for match in matches])
    assert all(match.fold.over for match in matches)
    events = ear.end()
    assert [int(event.id) for event in events] == list(range(start + 1, start + 1 + len(events)))
    for match in matches:
        of_game = [(e.event, e.json()) for e in events if e.json().get("game") == match.id]
        assert of_game[-1][0] == "game.over"
        steps = [data["step"] for name, data in of_game if name == "game.asked"]
        assert steps == sorted(set(steps))


def names_of(events: list[Any]) -> list[str]:
    """Return the names of these parsed events."""
    return [event.event for event in events]


# Resuming


def some(house: Runtime, guest: Guest, many: int) -> None:
    """Make so many events for somebody."""
    for n in range(many):
        with house.write() as session:
            feed.add(house, session, [guest.id], "table.left", table=str(n))


def first(guest: Guest, path: str, many: int, last: str | None = None) -> list[tuple[str, str]]:
    """The first events of a stream, id and name."""
    with closing(listen(guest, path, last)) as response:
        assert response.status_code == 200, response.text
        return [(event.id, event.event) for event in islice(parsed(parts(response)), many)]


def test_what_is_forgotten_is_not_passed_over_in_silence(
    house: Runtime, clock: list[int], ann: Guest
) -> None:
    some(house, ann, 4)
    clock[0] += 10 * DAY
    some(house, ann, 3)
    clock[0] -= 11 * DAY  # a clock that was wrong for a moment leaves no hole
    some(house, ann, 1)
    clock[0] += 6 * DAY
    some(house, ann, 2)
    assert feed.forget_old(house, clock[0] - 2 * DAY + house.settings.events_days * DAY) == 8
    assert first(ann, "/events", 2) == [("9", "table.left"), ("10", "table.left")]
    assert first(ann, "/events", 2, "8") == [("9", "table.left"), ("10", "table.left")]
    assert first(ann, "/events", 3, "3") == [("8", "reset"), ("9", "table.left"), ("10", "table.left")]
    page = ann.get("/feed?after=3").json
    assert [(e["id"], e["event"]) for e in page["events"][:1]] == [(8, "reset")]
    assert page["events"][0]["data"] == {"after": 3}
    assert (page["newest"], page["more"]) == (10, False)

    assert feed.forget_old(house, clock[0] + 400 * DAY) == 2
    assert first(ann, "/events", 1, "8") == [("10", "reset")]
    assert ann.get("/feed?after=10").json == {"events": [], "more": False, "newest": 10}
    assert ann.get("/feed").json["events"] == []
    some(house, ann, 1)
    assert first(ann, "/events", 1, "10") == [("11", "table.left")]


@ON_SQLITE
def test_an_id_of_a_later_life_is_answered_with_a_reset(house: Runtime, ann: Guest) -> None:
    some(house, ann, 2)
    assert first(ann, "/events", 1, "40") == [("2", "reset")]
    assert ann.get("/feed?after=40&wait=20").json["events"][0]["event"] == "reset"


def test_a_long_poll_ends_with_the_next_event(app: Flask, house: Runtime, ann: Guest) -> None:
    answers: list[Any] = []
    waiter = replace(ann, client=app.test_client())
    thread = threading.Thread(target=lambda: answers.append(waiter.get("/feed?after=0&wait=20").json))
    thread.start()
    until(lambda: house.notices.waiters(f"player:{ann.id}"))
    some(house, ann, 1)
    thread.join(15)
    assert [(e["id"], e["event"]) for e in answers[0]["events"]] == [(1, "table.left")]


# Listeners


@ON_SQLITE
def test_a_feed_is_its_players_own(client: FlaskClient, house: Runtime, ann: Guest, bob: Guest) -> None:
    assert listen(client, "/events").status_code == 401
    assert client.get("/api/v1/feed").status_code == 401
    some(house, ann, 2)
    some(house, bob, 1)
    assert first(bob, "/events", 1) == [("1", "table.left")]
    assert bob.get("/feed").json["newest"] == 1


@ON_SQLITE
def test_one_too_many_is_sent_to_the_long_poll(house: Runtime, ann: Guest) -> None:
    some(house, ann, 2)
    guest = replace(ann, client=app_of(replace(house, notices=Notices(1, 0))).test_client())
    refused = listen(guest, "/events", "1")
    assert (refused.status_code, refused.json["code"]) == (503, "too_many_listeners")
    polled = guest.get(refused.json["instead"].removeprefix("/api/v1"))
    assert [event["id"] for event in polled.json["events"]] == [2]


@ON_SQLITE
def test_every_name_is_listed_and_documented(house: Runtime, ann: Guest) -> None:
    with house.write() as session, pytest.raises(ValueError, match=r"no\.such_name"):
        feed.add(house, session, [ann.id], "no.such_name")
    with house.read() as session:
        assert session.get(PlayerEvent, (ann.id, 1)) is None
    text = (DOCS / "events.md").read_text()
    assert tuple(re.findall(r"^\| `([a-z._]+)` \|", text, re.MULTILINE)) == (*feed.NAMES, feed.RESET)
    kinds = text[text.index("the entry's kind") :].partition(". Names")[0]
    assert set(re.findall("`([a-z]+)`", kinds)) == {*MESSAGE_KINDS, *HOUSE_KINDS, *PARTY_KINDS, ANNUL}
