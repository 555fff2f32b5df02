"""Claims and searches, with which modes are played without a dealer, say exactly what the rules hang on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random, SystemRandom
from typing import Any

import pytest

from cards.games import find, names
from cards.games.contract import (
    Ask,
    CardByCard,
    CardsAndTraits,
    Deal,
    Face,
    Mode,
    Move,
    Outcome,
    State,
    Turn,
)

DEALERLESS = [name for name in names() if find(name).facts.traits]
DEALS = 12
"""Deals that are played in every run, for each mode and number of seats; a thousand in a long one."""


def tables() -> list[Any]:
    """(mode, seats) of each table that can be played without a dealer."""
    found = [find(name).facts for name in DEALERLESS]
    most = {facts.name: facts.most_without_dealer or facts.seats[1] for facts in found}
    return [(f.name, seats) for f in found for seats in range(f.seats[0], most[f.name] + 1)]


OPTIONS: dict[str, dict[str, Any]] = {"big-c": {"hand": 5}}
"""Options with which rare claims come up."""


def alike(deal: Deal, rng: Random) -> list[tuple[int, ...]]:
    """An order of big C's packs in which two hands have the same faces, with three Jokers if there are six.

    So presented cards are equal again and again, and a hand has nothing but Jokers left to lead.
    """
    assert deal.pack is not None
    left, hands = rng.sample(range(len(deal.pack)), len(deal.pack)), list[int]()
    jokers = deal.pack.count("Joker") // 2
    names = ["Joker"] * jokers + rng.sample(sorted({*deal.pack} - {"Joker"}), 5 - jokers)
    for _ in range(2):
        for name in names:
            card = next(c for c in left if deal.pack[c] == name)
            left.remove(card)
            hands.append(card)
    return [(*hands, *left)]


def holds(mode: Mode[Any], full: State[Any], said: CardsAndTraits | None) -> bool:
    """Tell whether none of the cards of a claim has one of its traits."""
    return said is None or not any(said.traits & mode.has(full.faces[p]) for p in said.positions)


def known_to_all(mode: Mode[Any], full: State[Any]) -> State[Any]:
    """The state with the faces that everybody knows."""
    return full.seen(mode.sees(full, None))


def tried(mode: Mode[Any], full: State[Any], seat: int) -> Iterator[Move]:
    """The moves that a seat could make by the rules, if all of its hidden cards but one were others."""
    known = known_to_all(mode, full)
    yield from mode.legal(full, seat)
    yield from mode.legal(known, seat)
    for position in sorted(mode.sees(full, seat) - known.faces.keys()):
        yield from mode.legal(known.knowing({position: full.faces[position]}), seat)


def check_claims(mode: Mode[Any], full: State[Any], seat: int) -> tuple[int, int]:
    """Check the claims of each move of a seat; returns how many true and false ones there were."""
    known, true, false = known_to_all(mode, full), 0, 0
    for move in tried(mode, full, seat):
        if move not in mode.legal(known, seat):
            continue  # whoever sees the table alone refuses it
        said = mode.claim(known, seat, move)
        assert said == mode.claim(full, seat, move), "a claim follows from what everybody knows"
        if said is not None:
            assert said.positions
            assert said.positions <= mode.sees(full, seat)
            assert said.traits
            assert said.traits <= {*mode.facts.traits}
            assert said.positions.isdisjoint(mode.opens(move))
            true, false = true + holds(mode, full, said), false + (not holds(mode, full, said))
        assert (move in mode.legal(full, seat)) == holds(mode, full, said), move
    return true, false


def check_search(mode: Mode[Any], full: State[Any]) -> None:
    """Check that a search finds the card that the rules turn up, and no other."""
    right = mode.next(full)
    blind = mode.next(known_to_all(mode, full))
    assert isinstance(right, Turn)
    assert isinstance(blind, Turn)
    assert right.positions is not None
    assert right.seek is None
    if blind.positions is not None:
        assert (blind.positions, blind.seek) == (right.positions, None)
        return
    if blind.taking is not None:
        check_taking(mode, full, blind.taking, right.positions)
        return
    assert blind.seek is not None
    found = {p for p in blind.seek.positions if blind.seek.traits & mode.has(full.faces[p])}
    assert found - known_to_all(mode, full).faces.keys() == right.positions


def check_taking(mode: Mode[Any], full: State[Any], taking: CardByCard, right: frozenset[int]) -> None:
    """Check that cards are taken one by one up to the card that the rules turn up."""
    assert taking.traits <= {*mode.facts.traits}
    fits = [p for p in taking.positions if taking.traits & mode.has(full.faces[p])]
    assert frozenset(fits[:1]) == right
    assert taking.positions
    after = mode.turn(full, {p: full.faces[p] for p in right})
    ours = mode.sees(after, taking.seat)
    end = taking.positions.index(fits[0]) + 1 if fits else len(taking.positions)
    assert {*taking.positions} & ours == {*taking.positions[:end]}


def played(mode: Mode[Any], seats: int, rng: Random, deals: int) -> tuple[int, int, int]:
    """Play so many deals at random, and check each step; returns true claims, false claims, searches."""
    options: dict[str, Any] = {option.name: option.default for option in mode.facts.options}
    options |= OPTIONS.get(mode.facts.name, {})
    full, counts = mode.start(options, seats), [0, 0, 0]
    while deals >= 0:
        due = mode.next(full)
        match due:
            case Outcome():
                full = mode.start(options, seats)
            case Deal():
                deals -= 1
                drawn = [tuple(rng.sample(draw.pool, draw.count)) for draw in due.draws]
                if due.pack is not None and due.fresh and mode.facts.name == "big-c" and rng.random() < 0.5:
                    drawn = alike(due, rng)
                full = mode.deal(full, drawn).knowing(_faces(due, drawn))
            case Turn():
                check_search(mode, full)
                counts[2] += mode.next(known_to_all(mode, full)) != due
                full = mode.turn(full, {p: full.faces[p] for p in due.positions or ()})
            case Ask():
                for seat in sorted(due.seats):
                    true, false = check_claims(mode, full, seat)
                    counts[0], counts[1] = counts[0] + true, counts[1] + false
                choices = {seat: mode.legal(full, seat).sample(rng) for seat in sorted(due.seats)}
                one = rng.choice(sorted(choices))
                full = mode.play(full, choices if due.how.value == "together" else {one: choices[one]})
    return counts[0], counts[1], counts[2]


def _faces(deal: Deal, drawn: list[tuple[int, ...]]) -> Mapping[int, Face]:
    return {} if deal.pack is None else {deal.first + i: deal.pack[card] for i, card in enumerate(drawn[0])}


@pytest.mark.parametrize(("name", "seats"), tables())
def test_a_claim_is_true_exactly_where_the_move_is_legal(name: str, seats: int) -> None:
    deals = 8 * DEALS if name in OPTIONS else DEALS
    true, false, _ = played(find(name), seats, Random(f"claims/{name}/{seats}"), deals)
    assert true, "both kinds of claims come up"
    assert false


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats"), tables())
def test_claims_in_a_thousand_deals_of_a_fresh_seed(name: str, seats: int) -> None:
    seed = SystemRandom().randrange(10**9)
    try:
        played(find(name), seats, Random(seed), 1000)
    except Exception as error:
        error.add_note(f"seed {seed}")
        raise


def test_the_fourth_card_of_hearts_is_sought() -> None:
    hearts = find("hearts")
    searches = sum(played(hearts, seats, Random(seats), 60)[2] for seats in (3, 4))
    assert searches > 3, "hands are random, so the fourth card is forced often enough"


@pytest.mark.parametrize("name", names())
def test_traits_are_names_that_the_protocol_can_carry(name: str) -> None:
    mode = find(name)
    traits = mode.facts.traits
    assert len({*traits}) == len(traits)
    assert all(re.fullmatch("[A-Za-z0-9]{1,20}", trait) for trait in traits)


@pytest.mark.parametrize("name", DEALERLESS)
def test_every_face_has_traits_that_the_mode_names(name: str) -> None:
    mode = find(name)
    state = mode.start({option.name: option.default for option in mode.facts.options}, mode.facts.seats[1])
    due = mode.next(state)
    while isinstance(due, Deal) and due.pack is None:
        state = mode.deal(state, [draw.pool for draw in due.draws])
        due = mode.next(state)
    assert isinstance(due, Deal)
    assert due.pack is not None
    has = {face: mode.has(face) for face in due.pack}
    assert all(traits <= {*mode.facts.traits} for traits in has.values())
    assert frozenset().union(*has.values()) == {*mode.facts.traits}, "each trait has a card"


@pytest.mark.parametrize("name", names())
def test_a_mode_without_traits_claims_nothing(name: str) -> None:
    mode = find(name)
    if not mode.facts.traits:
        assert mode.has("QS") == frozenset()
        state = mode.start(
            {option.name: option.default for option in mode.facts.options}, mode.facts.seats[0]
        )
        assert mode.claim(state, 0, {}) is None
