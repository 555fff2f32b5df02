"""A seat at a table without a dealer sends what is due by itself: locks, mixes, shares, unlocks, claims."""

from __future__ import annotations

from dataclasses import replace
from secrets import token_bytes

import pytest

from bots import bots_for
from player.bot import by_bot
from player.due import answer, due
from tests.referee.dealerless.kit import Dealerless, verified


def never(seed: bytes) -> dict[str, object]:
    raise AssertionError("a house pack needs no certificate")


def sent(table: Dealerless, seat: int) -> None:
    """Have a seat send what is due, by the fold that everybody has."""
    game = table.spectator
    mode = game.rules.facts.name
    chooser = by_bot(bots_for(mode)["random"], seat, table.rng)
    wanted = due(game, seat, None)
    found = answer(game, table.seats[seat], chooser, never, None)
    assert found is not None
    assert (found[0].step, found[0].kind) == wanted
    table.now += 100
    table.send(found[0])


@pytest.mark.parametrize(("mode", "seats", "deals"), [("hearts", 3, 2), ("cribbage", 2, 4)])
def test_bots_play_without_a_dealer(mode: str, seats: int, deals: int) -> None:
    table = Dealerless.sit(mode, seats, seed=7)
    while table.game.deals < deals and not table.game.over:
        for seat in range(seats):
            if seat in table.asked():
                sent(table, seat)
    assert {"lock", "mix", "share"} <= {entry.kind for entry in table.record if entry.actor == "0"}
    verified(table)


def test_the_same_entry_makes_the_same_lock_and_mix_again() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.seats = [replace(seat, fresh=lambda: token_bytes(32)) for seat in table.seats]
    for kind, field in (("lock", "lock"), ("mix", "pack")):
        table.until(kind)
        seat = min(table.asked())
        first, again = (table.message(seat).body for _ in range(2))
        assert first[field] == again[field]
        assert first["proof"] != again["proof"], "the masks are fresh"


def test_two_histories_get_different_locks_and_mixes() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("ready")
    other = table.copy()
    other.now += 7
    for kind, field in (("lock", "lock"), ("mix", "pack")):
        mine, theirs = ([], [])
        for place, found in ((table, mine), (other, theirs)):
            place.until(kind)
            found.append(place.message(min(place.asked())).body[field])
        assert mine != theirs
