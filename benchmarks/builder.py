"""Figures of the deck builder: searches, verdicts and codes, against code written for the one case."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from random import Random

from benchmarks.measure import Work, WorkPair
from cards.catalog.card_sets import load
from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES
from cards.decks.codes import decode, encode
from cards.decks.deck_lists import DeckList, faults
from cards.decks.search import CARDS, DECKS, CardFacts, DeckFacts, Search, card_facts, deck_table
from cards.decks.search.parser import parse

CARD_QUERY = "t:recipe cost<=3 -cat:oil ing:fish own>=1 sort:cost"
DECK_QUERY = "uses:tomato -uses:butter recipes>=10 sort:-size"
DECKS_HELD = 10_000
OFTEN = 100
"""Repetitions of work that takes a tenth of a millisecond."""
OIL = 2
"""The index of oil among the categories."""


def _fish() -> frozenset[str]:
    """Names that a recipe may list for a fish to go into it."""
    cards = load().cards.values()
    return frozenset({"Fish"} | {card.name for card in cards if "Fish" in card.kinds})


def search_cards() -> WorkPair:
    """A query over the whole catalogue, from its text to the numbers of the cards."""
    catalog = load()
    facts = card_facts(catalog)
    owned = {number: number % 3 for number in catalog.cards}
    fish = _fish()

    def asked() -> list[int]:
        search: Search[CardFacts] = Search(parse(CARD_QUERY, CARDS).query, CARDS, owned)
        return [fact.number for fact in search.page(facts)]

    def by_hand() -> list[int]:
        found = [
            card
            for card in catalog.cards.values()
            if card.is_recipe
            and sum(card.costs) <= 3
            and not card.costs[OIL]
            and owned.get(card.number, 0) >= 1
            and not fish.isdisjoint(card.list)
        ]
        found.sort(key=lambda card: (sum(card.costs), card.number))
        return [card.number for card in found]

    return _same(asked, by_hand, OFTEN)


@cache
def _held() -> tuple[DeckFacts, ...]:
    """`DECKS_HELD` decks of 14 cards, three copies each; always the same decks."""
    catalog, rng = load(), Random(7)
    numbers, table = [*catalog.cards], deck_table(catalog)
    found = []
    for i in range(DECKS_HELD):
        counts = dict.fromkeys(rng.sample(numbers, 14), 3)
        found.append(DeckFacts(f"{i:05}", f"Deck {i}", partial(dict, counts), 1, i, i, table))
    return tuple(found)


def search_decks() -> WorkPair:
    """A query over ten thousand decks."""
    catalog, decks = load(), _held()
    tomatoes, butters = (
        {n for n, card in catalog.cards.items() if f" {word}" in f" {card.name.lower()}"}
        for word in ("tomato", "butter")
    )
    recipes = {number for number, card in catalog.cards.items() if card.is_recipe}

    def asked() -> list[str]:
        search: Search[DeckFacts] = Search(parse(DECK_QUERY, DECKS).query, DECKS)
        return [deck.id for deck in search.page(decks)]

    def by_hand() -> list[str]:
        found = [
            deck
            for deck in decks
            if not tomatoes.isdisjoint(deck.counts)
            and butters.isdisjoint(deck.counts)
            and sum(n for number, n in deck.counts.items() if number in recipes) >= 10
        ]
        found.sort(key=lambda deck: (-sum(deck.counts.values()), deck.created_at))
        return [deck.id for deck in found]

    return _same(asked, by_hand, 1)


def deck_legal() -> WorkPair:
    """Tell whether a deck is legal and owned."""
    catalog = load()
    counts = next(iter(catalog.starters.values())).counts
    owned = dict(counts)

    def judged() -> bool:
        return not faults(DeckList(counts), catalog, owned)

    def by_hand() -> bool:
        return sum(counts.values()) == DECK_SIZE and all(
            number in catalog.cards and 1 <= n <= MOST_COPIES and n <= owned.get(number, 0)
            for number, n in counts.items()
        )

    return _same(judged, by_hand, OFTEN)


def deck_code() -> WorkPair:
    """A deck list into a code and back."""
    deck = DeckList(next(iter(load().starters.values())).counts)
    size = len(encode(deck))

    def coded() -> Mapping[int, int]:
        return decode(encode(deck)).counts

    def by_hand() -> Mapping[int, int]:
        return {int(number): n for number, n in json.loads(json.dumps(deck.to_json())).items()}

    return _same(coded, by_hand, OFTEN, {"deck_code": size})


def _same(
    a: Callable[[], object], b: Callable[[], object], rounds: int, sizes: Mapping[str, int] | None = None
) -> WorkPair:
    """Two ways to the same answer, each repeated `rounds` times and checked."""
    expected = b()

    def work(answer: Callable[[], object]) -> Work:
        return lambda: all(answer() == expected for _ in range(rounds))

    return WorkPair(lambda: (work(a), work(b)), sizes=sizes or {})
