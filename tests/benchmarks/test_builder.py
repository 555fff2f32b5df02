"""The figures of the deck builder: both ways give one answer, and the queries find some cards, not all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import builder
from benchmarks.figures import find
from benchmarks.measure import WorkFailed, run, seconds
from cards.catalog.card_sets import load
from cards.decks.search import CARDS, CardFacts, Search, card_facts
from cards.decks.search.parser import parse


@pytest.mark.parametrize("name", ["search_cards", "search_decks", "deck_legal", "deck_code"])
def test_the_deck_builder_is_measured_against_code_written_by_hand(name: str) -> None:
    found = run(replace(find(name), fold=1), 1)
    assert found.ratio.median > 0
    assert found.bound is None


def test_two_ways_that_differ_are_no_result() -> None:
    a, b = builder._same(lambda: 1, lambda: 2, 3).fresh()
    seconds(b)
    with pytest.raises(WorkFailed):
        seconds(a)


def test_the_measured_queries_find_some_cards_and_not_all() -> None:
    owned = dict.fromkeys(load().cards, 1)
    cards: Search[CardFacts] = Search(parse(builder.CARD_QUERY, CARDS).query, CARDS, owned)
    assert 3 <= len(cards.page(card_facts(load()))) < len(load().cards) / 2
