"""Whole versions of card sets as files to download. A version always gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

import yaml

from cards.catalog.cards import CardSet, Catalog, Printing
from cards.catalog.changes import document, printing_fields
from cards.catalog.yaml_dumper import Dumper


@dataclass(frozen=True, slots=True)
class SetFile:
    """A version of a set as a file."""

    name: str
    card_set: CardSet
    format: str
    content_type: str
    data: bytes = field(repr=False)
    sha256: str
    """The digest in hexadecimal digits."""


@lru_cache(maxsize=4)
def files(catalog: Catalog) -> Mapping[str, SetFile]:
    """Every version of every set in every format, by file name: sets by index, the newest version first."""
    return {
        file.name: file
        for card_set in catalog.sets
        for version in (card_set, *card_set.earlier)
        for file in _files(version)
    }


def _files(card_set: CardSet) -> Iterator[SetFile]:
    for form, (content_type, write) in FORMATS.items():
        data = write(card_set).encode()
        name = f"{card_set.code}-{card_set.version}.{form}"
        yield SetFile(name, card_set, form, content_type, data, sha256(data).hexdigest())


def card_fields(printing: Printing, card_set: CardSet) -> dict[str, Any]:
    """All fields of a card in a version of its set, with the set's code, the version and its number there."""
    return {
        **printing_fields(printing),
        "set": card_set.code,
        "number_in_set": printing.number_in_set,
        "version": card_set.version,
    }


def _lines(card_set: CardSet) -> str:
    return "".join(_json(card_fields(printing, card_set)) for printing in card_set.printings)


def _whole(card_set: CardSet) -> str:
    cards = [card_fields(printing, card_set) for printing in card_set.printings]
    return _json({**document(card_set), "cards": cards})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _yaml(card_set: CardSet) -> str:
    """The set's file in the form that `cards.catalog.card_sets` reads."""
    whole = document(card_set)
    whole["cards"] = [_entry(printing) for printing in card_set.printings]
    if not whole["starters"]:
        del whole["starters"]
    return yaml.dump(whole, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110)


def _entry(printing: Printing) -> dict[str, Any]:
    """A card as a set's file has it: with its number in the set, without fields that have their default."""
    fields = printing_fields(printing) | {"number": printing.number_in_set}
    return {name: value for name, value in fields.items() if value or name == "number"}


FORMATS: Mapping[str, tuple[str, Callable[[CardSet], str]]] = {
    "jsonl": ("application/jsonl", _lines),
    "json": ("application/json", _whole),
    "yaml": ("application/yaml", _yaml),
}
"""The formats by file extension: the media type, and the function that writes a set."""
