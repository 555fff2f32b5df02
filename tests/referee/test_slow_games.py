"""Random matches at a slow table: envelopes and early links between ordinary reveals, time-outs and debts."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import Game, apply, dump_game, load_game
from referee.checks import Trusting
from tests.referee.forger import report
from tests.referee.table import Table, quietly


@dataclass(frozen=True)
class Habits:
    """The habits of a table: what happens out of ten times, and how long."""

    seed: int
    early: bool
    encloses: int
    away: int
    silent: int
    rounds: int


habits = st.builds(
    Habits,
    seed=st.integers(0, 10**6),
    early=st.booleans(),
    encloses=st.integers(0, 10),
    away=st.integers(0, 10),
    silent=st.integers(0, 4),
    rounds=st.integers(1, 4),
)


def sat(habit: Habits) -> Table:
    table = Table.chef(habit.seed, {"early_links": habit.early}, envelopes=True)
    table.encloses = lambda table, seat: table.rng.randrange(10) < habit.encloses
    table.away = lambda table: table.rng.randrange(10) < habit.away
    table.silent = lambda table, seat: table.game.deals > 0 and table.rng.randrange(10) < habit.silent
    if habit.seed % 2:
        table.choose = quietly
    return table


@pytest.mark.parametrize("count", [4, pytest.param(12, marks=pytest.mark.long)])
def test_every_fold_of_a_slow_game_agrees(count: int) -> None:
    settings(max_examples=count, deadline=None)(given(habits)(every_fold_agrees))()


def every_fold_agrees(habit: Habits) -> None:
    """Snapshot, spectator and offline verifier find the same, whoever was late with what."""
    table = sat(habit)
    while not table.game.over:
        table.step()
        if table.game.deals > habit.rounds + 1 and not table.game.over:
            table.send(table.seats[0].resign(table.views[0]))
    fold: Game | None = None
    for entry in table.record:
        fold = apply(fold, entry, Trusting())
        assert load_game(json.loads(json.dumps(dump_game(fold))), fold.header) == fold
        check(table, fold)
    assert fold == table.game
    found = report(table.record)
    assert found.valid, found.fault
    assert found.game == table.spectator


def check(table: Table, fold: Game) -> None:
    """Check at any moment who has answered a step of links, and whose link no seat can have."""
    asking = fold.asking
    for seat, state in enumerate(fold.seats):
        number, link = state.newest
        assert number <= fold.deals + 1
        if number:
            assert link == table.seats[seat].secret.chain.link(number)
        early = number == fold.deals + 1
        if asking is not None and asking.kind == "link":
            assert asking.seats, "a step that asks nobody is closed"
            assert not (early and seat in asking.seats)
            assert not early or (fold.links or {})[seat] == link
        elif early:
            assert fold.header.early_links or fold.links is not None or fold.outcome is not None
