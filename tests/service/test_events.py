"""The stream of a game: every entry once and in order, never early, never to a stranger."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event

from service.db import before_commit
from service.notices import Notices, of_game
from service.operations import streams, tokens
from service.operations.games import turns
from service.runtime import Runtime
from service.stopping import stopping
from service.tails import BATCH
from service.web import waiting
from tests.service.listening_kit import Listener, as_entries, heard, listen, parsed, parts
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, app_of, codes
from tests.waiting import PATIENCE, until

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@pytest.fixture
def app(house: Runtime) -> Flask:
    """A house with room for these tests' listeners."""
    return app_of(replace(house, notices=house.notices))


@pytest.fixture
def match(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> Match:
    """Ann and Bob at a table of hearts, with one of the house's bots between them."""
    return sit_down(house, clock, [ann, bob], mode="hearts", bots=["random"], seed=11)


def resign(match: Match) -> None:
    """The first guest has enough, so the game is over."""
    chair = match.chairs[0]
    assert chair.post(chair.seat.resign(chair.catch_up())).status_code == 201


@pytest.fixture
def over(house: Runtime, clock: list[int], ann: Guest) -> Match:
    """A game that is over, after more entries than are read at once."""
    match = sit_down(house, clock, [ann], mode="hearts", bots=["random", "random"])
    while match.fold.seq < BATCH:
        match.step()
    resign(match)
    return match


def record(guest: Guest, match: Match) -> list[Any]:
    """All entries, by the other way."""
    entries: list[Any] = []
    more = True
    while more:
        shown = guest.get(f"/games/{match.id}/entries?after={len(entries) - 1}").json
        entries, more = entries + shown["entries"], shown["more"]
    return entries


# Told news


@ON_SQLITE_FIRST
def test_a_game_that_is_over_is_told_whole_from_wherever_one_was(over: Match, ann: Guest) -> None:
    path, entries = f"/games/{over.id}/events", record(ann, over)
    assert as_entries(heard(ann, path)) == entries
    for after in range(0, len(entries) - 1, 9):
        assert as_entries(heard(ann, path, str(after))) == entries[after + 1 :]
        assert as_entries(heard(ann, f"{path}?after={after}")) == entries[after + 1 :]
    assert as_entries(heard(ann, f"{path}?after=3", "5")) == entries[6:]  # the header counts
    assert entries[-1]["kind"] == "result"
    done = listen(ann, path, str(entries[-1]["seq"]))
    assert (done.status_code, done.data) == (204, b"")


@ON_SQLITE
def test_an_end_that_this_process_has_not_heard_of_ends_the_stream(
    house: Runtime, match: Match, ann: Guest
) -> None:
    # Another process wrote it, told a listener all of it, and the listener comes back here before the notice.
    match.until("move")
    before = house.live.get(match.id)
    assert before is not None
    resign(match)
    end = record(ann, match)[-1]
    assert end["kind"] == "result"
    house.live.forget(match.id)
    house.live.put(before, house.live.ticket())
    assert listen(ann, f"/games/{match.id}/events", str(end["seq"])).status_code == 204


@ON_SQLITE
def test_a_stream_says_what_proxies_and_browsers_need(over: Match, ann: Guest) -> None:
    response = listen(ann, f"/games/{over.id}/events")
    assert response.headers["Content-Type"].startswith("text/event-stream")
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in response.headers
    assert next(parts(response)) == f"retry: {waiting.RETRY_MS}\n\n"
    response.close()


def test_every_entry_comes_once_and_in_order_however_often_the_line_breaks(
    app: Flask, match: Match, ann: Guest, bob: Guest
) -> None:
    path = f"/games/{match.id}/events"
    listeners = [
        Listener(app, ann, path),
        Listener(app, bob, path, drops=Random(1)),
        Listener(app, ann, path, drops=Random(2)),
    ]
    for _ in range(30):
        match.step()
    resign(match)
    entries = record(ann, match)
    assert entries[-1]["kind"] == "result"
    for listener in listeners:
        assert as_entries(listener.end()) == entries
        assert listener.statuses[-1] == 204
    assert len(listeners[1].statuses) > 5


def test_nothing_is_told_before_its_commit(
    app: Flask, match: Match, ann: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, go, save = threading.Event(), threading.Event(), turns.save

    def slowly(house: Runtime, session: Any, *rest: Any) -> None:
        save(house, session, *rest)
        session.flush()

        def pause() -> None:
            entered.set()
            go.wait(PATIENCE)

        before_commit(session, pause)

    seq = match.fold.seq
    listener = Listener(app, bob, f"/games/{match.id}/events?after={seq}", enough=lambda found: bool(found))
    until(lambda: match.house.notices.waiters(of_game(match.id)))
    monkeypatch.setattr(turns, "save", slowly)
    writer = threading.Thread(target=match.chairs[0].send)
    writer.start()
    assert entered.wait(PATIENCE)
    match.house.notices.give_all()  # whoever looks now finds nothing
    time.sleep(0.3)
    assert listener.events == []
    go.set()
    assert [int(event.id) for event in listener.end()] == [seq + 1]
    writer.join()


@ON_SQLITE
def test_what_waits_beside_the_record_is_not_told(
    house: Runtime, clock: list[int], app: Flask, ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob], seed=11)
    match.until("move")
    seq = match.fold.seq
    listener = Listener(app, bob, f"/games/{match.id}/events?after={seq}", enough=lambda found: bool(found))
    until(lambda: match.house.notices.waiters(of_game(match.id)))
    assert match.chairs[0].send()["seq"] is None
    match.house.notices.give_all()
    time.sleep(0.2)
    assert listener.events == []
    assert match.chairs[1].send()["seq"] is None
    match.work()
    first = listener.end()[0]
    assert (first.event, int(first.id)) == ("move", seq + 1)


# Listeners


def test_a_running_game_is_told_to_whoever_may_look_at_it(
    client: FlaskClient, over: Match, ann: Guest, seat: Callable[..., Guest]
) -> None:
    cleo = seat("Cleo")
    body = {"mode": "hearts", "seats": 3, "bots": ["random", "random"]}
    shut, watched = (
        ann.post("/tables", {**body, "spectators": spectators}).json["game"] for spectators in (False, True)
    )
    path = f"/games/{shut}/events"
    assert (listen(client, path).status_code, listen(client, path).json["code"]) == (401, "not_signed_in")
    assert (listen(cleo, path).status_code, listen(cleo, path).json["code"]) == (403, "not_your_game")
    assert listen(cleo, "/games/nowhere/events").status_code == 404
    for guest in (cleo, client):
        with listen(guest, f"/games/{watched}/events") as stream:
            assert next(parsed(parts(stream))).event == "open"
    assert heard(client, f"/games/{over.id}/events")[-1].event == "result"


@ON_SQLITE
@pytest.mark.parametrize("last", ["x", "-2", "1.5", "99999999999"])
def test_an_id_that_is_none_is_refused(match: Match, ann: Guest, last: str) -> None:
    answered = listen(ann, f"/games/{match.id}/events", last)
    assert answered.status_code == 422
    assert [where for _, where in codes(answered)] == ["Last-Event-ID"]


@ON_SQLITE
def test_an_id_that_the_record_does_not_have_is_refused(match: Match, ann: Guest) -> None:
    # Else a client that has seen more than a restored house remembers would wait for ever.
    answered = listen(ann, f"/games/{match.id}/events", str(match.fold.seq + 1))
    assert (answered.status_code, answered.json["code"]) == (409, "unknown_event")
    assert answered.json["seq"] == match.fold.seq


def _stream(guest: Guest, match: Match) -> Iterator[str]:
    response = listen(guest, f"/games/{match.id}/events?after={match.fold.seq}")
    assert response.status_code == 200, response.text
    texts = parts(response)
    assert next(texts).startswith("retry:")
    return texts


@ON_SQLITE
def test_a_token_that_is_revoked_ends_its_streams(
    house: Runtime, match: Match, ann: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "RECHECK", 0.0)
    monkeypatch.setattr(waiting, "HEARTBEAT", 0.0)
    texts = _stream(ann, match)
    assert next(texts) == ":\n\n"
    with house.read() as session:
        [token] = tokens.of_player(session, ann.id, house.now())
    tokens.revoke(house, ann.id, token.id)
    assert list(texts) == []


@ON_SQLITE
def test_a_token_that_expires_ends_its_streams(
    match: Match, clock: list[int], ann: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "RECHECK", 0.0)
    monkeypatch.setattr(waiting, "HEARTBEAT", 0.0)
    texts = _stream(ann, match)
    assert next(texts) == ":\n\n"
    clock[0] += 91 * 86_400_000
    assert list(texts) == []


@ON_SQLITE
def test_listeners_that_begin_together_are_checked_apart(house: Runtime) -> None:
    # Of 200 listeners some are checked in each half of the time, but for one chance in 2 to the 199.
    with house.notices.signal(of_game("g")) as signal:
        every = [
            streams.TopicFollower(house, of_game("g"), -1, lambda *_: (), lambda _: None) for _ in range(200)
        ]
        for follower in every:
            follower.next(signal)
        soon = [follower.rest < streams.RECHECK / 2 for follower in every]
    assert any(soon)
    assert not all(soon)


# Places


@pytest.fixture
def narrow(house: Runtime) -> Runtime:
    """A house with places for two listeners."""
    return replace(house, notices=Notices(1, 2))


@ON_SQLITE
def test_one_too_many_is_sent_to_the_long_poll(narrow: Runtime, match: Match, ann: Guest, bob: Guest) -> None:
    app = app_of(narrow)
    ann, bob = (replace(guest, client=app.test_client()) for guest in (ann, bob))
    seq = match.fold.seq
    path = f"/games/{match.id}/events?after={seq - 1}"
    taken = [listen(guest, path) for guest in (ann, bob)]
    assert [response.status_code for response in taken] == [200, 200]
    refused = listen(ann, path)
    assert (refused.status_code, refused.json["code"]) == (503, "too_many_listeners")
    assert int(refused.headers["Retry-After"]) > 0
    polled = ann.get(refused.json["instead"].removeprefix("/api/v1"))
    assert [entry["seq"] for entry in polled.json["entries"]] == [seq]
    assert narrow.notices.listening.taken == 2
    taken[0].close()
    with listen(ann, path) as again:
        assert again.status_code == 200
        assert [int(event.id) for event in islice(parsed(parts(again)), 1)] == [seq]
    taken[1].close()
    assert narrow.notices.listening.taken == 0
    assert narrow.notices.waiters(of_game(match.id)) == 0


@ON_SQLITE
def test_a_refused_or_finished_stream_takes_no_place(narrow: Runtime, over: Match, ann: Guest) -> None:
    ann = replace(ann, client=app_of(narrow).test_client())
    for _ in range(5):
        assert listen(ann, f"/games/{over.id}/events", str(over.fold.seq)).status_code == 204
        assert listen(ann, f"/games/{over.id}/events", "x").status_code == 422
        assert heard(ann, f"/games/{over.id}/events")[-1].event == "result"
        with ann.client.head(f"/api/v1/games/{over.id}/events", headers=ann.headers) as head:
            assert (head.status_code, head.data) == (200, b"")
    assert narrow.notices.listening.taken == 0


@ON_SQLITE
def test_who_listens_with_many_windows_leaves_places_for_others(
    house: Runtime, match: Match, ann: Guest, bob: Guest
) -> None:
    app = app_of(replace(house, notices=Notices(1, 20)))
    ann, bob = (replace(guest, client=app.test_client()) for guest in (ann, bob))
    path = f"/games/{match.id}/events"
    opened = [listen(ann, path) for _ in range(6)]
    assert [response.status_code for response in opened] == [200] * 5 + [503]
    opened.append(listen(bob, path))
    assert opened[-1].status_code == 200
    for response in opened:
        response.close()


def reads(house: Runtime) -> list[str]:
    """The statements from now on that read entries of records."""
    found: list[str] = []

    @event.listens_for(house.database.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if "FROM game_entry" in statement:
            found.append(statement)

    return found


@ON_SQLITE
def test_no_listener_reads_from_the_database_what_this_process_has_written(
    house: Runtime, match: Match, ann: Guest
) -> None:
    app, seq = app_of(replace(house, notices=Notices(1, 200))), match.fold.seq
    crowd = app.extensions["cloche"].notices
    listeners = [
        Listener(app, ann, f"/games/{match.id}/events?after={seq}", enough=lambda found: len(found) == 3)
        for _ in range(40)
    ]
    until(lambda: crowd.waiters(of_game(match.id)) == 40)
    read = reads(house)
    ann_there, bob_there = (
        replace(chair, guest=replace(chair.guest, client=app.test_client())) for chair in match.chairs
    )
    for chair in (ann_there, bob_there, ann_there):
        chair.catch_up()
        chair.send()
    for listener in listeners:
        assert [int(event.id) for event in listener.end()] == [seq + 1, seq + 2, seq + 3]
    assert read == []


@ON_SQLITE
def test_streams_end_when_the_house_closes(app: Flask, match: Match, ann: Guest, bob: Guest) -> None:
    listeners = [Listener(app, guest, f"/games/{match.id}/events") for guest in (ann, bob)]
    until(lambda: all(listener.events for listener in listeners))
    assert all(listener.listens for listener in listeners)
    stopping.set()
    try:
        began = time.monotonic()
        for listener in listeners:
            listener.hang_up()
        assert time.monotonic() - began < 15
    finally:
        stopping.clear()
