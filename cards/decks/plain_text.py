"""Deck lists as plain text, as people write them and other deck sites export them: one card a line.

A line has the copies, and then the card's name, slug or number, in upper or lower case: `3 Tuna`, `3x Tuna`.
Its printing may follow, and marks of a deck site: `1 Tuna (PB) 27 *F*`. Copies of a card on several lines are
added up. Empty lines are ignored, and so are comments after # or //, headings, and lines about the list, such
as `Name: Fish`. A heading has marks, as in `Fish (6)`, or comes first or after an empty line. Cards under
headings such as Sideboard are not part of the deck.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from cards.catalog.cards import SET_SIZE

LONGEST_LINE = 200
"""The most characters of a line, without its comment and repeated blanks."""
MOST_GUESSES = 40
"""The most names for which a similar one is sought."""
_LINE = re.compile(r"(?:[-*•]\s+)?(?:(SB):\s*)?(\d{1,3})\s*[x×]?\s+(\S.*)", re.IGNORECASE)
_COMMENT = re.compile(r"#.*|(?:^|(?<=\s))//.*")
_PRINTING = re.compile(
    r"(?P<name>.+?)\s?[(\[][A-Za-z0-9]{1,6}[)\]](?:\s?(?P<number>\d{1,4}))?"
    r"(?:\s(?:\*\w+\*|\[[^\]]*\]|\^[^^]*\^))*"
)
"""A name, the code of a set in brackets, perhaps the number in the set, and marks of a deck site."""
_HEADING = re.compile(
    r"[\W_]*(?P<title>[^\W\d_][^:()\[\]=\d]{0,40}?)\s*(?P<mark>[:\])=-]|[:-]?\s*\(?\d{1,3}\)?(?:\s+cards?)?:?)?[\W_]*"
)
"""A title, alone or with marks of a heading: `Fish (6)`, `Recipes: 14`, `[Deck]`, `== Deck ==`."""
_ABOUT = re.compile(
    r"(?:name|title|author|format|description|date|source|url|notes?)\s*:.*|name\s.+", re.IGNORECASE
)
_HEADINGS = frozenset(
    (
        "about",
        "cards",
        "deck",
        "decklist",
        "ingredients",
        "main",
        "main deck",
        "mainboard",
        "maindeck",
        "recipes",
    )
)
"""Headings that need no mark."""
_ASIDE = frozenset(
    ("considering", "maybe", "maybeboard", "side", "side deck", "sideboard", "tokens", "wishlist", "wishes")
)
"""Headings of cards that are not part of the deck."""


@dataclass(frozen=True, slots=True)
class LineFault:
    """An error in a line (from 1) or a notice about it; `code` is stable.

    Errors are bad_line, bad_count and unknown_card; notices are renamed_card, withdrawn_card, other_printing
    and left_out.
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
    """What a reader should know: cards that were renamed or withdrawn, or that are not part of the deck."""


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
    reader = _Reader(cards, moves)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = " ".join(_COMMENT.sub("", line).split())
        if words or not line.strip():
            reader.read(number, words)
    reader.close_section()
    if reader.faults:
        raise DeckTextError(reader.faults)
    return ReadDeckList(reader.counts, tuple(sorted(reader.notices, key=lambda notice: notice.line)))


@dataclass
class _Aside:
    """A section whose cards are not part of the deck."""

    line: int
    title: str
    copies: int = 0


@dataclass
class _Named:
    """A card as a line names it."""

    name: str
    number: int | None = None
    """Its number in its set, if the line says one."""


