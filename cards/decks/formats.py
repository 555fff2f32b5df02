"""Formats: rules that a table may add to those of the game about which cards a deck may hold.

A format is data: a YAML file in `data/formats` that keeps `schema.json` beside it. docs/decks.md says what
its fields mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cards.catalog.cards import RARITIES, Catalog, CatalogError, Flaw, Printing
from cards.catalog.deck_rules import MOST_COPIES
from cards.catalog.yaml_files import SchemaFile, read_yaml
from cards.decks.deck_lists import DeckFault, DeckList, counted

FOLDER = Path(__file__).resolve().parents[2] / "data" / "formats"
SCHEMA = SchemaFile(FOLDER / "schema.json")


@dataclass(frozen=True, slots=True)
class Restriction:
    """A format's limit for one card, and the reason for it."""

    copies: int
    """0 for a banned card."""
    reason: str


@dataclass(frozen=True, slots=True)
class Format:
    """A format. It allows everything that it does not mention."""

    slug: str
    name: str
    version: str
    text: str
    sets: tuple[str, ...] | None
    """Codes of the sets that are allowed; None for all."""
    rarities: Mapping[str, int]
    """The number of a deck's cards that may have a rarity, by rarity."""
    copies: int
    """The number of copies of a card that a deck may hold, unless it is a Basic Ingredient."""
    restricted: Mapping[int, Restriction]
    """The restrictions, by card number."""
    retired: bool = True
    """True if withdrawn cards are allowed."""


def load(catalog: Catalog, *folders: Path) -> Mapping[str, Format]:
    """Read every format (`*.yaml`) of some folders, by default of `data/formats`: by name, in order of names.

    Raises `CatalogError` with all flaws of all files, such as a name that is given twice, or a card or set
    that the catalogue does not have.
    """
    return _read(catalog, [(folder, False) for folder in folders or (FOLDER,)])


def of_house(catalog: Catalog, own: Path) -> Mapping[str, Format]:
    """Read the formats of a house with these cards: those of `data/formats` and those of its folder `own`.

    The formats of `data/formats` were written for the sets that come with Cloche. Where a house lacks some of
    these sets or cards, what a format says of them is ignored. A format that allows only missing sets is left
    out. Raises `CatalogError` as `load` does.
    """
    return _read(catalog, [(FOLDER, True), (own, False)])


def _read(catalog: Catalog, folders: Iterable[tuple[Path, bool]]) -> Mapping[str, Format]:
    """The formats of some folders. With True, what its files say of missing cards is ignored."""
    flaws: list[Flaw] = []
    found: dict[str, Format] = {}
    taken: set[str] = set()
    paths = ((path, trim) for folder, trim in folders for path in sorted(folder.glob("*.yaml")))
    for path, trim in paths:
        data = read_yaml(path, SCHEMA, _locate, flaws)
        if data is None:
            continue
        if trim:
            data = _trimmed(data, catalog)
        flaws += (Flaw(path.name, "format", field, why) for field, why in _unknown(data, catalog))
        if data["format"] in taken:
            flaws.append(
                Flaw(path.name, "format", "format", f"{data['format']} is the name of another format")
            )
        taken.add(data["format"])
        if not flaws and data.get("sets") != []:  # Trimming left none of the sets that it allows.
            found[data["format"]] = _format(data, catalog)
    if flaws:
        raise CatalogError(flaws)
    return MappingProxyType(dict(sorted(found.items())))


def _locate(_data: Any, path: list[str | int]) -> tuple[str, str]:
    return "format", "/".join(map(str, path))


def _unknown(data: Mapping[str, Any], catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Flaws of sets and cards that a format names and the catalogue lacks: (field, why)."""
    sets, slugs = _names(catalog)
    for code in data.get("sets", ()):
        if code not in sets:
            yield f"sets/{code}", "is no set of the house"
    for slug in data.get("restricted", ()):
        if slug not in slugs:
            yield f"restricted/{slug}", "is no card of the house"


def _trimmed(data: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """A format without the sets and cards that the catalogue lacks; its `sets` may be empty then."""
    sets, slugs = _names(catalog)
    kept = dict(data)
    if "sets" in data:
        kept["sets"] = [code for code in data["sets"] if code in sets]
    kept["restricted"] = {slug: each for slug, each in data.get("restricted", {}).items() if slug in slugs}
    return kept


def _names(catalog: Catalog) -> tuple[set[str], set[str]]:
    """The codes of all sets and the slugs of all cards, which a format may name."""
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
        copies=data.get("copies", MOST_COPIES),
        restricted=MappingProxyType(dict(sorted(restricted.items()))),
        retired=data.get("retired", True),
    )


def faults(deck: DeckList, catalog: Catalog, by: Format, pointer: str = "") -> list[DeckFault]:
    """Everything in a deck list that a format forbids.

    The codes are unknown_card, set_not_allowed, rarity_not_allowed, retired_card, too_many_of_rarity,
    banned_card and restricted_card. The rules of the game are checked by `cards.decks.deck_lists.faults`.
    """
    found: list[DeckFault] = []
    for number, n in deck.counts.items():
        printing = catalog.printings.get(number)
        at = f"{pointer}/{number}"
        if printing is None:
            text = f"There is no card {number}."
            found.append(DeckFault("unknown_card", at, text, {"number": number, "copies": n}))
        else:
            found += _card_faults(printing, n, by, at)
    for rarity, most in by.rarities.items():
        n = sum(n for number, n in deck.counts.items() if _rarity(catalog, number) == rarity)
        if most and n > most:
            text = f"{n} {rarity} cards; {by.name} allows {most}."
            numbers: dict[str, int | str] = {"rarity": rarity, "cards": n, "at_most": most}
            found.append(DeckFault("too_many_of_rarity", pointer, text, numbers))
    return found


def _rarity(catalog: Catalog, number: int) -> str | None:
    printing = catalog.printings.get(number)
    return printing.rarity if printing else None


def _card_faults(printing: Printing, n: int, by: Format, at: str) -> Iterator[DeckFault]:
    card = printing.card
    data: dict[str, int | str] = {"number": card.number, "copies": n}
    if by.sets is not None and printing.set_code not in by.sets:
        text = f"{card} is of the set {printing.set_code}; {by.name} has {', '.join(by.sets)} alone."
        yield DeckFault("set_not_allowed", at, text, {**data, "set": printing.set_code})
    if by.rarities.get(printing.rarity) == 0:
        text = f"{card} is {printing.rarity}, and {by.name} has no {printing.rarity} cards."
        yield DeckFault("rarity_not_allowed", at, text, {**data, "rarity": printing.rarity})
    if printing.retired and not by.retired:
        yield DeckFault("retired_card", at, f"{card} was withdrawn, and {by.name} has no such cards.", data)
    own = by.restricted.get(card.number)
    if own is not None and own.copies == 0:
        yield DeckFault("banned_card", at, f"{card} is banned: {own.reason}", {**data, "reason": own.reason})
    elif own is not None and n > own.copies:
        text = f"{counted(n)} of {card}; {by.name} allows {own.copies}: {own.reason}"
        yield DeckFault("restricted_card", at, text, {**data, "at_most": own.copies, "reason": own.reason})
    elif own is None and not printing.basic and n > by.copies:
        text = f"{counted(n)} of {card}; {by.name} allows {by.copies}."
        yield DeckFault("restricted_card", at, text, {**data, "at_most": by.copies})
