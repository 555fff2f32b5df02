"""Reading and checking the card sets of a folder: first each file by itself, then all cards together.

Nothing is guessed and nothing is dropped. Everything wrong becomes a `Flaw`, and all flaws of a folder are
reported at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cards.catalog import histories
from cards.catalog.boosters import booster_flaws, of_set
from cards.catalog.cards import (
    CATEGORIES,
    FOLDER,
    RARITIES,
    SET_SIZE,
    BoosterPlan,
    Card,
    CardSet,
    Catalog,
    CatalogError,
    Flaw,
    Pity,
    Printing,
    Slot,
    Starter,
    card_flaws,
    label,
    make,
)
from cards.catalog.deck_rules import copies_error, size_error
from cards.catalog.yaml_files import SchemaFile, read_yaml

SCHEMA = SchemaFile(FOLDER / "schema.json")

BASICS_PER_CATEGORY = 3
"""Basic Ingredients of each category that a catalogue must have at least."""


def load(folder: Path | None = None) -> Catalog:
    """Read every set (`*.yaml`) of a folder. Without one, read the sets that come with Cloche, once.

    Raises `CatalogError` with all flaws of all files.
    """
    return _default() if folder is None else _read(folder)


@cache
def _default() -> Catalog:
    return _read(FOLDER)


def _read(folder: Path) -> Catalog:
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise CatalogError([Flaw(str(folder), "", "", "holds no card set (*.yaml)")])
    flaws: list[Flaw] = []
    sets: list[tuple[str, CardSet]] = []
    past = histories.read(folder, flaws)
    for path in paths:
        data = read_yaml(path, SCHEMA, _locate, flaws)
        if data is not None:
            card_set = _card_set(path.name, data, flaws)
            if card_set.code in past and not flaws:
                card_set = histories.recall(card_set, data, past[card_set.code], _card_set, flaws)
            sets.append((path.name, card_set))
    catalog = Catalog(card_set for _, card_set in sets)
    if len(sets) == len(paths):  # The cards of an unreadable file would seem to be missing everywhere.
        flaws += _across(sets)
        flaws += histories.stray(past, sets)
        flaws += _starter_flaws(sets, catalog)
        flaws += _booster_flaws(sets)
    if flaws:
        raise CatalogError(flaws)
    return catalog


def _locate(data: Any, path: list[str | int]) -> tuple[str, str]:
    """The card (or starter, or the set itself) that a path of the schema means, and the field of it."""
    if len(path) < 2 or path[0] not in ("cards", "starters"):
        return "set", "/".join(str(part) for part in path)
    item, where = data[path[0]][path[1]], f"{path[0]}/{path[1]}"
    if isinstance(item, dict):
        where = (
            f"starter {item.get('slug', path[1])}" if path[0] == "starters" else label(_numbered(data, item))
        )
    return where, "/".join(str(part) for part in path[2:])


def _numbered(data: Mapping[str, Any], entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """A card's entry, with its full number where the set's index and its number in the set are valid."""
    about, number = data.get("set"), entry.get("number")
    index = about.get("index") if isinstance(about, dict) else None
    if isinstance(index, int) and isinstance(number, int) and 0 < number < SET_SIZE:
        return {**entry, "number": index * SET_SIZE + number}
    return entry


def _card_set(file: str, data: Mapping[str, Any], flaws: list[Flaw]) -> CardSet:
    about = data["set"]
    printings = [_printing(file, about, entry, flaws) for entry in data["cards"]]
    numbers = {printing.card.slug: printing.card.number for printing in printings}
    starters = [_starter(file, entry, numbers, flaws) for entry in data.get("starters", ())]
    printings.sort(key=lambda printing: printing.number_in_set)
    return CardSet(
        about["index"],
        about["code"],
        about["name"],
        about["version"],
        tuple(printings),
        tuple(starters),
        _booster(data.get("booster")),
    )


def _printing(file: str, about: Mapping[str, Any], entry: Mapping[str, Any], flaws: list[Flaw]) -> Printing:
    card = make(about["index"] * SET_SIZE + entry["number"], entry)
    printing = Printing(
        card=card,
        set_code=about["code"],
        number_in_set=entry["number"],
        rarity=entry["rarity"],
        basic=entry.get("basic", False),
        flavour=entry["flavour"],
        retired=entry.get("retired", False),
    )
    flaws += (Flaw(file, _of(card), field, why) for field, why in card_flaws(card))
    flaws += (Flaw(file, _of(card), "basic", why) for why in _basic_flaws(printing))
    return printing


def _booster(entry: Mapping[str, Any] | None) -> BoosterPlan | None:
    if entry is None:
        return None
    slots = [
        Slot(slot["count"], tuple((r, slot["weights"][r]) for r in RARITIES if r in slot["weights"]))
        for slot in entry["slots"]
    ]
    pity = entry.get("pity")
    return BoosterPlan(tuple(slots), None if pity is None else Pity(pity["rarity"], pity["within"]))


def _starter(file: str, entry: Mapping[str, Any], numbers: Mapping[str, int], flaws: list[Flaw]) -> Starter:
    counts: dict[int, int] = {}
    for slug, n in entry["cards"].items():
        if slug in numbers:
            counts[numbers[slug]] = n
        else:
            flaws.append(Flaw(file, f"starter {entry['slug']}", f"cards/{slug}", "is no card of this set"))
    return Starter(
        entry["slug"], entry["name"], entry["text"], MappingProxyType(dict(sorted(counts.items())))
    )


def _basic_flaws(printing: Printing) -> Iterator[str]:
    card = printing.card
    plain = not (card.is_recipe or card.one_time or card.bonus)
    if printing.basic and not (plain and sum(card.provides) == 1 and printing.rarity == "common"):
        yield "a Basic Ingredient is common, provides one unit, has no bonus and is not one-time"


# Flaws of all cards together


def _across(sets: list[tuple[str, CardSet]]) -> list[Flaw]:
    """Ids that are given twice, listed ingredients that no card is, and too few Basic Ingredients."""
    flaws: list[Flaw] = []
    every = [(file, printing) for file, card_set in sets for printing in card_set.printings]
    flaws += _twice([(file, "set", "set/index", card_set.index) for file, card_set in sets])
    flaws += _twice([(file, "set", "set/code", card_set.code) for file, card_set in sets])
    flaws += _twice([(f, f"starter {t.slug}", "slug", t.slug) for f, s in sets for t in s.starters])
    for field in ("number", "slug", "name"):
        flaws += _twice([(f, _of(p.card), field, _key(p.card, field)) for f, p in every])
    made = {
        name
        for _, p in every
        if not p.card.is_recipe and not p.retired
        for name in (p.card.name, *p.card.kinds)
    }
    for file, printing in every:
        if not printing.retired:
            flaws += (
                Flaw(file, _of(printing.card), "list", f"no ingredient is a {name}")
                for name in printing.card.list
                if name not in made
            )
    for i, category in enumerate(CATEGORIES):
        n = sum(1 for _, p in every if p.basic and not p.retired and p.card.provides[i])
        if n < BASICS_PER_CATEGORY:
            text = f"{n} Basic Ingredients provide {category}; at least {BASICS_PER_CATEGORY} are needed"
            flaws.append(Flaw(", ".join(file for file, _ in sets), "", "basic", text))
    return flaws


def _of(card: Card) -> str:
    return f"card {card.number} ({card.name})"


def _key(card: Card, field: str) -> object:
    value = getattr(card, field)
    return value.casefold() if isinstance(value, str) else value


def _twice(values: list[tuple[str, str, str, object]]) -> Iterator[Flaw]:
    """Flaws of values that occur more than once; each value comes as (file, card, field, value)."""
    first: dict[object, tuple[str, str]] = {}
    for file, card, field, value in values:
        if value in first:
            other_file, other_card = first[value]
            yield Flaw(file, card, field, f"is the same as that of {other_card} in {other_file}")
        else:
            first[value] = (file, card)


def _starter_flaws(sets: list[tuple[str, CardSet]], catalog: Catalog) -> Iterator[Flaw]:
    for file, card_set in sets:
        for starter in card_set.starters:
            where = f"starter {starter.slug}"
            if text := size_error(sum(starter.counts.values())):
                yield Flaw(file, where, "cards", text)
            for number, n in starter.counts.items():
                if text := copies_error(catalog.cards[number].name, n):
                    yield Flaw(file, where, "cards", text)
            for number in starter.counts:
                if catalog.printings[number].retired:
                    yield Flaw(file, where, f"cards/{catalog.cards[number].slug}", "is retired")


def _booster_flaws(sets: list[tuple[str, CardSet]]) -> Iterator[Flaw]:
    for file, card_set in sets:
        booster = of_set(card_set)
        for field, why in booster_flaws(booster) if booster is not None else ():
            yield Flaw(file, "booster", field, why)
