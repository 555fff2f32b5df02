"""Everybody at once: simultaneous seals and reveals on real houses, none lost, none doubled."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from client.http import Api
from tests.stack import Stack
from tests.waiting import PATIENCE
from tests.worker.duels import Duel


def race(stack: Stack, matches: int, rounds: int, drivers: int = 4) -> int:
    """Play so many matches of so many rounds; every pair of messages is posted at the same instant."""

    def one(number: int) -> Duel:
        duel = Duel.begin(stack, number)
        duel.play(rounds)
        return duel

    with ThreadPoolExecutor(drivers) as pool:
        duels = list(pool.map(one, range(matches)))
    return sum(duel.check() for duel in duels)


@pytest.mark.parametrize(
    ("matches", "rounds"), [pytest.param(4, 5), pytest.param(20, 10, marks=pytest.mark.long)]
)
def test_pairs_of_seals_at_the_same_instant(open_stack, matches: int, rounds: int) -> None:
    assert race(open_stack("embedded"), matches, rounds) >= matches * rounds


# It is the database that sees the two at once, whatever carries the wake-ups.
@pytest.mark.servers
@pytest.mark.parametrize(
    ("flavour", "matches", "rounds"),
    [
        pytest.param("postgresql+rabbitmq", 3, 4),
        pytest.param("postgresql+rabbitmq", 8, 8, marks=pytest.mark.long),
        pytest.param("postgresql+redis", 8, 8, marks=pytest.mark.long),
    ],
)
def test_pairs_of_seals_at_the_same_instant_on_servers(
    open_stack, flavour: str, matches: int, rounds: int
) -> None:
    assert race(open_stack(flavour, processes=2), matches, rounds) >= matches * rounds


def test_who_waits_keeps_nobody_from_being_served(open_stack) -> None:
    # There are more long polls than threads in the house, and what they all wait for needs a thread too.
    stack: Stack = open_stack("embedded", threads=8)
    duel = Duel.begin(stack, 0)

    def poll(token: str) -> int:
        with Api(stack.url, token) as api:
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                if api.entries(duel.game_id, duel.game.seq, 20)[0]:
                    return 1
                time.sleep(0.1)  # a crowded house has answered at once
        return 0

    with ThreadPoolExecutor(20) as pool:
        polls = [pool.submit(poll, duel.guests[i % 2].token) for i in range(20)]
        with httpx.Client(timeout=PATIENCE) as client:
            for _ in range(5):
                began = time.monotonic()
                assert client.get(f"{stack.url}/readyz").status_code == 200
                assert time.monotonic() - began < 15  # the polls hold their threads for 20 seconds
        assert not any(poll.done() for poll in polls)
        duel.guests[0].api.send(duel.messages()[0])
        assert [poll.result(2 * PATIENCE) for poll in polls] == [1] * 20
