"""Ratings: which games count, exactly once; the books that follow from records; profiles and leaderboards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select, update

from service.models import GameEntry, GameRow, GameSeat, RatedGame, RatingChange, RatingRow, SeasonStanding
from service.operations import rating_books, rating_signals, roles
from service.operations.games import stop
from service.operations.ratings import SEASON_GAMES
from service.runtime import Runtime
from tests.service.match_kit import Match, sit_down
from tests.service.races_kit import at_once
from tests.service.rating_kit import finished
from tests.service.service_kit import Guest

DAY = 86_400_000
ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""


def rating(guest: Guest, mode: str = "big-c") -> dict[str, Any] | None:
    items = guest.get(f"/players/{guest.handle}/ratings").json["items"]
    return next((item for item in items if item["mode"] == mode), None)


def begun(house: Runtime, clock: list[int], guests: Sequence[Guest], **more: Any) -> Match:
    """A game of Big C in which everybody has made a choice."""
    match = sit_down(house, clock, guests, mode="big-c", seed=3, **more)
    moved: set[int] = set()
    while len(moved) < len(guests):
        with house.read() as session:
            entries = select(GameEntry).where(GameEntry.game_id == match.id, GameEntry.kind == "move")
            moved = {int(row.entry["actor"]) for row in session.exec(entries)}
        if len(moved) < len(guests):
            match.step()
    return match


def give_up(match: Match, seat: int = 0) -> None:
    chair = match.chairs[seat]
    assert chair.post(chair.seat.resign(chair.catch_up())).status_code == 201
    match.work()
    assert match.fold.over


def settle(house: Runtime, **settings: Any) -> None:
    """Change the house's settings."""
    object.__setattr__(house, "settings", replace(house.settings, **settings))


