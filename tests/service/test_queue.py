"""The queue: who is paired with whom, when, and never twice, however many workers and players meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select, update

from service.models import GameRow, GameSeat, Player, QueueEntry, RatingRow
from service.operations import moderation, queue
from service.ratings import POINT
from service.runtime import Runtime
from tests.service.match_kit import deck_id
from tests.service.races_kit import at_once
from tests.service.rating_kit import finished
from tests.service.service_kit import Guest

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""


def joined(guest: Guest, **more: Any) -> dict[str, Any]:
    answer = guest.post("/queue", {"mode": "big-c", **more})
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def work(house: Runtime) -> list[str]:
    """What a worker does until no more can be paired now; the games that have begun."""
    games = [queue.pair(house, player) for player in queue.due(house, 1_000)]
    return [game for game in games if game is not None]


def stronger(house: Runtime, guest: Guest, points: int, mode: str = "big-c") -> None:
    with house.write() as session:
        rating = RatingRow(
            player_id=guest.id,
            mode=mode,
            mu=points * POINT,
            sigma=90_000,
            games=30,
            wins=9,
            draws=0,
            at=house.now(),
        )
        session.merge(rating)


def players_of(house: Runtime, game: str) -> set[str]:
    with house.read() as session:
        return {str(name) for name in session.exec(select(GameSeat.name).where(GameSeat.game_id == game))}


def events(guest: Guest) -> list[tuple[str, dict[str, Any]]]:
    return [(each["event"], each["data"]) for each in guest.get("/feed").json["events"]]


def test_two_who_wait_for_the_same_are_paired(ann: Guest, bob: Guest, house: Runtime) -> None:
    assert ann.get("/queue").status_code == 404
    shown = joined(ann)
    assert (shown["window"], shown["rated"], shown["bots"], shown["waited_ms"]) == (100, True, [], 0)
    assert ann.get("/queue").json == shown
    assert work(house) == []
    joined(bob)
    (game,) = work_soon(house)
    assert players_of(house, game) == {"Ann", "bob"}
    with house.read() as session:
        row = session.get_one(GameRow, game)
        assert (row.rated, row.private, row.spectators) == (True, False, True)
    for guest in (ann, bob):
        assert guest.get("/queue").status_code == 404
        (told,) = [data for name, data in events(guest) if name == "queue.paired"]
        assert (told["game"], told["mode"]) == (game, "big-c")
        assert guest.get(f"/tables/{told['table']}").json["game"] == game
    assert work_soon(house) == []


def work_soon(house: Runtime) -> list[str]:
    """A worker's look at everybody, whose time has come."""
    with house.write() as session:
        session.execute(update(QueueEntry).values(look_at=0))
    return work(house)


@pytest.mark.parametrize(
    "other",
    [{"mode": "flip"}, {"pace": "1-day"}, {"rated": False}],
)
@ONE
def test_only_those_are_paired_who_wait_for_the_same(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int], other: dict[str, Any]
) -> None:
    joined(ann)
    joined(bob, **other)
    clock[0] += 600_000
    assert work_soon(house) == []


