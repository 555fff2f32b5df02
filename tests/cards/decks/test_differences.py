"""Differences of deck lists: applied to one list they give the other; their effect on costs and units."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.cards import CATEGORIES
from cards.decks.deck_lists import DeckList
from cards.decks.differences import difference
from cards.decks.odds import costs, supplies

CATALOG = load()
NUMBERS = [*CATALOG.cards][::7]
decks = st.dictionaries(st.sampled_from([*NUMBERS, 77001]), st.integers(1, 4), max_size=10).map(DeckList)


@given(decks, decks)
def test_the_first_and_the_difference_make_the_second(first: DeckList, second: DeckList) -> None:
    found = difference(first, second, CATALOG)
    made = dict(first.counts)
    for number, n in found.removed.items():
        assert made.pop(number) == n
    for number, (was, now) in found.changed.items():
        assert made[number] == was != now
        made[number] = now
    for number, n in found.added.items():
        assert number not in made
        made[number] = n
    assert DeckList(made) == second
    assert found.size == (len(first), len(second))
    assert len(second) - len(first) == found.came - found.went
    for cards in (found.added, found.removed, found.changed):
        assert [*cards] == sorted(cards)


@given(decks, decks)
def test_turned_round_it_is_the_contrary(first: DeckList, second: DeckList) -> None:
    there, back = difference(first, second, CATALOG), difference(second, first, CATALOG)
    assert (there.added, there.removed) == (back.removed, back.added)
    assert {n: pair[::-1] for n, pair in there.changed.items()} == back.changed
    assert (there.came, there.went) == (back.went, back.came)
    for figures, others in (
        (there.costs, back.costs),
        (there.provided, back.provided),
        (there.needed, back.needed),
    ):
        assert {name: pair[::-1] for name, pair in figures.items()} == dict(others)


@given(decks, decks)
def test_figures_are_those_of_the_decks(first: DeckList, second: DeckList) -> None:
    found = difference(first, second, CATALOG)
    for side, deck in enumerate((first, second)):
        known = {CATALOG.cards[number]: n for number, n in deck.counts.items() if number in CATALOG.cards}
        assert {cost: pair[side] for cost, pair in found.costs.items() if pair[side]} == {
            cost: n for cost, n in costs(known).items() if n
        }
        assert found.recipes[side] == sum(n for card, n in known.items() if card.is_recipe)
        assert found.recipes[side] + found.ingredients[side] == sum(known.values())
        for category in CATEGORIES:
            assert found.provided[category][side] == supplies(known)[category].provided
            assert found.needed[category][side] == supplies(known)[category].needed


def test_equal_decks_have_no_difference() -> None:
    deck = DeckList({NUMBERS[0]: 2, 77001: 1})
    found = difference(deck, deck, CATALOG)
    assert (found.added, found.removed, found.changed, found.came, found.went) == ({}, {}, {}, 0, 0)
