"""The figures for Prometheus: true, of the whole house, and nothing of anybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from threading import Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from service import disk
from service.db import Database
from service.operations import clock as sweeping
from service.operations import queue
from service.passwords import AT_ONCE
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.passwords_kit import stopped
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, app_of
from tests.waiting import until

Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def figures(client: FlaskClient, **headers: str) -> Figures:
    """All samples by name and labels."""
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def change(before: Figures, after: Figures, name: str, **labels: str) -> float:
    """Return how much a figure has grown."""
    key = (name, tuple(sorted(labels.items())))
    return after.get(key, 0.0) - before.get(key, 0.0)


@ON_SQLITE_FIRST
def test_a_match_is_counted_as_it_was_played(
    house: Runtime, clock: list[int], client: FlaskClient, ann: Guest, bob: Guest
) -> None:
    before = figures(client)
    match = sit_down(house, clock, [ann, bob])
    match.until("seal")
    during = figures(client)
    assert during["cloche_games_running", (("mode", "chef"),)] == 1
    assert during["cloche_database_up", ()] == during["cloche_broker_up", ()] == 1
    assert change(before, during, "cloche_games_begun_total", mode="chef") == 1
    assert change(before, during, "cloche_messages_total", kind="enter", how="entered") == 2
    # The opening hand is kept or not in secret: it waits for the other's.
    assert change(before, during, "cloche_messages_total", kind="move", how="held") >= 2
    chair = match.chairs[0]
    chair.send(chair.seat.resign(chair.game))
    after = figures(client)
    assert ("cloche_games_running", (("mode", "chef"),)) not in after
    assert change(before, after, "cloche_games_over_total", mode="chef", reason="resigned") == 1
    fold = match.fold
    kinds = ("open", "enter", "ready", "link", "deal", "move", "account", "resign", "result", "timeout")
    assert sum(change(before, after, "cloche_entries_total", kind=kind) for kind in kinds) == fold.seq + 1
    route = "/api/v1/games/<game_id>/entries"
    posted = change(before, after, "cloche_http_requests_total", method="POST", route=route, status="201")
    assert posted == change(before, after, "cloche_http_request_seconds_count", method="POST", route=route)


@ON_SQLITE_FIRST
def test_who_waits_in_the_queue_shows_until_a_game_begins(
    house: Runtime, clock: list[int], client: FlaskClient, ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    for guest, pace in ((ann, "usual"), (seat("carol"), "3-days")):
        assert guest.post("/queue", {"mode": "big-c", "pace": pace}).status_code == 200
    before = figures(client)
    assert ("cloche_players_waiting", (("mode", "flip"),)) not in before
    clock[0] += 7_000
    waiting = figures(client)
    assert waiting["cloche_players_waiting", (("mode", "big-c"),)] == 2
    assert waiting["cloche_players_waiting_seconds", (("mode", "big-c"),)] == 7, "days are no long wait"
    assert bob.post("/queue", {"mode": "big-c"}).status_code == 200
    games = [queue.pair(house, player) for player in queue.due(house, 10)]
    assert len([game for game in games if game is not None]) == 1
    after = figures(client)
    assert after["cloche_players_waiting", (("mode", "big-c"),)] == 1
    assert after["cloche_players_waiting_seconds", (("mode", "big-c"),)] == 0
    assert change(before, after, "cloche_pairings_total", mode="big-c") == 1
    assert change(before, after, "cloche_pairing_seconds_count") == 2
    assert change(before, after, "cloche_pairing_seconds_sum") == 7


def test_what_is_overdue_shows_until_a_sweep_has_it_in_hand(
    house: Runtime, clock: list[int], client: FlaskClient, ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob])
    assert figures(client)["cloche_games_overdue", ()] == 0
    clock[0] += 100_000
    late = figures(client)
    assert late["cloche_games_overdue", ()] == 1
    assert 30 < late["cloche_games_overdue_seconds", ()] < 100
    before = figures(client)
    assert sweeping.due(house, 10) == [match.id]
    after = figures(client)
    assert after["cloche_games_overdue", ()] == 0
    # A worker that claims a game and does not resolve it leaves its age in sight.
    assert after["cloche_games_due_seconds", ()] == late["cloche_games_overdue_seconds", ()]
    assert change(before, after, "cloche_sweep_lag_seconds_count") == 1
    assert change(before, after, "cloche_sweep_lag_seconds_sum") == pytest.approx(
        late["cloche_games_overdue_seconds", ()]
    )


@ON_SQLITE_FIRST
def test_no_label_names_anybody_or_anything_of_theirs(
    house: Runtime, clock: list[int], client: FlaskClient, ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob])
    match.until("seal")
    client.get(f"/api/v1/players/{'x' * 40}")
    client.open("/api/v1/tables", method="BREW")
    client.get("/nowhere/at/all")
    text = client.get("/metrics").text
    for secret in (match.id, "Ann", "bob", ann.token, "BREW", "nowhere", "x" * 40):
        assert secret not in text
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", text)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_only_this_machine_may_ask_or_who_has_the_token(
    house: Runtime, client: FlaskClient, app: Flask
) -> None:
    def status(app: Flask, address: str = "127.0.0.1", **headers: str) -> int:
        asked = app.test_client().get("/metrics", environ_base={"REMOTE_ADDR": address}, headers=headers)
        return asked.status_code

    assert status(app) == status(app, "::1") == 200
    assert status(app, "192.0.2.7") == 404
    assert status(app, **{"X-Forwarded-For": "127.0.0.1"}) == 404

    def with_settings(**values: object) -> Flask:
        return app_of(replace(house, settings=replace(house.settings, **values)))

    assert status(with_settings(proxies=1)) == 404
    token = "a-token-of-32-characters-at-least"
    guarded = with_settings(metrics_token=token, proxies=1)
    assert status(guarded) == status(guarded, Authorization="Bearer wrong") == 404
    assert status(guarded, "192.0.2.7", Authorization=f"Bearer {token}") == 200
    assert token not in repr(replace(house.settings, metrics_token=token))


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_with_the_database_away_it_says_so_and_goes_on_counting(
    house: Runtime, seat: Callable[..., Guest], tmp_path: object
) -> None:
    away = replace(house, database=Database(f"sqlite:///{tmp_path}/nothing.sqlite3"))
    found = figures(app_of(away).test_client())
    assert found["cloche_database_up", ()] == 0
    assert ("cloche_games_overdue", ()) not in found
    assert any(name == "cloche_http_requests_total" for name, _ in found)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_who_waits_is_counted(house: Runtime, client: FlaskClient) -> None:
    places = ("cloche_places", (("of", "streams"), ("state", "taken")))
    before = figures(client)[places]
    assert house.notices.listening.take("somebody")
    assert figures(client)[places] == before + 1
    house.notices.listening.give_back("somebody")
    assert figures(client)[places] == before
    assert (
        figures(client)["cloche_places", (("of", "polls"), ("state", "most"))] == house.notices.waiting.most
    )


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_hashes_that_wait_are_counted(house: Runtime, client: FlaskClient) -> None:
    def counted() -> tuple[float, float]:
        found = figures(client)
        one, other = (
            found["cloche_password_hashes", (("state", state),)] for state in ("computing", "waiting")
        )
        return one, other

    house.passwords.hash("not common at all")
    assert counted() == (0, 0)
    with stopped(house.passwords):
        waiting = [
            Thread(target=house.passwords.hash, args=("not common at all",)) for _ in range(AT_ONCE + 3)
        ]
        for thread in waiting:
            thread.start()
        until(lambda: house.passwords.taken == AT_ONCE + 3)
        assert counted() == (AT_ONCE, 3)
    for thread in waiting:
        thread.join()
    assert counted() == (0, 0)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_the_room_on_the_disks_is_told(house: Runtime, client: FlaskClient) -> None:
    found = figures(client)
    for name, folder in disk.folders(house.settings).items():
        told = found["cloche_disk_free_bytes", (("of", name),)]
        assert told == pytest.approx(disk.free(folder), rel=0.2)
        assert told > 0
