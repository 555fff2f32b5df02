"""A second reading of docs/protocol.md, section 4: the texts of the cards in play."""

from __future__ import annotations

import re
from typing import Any

from tests.docs.page_proofs import CATEGORIES, Invalid, need, whole

FIELDS = ("number", "slug", "name", "type", "provides", "costs", "kinds", "list", "bonus", "one_time")
WORD = r"[^\s\x00-\x1f\x7f]+"


def names(value: object) -> list[str]:
    need(isinstance(value, list), "no array")
    assert isinstance(value, list)
    for name in value:
        need(isinstance(name, str) and len(name) <= 60, "no name")
        need(re.fullmatch(f"{WORD}( {WORD})*", name), "words parted by single spaces")
    need(value == sorted(set(value)), "not sorted, or a name twice")
    return value


def units(value: object) -> bool:
    """Tell whether there are any."""
    need(isinstance(value, dict), "no units")
    assert isinstance(value, dict)
    for category, count in value.items():
        need(category in CATEGORIES, "no category")
        whole(count, 1, 99)
    return bool(value)


def card_text(card: Any) -> int:
    """The number of a card whose text is right."""
    need(isinstance(card, dict) and set(card) == set(FIELDS), "the fields of a card")
    need(isinstance(card["slug"], str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", card["slug"]), "a slug")
    names([card["name"]])
    bonus, kinds, listed = whole(card["bonus"], 0, 99), names(card["kinds"]), names(card["list"])
    need(isinstance(card["one_time"], bool), "one_time")
    provides, costs = units(card["provides"]), units(card["costs"])
    match card["type"]:
        case "recipe":
            need(costs and listed and not provides and not kinds and not bonus, "a recipe")
        case "ingredient":
            need(
                not listed and card["name"] not in kinds, "an ingredient that lists, or its own name as kind"
            )
            need(provides != costs, "provides units, or costs some")
            need(bonus >= 1 if costs else card["one_time"] or not bonus, "a bonus")
        case _:
            raise Invalid("a type")
    return whole(card["number"], 1, 2**32 - 1)


def card_texts(cards: object) -> dict[int, Any]:
    """The cards in play by number; raises `Invalid`."""
    need(isinstance(cards, list), "no list of cards")
    assert isinstance(cards, list)
    numbers = [card_text(card) for card in cards]
    need(numbers == sorted(set(numbers)), "cards by number")
    return dict(zip(numbers, cards, strict=True))
