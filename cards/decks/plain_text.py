"""Deck lists as people write them: a line a card, `3 Tuna`.

A line is copies and a card: its name, its slug or its number, in upper or lower case.
`3x Tuna` is taken too; empty lines and what follows a # are left out. The same card on
two lines is added up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

_LINE = re.compile(r"(\d{1,3})\s*[x×]?\s+(\S.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LineFault:
    """What is wrong with a line (from 1); `code` is stable: bad_line, bad_count, unknown_card.

    Or what is worth a word about it: renamed_card, withdrawn_card.
    """

    line: int
    code: str
    text: str

    def __str__(self) -> str:
        return f"[{self.code}] line {self.line}: {self.text}"


class DeckTextError(ValueError):
    """A text that is no deck list; `faults` are all of them."""

    def __init__(self, faults: list[LineFault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Listing:
    """A deck list that was read."""

    counts: Mapping[str, int]
    """Copies by slug."""
    notices: tuple[LineFault, ...]
    """Lines with a card that is called otherwise today, or was withdrawn and has another in its place."""


def read_deck(text: str, cards: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Copies by slug of a deck list; `cards` are those of the house (number, slug, name).

    Raises `DeckTextError` with every fault.
    """
    return dict(read_listing(text, cards, ()).counts)


def read_listing(
    text: str, cards: Iterable[Mapping[str, Any]], moves: Iterable[Mapping[str, Any]]
) -> Listing:
    """A deck list of cards as they are called today, or were once: `moves` are the ids that changed (kind,
    old, old_name, new, reason), in their order. A card that was withdrawn stays as it was written.

    Raises `DeckTextError` with every fault.
    """
    known = {str(name).casefold(): card for card in cards for name in _names(card)}
    ways = {move["old"]: move for move in moves}
    former = {name.casefold(): move for move in ways.values() for name in (move["old_name"], move["old"])}
    counts: dict[str, int] = {}
    faults: list[LineFault] = []
    notices: list[LineFault] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            faults.append(LineFault(number, "bad_line", f'"{line[:60]}" is not like "3 Tuna".'))
            continue
        count, name = int(found[1]), found[2]
        card = known.get(name.casefold())
        if card is None and name.casefold() in former:
            card = known.get(_last(former[name.casefold()]["old"], ways, ("renamed",)))
            if card is not None:
                why = former[name.casefold()]["reason"]
                notices.append(LineFault(number, "renamed_card", f"{name} is {card['name']} now: {why}"))
        if card is None:
            faults.append(
                LineFault(number, "unknown_card", f'There is no card "{name}"{_like(name, known)}.')
            )
        elif count < 1:
            faults.append(LineFault(number, "bad_count", f"{count} copies of {card['name']}."))
        else:
            counts[card["slug"]] = counts.get(card["slug"], 0) + count
            if card["slug"] in ways:
                other = known.get(_last(card["slug"], ways), card)["name"]
                said = (
                    f"{card['name']} was withdrawn; {other} is in its place: {ways[card['slug']]['reason']}"
                )
                notices.append(LineFault(number, "withdrawn_card", said))
    if faults:
        raise DeckTextError(faults)
    return Listing(counts, tuple(notices))


def _last(slug: str, ways: Mapping[str, Mapping[str, Any]], kinds: Iterable[str] | None = None) -> str:
    """The slug to which an id has come, step by step, by moves of these kinds."""
    seen: set[str] = set()
    while slug in ways and slug not in seen and (kinds is None or ways[slug]["kind"] in kinds):
        seen.add(slug)
        slug = ways[slug]["new"]
    return slug


def write_deck(counts: Mapping[str, int], cards: Iterable[Mapping[str, Any]]) -> str:
    """The text of a deck list: ingredients, then recipes, each by number; `read_deck` reads it back."""
    by_slug = {card["slug"]: card for card in cards}
    lines = []
    for heading, kind in (("Ingredients", "ingredient"), ("Recipes", "recipe")):
        held = [by_slug[slug] for slug in counts if slug in by_slug and by_slug[slug]["type"] == kind]
        if held:
            lines += [f"# {heading}: {sum(counts[card['slug']] for card in held)}"]
            lines += [
                f"{counts[card['slug']]} {card['name']}"
                for card in sorted(held, key=lambda card: int(card["number"]))
            ]
    lines += [f"{count} {slug}" for slug, count in counts.items() if slug not in by_slug]
    return "\n".join(lines) + "\n"


def _names(card: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(card["number"]), card["slug"], card["name"]


def _like(name: str, known: Mapping[str, Mapping[str, Any]]) -> str:
    close = get_close_matches(name.casefold(), known, 1, 0.75)
    return f"; {known[close[0]]['name']}?" if close else ""
