"""The contract of a mode, checked at every step of a random whole game that every seat and a spectator watch.

Used for the modes of the house, and for one that docs/modes.md shows.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest

from cards.games import find
from cards.games.contract import (
    Ask,
    Deal,
    How,
    IllegalMove,
    Miss,
    Missed,
    Mode,
    Outcome,
    Refusal,
    State,
    Turn,
)
from tests.cards.games.modes_table import HOUSE, Table, through_json

STEPS = 20_000
"""No game takes so many."""


def watch(name: str, seats: int, seed: int, options: Mapping[str, Any] | None = None) -> Table:
    """Play a whole random game, and check it at every step."""
    mode = find(name)
    rng = Random(f"{name}/{seats}/{seed}")
    table = Table(mode, seats, rng, silence=0.03 * (seed % 3), options=options)
    assert isinstance(mode.next(table.full), Deal), "the first of a game is a deal"
    outcome = None
    for step in range(STEPS):
        if outcome := table.advance():
            break
        assert through_json(mode, table.full, table.cards) == table.full
        if mode.facts.own_decks or step < 150 or rng.random() < 0.05:
            check_views(table)
            check_blindness(table, rng)
            check_conserved(table)
            due = mode.next(table.full)
            if isinstance(due, Ask):
                check_legality(table, due, rng)
    assert isinstance(outcome, Outcome), "the game ends"
    assert outcome.points == mode.points(table.full)
    assert outcome.winners
    assert not mode.gone(table.full) & set(outcome.winners)
    for reader in table.readers:
        assert table.replayed(reader) == table.folds[reader]
        assert mode.next(table.folds[reader]) == outcome
        assert through_json(mode, table.folds[reader], table.cards) == table.folds[reader]
    return table


def mutated(value: Any, rng: Random) -> Any:
    """A JSON value, changed at a random place."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        value = dict(value)
        key = rng.choice(sorted(value))
        change = rng.random()
        if change < 0.1:
            del value[key]
        elif change < 0.2:
            value["more"] = 1
        else:
            value[key] = mutated(value[key], rng)
        return value
    if isinstance(value, list) and value and rng.random() < 0.85:
        value = list(value)
        place = rng.randrange(len(value))
        change = rng.random()
        if change < 0.15:
            del value[place]
        elif change < 0.3:
            value.insert(place, copy.deepcopy(rng.choice(value)))
        elif change < 0.4:
            rng.shuffle(value)
        else:
            value[place] = mutated(value[place], rng)
        return value
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.6:
        return value + rng.choice((-2, -1, 1, 2, 3))
    return rng.choice(
        (None, True, False, 0, -1, 1.0, 1, 2, 40, "", "QS", "done", [], {}, [1], {"done": True}, value)
    )


def refused(mode: Mode[Any], state: State[Any], choices: Any) -> bool:
    """Tell whether `play` refuses."""
    try:
        mode.play(state, choices)
    except IllegalMove:
        return True
    return False


def check_legality(table: Table, ask: Ask, rng: Random) -> None:
    """Check that `in`, `refusal` and `play` agree on samples, on listed moves and on changed moves."""
    mode, state = table.mode, table.full
    owing = ask.seats & table.owed.keys() if ask.how is How.SEALED else frozenset()
    samples = {seat: mode.legal(state, seat).sample(rng) for seat in sorted(ask.seats - owing)}
    missed = {seat: Missed(Miss.SEAL) for seat in owing}  # a seat that owes a reveal can't choose
    asked = {rng.choice(sorted(samples))} if ask.how is How.ANY else set(samples)
    for seat in sorted(asked):
        legal = mode.legal(state, seat)
        listed = list(islice(legal, 12))
        assert listed, "who is asked has a choice"
        tried = [samples[seat], *listed]
        tried += [mutated(rng.choice(tried), rng) for _ in range(12)]
        for move in tried[: len(listed) + 1]:
            assert move in legal
        for move in tried:
            refusal = legal.refusal(move)
            assert (refusal is None) == (move in legal)
            if refusal is not None:
                assert isinstance(refusal, Refusal)
                assert refusal.code
                assert refusal.text
                assert refusal.section.startswith(mode.facts.name)
            choices = {other: samples[other] for other in asked} | {seat: move} | missed
            assert refused(mode, state, choices) == (refusal is not None), move
    for seat in (set(range(table.seats)) - ask.seats) | owing:
        legal = mode.legal(state, seat)
        assert not list(islice(legal, 1))
        move = next(iter(samples.values()), {})
        assert move not in legal
        assert refused(mode, state, {seat: move})
    if ask.how is not How.ANY and len(asked) > 1:
        assert refused(mode, state, {seat: samples[seat] for seat in sorted(asked)[:1]}), (
            "all must have chosen"
        )


