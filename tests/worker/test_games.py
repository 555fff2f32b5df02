"""Whole games on real houses: wake-ups and the sweep resolve them, whatever dies, and nothing twice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots import bots_for
from cards.games.contract import Move
from client.match import MatchDriver
from crypto.identity import public_key
from player.due import Choose
from referee import Game, record_bytes, verify_record
from referee.record import read_entry
from service import keys
from service.config import Settings
from service.operations import games, presence, watching
from service.runtime import Runtime
from tests.client.guests import PLAYED_OUT, Guest, sit
from tests.stack import Stack
from tests.waiting import PATIENCE, until


@contextmanager
def inside(stack: Stack) -> Iterator[Runtime]:
    """The house's own operations on its database and broker, from this process."""
    house = Runtime.open(Settings.from_environment(stack.environment))
    try:
        yield house
    finally:
        house.close()


def between_bots(house: Runtime, mode: str = "chef", bots: tuple[str, ...] = ("greedy", "greedy")) -> str:
    """Begin a game that only the house's bots play; returns its id."""
    decks = [starter.counts for starter in house.catalog.starters.values()]
    with house.write() as session:
        plans = [
            games.BotPlan(bot, decks[seat % len(decks)] if mode == "chef" else None)
            for seat, bot in enumerate(bots)
        ]
        return games.begin(house, session, mode, {}, plans)


def newest(house: Runtime, game: str) -> int:
    """Return the number of the newest entry of a game's record."""
    with house.read() as session:
        return games.row_of(session, game).seq


def result(house: Runtime, game: str) -> dict[str, Any] | None:
    """The outcome of a game, once there is one."""
    with house.read() as session:
        return games.row_of(session, game).outcome


def check_record(house: Runtime, game: str) -> None:
    """Its record is whole, and a stranger finds no fault in it."""
    with house.read() as session:
        entries = watching.whole_record(session, game)
    assert [entry["seq"] for entry in entries] == list(range(len(entries)))
    report = verify_record(record_bytes([read_entry(entry) for entry in entries]), house.keys.public)
    assert report.valid, report.fault


# The kills of tests/faults meet both brokers; here it is the bots that come back.
@pytest.mark.parametrize(
    "flavour",
    [
        "embedded",
        pytest.param("postgresql+redis", marks=pytest.mark.servers),
        pytest.param("postgresql+rabbitmq", marks=[pytest.mark.servers, pytest.mark.long]),
    ],
)
def test_bots_play_a_whole_match_though_everything_is_killed_once(open_stack, flavour: str) -> None:
    stack: Stack = open_stack(flavour)
    with inside(stack) as house:
        game = between_bots(house)
        for victim, past in (("api", 10), ("worker", 30), ("house", 50)):
            until(lambda past=past: newest(house, game) >= past, what=f"entry {past}")
            if victim == "worker" and stack.worker is None:
                continue
            stack.kill9(victim)
            stack.start()
        outcome = until(lambda: result(house, game), what="the end of the match")
        assert outcome["reason"] in PLAYED_OUT
        check_record(house, game)


@pytest.mark.servers
@pytest.mark.parametrize("flavour", ["postgresql+rabbitmq", "postgresql+redis"])
def test_messages_alone_carry_a_game(open_stack, flavour: str) -> None:
    stack: Stack = open_stack(flavour, sweep_ms=60_000)
    with inside(stack) as house:
        game = between_bots(house)
        until(lambda: newest(house, game) >= 25, 40, "entry 25 without a sweep")


def test_the_sweep_alone_carries_a_game(open_stack) -> None:
    # Nobody listens there: every wake-up is lost.
    stack: Stack = open_stack("embedded", broker="redis://127.0.0.1:1/0", worker=1, sweep_ms=50)
    with inside(stack) as house:
        game = between_bots(house)
        until(lambda: newest(house, game) >= 12, what="entry 12 without a broker")
        assert any(line["event"] == "broker_unreachable" for line in stack.log())
    stack.stop()


