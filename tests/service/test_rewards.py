"""Rewards: which wins count, how far two accounts can get by playing each other, once a game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from sqlmodel import select

from service.config import Settings
from service.models import BoosterRow, GameRow, GameSeat, Submission, Win
from service.operations import rewards
from service.operations.audit import audit
from service.operations.games import resolve
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.service_kit import Guest

HOUR, DAY = 3_600_000, 86_400_000
ENOUGH = Settings().reward_choices

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""


def won(
    house: Runtime,
    winners: Sequence[Guest],
    losers: Sequence[Guest | str],
    *,
    choices: Sequence[int] = (),
    kind: str = "move",
) -> str:
    """A game that somebody has won, each seat having made so many choices; its id."""
    game_id, people = str(uuid4()), [*winners, *losers]
    with house.write() as session:
        session.add(GameRow(id=game_id, mode="hearts", created_at=house.now(), seq=0, snapshot={}))
        session.flush()
        seats = []
        for number, who in enumerate(people):
            named = {"bot": who} if isinstance(who, str) else {"player_id": who.id}
            seats.append(GameSeat(game_id=game_id, seat=number, name="x", **named))
            made = choices[number] if choices else ENOUGH
            session.add_all(
                Submission(
                    game_id=game_id, step=s, seat=number, kind=kind, digest="", signature="", at=1, seq=s
                )
                for s in range(made)
            )
        session.add_all(seats)
        session.flush()
        rewards.grant(house, session, game_id, [*range(len(winners))], seats)
        row = session.get_one(GameRow, game_id)
        row.ended_at = house.now()
        row.outcome = {"winners": [*range(len(winners))], "points": [], "reason": "points"}
    return game_id


def standing(house: Runtime, guest: Guest) -> rewards.RewardStanding:
    with house.read() as session:
        return rewards.standing(house, session, guest.id)


def settle(house: Runtime, **settings: Any) -> None:
    """Change the house's settings."""
    object.__setattr__(house, "settings", replace(house.settings, **settings))


def brought(guest: Guest, game: str) -> tuple[Any, ...]:
    """What a game brought somebody: coins, a booster, wins until the next, and the reason for nothing."""
    told = guest.get(f"/games/{game}/reward").json
    return told["coins"], told["booster"], told["booster_in"], told["reason"]


def in_order(house: Runtime) -> bool:
    with house.read() as session:
        return audit(session).findings == []


def test_a_win_brings_coins_and_is_told(ann: Guest, bob: Guest, house: Runtime) -> None:
    game = won(house, [ann], [bob])
    assert standing(house, ann) == rewards.RewardStanding(10, 1, 1, 2)
    assert standing(house, bob) == rewards.RewardStanding(0, 0, 0, 3)
    assert ann.get("/wallet").json == {"coins": 10, "wins": 1, "wins_today": 1, "booster_in": 2}
    (told,) = [e for e in ann.get("/feed").json["events"] if e["event"] == "reward.won"]
    assert (told["data"]["game"], told["data"]["coins"], told["data"]["booster"]) == (game, 10, None)
    assert in_order(house)


@ONE
def test_two_who_play_each_other_earn_less_and_less_and_then_nothing(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int]
) -> None:
    """Seven days of as many games as they like: 18 coins, and one booster by the third rewarded win."""
    clock[0] -= clock[0] % DAY
    for _ in range(7):
        for _ in range(5):
            won(house, [ann], [bob])
            clock[0] += HOUR
        clock[0] += DAY - 5 * HOUR
    assert standing(house, ann).coins == sum(house.settings.reward_coins) == 18
    assert standing(house, ann).wins == len(house.settings.reward_coins)
    with house.read() as session:
        assert len(session.exec(select(BoosterRow)).all()) == 1
    won(house, [ann], [bob])  # the first of those wins is seven days old
    assert standing(house, ann).coins == 19
    assert in_order(house)


