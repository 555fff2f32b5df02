"""A deck's statistics as JSON, for the house's answers, charts and tables.

docs/decks.md explains each member. Cards are named by their slugs, and rounds count from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from cards.catalog.cards import Card
from cards.catalog.deck_rules import MOST_COPIES
from cards.decks.forecast import Expected, Mean, bests, deals, drawn_by_round, expected
from cards.decks.odds import CardCounts, at_least, costs, drawn, links, servable, supplies
from cards.decks.suggestions import HORIZON, Advice, suggest
from cards.games.chef.search import Best

MOST_ROUNDS = 18
"""The most rounds that are computed: by this round, a deck of 40 cards is drawn."""

DEALS = 500
"""Deals from which the expected yum is simulated."""

SIFTED, JUDGED = 100, 300
"""Deals on which suggestions are sifted, and other deals on which the best of them are judged."""

Statistics = dict[str, Any]


def statistics_of(deck: CardCounts, rounds: int = 10, seed: str = "1", count: int = DEALS) -> Statistics:
    """All statistics of a deck."""
    size = sum(deck.values())
    recipes = sum(n for card, n in deck.items() if card.is_recipe)
    hands = [drawn(size, round) for round in range(1, rounds + 1)]
    yums = _expected(tuple(_by_number(deck)), rounds, count, seed)
    return {
        "size": size,
        "recipes": recipes,
        "ingredients": size - recipes,
        "drawn": hands,
        "costs": [{"cost": cost, "recipes": n} for cost, n in costs(deck).items()],
        "units": [
            {
                "category": category,
                "provided": supply.provided,
                "needed": supply.needed,
                "recipes": supply.recipes,
                "specials": supply.specials,
            }
            for category, supply in supplies(deck).items()
        ],
        "recipe": _floats(at_least(1, recipes, size, hand) for hand in hands),
        "cards": [_card(card, n, size, hands) for card, n in _by_number(deck)],
        "servable": _servable(deck, rounds, yums),
        "yum": [_yum(*each) for each in zip(hands, yums, strict=True)],
        "simulation": {"deals": yums[0].deals, "seed": seed},
        **_shared(deck),
    }


@lru_cache(maxsize=128)
def _expected(deck: tuple[tuple[Card, int], ...], rounds: int, count: int, seed: str) -> list[Expected]:
    return expected(dict(deck), rounds, count, seed)


@lru_cache(maxsize=128)
def _advice(
    deck: tuple[tuple[Card, int], ...], cards: tuple[tuple[Card, int], ...], seed: str, distinct: bool
) -> Advice:
    return suggest(dict(deck), dict(cards), SIFTED, JUDGED, seed, distinct=distinct)


def _by_number(deck: CardCounts) -> list[tuple[Card, int]]:
    return sorted(deck.items(), key=lambda pair: pair[0].number)


def _floats(odds: Iterable[Fraction]) -> list[float]:
    """The nearest floating-point numbers to exact odds."""
    return [float(each) for each in odds]


def _rounded(value: float) -> float:
    return round(value, 6)


def _mean(found: Mean) -> Statistics:
    return {"mean": _rounded(found.mean), "error": _rounded(found.error)}


def _card(card: Card, n: int, size: int, hands: Sequence[int]) -> Statistics:
    odds = [_floats(at_least(k, n, size, hand) for hand in hands) for k in range(1, min(n, MOST_COPIES) + 1)]
    return {"card": card.slug, "copies": n, "at_least": odds}


def _servable(deck: CardCounts, rounds: int, yums: Sequence[Expected]) -> Statistics:
    """The odds of a servable dish: exact where they can be counted, else simulated, with their errors."""
    found = servable(deck, rounds)
    if found is None:
        served = [each.served for each in yums]
        return {
            "exact": False,
            "any": [_rounded(each.mean) for each in served],
            "errors": [_rounded(each.error) for each in served],
            "each": [],
        }
    each = [{"card": card.slug, "odds": _floats(odds)} for card, odds in found.each.items()]
    return {"exact": True, "any": _floats(found.any), "errors": [0.0] * rounds, "each": each}


def _yum(hand: int, found: Expected) -> Statistics:
    return {
        "drawn": hand,
        **_mean(found.yum),
        "quartiles": [*found.quartiles],
        "served": _rounded(found.served.mean),
    }


def _shared(deck: CardCounts) -> Statistics:
    """The graph of shared ingredients: its edges, and how many recipes each ingredient matches."""
    edges = links(deck)
    pairs = {(link.ingredient, link.recipe) for link in edges}
    degree = Counter(ingredient for ingredient, _ in pairs)
    return {
        "links": [
            {"recipe": link.recipe.slug, "entry": link.entry, "ingredient": link.ingredient.slug}
            for link in edges
        ],
        "shared": [
            {"card": card.slug, "copies": n, "recipes": degree[card]}
            for card, n in sorted(_by_number(deck), key=lambda pair: -degree[pair[0]])
            if not card.is_recipe
        ],
    }


def hands(deck: CardCounts, rounds: int, count: int, seed: str) -> Statistics:
    """Sample hands: the cards drawn round by round, and the best dish of all cards drawn by then.

    They are the first deals of the simulation with this seed, so more hands begin with the same ones.
    """
    return {
        "seed": seed,
        "hands": [
            [
                {"drawn": [card.slug for card in cards], "best": _best(dish)}
                for cards, dish in zip(drawn_by_round(deal, rounds), bests(deal, rounds), strict=True)
            ]
            for deal in deals(deck, count, seed)
        ],
    }


def _best(dish: Best | None) -> Statistics | None:
    if dish is None:
        return None
    return {
        "recipe": dish.recipe.slug,
        "ingredients": [card.slug for card in dish.ingredients],
        "yum": dish.yum,
    }


def suggestions(deck: CardCounts, cards: CardCounts, seed: str, *, distinct: bool = False) -> Statistics:
    """Find those of some cards that would raise the expected yum most, and the card that each would replace.

    `cards` says how many copies of each there are. With `distinct` each card is suggested once at most.
    """
    advice = _advice(tuple(_by_number(deck)), tuple(_by_number(cards)), seed, distinct)
    return {
        "rounds": HORIZON,
        "candidates": advice.candidates,
        "simulation": {"seed": seed, "sifted": advice.sifted, "judged": advice.judged},
        "items": [
            {
                "add": each.add.slug,
                "alike": [card.slug for card in each.alike],
                "remove": each.remove.slug if each.remove else None,
                "gain": _mean(each.gain),
                "clear": each.gain.mean > 2 * each.gain.error,
            }
            for each in advice.suggestions
        ],
    }
