"""The account of Pancake in sections: a heading for each course with its winner, its dishes under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cards.catalog.cards import CATEGORIES, Card
from cards.games.accounts import Section, Told, told_of
from cards.games.chef.meal import COURSES
from cards.games.contract import Line

_NAMES = {course.number: course.name for course in COURSES}

TOLD = frozenset(
    {
        "bonus",
        "course",
        "course_void",
        "discard",
        "dish",
        "forfeit",
        "match",
        "missed_opening",
        "missed_seal",
        "no_dish",
        "redraw",
        "round",
        "units",
        "word",
    }
)
"""The codes of what these sections tell."""


def sections(lines: Sequence[Line], cards: Mapping[int, Card]) -> tuple[Section, ...]:
    """The round and what was missed; the courses; what a forfeit brings; redraws and discards."""
    by_slug = {card.slug: card for card in cards.values()}
    head = next((told_of(line) for line in lines if line["kind"] == "round"), None)
    missed = [told_of(line, f"missed_{line['missed']}") for line in lines if line["kind"] == "missed"]
    found = [Section(head, tuple(missed))] if head or missed else []
    found += _courses(lines, by_slug)
    found += [Section(told_of(line), (), (line["seat"],)) for line in lines if line["kind"] == "forfeit"]
    rest = tuple(told_of(line) for line in lines if line["kind"] in ("redraw", "discard"))
    return (*found, Section(None, rest)) if rest else tuple(found)


def _courses(lines: Sequence[Line], cards: Mapping[str, Card]) -> list[Section]:
    """A section for each course that was judged or that a dish was served as, in their order."""
    judged = {line["course"]: line for line in lines if line["kind"] == "course"}
    dishes = [line for line in lines if line["kind"] == "dish"]
    numbers = dict.fromkeys(line["course"] for line in lines if line["kind"] in ("course", "dish"))
    found = []
    for number in sorted(numbers):
        served = tuple(_dish(line, cards) for line in dishes if line["course"] == number)
        line = judged.get(number)
        name = _NAMES[number].capitalize()
        if line is None:
            heading = Told("course_void", {"course": number}, f"{name}: not judged")
            found.append(Section(heading, served))
            continue
        winner, points = line["winner"], line["points"]
        worth = "1 point" if points == 1 else f"{points} points"
        text = f"{name}: nobody wins" if winner is None else f"{name}: seat {winner} wins {worth}"
        values = {"course": number, "winner": winner, "points": points}
        found.append(Section(Told("course", values, text), served, () if winner is None else (winner,)))
    return found


def _dish(line: Line, cards: Mapping[str, Card]) -> Told:
    """A dish without the name of its course."""
    used = counted(_name(slug, cards) for slug in line["ingredients"])
    if line["recipe"] is None:
        but = f", but uses {used}" if used else ""
        return told_of(line | {"text": f"Seat {line['seat']} serves no dish{but}"}, "no_dish")
    recipe = cards.get(line["recipe"])
    reasons = [_reason(item, recipe) for item in line["items"]]
    text = f"Seat {line['seat']} serves {_name(line['recipe'], cards)} with {used}: {line['yum']} yum"
    return told_of(line | {"text": text}, "dish", reasons)


def _reason(item: Mapping[str, Any], recipe: Card | None) -> Told:
    """A reason for yum; the units of a cost are told by category."""
    if item["kind"] != "units" or recipe is None:
        return told_of(item)
    units = {name: n for name, n in zip(CATEGORIES, recipe.costs, strict=True) if n}
    return told_of(item, units=units)


def _name(slug: str, cards: Mapping[str, Card]) -> str:
    return cards[slug].name if slug in cards else slug


def counted(names: Iterable[str]) -> str:
    """Names, with a count for those that come several times.

    >>> counted(["Bread", "Tuna", "Bread"])
    'Bread x2, Tuna'
    """
    return ", ".join(name if n == 1 else f"{name} x{n}" for name, n in Counter(names).items())
