"""Every registered mode keeps the contract, in random whole games that every seat and a spectator watch."""

from __future__ import annotations

import copy
from dataclasses import replace
from random import SystemRandom
from typing import Any

import pytest

from cards.games import find, names, register
from tests.cards.games.contract_kit import check_clocks, check_ends, check_facts, watch

SEEDS = {"big-c": 1, "cribbage": 4, "flip": 3, "hearts": 3}
"""Games for each number of seats; twelve where nothing is said."""

SEATS = {"big-c": (2, 3, 4, 5, 7, 12)}
"""Numbers of seats that these games are played with, where not all are; fresh seeds try the others."""

USUAL = {"hearts": 1, "cribbage": 2, "flip": 2, "chef": 6}
"""The number of these seeds that every run takes."""


def games() -> list[Any]:
    """(mode, seats, seed) of the games that are played."""
    found: list[Any] = []
    for name in names():
        low, high = find(name).facts.seats
        for seats in SEATS.get(name, range(low, high + 1)):
            for seed in range(SEEDS.get(name, 12)):
                often = seed < USUAL.get(name, 12)
                found.append(pytest.param(name, seats, seed, marks=[] if often else pytest.mark.long))
    return found


@pytest.mark.parametrize(("name", "seats", "seed"), games())
def test_random_games_keep_the_contract(name: str, seats: int, seed: int) -> None:
    watch(name, seats, seed)


def test_a_game_in_which_cards_are_shuffled_again_beside_cards_in_hands() -> None:
    table = watch("big-c", 4, 13, {"hand": 27})  # everything is dealt: the first footstool needs the pile
    again = [step for step in table.log if step.verb == "deal" and step.first]
    assert again
    assert len({step.first for step in again}) == len(again)


@pytest.mark.long
@pytest.mark.parametrize("name", names())
def test_random_games_of_fresh_seeds_keep_the_contract(name: str) -> None:
    low, high = find(name).facts.seats
    for _ in range(25):
        seats, seed = SystemRandom().randint(low, high), SystemRandom().randrange(10**9)
        try:
            watch(name, seats, seed)
        except Exception as error:
            error.add_note(f"seed {seed} with {seats} seats")
            raise


@pytest.mark.parametrize("name", names())
def test_facts_are_in_order(name: str) -> None:
    check_facts(name)


@pytest.mark.parametrize("name", names())
def test_every_clock_is_an_option(name: str) -> None:
    check_clocks(name)


@pytest.mark.parametrize("name", names())
def test_ends_from_outside(name: str) -> None:
    check_ends(name)


def test_an_older_version_of_the_rules_stays_beside_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    newest = find("chef")
    newer, older = copy.copy(newest), copy.copy(newest)
    newer.facts = replace(newest.facts, rules="10")
    older.facts = replace(newest.facts, rules="9.1")
    monkeypatch.setattr("cards.games._modes", {"chef": {newest.facts.rules: newest}})
    for mode in (newer, older):
        register(mode)
    assert find("chef") is newer
    assert find("chef", "9.1") is older
    assert find("chef", newest.facts.rules) is newest
    with pytest.raises(KeyError):
        find("chef", "2")
    assert names() == ["chef"]
