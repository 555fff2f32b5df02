"""A card, or a copy of one, as the metadata of a token: ERC-721's `name`, `description`, `image`, and traits.

With it an owner can mint a copy as a token elsewhere. The house mints no tokens and does not hear of it.
data/token_metadata/schema.json describes the form.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards.catalog.cards import CATEGORIES, Printing
from cards.pictures.card import described

SCHEMA = Path(__file__).resolve().parents[2] / "data" / "token_metadata" / "schema.json"


@dataclass(frozen=True, slots=True)
class CopyDetails:
    """The facts about one copy that its metadata has."""

    serial: int
    origin: str
    soulbound: bool
    created_at: int
    """The time when the copy was made, in milliseconds since 1970."""
    certificate: Mapping[str, Any]
    """The house's signed statements about the copy."""


def inline(svg: str) -> str:
    """A picture as a data URI, so that the document is complete in itself."""
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


def metadata(
    printing: Printing, set_name: str, *, image: str, url: str | None = None, token: CopyDetails | None = None
) -> dict[str, Any]:
    """The metadata of a printing, or of a copy of it. `image` is a URI, `url` the address of the card."""
    card = printing.card
    said = f"{described(printing)} From {set_name}, {printing.set_code} {printing.number_in_set}."
    document: dict[str, Any] = {
        "name": card.name if token is None else f"{card.name} #{token.serial}",
        "description": said,
        "image": image,
        "attributes": [*_traits(printing, set_name), *(() if token is None else _of_copy(token))],
    }
    if url is not None:
        document["external_url"] = url
    if token is not None:
        document["certificate"] = dict(token.certificate)
    return document


def _trait(name: str, value: str) -> dict[str, Any]:
    return {"trait_type": name, "value": value}


def _number(name: str, value: int, kind: str = "number") -> dict[str, Any]:
    return {"trait_type": name, "display_type": kind, "value": value}


def _traits(printing: Printing, set_name: str) -> Iterator[dict[str, Any]]:
    card = printing.card
    yield _trait("Set", set_name)
    yield _number("Number", printing.number_in_set)
    yield _trait("Type", card.type.capitalize())
    yield _trait("Rarity", printing.rarity.capitalize())
    for kind in card.kinds:
        yield _trait("Kind", kind)
    for listed in card.list:
        yield _trait("Lists", listed)
    for what, units in (("Provides", card.provides), ("Costs", card.costs)):
        for category, count in zip(CATEGORIES, units, strict=True):
            if count:
                yield _number(f"{what} {category}", count)
    if card.bonus:
        yield _number("Bonus", card.bonus)
    if card.one_time:
        yield _trait("One time", "Yes")
    if printing.basic:
        yield _trait("Basic", "Yes")


def _of_copy(token: CopyDetails) -> Iterator[dict[str, Any]]:
    yield _number("Serial", token.serial)
    yield _trait("Origin", token.origin)
    yield _trait("Soulbound", "Yes" if token.soulbound else "No")
    yield _number("Made", token.created_at // 1000, "date")