@ONE
def test_formats_are_waited_for_apart_and_decks_are_checked_on_joining(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    assert ann.post("/queue", {"mode": "chef"}).json["code"] == "deck_missing"
    assert ann.post("/queue", {"mode": "chef", "deck": deck_id(bob)}).status_code == 404
    assert ann.post("/queue", {"mode": "no-such"}).json["code"] == "unknown_mode"
    name = next(iter(house.formats))
    assert ann.post("/queue", {"mode": "big-c", "format": name}).json["code"] == "no_own_deck"
    assert ann.get("/queue").status_code == 404
    joined(ann, mode="chef", deck=deck_id(ann))
    joined(bob, mode="chef", deck=deck_id(bob))
    (game,) = work_soon(house)
    assert players_of(house, game) == {"Ann", "bob"}


@ONE
def test_the_window_widens_with_waiting(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    stronger(house, bob, 1900)
    joined(ann)
    clock[0] += 30_000
    joined(bob)
    assert work_soon(house) == [], "after half a minute the window is 250 points"
    clock[0] += 29_000
    assert work_soon(house) == []
    clock[0] += 1_000
    assert ann.get("/queue").json["window"] == 400
    assert len(work_soon(house)) == 1, "the window of the longer waiting player counts"


@ONE
def test_the_nearest_is_paired_and_of_equals_the_longest_waiting(
    ann: Guest, house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    far, late, early = seat("far"), seat("late"), seat("early")
    for guest, points in ((far, 1560), (late, 1520), (early, 1480), (ann, 1500)):
        stronger(house, guest, points)
    for guest in (far, early, late):
        joined(guest)
        clock[0] += 1_000
    joined(ann)
    game = queue.pair(house, ann.id)
    assert game is not None
    assert players_of(house, game) == {"Ann", "early"}
    game = queue.pair(house, late.id)
    assert game is not None
    assert players_of(house, game) == {"far", "late"}


@ONE
def test_a_mode_of_more_players_waits_for_all_of_them(
    ann: Guest, bob: Guest, house: Runtime, seat: Callable[..., Guest]
) -> None:
    for guest in (ann, bob):
        joined(guest, mode="hearts")
    assert work_soon(house) == []
    joined(seat("cleo"), mode="hearts")
    (game,) = work_soon(house)
    assert players_of(house, game) == {"Ann", "bob", "cleo"}


@ONE
def test_after_a_while_the_house_offers_a_bot_once(ann: Guest, house: Runtime, clock: list[int]) -> None:
    joined(ann)
    clock[0] += queue.BOT_AFTER_MS - 1
    assert work_soon(house) == []
    assert (ann.get("/queue").json["bots"], events(ann)) == ([], [])
    clock[0] += 1
    for _ in range(3):
        work_soon(house)
    bots = ann.get("/queue").json["bots"]
    assert bots
    assert [(name, data["bots"]) for name, data in events(ann)] == [("queue.bot_offered", bots)]
    assert ann.delete("/queue").status_code == 204
    assert ann.post("/tables", {"mode": "big-c", "bots": bots[:1]}).json["state"] == "playing"


@ONE
def test_nobody_waits_for_ever(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    joined(ann)
    joined(bob, pace="7-days")
    clock[0] += queue.LIVE_MS
    assert ann.get("/queue").status_code == 404
    assert queue.forget_old(house, clock[0]) == 1
    assert [(name, data["reason"]) for name, data in events(ann)] == [("queue.left", "expired")]
    assert bob.get("/queue").json["expires_at"] > bob.get("/queue").json["joined_at"]
    assert queue.pair(house, ann.id) is None


@ONE
def test_who_joins_again_waits_for_the_new_game_from_now_on(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int]
) -> None:
    joined(ann)
    clock[0] += 5_000
    shown = joined(ann, mode="flip", rated=False)
    assert (shown["mode"], shown["waited_ms"]) == ("flip", 0)
    joined(bob)
    assert work_soon(house) == []


def test_blocked_players_are_never_paired(
    ann: Guest, bob: Guest, house: Runtime, seat: Callable[..., Guest]
) -> None:
    cleo = seat("cleo")
    assert bob.put("/me/blocks/ann", None).status_code < 300
    for guest in (ann, bob):
        joined(guest)
    assert work_soon(house) == []
    joined(cleo)
    (game,) = work_soon(house)
    assert "cleo" in players_of(house, game)


@ONE
def test_two_who_have_played_enough_rated_games_today_are_not_paired(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    object.__setattr__(house, "settings", replace(house.settings, rated_games_a_day=1))
    finished(house, [ann, bob], [0, 1])
    for guest in (ann, bob):
        joined(guest)
    assert work_soon(house) == []
    for guest in (ann, bob):
        joined(guest, rated=False)
    assert len(work_soon(house)) == 1


@ONE
def test_a_player_whose_deck_is_gone_is_turned_away_and_the_other_waits_on(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    deck = deck_id(ann)
    for guest in (ann, bob):
        joined(guest, mode="chef", deck=deck_id(guest))
    assert ann.delete(f"/decks/{deck}", If_Match="*").status_code == 204
    assert work_soon(house) == []
    assert [name for name, _ in events(ann)] == ["queue.left"]
    assert ann.get("/queue").status_code == 404
    assert bob.get("/queue").status_code == 200


def crowd(house: Runtime, number: int) -> list[str]:
    """Players who wait for a game of Big C, of many strengths; their ids."""
    with house.write() as session:
        people = [
            Player(handle=f"p{n}", folded=f"p{n}", password="", key=f"{n:043d}", created_at=1)
            for n in range(number)
        ]
        session.add_all(people)
        session.flush()
        session.add_all(
            QueueEntry(
                player_id=player.id,
                mode="big-c",
                pace="usual",
                format="",
                rated=True,
                mu=(1000 + n % 1000) * POINT,
                joined_at=house.now(),
                expires_at=house.now() + queue.LIVE_MS,
                look_at=house.now(),
            )
            for n, player in enumerate(people)
        )
    return [player.id for player in people]


def once_each(house: Runtime, waited: Sequence[str]) -> int:
    """Check that nobody plays twice, and that whoever does not play still waits; the number of games."""
    with house.read() as session:
        played = Counter(session.exec(select(GameSeat.player_id)).all())
        waiting = set(session.exec(select(QueueEntry.player_id)).all())
        tables = len(session.exec(select(GameRow.id)).all())
    assert set(played.values()) <= {1}
    assert played.keys() | waiting == set(waited)
    assert not played.keys() & waiting
    return tables


def test_workers_that_pair_at_once_pair_nobody_twice(house: Runtime, seat: Callable[..., Guest]) -> None:
    guests = [seat(f"guest{n}") for n in range(10)]
    for guest in guests:
        joined(guest)
    ids = [guest.id for guest in guests]
    done = at_once([lambda one=one: queue.pair(house, one) for one in ids * 2])
    assert not [each for each in done if isinstance(each, Exception)], done
    for _ in range(5):
        work_soon(house)
    assert once_each(house, ids) == 5


def test_leaving_while_being_paired_is_either_or(
    ann: Guest, bob: Guest, house: Runtime, seat: Callable[..., Guest]
) -> None:
    for _ in range(4):
        for guest in (ann, bob):
            joined(guest, rated=False)
        with house.read() as session:
            before = len(session.exec(select(GameRow.id)).all())
        answers = at_once([lambda: queue.pair(house, ann.id), lambda: bob.delete("/queue").status_code])
        assert answers[1] == 204
        with house.read() as session:
            games = len(session.exec(select(GameRow.id)).all()) - before
        assert games == (answers[0] is not None)
        assert bob.get("/queue").status_code == 404, "bob has left, or has a game"
        assert (ann.get("/queue").status_code == 404) == bool(games)
        ann.delete("/queue")


def test_two_hundred_join_at_once(house: Runtime) -> None:
    ids = crowd(house, 200)
    with house.write() as session:
        session.execute(update(QueueEntry).values(look_at=0))
        people = {player.id: player for player in session.exec(select(Player).where(col(Player.id).in_(ids)))}
    done = at_once([lambda one=one: queue.join(house, people[one], mode="big-c") for one in ids])
    assert all(isinstance(each, queue.Waiting) for each in done), done
    with house.read() as session:
        assert len(session.exec(select(QueueEntry)).all()) == 200


@ONE
def test_a_look_in_a_long_queue_reads_no_table_from_end_to_end(house: Runtime) -> None:
    crowd(house, 300)
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        asked.append((statement, parameters))

    event.listen(house.database.engine, "before_cursor_execute", note)
    try:
        with house.write() as session:
            mine = session.exec(select(QueueEntry).where(QueueEntry.mu == 1_200_000)).first()
            assert mine is not None
            asked.clear()
            found = queue._nearest(session, mine, house.now())
        assert len(found) == 40
        assert len(queue.due(house, 50)) == 50
    finally:
        event.remove(house.database.engine, "before_cursor_execute", note)
    with house.database.engine.connect() as connection:
        plans = [
            row[3]
            for statement, parameters in asked
            if "queue_entry" in statement
            for row in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters)
        ]
    assert any("ix_queue_entry_near" in step for step in plans)
    assert any("ix_queue_entry_due" in step for step in plans)
    assert [step for step in plans if step.startswith("SCAN") or "TEMP B-TREE" in step] == []


@ONE
def test_suspended_players_neither_wait_nor_are_paired(ann: Guest, bob: Guest, house: Runtime) -> None:
    for guest in (ann, bob):
        joined(guest)
    moderation.impose(house, None, "bob", "suspended", reason="rude words", hours=None)
    assert work_soon(house) == []
    assert [data["reason"] for name, data in events(bob) if name == "queue.left"] == ["suspended"]
    refused = bob.post("/queue", {"mode": "big-c"})
    assert (refused.status_code, refused.json["code"]) == (403, "suspended")
    assert ann.get("/queue").status_code == 200