@ONE
def test_a_day_has_so_many_rewarded_wins(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    settle(house, reward_wins_a_day=2)
    clock[0] -= clock[0] % DAY
    won(house, [ann], [bob])
    won(house, [ann], ["greedy"])
    assert standing(house, ann).wins_today == 2
    clock[0] += DAY - 1
    won(house, [ann], ["random"])  # and all bots are one opponent
    assert standing(house, ann).wins == 2
    clock[0] += 1
    won(house, [ann], ["random"])
    assert standing(house, ann).coins == 10 + 10 + 5


@pytest.mark.parametrize(
    ("choices", "wins"),
    [((ENOUGH, ENOUGH), 1), ((ENOUGH, ENOUGH - 1), 0), ((ENOUGH - 1, ENOUGH), 0), ((0, 0), 0)],
)
@ONE
def test_a_game_given_up_at_once_counts_for_nothing(
    ann: Guest, bob: Guest, house: Runtime, choices: tuple[int, int], wins: int
) -> None:
    won(house, [ann], [bob], choices=choices)
    assert standing(house, ann).wins == wins


@ONE
def test_messages_that_are_no_choices_do_not_count(ann: Guest, bob: Guest, house: Runtime) -> None:
    won(house, [ann], [bob], kind="link")
    assert standing(house, ann).wins == 0
    won(house, [ann], [bob], kind="seal")
    assert standing(house, ann).wins == 1


@ONE
def test_nobody_wins_a_draw(ann: Guest, bob: Guest, house: Runtime) -> None:
    won(house, [ann, bob], [])
    won(house, [], [ann, bob])
    assert standing(house, ann).wins == standing(house, bob).wins == 0


@ONE
def test_who_wins_together_is_rewarded_and_the_least_beaten_counts(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    won(house, [ann], ["greedy"])
    won(house, [ann, bob], ["greedy", "greedy"])  # ann has beaten the house today
    assert (standing(house, ann).wins, standing(house, bob).wins) == (1, 1)
    won(house, [ann], ["greedy", bob])
    assert standing(house, ann).coins == 20


def test_every_third_win_brings_a_booster(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    for _ in range(3):
        won(house, [ann], [bob])
        clock[0] += DAY
    (booster,) = ann.get("/boosters").json["items"]
    assert booster["origin"].startswith("won:")
    assert (booster["set"], booster["opened_at"]) == ("PB", None)
    assert standing(house, ann).booster_in == 3
    assert in_order(house)


def test_games_that_end_at_once_are_counted_one_after_the_other(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    """Four games against the same opponent end in the same moment: one is rewarded."""
    faults: list[BaseException] = []

    def end() -> None:
        try:
            won(house, [ann], [bob])
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=end) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert standing(house, ann) == rewards.RewardStanding(10, 1, 1, 2)
    assert in_order(house)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_game_that_is_given_up_late_is_rewarded_once(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int]
) -> None:
    """Two players play a whole game until both have chosen often enough; then one resigns."""
    match = sit_down(house, clock, [ann, bob], "chef", seed=5)
    for _ in range(400):
        with house.read() as session:
            busy = rewards._busy(house, session, match.id)
        if len(busy) == 2:
            break
        match.step()
    chair = next(chair for chair in match.chairs if chair.guest is bob)
    chair.catch_up()
    chair.send(chair.seat.resign(chair.game))
    match.work()
    assert match.fold.over
    for _ in range(2):
        resolve(house, match.id)
    assert standing(house, ann).coins == 10
    with house.read() as session:
        assert [win.game_id for win in session.exec(select(Win))] == [match.id]
    assert in_order(house)


@ONE
def test_what_is_published_is_what_holds(ann: Guest) -> None:
    shown = ann.get("/rewards").json
    assert shown == {
        "coins": [10, 5, 2, 1],
        "wins_a_day": 10,
        "booster_every": 3,
        "choices": 5,
        "bots": "house",
        "booster_price": 50,
        "welcome_boosters": 0,
    }


@ONE
def test_rewards_and_prices_are_settings(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    settle(house, reward_coins=(7,), reward_booster_every=1, reward_choices=2, booster_price=7)
    won(house, [ann], [bob], choices=(2, 2))
    assert ann.get("/wallet").json == {"coins": 7, "wins": 1, "wins_today": 1, "booster_in": 1}
    clock[0] += DAY
    won(house, [ann], [bob])  # the second win of the week is worth nothing
    assert standing(house, ann).wins == 1
    assert ann.get("/boosters/odds").json["items"][0]["price"] == 7
    assert ann.post("/boosters", {"set": "PB"}).status_code == 201
    origins = [item["origin"].partition(":")[0] for item in ann.get("/boosters").json["items"]]
    assert sorted(origins) == ["bought", "won"]
    shown = ann.get("/rewards").json
    assert (shown["coins"], shown["booster_every"], shown["choices"], shown["booster_price"]) == (
        [7],
        1,
        2,
        7,
    )
    assert in_order(house)


@ONE
def test_a_house_may_reward_nothing(ann: Guest, bob: Guest, house: Runtime) -> None:
    settle(house, reward_coins=(), reward_booster_every=0)
    game = won(house, [ann], [bob])
    assert ann.get("/wallet").json == {"coins": 0, "wins": 0, "wins_today": 0, "booster_in": None}
    told = ann.get(f"/games/{game}/reward").json
    assert told == {"coins": 0, "booster": None, "booster_in": None, "reason": "no_rewards"}


def test_a_game_says_what_it_brought(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    clock[0] -= clock[0] % DAY
    first = won(house, [ann], [bob])
    assert brought(ann, first) == (10, None, 2, None)
    assert brought(bob, first) == (0, None, 3, "not_won")
    clock[0] += HOUR
    again = won(house, [ann], [bob])
    assert brought(ann, again) == (0, None, 2, "same_opponent")
    short = won(house, [bob], [ann], choices=(ENOUGH, ENOUGH - 1))
    assert brought(bob, short) == (0, None, 3, "too_short")
    draw = won(house, [ann, bob], [])
    assert brought(ann, draw) == (0, None, 2, "not_won")
    clock[0] += DAY
    won(house, [ann], [bob])
    clock[0] += DAY
    third = won(house, [ann], [bob])
    coins, booster, booster_in, reason = brought(ann, third)
    assert (coins, booster_in, reason) == (2, 3, None)
    assert booster == ann.get("/boosters").json["items"][0]["id"]
    assert brought(ann, first) == (10, None, 2, None)  # as it was told then
    assert brought(ann, again) == (0, None, 3, "same_opponent")


@ONE
def test_wins_beyond_those_of_a_day_say_so(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    settle(house, reward_wins_a_day=1)
    clock[0] -= clock[0] % DAY
    won(house, [ann], ["greedy"])
    clock[0] += HOUR
    second = won(house, [ann], [bob])
    assert brought(ann, second) == (0, None, 2, "daily_limit")
    clock[0] += DAY
    won(house, [ann], [bob])
    assert brought(ann, second) == (0, None, 1, "daily_limit")


@ONE
def test_only_a_player_of_a_game_that_is_over_learns_what_it_brought(
    ann: Guest, bob: Guest, seat: Callable[..., Guest], house: Runtime, clock: list[int]
) -> None:
    game = won(house, [ann], [bob])
    stranger = seat("cleo")
    for who, which in ((stranger, game), (ann, str(uuid4()))):
        assert who.get(f"/games/{which}/reward").status_code == 404
    running = sit_down(house, clock, [ann, bob], "flip", seed=1)
    refused = ann.get(f"/games/{running.id}/reward")
    assert (refused.status_code, refused.json["code"]) == (409, "game_running")
