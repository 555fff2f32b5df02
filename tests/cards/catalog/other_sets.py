"""Small card sets for houses without the base set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cards.catalog import card_sets
from cards.catalog.cards import CATEGORIES, Catalog

BASICS = ("rice", "noodle", "dumpling"), ("bok-choy", "radish", "sprout"), ("lard", "palm-oil", "margarine")
BASICS += ("goose", "hare", "lentil"), ("soy", "wasabi", "fennel")
RECIPES = 20


def _basics() -> list[dict[str, Any]]:
    named = [(slug, category) for slugs, category in zip(BASICS, CATEGORIES, strict=True) for slug in slugs]
    return [
        {
            "number": number,
            "slug": f"other-{slug}",
            "name": f"Other {slug.title()}",
            "type": "ingredient",
            "rarity": "common",
            "basic": True,
            "provides": {category: 1},
            "flavour": "It is no card of ours.",
        }
        for number, (slug, category) in enumerate(named, start=1)
    ]


def _recipes() -> list[dict[str, Any]]:
    rarities = ("common", "common", "uncommon", "rare", "legendary")
    return [
        {
            "number": 100 + i,
            "slug": f"other-dish-{i}",
            "name": f"Other Dish {i}",
            "type": "recipe",
            "rarity": rarities[i % 5],
            "costs": {CATEGORIES[i % 5]: 1 + i % 2},
            "list": ["Other Rice"],
            "flavour": "It is no dish of ours.",
        }
        for i in range(RECIPES)
    ]


def other_sets(folder: Path, *, whole: bool) -> Catalog:
    """A catalogue of one small set, OS, with another index than the base set's.

    With `whole` the set has a starter deck and boosters, else it has neither.
    """
    basics, recipes = _basics(), _recipes()
    document: dict[str, Any] = {
        "set": {"index": 7, "code": "OS", "name": "Other Set", "version": "1.0.0"},
        "cards": basics + recipes,
    }
    if whole:
        cards = {card["slug"]: 2 for card in basics + recipes[:5]}
        starter = {"slug": "other-start", "name": "Other Start", "text": "Rice.", "cards": cards}
        document["starters"] = [starter]
        weights = {"common": 4, "uncommon": 3, "rare": 2, "legendary": 1}
        document["booster"] = {"slots": [{"count": 3, "weights": weights}]}
    (folder / "other.yaml").write_text(json.dumps(document), encoding="utf-8")
    return card_sets.load(folder)
