"""Cards and decks with known odds, for the tests of odds and forecasts."""

from __future__ import annotations

from cards.catalog.card_sets import load
from cards.decks.odds import CardCounts

CARDS = load()
RECIPES = [card for card in CARDS.cards.values() if card.is_recipe]
INGREDIENTS = [card for card in CARDS.cards.values() if not card.is_recipe]
ODD = [card for card in INGREDIENTS if sorted(card.net) != [0, 0, 0, 0, 1]]


def deck_of(**counts: int) -> CardCounts:
    return {CARDS.by_slug(slug.replace("_", "-")): n for slug, n in counts.items()}


def starter(slug: str) -> CardCounts:
    return {CARDS.cards[number]: n for number, n in CARDS.starters[slug].counts.items()}
