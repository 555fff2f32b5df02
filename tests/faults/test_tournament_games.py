"""The house dies without warning in the midst of a round that people play: standings and books are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from sqlmodel import col, func, select

from benchmarks.evening.afterwards import Finished
from benchmarks.evening.cup import FEE, PRIZES, Cup, pairs_are_fair, prizes_are_paid, standings_follow
from bots import bots_for
from client.match import MatchDriver
from client.tournaments import Tournaments
from player.bot import by_bot
from player.due import Choose
from referee import Game, verify_record
from service.config import UNLIMITED, Settings
from service.db import Database
from service.models import Account, Tournament, TournamentMatch
from service.operations import dish_books, grants, rating_books
from service.runtime import Runtime
from tests.client.guests import Guest
from tests.faults.aftermath import check_database
from tests.stack import Stack
from tests.waiting import until

PLAYERS, ROUNDS = 6, 2
HOLDS = 1
"""The choice, counted from 0, at which one player waits for the kill: the round can't end before it."""
AWAY = 300.0
"""Seconds that a player asks again a house that does not answer."""


def _play(guest: Guest, cup: str, rng: Random, kills: Sequence[Event]) -> None:
    """Play every match of the tournament, as it is paired, until the prizes are paid.

    In the midst of the match of each round the player waits for the kill of that round, if there is one.
    """
    bot = bots_for("big-c")["random"]
    api = guest.api.with_patience(AWAY)
    coming = iter(kills)

    def play(game_id: str) -> None:
        killed, choices = next(coming, None), count()

        def choosing(seat: int) -> Choose:
            choose = by_bot(bot, seat, rng)

            def in_time(game: Game) -> Any:
                if killed is not None and next(choices) >= HOLDS:
                    assert killed.wait(AWAY), "the round had no kill"
                return choose(game)

            return in_time

        MatchDriver(api, guest.vault, game_id, {}).run(choosing)

    for event in api.feed(0):
        if event.data.get("tournament") != cup:
            continue
        assert event.name not in ("tournament.out", "tournament.cancelled"), event.data
        if event.name == "tournament.paired":
            play(event.data["game"])
        if event.name == "tournament.over":
            return


def _matches(stack: Stack, number: int) -> list[str]:
    """The states of the matches of a round, as the database has them."""
    database = Database(stack.database)
    try:
        with database.read() as session:
            query = select(TournamentMatch.state).where(TournamentMatch.round == number)
            return list(session.exec(query))
    finally:
        database.dispose()


def _amid(stack: Stack, number: int, playing: Sequence[Future[None]]) -> bool:
    """Tell whether a round has a match that is over and one that is being played; raises a player's error."""
    for each in playing:
        if each.done():
            each.result()
    return {"over", "playing"} <= {*_matches(stack, number)}


def _finished(guest: Guest, cup: str, house_key: bytes) -> tuple[Cup, list[Finished]]:
    """The tournament as the house tells of it, and its games by their records alone."""
    house = Tournaments(guest.api)
    told = house.find(cup)
    rounds = [list(house.matches(cup, number)) for number in range(1, told["round"] + 1)]
    games = []
    for number, matches in enumerate(rounds, 1):
        for match in matches:
            report = verify_record(guest.api.record(match["game"]), house_key)
            assert report.valid, report.fault
            played = report.game
            assert played is not None
            outcome = played.outcome
            assert outcome is not None
            names = tuple(player.name for player in played.header.players)
            winners, reason = tuple(outcome.winners), str(outcome.reason)
            found = Finished(match["game"], told["mode"], names, winners, reason, played.seq + 1, number)
            games.append(found)
    return Cup(cup, told["mode"], told["state"], rounds, list(house.standings(cup))), games


@pytest.mark.parametrize(
    ("flavour", "targets"),
    [
        ("embedded", ("api", "house")),
        pytest.param("postgresql+rabbitmq", ("worker", "house"), marks=pytest.mark.servers),
    ],
)
def test_a_tournament_that_people_play_outlives_kill_9(
    open_stack: Callable[..., Stack], tmp_path: Path, flavour: str, targets: tuple[str, str]
) -> None:
    stack = open_stack(flavour)
    guests = [
        Guest.register(stack.url, tmp_path / str(number), number, handle=f"player{number}")
        for number in range(PLAYERS)
    ]
    settings = Settings(database=stack.database, data=stack.data, broker="memory://none", **UNLIMITED)
    operator = Runtime.open(settings)
    for guest in guests:
        grants.give(operator, guest.vault.identity.handle, grants.Gift(coins=FEE))
    director = Tournaments(guests[0].api)
    terms: dict[str, Any] = {"name": "Cup", "system": "swiss", "mode": "big-c", "rated": True, "fee": FEE}
    made = director.create(**terms, prizes=list(PRIZES), rounds=ROUNDS, pause=0, pace="1-day")
    cup = made["id"]
    for guest in guests:
        Tournaments(guest.api).enter(cup, None)
    director.start(cup)
    kills = [Event() for _ in targets]
    with ThreadPoolExecutor(PLAYERS) as threads:
        playing = [
            threads.submit(_play, guest, cup, Random(number), () if number else kills)
            for number, guest in enumerate(guests)
        ]
        try:
            for number, target in enumerate(targets, 1):
                until(lambda n=number: _amid(stack, n, playing), 240, f"the midst of round {number}")
                stack.kill9(target)
                assert "playing" in _matches(stack, number), "the round was over before the kill"
                kills[number - 1].set()
                if target != "api":
                    stack.start()
        finally:
            for kill in kills:  # else a test that fails would wait for the player who waits for the kill
                kill.set()
        for each in playing:
            each.result(300)
    until(stack.start, what="the house is open")
    found, games = _finished(guests[0], cup, guests[0].vault.identity.house_key)
    assert len({game.id for game in games}) == ROUNDS * PLAYERS // 2, "no game began twice"
    for check in (
        pairs_are_fair(found, PLAYERS, ROUNDS),
        standings_follow(found, games),
        prizes_are_paid(found),
    ):
        assert check.right, check
    check_database(stack.database, ROUNDS * PLAYERS // 2)
    assert rating_books.check(operator) == (ROUNDS * PLAYERS // 2, [])
    assert dish_books.check(operator) == {}
    with operator.read() as session:
        assert session.get_one(Account, "escrow").coins == 0
        assert session.get_one(Tournament, cup).state == "over"
        assert session.exec(select(func.sum(col(TournamentMatch.games)))).one() == len(games)
    operator.close()
