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
    """What is wrong with a line (from 1); `code` is stable: bad_line, bad_count, unknown_card."""

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


def read_deck(text: str, cards: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Copies by slug of a deck list; `cards` are those of the house (number, slug, name).

    Raises `DeckTextError` with every fault.
    """
    known = {str(name).casefold(): card for card in cards for name in _names(card)}
    counts: dict[str, int] = {}
    faults: list[LineFault] = []
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
        if card is None:
            faults.append(
                LineFault(number, "unknown_card", f'There is no card "{name}"{_like(name, known)}.')
            )
        elif count < 1:
            faults.append(LineFault(number, "bad_count", f"{count} copies of {card['name']}."))
        else:
            counts[card["slug"]] = counts.get(card["slug"], 0) + count
    if faults:
        raise DeckTextError(faults)
    return counts


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
