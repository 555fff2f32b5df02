"""Builds a deck from owned cards, by searching, for the players of `cloche demo`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cards.catalog.cards import CATEGORIES
from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES

CardJson = Mapping[str, Any]
"""A card as the house describes it."""
FindCards = Callable[[str], Sequence[CardJson]]
"""The cards that a query finds for the player who gets the deck (docs/search.md)."""


@dataclass(frozen=True, slots=True)
class Taste:
    """The recipes that a player likes to cook."""

    name: str
    query: str
    """A query for recipes, the most wanted first; only owned ones are asked for."""
    recipes: int
    """Copies of recipes in the deck, if so many are owned."""


TASTES = (
    Taste("Small plates", "sort:cost", 13),
    Taste("A long evening", "cost>=2 sort:-cost", 14),
    Taste("Something hearty", "needs:protein sort:cost", 12),
    Taste("From the garden", "needs:vegetable sort:cost", 12),
    Taste("Every day another", "-is:onetime sort:-cost", 13),
)

SPECIALS = 2
"""Copies of special ingredients in the deck, if so many are owned: each dish can pay for few."""


def build(search: FindCards, dice: Random) -> tuple[str, dict[str, int]]:
    """Build a legal deck of owned cards; returns its name and copies by slug. `dice` choose the taste.

    Recipes come first: those of one taste, then of the next while there are too few. Then come special
    ingredients that they can pay for and, for each category that they need, the ingredients that they list,
    and others that provide it. The deck has fewer than 40 cards if too few are owned.
    """
    owned = {
        card["slug"]: copies
        for copies in range(1, MOST_COPIES + 1)
        for card in search(f"own>={copies}" if copies == MOST_COPIES else f"own={copies}")
    }
    tastes = dice.sample(TASTES, len(TASTES))
    wanted = (card for taste in tastes for card in search(f"t:recipe own>=1 {taste.query}"))
    recipes = _copies(_once(wanted), owned, tastes[0].recipes, dice)
    deck = Counter({card["slug"]: n for card, n in recipes})
    for card, n in _copies(_specials(search, recipes), owned, SPECIALS, dice):
        deck[card["slug"]] += n
    shares = _shares(recipes, DECK_SIZE - deck.total())
    spare: list[CardJson] = []
    for category, share in shares.items():
        found = [card for card in _ingredients(search, recipes, category) if card["slug"] not in deck]
        for card, n in _copies(found, owned, share, dice):
            deck[card["slug"]] += n
        spare += found
    for card in _once(spare):
        room = min(MOST_COPIES, owned[card["slug"]]) - deck[card["slug"]]
        deck[card["slug"]] += max(0, min(room, DECK_SIZE - deck.total()))
    return tastes[0].name, {slug: n for slug, n in deck.items() if n}


def _once(cards: Iterable[CardJson]) -> Iterator[CardJson]:
    """Each card once, where it comes first."""
    seen: set[str] = set()
    for card in cards:
        if card["slug"] not in seen:
            seen.add(card["slug"])
            yield card


def _copies(
    cards: Iterable[CardJson], owned: Mapping[str, int], wanted: int, dice: Random
) -> list[tuple[CardJson, int]]:
    """Take `wanted` copies of these cards in all, from the front.

    Of each card it takes as many as are owned, or at random one fewer, while there are others to take.
    """
    taken: list[tuple[CardJson, int]] = []
    for card in cards:
        if wanted <= 0:
            break
        most = min(MOST_COPIES, owned[card["slug"]], wanted)
        n = dice.randint(max(1, most - 1), most)
        taken.append((card, n))
        wanted -= n
    for i, (card, n) in enumerate(taken):
        more = min(wanted, min(MOST_COPIES, owned[card["slug"]]) - n)
        taken[i] = (card, n + more)
        wanted -= more
    return taken


def _shares(recipes: Sequence[tuple[CardJson, int]], places: int) -> dict[str, int]:
    """Share places for ingredients among the categories that the recipes need, by largest remainders."""
    needed = {c: sum(n * card["costs"].get(c, 0) for card, n in recipes) for c in CATEGORIES}
    exact = {c: places * n / sum(needed.values()) for c, n in needed.items() if n}
    shares = {c: int(share) for c, share in exact.items()}
    rest = sorted(shares, key=lambda c: shares[c] - exact[c])[: places - sum(shares.values())]
    return {c: share + (c in rest) for c, share in shares.items()}


def _specials(search: FindCards, recipes: Sequence[tuple[CardJson, int]]) -> list[CardJson]:
    """Owned special ingredients that cost nothing but what the recipes need too, the greatest bonus first."""
    needed = {category for card, _ in recipes for category in card["costs"]}
    return [
        card
        for card in search("t:ingredient own>=1 is:special sort:-bonus sort:name")
        if needed >= {*card["costs"]}
    ]


def _ingredients(
    search: FindCards, recipes: Sequence[tuple[CardJson, int]], category: str
) -> Iterator[CardJson]:
    """Owned ingredients that provide a category, those that most recipes list first; a bonus breaks ties."""
    gives = f"t:ingredient own>=1 gives:{category}"
    found = {card["slug"]: card for card in search(f"{gives} sort:provides sort:name")}
    listed = Counter(name for card, n in recipes for name in card["list"] for _ in range(n))

    def wanted(card: CardJson) -> tuple[int, int]:
        return sum(listed[name] for name in (card["name"], *card["kinds"])), card["bonus"]

    yield from sorted(found.values(), key=wanted, reverse=True)