class _Reader:
    """The lines so far: the copies that they list, and what is wrong."""

    def __init__(self, cards: Iterable[Mapping[str, Any]], moves: Iterable[Mapping[str, Any]]) -> None:
        self._known = {str(name).casefold(): card for card in cards for name in _names(card)}
        self._moved = {move["old"]: move for move in moves}
        self._former = {
            name.casefold(): move for move in self._moved.values() for name in (move["old_name"], move["old"])
        }
        self._aside: _Aside | None = None
        self._fresh = True
        """True on the first line, and after an empty one."""
        self._guesses: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.faults: list[LineFault] = []
        self.notices: list[LineFault] = []

    def read(self, number: int, line: str) -> None:
        """Read a line without its comment: a card, a heading, something about the list, or nothing."""
        found = _LINE.fullmatch(line) if len(line) <= LONGEST_LINE else None
        fresh, self._fresh = self._fresh, not line
        if found is None:
            if line:
                self._other(number, line, fresh)
            return
        count = int(found[2])
        if found[1]:
            self._note(number, "left_out", f"{found[3]} is in the sideboard, and left out.")
        elif self._aside is not None:
            self._aside.copies += count
        else:
            self._card(number, count, self._named(found[3]))

    def close_section(self) -> None:
        """End a section whose cards are left out, and say so."""
        if self._aside is not None and self._aside.copies:
            many = f"{self._aside.copies} {'copy is' if self._aside.copies == 1 else 'copies are'}"
            text = f"{many} under {self._aside.title}, and left out."
            self._note(self._aside.line, "left_out", text)
        self._aside = None

    def _other(self, number: int, line: str, fresh: bool) -> None:
        found = _HEADING.fullmatch(line) if len(line) <= LONGEST_LINE else None
        title = "" if found is None else found["title"].strip()
        folded = title.casefold()
        marked = found is not None and (fresh or found["mark"] or line[0] in "[(=-*")
        if (
            folded in _HEADINGS
            or folded in _ASIDE
            or (marked and folded not in self._known and not self._like(title))
        ):
            self.close_section()
            self._aside = _Aside(number, title) if folded in _ASIDE else None
        elif not _ABOUT.fullmatch(line) and self._aside is None:
            self._fault(number, "bad_line", f'"{line[:60]}" has not the form "3 Tuna".')

    def _named(self, text: str) -> _Named:
        """The card that a line names, without its printing."""
        if text.casefold() in self._known or text.casefold() in self._former:
            return _Named(text)
        found = _PRINTING.fullmatch(text)
        if found is None:
            return _Named(text)
        return _Named(found["name"], int(found["number"]) if found["number"] else None)

    def _card(self, number: int, count: int, named: _Named) -> None:
        name = named.name.casefold()
        card = self._known.get(name)
        if card is None and name in self._former:
            card = self._known.get(_last(self._former[name]["old"], self._moved, ("renamed",)))
            if card is not None:
                why = self._former[name]["reason"]
                self._note(number, "renamed_card", f"{named.name} is {card['name']} now: {why}")
        if card is None:
            text = f'There is no card "{named.name}".{self._like(named.name)}'
            self._fault(number, "unknown_card", text)
        elif count < 1:
            self._fault(number, "bad_count", f"{count} copies of {card['name']}.")
        else:
            self.counts[card["slug"]] = self.counts.get(card["slug"], 0) + count
            if card["slug"] in self._moved:
                self._note(number, "withdrawn_card", _withdrawn(card, self._known, self._moved))
            here = int(card["number"]) % SET_SIZE
            if named.number not in (None, here):
                text = f"{card['name']} has the number {here} in its set here, not {named.number}."
                self._note(number, "other_printing", text)

    def _like(self, name: str) -> str:
        """The question whether a card of a similar name was meant; empty if there is none.

        A search takes milliseconds, so only the first `MOST_GUESSES` names get one.
        """
        folded = name.casefold()
        if folded not in self._guesses and len(self._guesses) < MOST_GUESSES:
            close = [folded] if folded in self._known else get_close_matches(folded, self._known, 1, 0.75)
            guess = f" Did you mean {self._known[close[0]]['name']}?" if close else ""
            self._guesses[folded] = guess
        return self._guesses.get(folded, "")

    def _note(self, line: int, code: str, text: str) -> None:
        self.notices.append(LineFault(line, code, text))

    def _fault(self, line: int, code: str, text: str) -> None:
        self.faults.append(LineFault(line, code, text))


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
