"""Deck lists as plain text, as people write them: one card a line, `3 Tuna`.

A line has the copies, and then the card's name, slug or number, in upper or lower case. `3x Tuna` is read
as well. Empty lines and everything after a # are ignored. Copies of a card on several lines are added up.
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
    """An error in a line (from 1) or a notice about it; `code` is stable.

    Errors are bad_line, bad_count and unknown_card; notices are renamed_card and withdrawn_card.
    """

    line: int
    code: str
    text: str

    def __str__(self) -> str:
        return f"[{self.code}] line {self.line}: {self.text}"


class DeckTextError(ValueError):
    """A text that is no deck list; `faults` has all errors in it."""

    def __init__(self, faults: list[LineFault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class ReadDeckList:
    """A deck list read from a text."""

    counts: Mapping[str, int]
    """Copies by slug."""
    notices: tuple[LineFault, ...]
    """Notices of cards that were renamed, or were withdrawn and have a replacement."""


def read_deck(text: str, cards: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Read a deck list: copies by slug. `cards` are all cards (number, slug, name).

    Raises `DeckTextError` with every error.
    """
    return dict(read_listing(text, cards, ()).counts)


def read_listing(
    text: str, cards: Iterable[Mapping[str, Any]], moves: Iterable[Mapping[str, Any]]
) -> ReadDeckList:
    """Read a deck list whose cards may have their names of today or former ones.

    `moves` are the ids that moved (kind, old, old_name, new, reason), oldest first. A renamed card gets its
    slug of today; a withdrawn card stays as it was written. Raises `DeckTextError` with every error.
    """
    known = {str(name).casefold(): card for card in cards for name in _names(card)}
    moved = {move["old"]: move for move in moves}
    former = {name.casefold(): move for move in moved.values() for name in (move["old_name"], move["old"])}
    counts: dict[str, int] = {}
    faults: list[LineFault] = []
    notices: list[LineFault] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            faults.append(LineFault(number, "bad_line", f'"{line[:60]}" has not the form "3 Tuna".'))
            continue
        count, name = int(found[1]), found[2]
        card = known.get(name.casefold())
        if card is None and name.casefold() in former:
            card = known.get(_last(former[name.casefold()]["old"], moved, ("renamed",)))
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
            if card["slug"] in moved:
                notices.append(LineFault(number, "withdrawn_card", _withdrawn(card, known, moved)))
    if faults:
        raise DeckTextError(faults)
    return ReadDeckList(counts, tuple(notices))


def _withdrawn(card: Mapping[str, Any], known: Mapping[str, Any], moved: Mapping[str, Any]) -> str:
    """The notice about a withdrawn card."""
    other = known.get(_last(card["slug"], moved), card)["name"]
    return f"{card['name']} was withdrawn; {other} is in its place: {moved[card['slug']]['reason']}"


def _last(slug: str, moved: Mapping[str, Mapping[str, Any]], kinds: Iterable[str] | None = None) -> str:
    """The slug at the end of an id's moves; only moves of these kinds are followed."""
    seen: set[str] = set()
    while slug in moved and slug not in seen and (kinds is None or moved[slug]["kind"] in kinds):
        seen.add(slug)
        slug = moved[slug]["new"]
    return slug


def write_deck(counts: Mapping[str, int], cards: Iterable[Mapping[str, Any]]) -> str:
    """Write a deck list: ingredients, then recipes, by number. `read_deck` reads it back."""
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
