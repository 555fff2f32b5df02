"""Formats: what decks may be made of at some tables, beside the rules of the game. They are data.

A format is a YAML file of `data/formats` that keeps `schema.json` beside it; docs/decks.md says what its
fields mean. `load` reads a folder, and either gives all its formats or one `CatalogError` with every flaw.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema

from cards.catalog.cards import RARITIES, Catalog, CatalogError, Flaw, Printing
from cards.catalog.files import parse
from cards.decks.decklist import COPIES, DeckList, Fault, counted

FOLDER = Path(__file__).resolve().parents[2] / "data" / "formats"


@dataclass(frozen=True, slots=True)
class Restriction:
    """A limit for one card, and why."""

    copies: int
    """0 for a banned card."""
    reason: str


@dataclass(frozen=True, slots=True)
class Format:
    """A format; whatever it does not speak of is allowed."""

    slug: str
    name: str
    version: str
    text: str
    sets: tuple[str, ...] | None
    """Codes of the sets that are allowed; None for all."""
    rarities: Mapping[str, int]
    """By rarity, how many cards of a deck may have it."""
    copies: int
    """Most copies of a card that is no Basic Ingredient."""
    restricted: Mapping[int, Restriction]
    """By card number."""
    retired: bool = True
    """Whether withdrawn cards are allowed."""


@cache
def _validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def load(catalog: Catalog, *folders: Path) -> Mapping[str, Format]:
    """Every format of these folders (`*.yaml`) by its name, by default of `data/formats`; in order of names.

    Raises `CatalogError` with all flaws of all files: a name given twice or a card or set that the catalogue
    does not have among them.
    """
    return _read(catalog, [(folder, False) for folder in folders or (FOLDER,)])


def of_house(catalog: Catalog, own: Path) -> Mapping[str, Format]:
    """The formats of a house with these cards: those of `data/formats` and those of its own folder `own`.

    Ours were written for the sets that come with Cloche. In a house without them they say what they can of
    the cards that there are: what they say of others is passed over, and one for sets that are not there is
    left out. Raises `CatalogError` as `load` does.
    """
    return _read(catalog, [(FOLDER, True), (own, False)])


def _read(catalog: Catalog, folders: Iterable[tuple[Path, bool]]) -> Mapping[str, Format]:
    """The formats of some folders; with True, no more of each file than is about these cards."""
    flaws: list[Flaw] = []
    found: dict[str, Format] = {}
    taken: set[str] = set()
    paths = ((path, trim) for folder, trim in folders for path in sorted(folder.glob("*.yaml")))
    for path, trim in paths:
        data = parse(path, _validator(), _place, flaws)
        if data is None:
            continue
        if trim:
            data = _about(data, catalog)
        flaws += (Flaw(path.name, "format", field, why) for field, why in _strange(data, catalog))
        if data["format"] in taken:
            flaws.append(Flaw(path.name, "format", "format", f"{data['format']} is the name of another one"))
        taken.add(data["format"])
        if not flaws and data.get("sets") != []:  # trimmed: of no set that is here
            found[data["format"]] = _format(data, catalog)
    if flaws:
        raise CatalogError(flaws)
    return MappingProxyType(dict(sorted(found.items())))


def _place(_data: Any, path: list[str | int]) -> tuple[str, str]:
    return "format", "/".join(map(str, path))


def _strange(data: Mapping[str, Any], catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What a format names and the catalogue has not: (field, why)."""
    sets, slugs = _named(catalog)
    for code in data.get("sets", ()):
        if code not in sets:
            yield f"sets/{code}", "is no set of the house"
    for slug in data.get("restricted", ()):
        if slug not in slugs:
            yield f"restricted/{slug}", "is no card of the house"