def test_a_rated_game_changes_its_players_ratings_once_and_tells_them(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = begun(house, clock, [ann, bob], rated=True)
    assert ann.get(f"/games/{match.id}/rating").json["code"] == "game_running"
    give_up(match)
    shown = bob.client.get(f"/api/v1/games/{match.id}/rating").json
    assert (shown["rated"], shown["reason"]) == (True, None)
    lost, won = shown["changes"]
    assert (lost["name"], lost["result"], lost["before"]) == ("Ann", "lost", 1500)
    assert (won["name"], won["result"], won["before"]) == ("bob", "won", 1500)
    assert won["after"] - 1500 == 1500 - lost["after"] == 158
    mine = rating(bob)
    assert mine is not None
    assert (mine["points"], mine["games"], mine["wins"], mine["provisional"]) == (1658, 1, 1, True)
    (told,) = [e["data"] for e in bob.get("/feed").json["events"] if e["event"] == "rating.changed"]
    assert (told["game"], told["mode"], told["rating"], told["change"]) == (match.id, "big-c", 1658, 158)
    assert rating_books.check(house) == (1, [])


def test_a_rematch_of_a_rated_game_is_rated_and_any_other_game_is_not(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = begun(house, clock, [ann, bob])
    give_up(match)
    assert ann.get(f"/games/{match.id}/rating").json == {"rated": False, "reason": None, "changes": []}
    assert rating(ann) is None
    rated = begun(house, clock, [ann, bob], rated=True)
    give_up(rated)
    assert ann.post(f"/games/{rated.id}/rematch", {}).json["rated"]
    assert not ann.post(f"/games/{match.id}/rematch", {}).json["rated"]


@ONE
@pytest.mark.parametrize(
    "body",
    [
        {"mode": "big-c", "bots": ["easy"]},
        {"mode": "flip", "seats": 1},
        {"mode": "hearts", "bots": ["easy"], "seats": 4},
    ],
)
def test_only_games_among_people_can_be_rated(ann: Guest, body: dict[str, Any]) -> None:
    refused = ann.post("/tables", {**body, "rated": True})
    assert (refused.status_code, refused.json["code"]) == (422, "not_rateable"), refused.text
    assert refused.json["errors"][0]["pointer"] == "/rated"


@ONE
def test_a_game_given_up_before_everybody_has_chosen_does_not_count(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob], mode="big-c", rated=True)
    while not match.fold.deals:
        match.step()
    give_up(match)
    assert ann.get(f"/games/{match.id}/rating").json["reason"] == "too_short"
    assert rating(ann) is None
    assert rating_books.check(house) == (1, [])


@ONE
def test_who_walks_away_loses(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    match = begun(house, clock, [ann, bob], rated=True)
    while not match.fold.over:
        match.lapse() if match.next(Random(1)) in (match.chairs[0], None) else match.step()
    assert match.fold.outcome is not None
    shown = ann.get(f"/games/{match.id}/rating").json
    for change in shown["changes"]:
        assert (change["result"] == "lost") == (change["seat"] not in match.fold.outcome.winners)
    assert shown["changes"][0]["result"] == "lost"


@ONE
def test_a_stopped_game_changes_nothing(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    match = begun(house, clock, [ann, bob], rated=True)
    with house.write() as session:
        stop(session, session.get_one(GameRow, match.id), clock[0])
    assert ann.get(f"/games/{match.id}/rating").json == {"rated": True, "reason": None, "changes": []}
    assert rating(ann) is None


@ONE
def test_nobody_wins_a_void_game(house: Runtime, ann: Guest, bob: Guest) -> None:
    game = finished(house, [ann, bob], [])
    assert ann.get(f"/games/{game}/rating").json["reason"] == "nobody_won"


def test_so_many_games_of_the_same_two_count_in_a_day(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    settle(house, rated_games_a_day=2)
    eve = seat("eve")
    clock[0] -= clock[0] % DAY
    first = [finished(house, [ann, bob], [0], mode=mode) for mode in ("big-c", "flip", "big-c")]
    reasons = [ann.get(f"/games/{game}/rating").json["reason"] for game in first]
    assert reasons == [None, None, "same_opponents"]
    of_three = finished(house, [eve, ann, bob], [0], mode="hearts")
    assert ann.get(f"/games/{of_three}/rating").json["reason"] == "same_opponents"
    other = finished(house, [ann, eve], [1])
    assert ann.get(f"/games/{other}/rating").json["reason"] is None
    clock[0] += DAY
    following = finished(house, [bob, ann], [0])
    assert ann.get(f"/games/{following}/rating").json["reason"] is None
    # The limit of that day is in the books, so a new setting changes nothing of before.
    settle(house, rated_games_a_day=1)
    assert rating_books.check(house) == (6, [])


def season(house: Runtime, clock: list[int], guests: Sequence[Guest], games: int) -> None:
    """Games among changing guests, some days apart, by a fixed list of chances."""
    rng = Random("a season")
    for _ in range(games):
        some = rng.sample(list(guests), rng.choice((2, 2, 3)))
        winners = rng.choice(([0], [1], [*range(len(some))]))
        finished(house, some, winners, mode=rng.choice(("big-c", "hearts")), choices=rng.choice((0, 1, 1, 1)))
        clock[0] += rng.randrange(5 * DAY)


def figures(house: Runtime) -> list[Any]:
    with house.read() as session:
        return [
            sorted(str(row.model_dump()) for row in session.exec(select(model)))
            for model in (RatedGame, RatingChange, RatingRow, SeasonStanding)
        ]


def test_the_records_give_the_same_figures_again(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    guests = [ann, bob, seat("cleo"), seat("dora")]
    season(house, clock, guests, 40)
    right = figures(house)
    assert rating_books.check(house) == (40, [])
    with house.write() as session:
        session.execute(
            update(RatingRow).where(col(RatingRow.player_id) == ann.id).values(mu=2_000_000, games=77)
        )
        session.execute(update(RatedGame).where(col(RatedGame.ordinal) == 3).values(reason="nobody_won"))
        change = session.exec(select(RatingChange)).first()
        session.delete(change)
        lost = session.exec(select(SeasonStanding).where(SeasonStanding.player_id == bob.id)).first()
        session.delete(lost)
        session.add(
            RatingRow(player_id=bob.id, mode="cribbage", mu=1, sigma=1, games=1, wins=1, draws=0, at=1)
        )
    wrong = figures(house)
    games, found = rating_books.check(house)
    assert (games, figures(house)) == (40, wrong), "a check changes nothing"
    tables = {each.table for each in found}
    assert tables == {"rating", "rated_game", "rating_change", "season_standing"}
    assert any("mu is 2000000, not" in str(each) for each in found)
    assert any("cribbage: should not be there" in str(each) for each in found)
    assert rating_books.rewrite(house) == (40, found)
    assert figures(house) == right
    assert rating_books.rewrite(house) == (40, [])


def test_games_that_end_at_the_same_moment_are_booked_one_after_another(
    house: Runtime, ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    others = [seat(name) for name in ("cleo", "dora", "emma")]
    pairs = [(one, other) for one in (ann, bob) for other in others]
    done = at_once([lambda pair=pair: finished(house, pair, [0]) for pair in pairs])
    assert all(isinstance(each, str) for each in done), done
    with house.read() as session:
        ordinals = session.exec(select(RatedGame.ordinal).order_by(col(RatedGame.ordinal))).all()
        changes = session.exec(select(RatingChange)).all()
    assert list(ordinals) == list(range(1, len(pairs) + 1))
    assert len(changes) == 2 * len(pairs)
    assert rating_books.check(house) == (len(pairs), [])


def test_a_history_is_read_in_pages_and_drawn(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    for game in range(5):
        finished(house, [ann, bob], [game % 2])
        clock[0] += DAY
    path = "/players/ann/ratings/big-c"
    whole = bob.get(path).json["items"]
    assert [step["result"] for step in whole] == ["won", "lost", "won", "lost", "won"]
    first = bob.get(f"{path}?limit=3").json
    assert first["items"] + bob.get(f"{path}?limit=3&cursor={first['next']}").json["items"] == whole
    mine = rating(ann)
    assert mine is not None
    assert whole[0]["points"] == mine["points"]
    drawn = ann.get(f"{path}/chart.svg")
    assert (drawn.status_code, drawn.content_type) == (200, "image/svg+xml")
    assert "5 games; now" in drawn.text
    assert "No rated game counts yet." in ann.get("/players/ann/ratings/hearts/chart.svg").text
    assert ann.get("/players/nobody-here/ratings").status_code == 404


def test_a_leaderboard_lists_a_season_by_what_is_sure(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    cleo, dora = seat("cleo"), seat("dora")
    for _ in range(SEASON_GAMES):
        finished(house, [ann, bob], [0])
        finished(house, [cleo, bob], [0])
        clock[0] += 3_600_000
    finished(house, [dora, ann], [0])
    now = ann.get("/seasons").json
    assert now == {"now": "2026-Q3", "items": ["2026-Q3"]}
    board = dora.client.get("/api/v1/leaderboards/big-c").json["items"]
    assert {line["handle"] for line in board} == {"Ann", "bob", "cleo"}, "dora has one game only"
    assert board[-1]["handle"] == "bob"
    assert [line["sure"] for line in board] == sorted((line["sure"] for line in board), reverse=True)
    assert [line["rank"] for line in board] == [1, 2, 3]
    assert {line["handle"]: line["games"] for line in board} == {"Ann": 6, "bob": 10, "cleo": 5}
    pages, cursor = [], ""
    while cursor is not None:
        shown = ann.get(f"/leaderboards/big-c?limit=1{cursor and '&cursor=' + cursor}").json
        pages, cursor = pages + shown["items"], shown["next"]
    assert pages == board
    clock[0] += 92 * DAY
    assert ann.get("/leaderboards/big-c").json["items"] == []
    assert ann.get("/leaderboards/big-c?season=2026-Q3").json["items"] == board
    assert ann.get("/leaderboards/big-c?season=2026-Q5").status_code == 404


@ONE
def test_players_with_the_same_figure_share_their_rank(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    last = seat("cleo")
    for _ in range(SEASON_GAMES):
        finished(house, [ann, bob, last], [0, 1], mode="hearts")
    lines = ann.get("/leaderboards/hearts").json["items"]
    assert [line["rank"] for line in lines] == [1, 1, 3]
    second = ann.get("/leaderboards/hearts?limit=1").json["next"]
    assert [line["rank"] for line in ann.get(f"/leaderboards/hearts?cursor={second}").json["items"]] == [1, 3]


def test_a_players_own_results_are_listed_by_opponent(
    house: Runtime, ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    cleo = seat("cleo")
    for winners in ([0], [0], [1], [0, 1]):
        finished(house, [ann, bob], winners)
    finished(house, [cleo, ann], [0])
    finished(house, [ann, cleo], [0], mode="flip")
    assert ann.get("/me/opponents/big-c").json["items"] == [
        {"handle": "bob", "games": 4, "wins": 2, "draws": 1, "losses": 1},
        {"handle": "cleo", "games": 1, "wins": 0, "draws": 0, "losses": 1},
    ]
    assert [each["handle"] for each in cleo.get("/me/opponents/flip").json["items"]] == ["Ann"]
    assert cleo.get("/me/opponents/hearts").json["items"] == []


@ONE
def test_lists_of_ratings_read_no_table_from_end_to_end(house: Runtime, ann: Guest, bob: Guest) -> None:
    for _ in range(SEASON_GAMES):
        finished(house, [ann, bob], [0])
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        asked.append((statement, parameters))

    event.listen(house.database.engine, "before_cursor_execute", note)
    try:
        for path in ("/leaderboards/big-c", "/players/ann/ratings", "/players/ann/ratings/big-c"):
            assert ann.get(path).json["items"]
    finally:
        event.remove(house.database.engine, "before_cursor_execute", note)
    with house.database.engine.connect() as connection:
        plans = [
            row[3]
            for statement, parameters in asked
            if statement.startswith("SELECT")
            for row in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters)
        ]
    assert any("ix_season_standing_order" in step for step in plans)
    assert any("ix_rating_change_history" in step for step in plans)
    assert [step for step in plans if step.startswith("SCAN") or "TEMP B-TREE" in step] == []


@ONE
def test_a_seat_of_a_rated_game_belongs_to_a_player(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = begun(house, clock, [ann, bob], rated=True)
    with house.read() as session:
        seats = session.exec(select(GameSeat).where(GameSeat.game_id == match.id)).all()
        assert session.get_one(GameRow, match.id).rated
    assert {seat.player_id for seat in seats} == {ann.id, bob.id}


def test_what_is_unusual_is_named_for_people_to_judge(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    dora, emma = seat("dora"), seat("emma")
    for _ in range(16):
        finished(house, [ann, bob], [0])
        clock[0] += DAY // 4
    for _ in range(5):
        finished(house, [dora, emma], [0], choices=0)
    finished(house, [dora, bob], [0])

    def found(days: int) -> list[tuple[str, ...]]:
        with house.read() as session:
            told = rating_signals.signals(session, clock[0], days)
        return [(each.code, *each.handles, str(each.games)) for each in told]

    assert found(30) == [
        ("one_sided", "Ann", "bob", "16"),
        ("same_opponent", "Ann", "bob", "16"),
        ("same_opponent", "bob", "Ann", "16"),
        ("given_up_early", "dora", "5"),
        ("given_up_early", "emma", "5"),
        ("strong_newcomer", "Ann", "16"),
    ]
    assert {line[0] for line in found(1)} == {"given_up_early"}, "a day has fewer games than a signal needs"
    roles.give(house, None, "emma", roles.MODERATOR)
    path = "/moderation/players/{}/signals"
    assert ann.get(path.format("bob")).status_code == 403
    assert emma.get(path.format("bob")).json["items"] == [
        {"code": "same_opponent", "opponent": "Ann", "games": 16, "share": 16 / 17}
    ]
    told = [(each["code"], each["opponent"]) for each in emma.get(path.format("ann")).json["items"]]
    assert told == [("one_sided", "bob"), ("same_opponent", "bob"), ("strong_newcomer", None)]
    early = {"code": "given_up_early", "opponent": None, "games": 5, "share": None}
    assert emma.get(path.format("dora")).json["items"] == [early]
    assert emma.get(f"{path.format('ann')}?days=1").json["items"] == []
    clock[0] += 40 * DAY
    assert found(30) == []