def test_a_clock_that_runs_out_while_the_house_is_stopped_is_given_back(open_stack) -> None:
    stack: Stack = open_stack()
    with inside(stack) as house:
        plans = [
            games.PlayerPlan(name, public_key(keys.fresh().signing_key), cards=dict(starter.counts))
            for name, starter in zip(("Anna", "Berta"), house.catalog.starters.values(), strict=False)
        ]
        with house.write() as session:
            game = games.begin(house, session, "chef", {"enter": 10}, plans)
        stack.stop()
        with house.read() as session:
            due = games.row_of(session, game).due_at
        assert due is not None
        until(lambda: house.now() > due + presence.GAP_MS, what="the deadline, while nobody is there")
        assert newest(house, game) == 0

        stack.start()
        until(lambda: newest(house, game) == 1, what="the absence of the house is entered")
        with house.read() as session:
            asking = games.current(house, session, game).asking
        assert asking is not None
        assert asking.deadline > house.now() + 15_000
        outcome = until(lambda: result(house, game), what="the end of a game that nobody entered")
        assert outcome["winners"] == []
        check_record(house, game)


@pytest.mark.slow
@pytest.mark.parametrize("flavour", ["embedded", pytest.param("postgresql+redis", marks=pytest.mark.servers)])
def test_players_outlive_a_house_that_is_killed_for_longer_than_a_turn(
    open_stack, flavour: str, tmp_path: Path
) -> None:
    """One player is to move when the house is killed, the other waits. Nobody loses the turn."""
    stack: Stack = open_stack(flavour)
    guests = [Guest.register(stack.url, tmp_path / f"guest{i}", i) for i in range(2)]
    game_id, _ = sit(guests, "cribbage", options={"card": 10, "cut": 10, "lay": 10, "target": "61"})
    asked, back, over = threading.Event(), threading.Event(), []

    def play(guest: Guest) -> None:
        bot, rng = bots_for("cribbage")["random"], Random(1)

        def choose(seat: int) -> Choose:
            def chosen(game: Game) -> Move:
                if game.asking is not None and game.asking.kind == "move":
                    asked.set()
                    assert back.wait(PATIENCE)
                return bot.choose(game.rules, game.state, seat, rng)

            return chosen

        over.append(MatchDriver(guest.api, guest.vault, game_id).run(choose))

    players = [threading.Thread(target=play, args=(guest,), daemon=True) for guest in guests]
    for player in players:
        player.start()
    assert asked.wait(PATIENCE), "a card is to be cut"
    with inside(stack) as house:
        with house.read() as session:
            asking = games.current(house, session, game_id).asking
        assert asking is not None
        stack.kill9("house")
        until(lambda: house.now() > asking.deadline + presence.GAP_MS, what="the turn is over by the clock")
        stack.start()
        back.set()
        for player in players:
            player.join(PATIENCE)
        assert len(over) == 2, "both players have seen the end"
        with house.read() as session:
            entries = watching.whole_record(session, game_id)
        kinds = [entry["kind"] for entry in entries]
        assert "away" in kinds
        assert "timeout" not in [kind for kind, entry in zip(kinds, entries, strict=True) if late_one(entry)]
        check_record(house, game_id)


def late_one(entry: dict[str, Any]) -> bool:
    """A time-out of a seat that was silent, and not one for a seat that had to say go."""
    return entry["kind"] == "timeout" and entry["body"]["move"] != {"go": True}


def test_two_workers_resolve_nothing_twice(open_stack) -> None:
    stack: Stack = open_stack("embedded", sweep_ms=20)
    with inside(stack) as house:
        from worker.app import Worker
        from worker.work import work_of

        # A second sweeper and a second set of tasks on the same tables, in this process.
        second = Worker(house, work_of(house), threads=4)
        second.start()
        try:
            game = between_bots(house)
            until(lambda: result(house, game), what="the end of the match")
            check_record(house, game)
        finally:
            assert second.stop(10)