def _about(data: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """A format without the sets and cards that the catalogue has not; `sets` may be empty then."""
    sets, slugs = _named(catalog)
    kept = dict(data)
    if "sets" in data:
        kept["sets"] = [code for code in data["sets"] if code in sets]
    kept["restricted"] = {slug: each for slug, each in data.get("restricted", {}).items() if slug in slugs}
    return kept


def _named(catalog: Catalog) -> tuple[set[str], set[str]]:
    """The codes of the sets and the slugs of the cards that a format may name."""
    return {card_set.code for card_set in catalog.sets}, {card.slug for card in catalog.cards.values()}


def _format(data: Mapping[str, Any], catalog: Catalog) -> Format:
    restricted = {
        catalog.by_slug(slug).number: Restriction(entry["copies"], entry["reason"])
        for slug, entry in data.get("restricted", {}).items()
    }
    return Format(
        slug=data["format"],
        name=data["name"],
        version=data["version"],
        text=data["text"],
        sets=tuple(data["sets"]) if "sets" in data else None,
        rarities=MappingProxyType(
            {r: data["rarities"][r] for r in RARITIES if r in data.get("rarities", {})}
        ),
        copies=data.get("copies", COPIES),
        restricted=MappingProxyType(dict(sorted(restricted.items()))),
        retired=data.get("retired", True),
    )


def faults(deck: DeckList, catalog: Catalog, by: Format, pointer: str = "") -> list[Fault]:
    """All that a format has against a deck list, by code: unknown_card, set_not_allowed, rarity_not_allowed,
    retired_card, too_many_of_rarity, banned_card, restricted_card.

    The rules of the game (`cards.decks.decklist.faults`) are not asked here.
    """
    found: list[Fault] = []
    for number, n in deck.counts.items():
        printing = catalog.printings.get(number)
        at = f"{pointer}/{number}"
        if printing is None:
            text = f"There is no card {number}."
            found.append(Fault("unknown_card", at, text, {"number": number, "copies": n}))
        else:
            found += _card_faults(printing, n, by, at)
    for rarity, most in by.rarities.items():
        n = sum(n for number, n in deck.counts.items() if _rarity(catalog, number) == rarity)
        if most and n > most:
            text = f"{n} {rarity} cards; {by.name} allows {most}."
            numbers: dict[str, int | str] = {"rarity": rarity, "cards": n, "at_most": most}
            found.append(Fault("too_many_of_rarity", pointer, text, numbers))
    return found


def _rarity(catalog: Catalog, number: int) -> str | None:
    printing = catalog.printings.get(number)
    return printing.rarity if printing else None


def _card_faults(printing: Printing, n: int, by: Format, at: str) -> Iterator[Fault]:
    card = printing.card
    data: dict[str, int | str] = {"number": card.number, "copies": n}
    if by.sets is not None and printing.set_code not in by.sets:
        text = f"{card} is of the set {printing.set_code}; {by.name} has {', '.join(by.sets)} alone."
        yield Fault("set_not_allowed", at, text, {**data, "set": printing.set_code})
    if by.rarities.get(printing.rarity) == 0:
        text = f"{card} is {printing.rarity}, and {by.name} has no {printing.rarity} cards."
        yield Fault("rarity_not_allowed", at, text, {**data, "rarity": printing.rarity})
    if printing.retired and not by.retired:
        yield Fault("retired_card", at, f"{card} was withdrawn, and {by.name} has no such cards.", data)
    own = by.restricted.get(card.number)
    if own is not None and own.copies == 0:
        yield Fault("banned_card", at, f"{card} is banned: {own.reason}", {**data, "reason": own.reason})
    elif own is not None and n > own.copies:
        text = f"{counted(n)} of {card}; {by.name} allows {own.copies}: {own.reason}"
        yield Fault("restricted_card", at, text, {**data, "at_most": own.copies, "reason": own.reason})
    elif own is None and not printing.basic and n > by.copies:
        text = f"{counted(n)} of {card}; {by.name} allows {by.copies}."
        yield Fault("restricted_card", at, text, {**data, "at_most": by.copies})
