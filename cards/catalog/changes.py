"""The changes between two versions of a card set, as data and in words, and the level of each change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cards.catalog.cards import CardSet, Printing, Starter

MAJOR, MINOR, PATCH = "major", "minor", "patch"
LEVELS = (MAJOR, MINOR, PATCH)
"""The parts of a version, those for greater changes first."""

_LEVEL = {"rarity": MINOR, "basic": MINOR, "retired": MINOR, "flavour": PATCH, "text": PATCH}
"""The level of a change, by field. Other fields are a card's rules or its id, so their changes are major."""
_STARTER_LEVEL = {"cards": MINOR, "name": PATCH, "text": PATCH}


@dataclass(frozen=True, slots=True)
class SetChange:
    """One difference between two versions of a set."""

    what: str
    """"card", "starter" or "set"."""
    id: str
    """A card's number, a starter's slug, a set's code."""
    name: str
    """Its name in the newer version; if it was removed, in the older."""
    kind: str
    """"added", "removed" or "changed"."""
    level: str
    """The part of the version that such a change must raise."""
    field: str | None = None
    """The field that changed, with its values before and after; None unless the kind is "changed"."""
    before: Any = None
    after: Any = None

    def __str__(self) -> str:
        named = f"{self.name} ({self.id})" if self.what == "card" else f"The {self.what} {self.name}"
        if self.kind != "changed":
            return f"{named} is {'new' if self.kind == 'added' else 'gone'}."
        return f"{named}: {self.field} was {_said(self.before)}, is {_said(self.after)}."


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{n} {name}" for name, n in value.items()) or "nothing"
    if isinstance(value, list):
        return ", ".join(value) or "nothing"
    return f'"{value}"' if isinstance(value, str) else str(value)


def printing_fields(printing: Printing) -> dict[str, Any]:
    """All fields of a card in a version of its set, those of its text first."""
    return {
        **printing.card.text(),
        "rarity": printing.rarity,
        "basic": printing.basic,
        "flavour": printing.flavour,
        "retired": printing.retired,
    }


def _starter_fields(starter: Starter, slugs: Mapping[int, str]) -> dict[str, Any]:
    counts = {slugs[number]: n for number, n in starter.counts.items()}
    return {"slug": starter.slug, "name": starter.name, "text": starter.text, "cards": counts}


def document(card_set: CardSet) -> dict[str, Any]:
    """A version of a set as JSON, in one fixed order: cards by number, starters by slug."""
    slugs = {printing.card.number: printing.card.slug for printing in card_set.printings}
    return {
        "set": {
            "index": card_set.index,
            "code": card_set.code,
            "name": card_set.name,
            "version": card_set.version,
        },
        "cards": [printing_fields(printing) for printing in card_set.printings],
        "starters": [
            _starter_fields(starter, slugs) for starter in sorted(card_set.starters, key=lambda s: s.slug)
        ],
    }


def digest(card_set: CardSet) -> str:
    """The SHA-256, in hexadecimal, of `document` as UTF-8 JSON with sorted members and without blanks."""
    text = json.dumps(document(card_set), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def changes(older: CardSet, newer: CardSet) -> tuple[SetChange, ...]:
    """All changes between two versions of a set: of the set, of cards by number, of starters by slug."""
    was, now = document(older), document(newer)
    found = []
    if older.name != newer.name:
        found.append(
            SetChange("set", newer.code, newer.name, "changed", PATCH, "name", older.name, newer.name)
        )
    found += _of("card", "number", was["cards"], now["cards"])
    found += _of("starter", "slug", was["starters"], now["starters"])
    return tuple(found)


def _of(
    what: str, key: str, was: Iterable[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]
) -> Iterator[SetChange]:
    old, new = ({entry[key]: entry for entry in entries} for entries in (was, now))
    levels = _LEVEL if what == "card" else _STARTER_LEVEL
    for each in sorted({*old, *new}):
        if each not in old:
            yield SetChange(what, str(each), new[each]["name"], "added", MINOR)
        elif each not in new:
            level = MAJOR if what == "card" else MINOR
            yield SetChange(what, str(each), old[each]["name"], "removed", level)
        else:
            for field, after in new[each].items():
                before = old[each][field]
                if before != after:
                    level = levels.get(field, MAJOR)
                    yield SetChange(
                        what, str(each), new[each]["name"], "changed", level, field, before, after
                    )


def greatest(found: Iterable[SetChange]) -> str | None:
    """The greatest level among changes; None if there are none."""
    return min((change.level for change in found), key=LEVELS.index, default=None)


def parts(version: str) -> tuple[int, int, int]:
    """The parts of a version as numbers, which compare in order."""
    major, minor, patch = (int(part) for part in version.split("."))
    return major, minor, patch


def raised(older: str, newer: str) -> str | None:
    """The greatest part that a newer version raises; None if it is not above the older one."""
    was, now = parts(older), parts(newer)
    if now <= was:
        return None
    return next(level for level, a, b in zip(LEVELS, was, now, strict=True) if a != b)