def check_views(table: Table) -> None:
    """Check that each fold has the same board and ask, and knows just what its reader may see."""
    mode, full = table.mode, table.full
    due = mode.next(full)
    for reader in (HOUSE, *range(table.seats)):
        view = table.folds[reader]
        sees = mode.sees(full, reader)
        assert view.board == full.board
        assert mode.sees(view, reader) == sees
        assert view == full.seen(sees), "a fold knows exactly what its reader may see"
        assert mode.points(view) == mode.points(full)
        theirs = mode.next(view)
        if isinstance(due, Turn):
            assert isinstance(theirs, Turn)
            assert theirs.positions in (None, due.positions)
        else:
            assert theirs == due


def check_blindness(table: Table, rng: Random) -> None:
    """Check that other cards in hidden places change nothing for a seat."""
    mode, full = table.mode, table.full
    due = mode.next(full)
    for seat in range(table.seats):
        sees = mode.sees(full, seat)
        hidden = sorted(p for p in full.faces if p not in sees)
        others = rng.sample([full.faces[p] for p in hidden], len(hidden))
        other = State(full.board, {**full.faces, **dict(zip(hidden, others, strict=True))})
        assert mode.sees(other, seat) == sees
        assert mode.dump(other.seen(sees)) == mode.dump(full.seen(sees))
        assert isinstance(due, Turn) or mode.next(other) == due
        here, there, view = (mode.legal(state, seat) for state in (full, other, full.seen(sees)))
        moves = list(islice(here, 8))
        assert moves == list(islice(there, 8)) == list(islice(view, 8))
        for move in moves + [mutated(move, rng) for move in moves]:
            assert here.refusal(move) == there.refusal(move) == view.refusal(move)


def check_conserved(table: Table) -> None:
    """Check that every card is in one place."""
    placed = [p for place in table.mode.places(table.full).values() for p in place]
    assert len(placed) == len(set(placed))
    assert not table.full.faces or set(placed) == set(table.full.faces)


def check_facts(name: str) -> None:
    """Check that the facts of a mode are in order."""
    facts = find(name).facts
    assert facts.name == name
    assert 1 <= facts.seats[0] <= facts.seats[1]
    for option in facts.options:
        assert option.fault(option.default) is None
    assert len({option.name for option in facts.options}) == len(facts.options)
    assert {option.name for option in facts.options}.isdisjoint(
        {"enter", "ready", "link", "mix", "bank", "dealer"}
    )


def check_clocks(name: str) -> None:
    """Check that every clock of a mode is one of its options."""
    mode = find(name)
    clocks = {option.name for option in mode.facts.options if option.kind == "seconds"}
    table = Table(mode, mode.facts.seats[0], Random(name))
    for _ in range(60):
        due = mode.next(table.full)
        if isinstance(due, Ask):
            assert due.clock in clocks
            assert due.how is not How.SEALED or "reveal" in clocks
        if table.advance():
            break


def check_ends(name: str) -> None:
    """Check how a game ends by agreement, by resignation or by absence."""
    mode = find(name)
    table = Table(mode, mode.facts.seats[1], Random(name))
    for _ in range(40):
        table.advance()
    everyone = tuple(range(table.seats))
    agreed = mode.end(table.full, "agreed", frozenset())
    assert agreed.winners == everyone
    assert agreed.points == mode.points(table.full)
    resigned = mode.end(table.full, "resigned", frozenset({0}))
    assert 0 not in resigned.winners
    assert resigned.winners
    withheld = mode.end(table.full, "withheld", frozenset({0}))
    assert (withheld.points, withheld.winners) == (resigned.points, resigned.winners)
    assert withheld.reason == "withheld"
    assert mode.end(table.full, "link_withheld", frozenset({0})).winners == everyone[1:]
    assert mode.end(table.full, "link_withheld", frozenset(everyone)).winners == ()
    with pytest.raises(ValueError, match="no end"):
        mode.end(table.full, "boredom", frozenset())
