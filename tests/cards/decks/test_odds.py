"""Odds of a deck, compared with all possible hands and with published figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.catalog.cards import CATEGORIES, Card
from cards.decks.forecast import listed
from cards.decks.odds import CardCounts, at_least, costs, drawn, links, servable, supplies
from cards.games.chef import servings
from tests.cards.decks.odds_kit import CARDS, INGREDIENTS, ODD, RECIPES, deck_of, starter

"""Special ingredients, and ingredients that provide more than one unit."""


@pytest.mark.parametrize(
    ("copies", "size", "hand", "k", "odds"),
    [
        (4, 60, 7, 1, "0.3995"),  # four copies in sixty cards, seven in hand
        (4, 60, 7, 2, "0.0632"),
        (3, 40, 5, 1, "0.3376"),  # three in forty, five in hand
        (1, 40, 5, 1, "0.1250"),
        (13, 52, 13, 13, "0.0000"),
        (4, 52, 5, 4, "0.0000"),
    ],
)
def test_known_odds(copies: int, size: int, hand: int, k: int, odds: str) -> None:
    assert f"{float(at_least(k, copies, size, hand)):.4f}" == odds


def test_a_perfect_suit_and_four_aces_to_the_last_digit() -> None:
    assert at_least(13, 13, 52, 13) == Fraction(1, 635_013_559_600)
    assert at_least(4, 4, 52, 5) == Fraction(1, 54_145)


@given(st.data())
def test_odds_are_those_of_every_hand(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 9))
    copies, hand = data.draw(st.integers(0, size)), data.draw(st.integers(0, size))
    k = data.draw(st.integers(0, 5))
    hands = [*combinations(range(size), hand)]
    wanted = sum(sum(card < copies for card in held) >= k for held in hands)
    assert at_least(k, copies, size, hand) == Fraction(wanted, len(hands))


@given(st.integers(1, 60), st.integers(1, 30))
def test_all_odds_of_a_card_add_up(size: int, round: int) -> None:
    hand = drawn(size, round)
    copies = min(3, size)
    exactly = [at_least(k, copies, size, hand) - at_least(k + 1, copies, size, hand) for k in range(4)]
    assert sum(exactly) == 1
    mean = sum(k * p for k, p in enumerate(exactly))
    assert mean == Fraction(copies * hand, size)


def brute(deck: CardCounts, hand: int) -> tuple[Fraction, dict[Card, Fraction]]:
    """The odds of a servable dish, counted over all hands by the search of the rules."""
    cards = listed(deck)
    total, any_dish, each = comb(len(cards), hand), 0, Counter[Card]()
    for held in combinations(cards, hand):
        stock = [(i, card) for i, card in enumerate(held) if not card.is_recipe]
        recipes = {card for card in held if card.is_recipe}
        found = {recipe for recipe in recipes if next(servings(recipe.costs, stock), None) is not None}
        any_dish += bool(found)
        each.update(found)
    return Fraction(any_dish, total), {card: Fraction(each[card], total) for card in deck if card.is_recipe}


@pytest.mark.parametrize("seed", range(6))
def test_a_servable_dish_has_the_odds_of_every_hand(seed: int) -> None:
    """The deck has special ingredients, and ingredients with two categories or two units."""
    rng = Random(seed)
    deck = dict.fromkeys([*rng.sample(RECIPES, 3), *rng.sample(INGREDIENTS, 3), *rng.sample(ODD, 4)], 1)
    deck[rng.choice([*deck])] += 1
    deck[rng.choice([*deck])] += 1
    found = servable(deck, 2)
    assert found is not None
    for round in (1, 2):
        any_dish, each = brute(deck, drawn(12, round))
        assert found.any[round - 1] == any_dish
        assert {card: odds[round - 1] for card, odds in found.each.items()} == each


def test_a_special_ingredient_can_make_a_dish_possible() -> None:
    """Lobster alone has a protein too many for Jerky; a special ingredient that costs a protein uses it."""
    jerky = next(card for card in RECIPES if card.costs == (0, 0, 0, 1, 0))
    lobster = CARDS.by_slug("lobster")
    eater = Card(9001, "eater", "Eater", "ingredient", (0,) * 5, (0, 0, 0, 1, 0), (), (), 2, False)
    without = servable({jerky: 1, lobster: 1}, 1)
    with_it = servable({jerky: 1, lobster: 1, eater: 1}, 1)
    assert without is not None
    assert with_it is not None
    assert (without.any, with_it.any) == ((0,), (1,))


@pytest.mark.parametrize("slug", sorted(CARDS.starters))
def test_a_starter_decks_odds_grow_to_certainty(slug: str) -> None:
    deck = starter(slug)
    found = servable(deck, 18)
    assert found is not None
    assert list(found.any) == sorted(found.any)
    assert found.any[-1] == 1  # the whole deck is drawn
    for card, odds in found.each.items():
        held = [at_least(1, deck[card], 40, drawn(40, round)) for round in range(1, 19)]
        assert all(p <= q <= any_dish for p, q, any_dish in zip(odds, held, found.any, strict=True) if q) or (
            all(p <= min(q, r) for p, q, r in zip(odds, held, found.any, strict=True))
        )
        assert odds[-1] == 1


def test_without_recipes_or_ingredients_nothing_can_be_served() -> None:
    for deck in ({}, deck_of(bread=3, salt=3), deck_of(toast=3)):
        found = servable(deck, 3)
        assert found is not None
        assert found.any == (0, 0, 0)


def test_what_is_too_much_to_count_is_not_counted() -> None:
    deck: CardCounts = {**dict.fromkeys(ODD, 3), **dict.fromkeys(RECIPES[:14], 1)}
    assert servable(deck, 3) is None


def test_costs_and_units_are_added_up() -> None:
    deck = deck_of(toast=3, lasagna=1, bread=2, lobster=1, truffle=2)
    lasagna, truffle = CARDS.by_slug("lasagna"), CARDS.by_slug("truffle")
    assert costs(deck) == {1: 3, 2: 0, 3: 0, 4: 0, 5: 1}
    found = supplies(deck)
    # Units of starch, vegetable, oil, protein, seasoning: two breads of one, one lobster of two.
    assert [found[name].provided for name in CATEGORIES] == [2, 0, 0, 2, 0]
    toast = (3, 0, 0, 0, 0)
    for i, name in enumerate(CATEGORIES):
        assert found[name].recipes == toast[i] + lasagna.costs[i]
        assert found[name].specials == 2 * truffle.costs[i]
        assert found[name].needed == found[name].recipes + found[name].specials
    assert costs({}) == {}


def test_the_graph_joins_what_matches() -> None:
    deck = deck_of(tuna_sandwich=2, tuna=1, tortilla=3, mayo=1, salt=2, bread=1)
    found = [(link.recipe.slug, link.entry, link.ingredient.slug) for link in links(deck)]
    assert found == [
        ("tuna-sandwich", "Bread", "bread"),
        ("tuna-sandwich", "Bread", "tortilla"),
        ("tuna-sandwich", "Fish", "tuna"),
        ("tuna-sandwich", "Mayo", "mayo"),
    ]
