"""The taught round of the page is prepared data, since a browser plays it before the rules are there."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

from cards.catalog import card_sets
from cards.catalog.cards import CATEGORIES, Card
from cards.games.chef.dish import balance, taste
from cards.games.chef.judge import course_winner
from cards.games.chef.meal import COURSES

ROOT = Path(__file__).parents[2]
FILE = ROOT / "web" / "page" / "flow" / "taught.json"


def _cards() -> dict[str, Any]:
    catalog = card_sets.load(ROOT / "data" / "card_sets")
    return {printing.card.slug: printing for each in catalog.sets for printing in each.printings}


def _plate(cards: list[Card]) -> dict[str, Any]:
    """What the rules say about a plate with these cards."""
    recipe = next((card for card in cards if card.is_recipe), None)
    ingredients = [card for card in cards if not card.is_recipe]
    units = dict(zip(CATEGORIES, balance(recipe, ingredients), strict=True))
    dish = None if recipe is None else taste(recipe, ingredients)
    items = [] if dish is None else [item.line() for item in dish.items]
    for item in items:
        del item["text"]
    return {
        "balance": {name: count for name, count in units.items() if count},
        "yum": None if dish is None else dish.yum,
        "items": items,
    }


def test_every_plate_of_the_taught_round_is_judged_as_the_rules_judge_it() -> None:
    told = json.loads(FILE.read_text())
    cards = _cards()
    hand = [card["slug"] for card in told["hand"]]
    expected = {
        "+".join(sorted(chosen)): _plate([cards[slug].card for slug in chosen])
        for count in range(len(hand) + 1)
        for chosen in combinations(hand, count)
    }
    assert told["plates"] == expected


def test_the_rival_of_the_taught_round_serves_what_the_rules_allow_and_loses() -> None:
    told = json.loads(FILE.read_text())
    cards = _cards()
    rival = _plate([cards[card["slug"]].card for card in told["rival"]["cards"]])
    assert {name: told["rival"][name] for name in rival} == rival
    best = max(plate["yum"] or 0 for plate in told["plates"].values())
    assert course_winner((best, rival["yum"])) == 0
    entree = next(course for course in COURSES if course.name == "entree")
    assert told["points"] == entree.points


def test_the_cards_of_the_taught_round_are_those_of_the_base_set() -> None:
    told = json.loads(FILE.read_text())
    cards = _cards()
    for shown in [*told["hand"], *told["rival"]["cards"]]:
        printing = cards[shown["slug"]]
        card = printing.card
        assert shown == {
            "slug": card.slug,
            "name": card.name,
            "type": card.type,
            "provides": {name: n for name, n in zip(CATEGORIES, card.provides, strict=True) if n},
            "costs": {name: n for name, n in zip(CATEGORIES, card.costs, strict=True) if n},
            "kinds": list(card.kinds),
            "list": list(card.list),
            "bonus": card.bonus,
            "one_time": card.one_time,
            "set": printing.set_code,
            "number_in_set": printing.number_in_set,
        }
