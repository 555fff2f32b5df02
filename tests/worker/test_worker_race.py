"""Everybody at once: simultaneous seals and reveals on real houses, none lost, none doubled."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.stack import Stack
from tests.worker.duels import Duel


def race(stack: Stack, matches: int, rounds: int, drivers: int = 4) -> int:
    """So many matches of so many rounds; every pair of messages is posted at the same instant."""

    def one(number: int) -> Duel:
        duel = Duel.begin(stack, number)
        duel.play(rounds)
        return duel

    with ThreadPoolExecutor(drivers) as pool:
        duels = list(pool.map(one, range(matches)))
    return sum(duel.check() for duel in duels)


def test_two_hundred_pairs_of_seals_at_the_same_instant(open_stack) -> None:
    assert race(open_stack("embedded"), matches=20, rounds=10) >= 200


@pytest.mark.servers
@pytest.mark.parametrize("flavour", ["postgresql+rabbitmq", "postgresql+redis"])
def test_pairs_of_seals_at_the_same_instant_on_servers(open_stack, flavour: str) -> None:
    assert race(open_stack(flavour, processes=2), matches=4, rounds=5) >= 20
