"""Every registered mode keeps the contract, in random whole games that every seat and a spectator watch."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from random import Random, SystemRandom
from typing import Any

import pytest

from cards.games import find, names, register
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

SEEDS = {"big-c": 1, "cribbage": 4, "flip": 3, "hearts": 3}
"""Games for each number of seats; twelve where nothing is said."""

SEATS = {"big-c": (2, 3, 4, 5, 7, 12)}
"""Numbers of seats that these games are played with, where not all are; fresh seeds try the others."""

STEPS = 20_000
"""No game takes so many."""


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


@pytest.mark.parametrize("name", names())
def test_facts_are_in_order(name: str) -> None:
    facts = find(name).facts
    assert facts.name == name
    assert 1 <= facts.seats[0] <= facts.seats[1]
    for option in facts.options:
        assert option.fault(option.default) is None
    assert len({option.name for option in facts.options}) == len(facts.options)
    assert {option.name for option in facts.options}.isdisjoint(
        {"enter", "ready", "link", "mix", "bank", "dealer"}
    )


@pytest.mark.parametrize("name", names())
def test_every_clock_is_an_option(name: str) -> None:
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


@pytest.mark.parametrize("name", names())
def test_ends_from_outside(name: str) -> None:
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
