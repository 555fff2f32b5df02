"""A search for decks: every candidate is legal, better ones stay, and the cores don't matter."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bots.deck_search import CLEARLY, DUEL, FIRST, NEIGHBOURS, Climb, DeckSearch, begin, neighbour, step
from bots.league import DeckCards
from cards.catalog.card_sets import load
from cards.catalog.cards import Card
from cards.decks.deck_lists import DeckList, faults
from tests.bots.chef_matches import STARTERS

POOL = [printing.card for printing in load().printings.values()]
FIELD = [STARTERS["trattoria"], STARTERS["diner"]]


def legal(deck: DeckCards) -> bool:
    return not faults(DeckList(Counter(card.number for card in deck)), load())


@pytest.mark.parametrize("number", range(8))
def test_every_deck_that_a_search_begins_with_or_tries_is_legal(number: int) -> None:
    deck = begin(POOL, FIELD, 1, number).deck
    rng = Random(number)
    assert legal(deck)
    for _ in range(40):
        after = neighbour(deck, POOL, rng)
        assert legal(after)
        assert 0 <= sum((Counter(deck) - Counter(after)).values()) <= 3
        deck = after


def test_a_start_has_legal_decks_from_few_cards_too() -> None:
    basics = [printing.card for printing in load().printings.values() if printing.basic]
    recipe = next(card for card in POOL if card.is_recipe)
    assert legal(begin([*basics, recipe], [], 3, 0).deck)


def test_a_step_keeps_the_deck_that_wins_most() -> None:
    """Here a deck wins by its garlic alone, so the climb ends with three of it."""
    garlic = load().by_slug("garlic")
    tried: list[int] = []

    def played(decks: list[DeckCards], first: int, count: int) -> list[float]:
        tried.append(len(decks))
        assert (first, count) == {15: (0, FIRST), 7: (8, 8), 3: (16, 16), 2: (32, DUEL)}[len(decks)]
        return [float(deck.count(garlic) * CLEARLY) for deck in decks]

    def climbed(pool: list[Card], steps: int) -> Climb:
        climb = Climb(STARTERS["diner"])
        for i in range(steps):
            climb = step(climb, pool, Random(i), played)
        return climb

    after = climbed([garlic, *POOL[:20]], 8)
    assert after.deck.count(garlic) == 3
    assert after.steps == 8
    assert tried == [NEIGHBOURS, 7, 3, 2] * 8
    assert after.matches == 8 * (15 * 8 + 7 * 8 + 3 * 16 + 2 * DUEL)


@pytest.mark.parametrize(("more", "moved"), [(CLEARLY, True), (CLEARLY - 1, False)])
def test_a_climb_keeps_its_deck_unless_another_is_clearly_better(more: int, moved: bool) -> None:
    start = Climb(STARTERS["diner"])

    def played(decks: list[DeckCards], first: int, count: int) -> list[float]:
        return [0.0 if deck == start.deck else float(more) for deck in decks]

    assert (step(start, POOL, Random(2), played).deck != start.deck) == moved


@pytest.mark.processes
def test_a_search_finds_the_same_on_any_number_of_cores() -> None:
    found = []
    for cores in (1, 2):
        with DeckSearch(POOL, FIELD, "random", 4, cores) as search:
            climb = search.step(search.begin(0), 0)
            found.append((climb, search.judged(climb.deck, 6)))
    assert found[0] == found[1]


def test_a_search_needs_a_field_and_a_bot() -> None:
    with pytest.raises(ValueError, match="field"):
        DeckSearch(POOL, [], "greedy", 0)
    with pytest.raises(KeyError):
        DeckSearch(POOL, FIELD, "chefbot", 0)
