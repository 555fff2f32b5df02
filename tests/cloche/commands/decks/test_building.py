"""Decks by search: legal, of what is owned, the same by the same dice, and fit to be played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES
from cards.decks.deck_lists import DeckList, faults
from cards.decks.forecast import bests, deals
from cards.decks.search import CARDS, Search, card_facts
from cards.decks.search.parser import parse
from cloche.commands.play.building import TASTES, build

CATALOG = load()
Counts = dict[int, int]


def searching(owned: Counts, asked: list[str] | None = None) -> Callable[[str], Sequence[dict[str, Any]]]:
    """The house's search, as a player who owns this."""

    def search(query: str) -> Sequence[dict[str, Any]]:
        found = parse(query, CARDS)
        assert not found.warnings, query
        if asked is not None:
            asked.append(query)
        facts = Search(found.query, CARDS, owned).page(card_facts(CATALOG))
        return [CATALOG.cards[fact.number].text() for fact in facts]

    return search


def newcomer(starter: str) -> Counts:
    """A starter deck and three of each Basic Ingredient, as in the demonstration."""
    owned = dict(CATALOG.starters[starter].counts)
    for number, printing in CATALOG.printings.items():
        if printing.basic:
            owned[number] = owned.get(number, 0) + MOST_COPIES
    return owned


def numbers(deck: dict[str, int]) -> Counts:
    return {CATALOG.by_slug(slug).number: n for slug, n in deck.items()}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), starter=st.sampled_from(sorted(CATALOG.starters)))
def test_a_deck_is_legal_and_owned(seed: int, starter: str) -> None:
    owned = newcomer(starter)
    name, deck = build(searching(owned), Random(seed))
    assert faults(DeckList(numbers(deck)), CATALOG, owned) == []
    assert name in {taste.name for taste in TASTES}
    recipes = sum(n for slug, n in deck.items() if CATALOG.by_slug(slug).is_recipe)
    assert 12 <= recipes <= 14


def test_the_same_dice_build_the_same_deck_and_others_others() -> None:
    search = searching(newcomer("diner"))
    decks = [build(search, Random(seed)) for seed in (1, 1, *range(2, 12))]
    assert decks[0] == decks[1]
    assert len({str(deck) for deck in decks}) >= 8
    assert all(numbers(deck) != CATALOG.starters["diner"].counts for _, deck in decks)


def test_it_is_built_by_searching_what_is_owned() -> None:
    asked: list[str] = []
    build(searching(newcomer("diner"), asked), Random(3))
    assert all("own" in query for query in asked)
    assert any("t:recipe" in query for query in asked)
    assert any("gives:" in query for query in asked)


def test_a_collection_that_is_too_small_gives_too_few_cards() -> None:
    owned = dict.fromkeys(list(CATALOG.starters["diner"].counts)[:9], 1)
    owned |= {card.number: 1 for card in list(CATALOG.cards.values())[105:110]}
    _, deck = build(searching(owned), Random(1))
    assert 0 < sum(deck.values()) < DECK_SIZE
    assert all(n <= owned[number] for number, n in numbers(deck).items())


@pytest.mark.parametrize("starter", sorted(CATALOG.starters))
def test_it_can_be_cooked_with(starter: str) -> None:
    """Over eight rounds, the best dish brings nearly what it does with the starter deck."""

    def yum(counts: Counts) -> float:
        cards = {CATALOG.cards[number]: n for number, n in counts.items()}
        found = [best.yum if best else 0 for deal in deals(cards, 30, "fixed") for best in bests(deal, 8)]
        return sum(found) / len(found)

    built = [numbers(build(searching(newcomer(starter)), Random(seed))[1]) for seed in range(2)]
    assert min(map(yum, built)) > 0.75 * yum(dict(CATALOG.starters[starter].counts))
