"""Fields of our own, and the schemas that several resources share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields

from cards.catalog import Catalog
from crypto.encoding import timestamp
from service.api.context import house
from service.problems import Fault

MOST_COUNTED = 999
"""Copies of one card in a list; how many a deck may hold is the rules' to say."""
MOST_LISTED = 500
"""Different cards in a list."""


class Time(fields.String):
    """A time: milliseconds inside, RFC 3339 in UTC on the wire; only given, never taken."""

    def __init__(self, **options: Any) -> None:
        super().__init__(metadata={"format": "date-time", **options.pop("metadata", {})}, **options)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else timestamp(value)


class Line(fields.String):
    """A line of text as people write it: no control characters, no blanks around it."""

    def __init__(self, longest: int, shortest: int = 1, **options: Any) -> None:
        limits = {"minLength": shortest, "maxLength": longest}
        super().__init__(metadata={**limits, **options.pop("metadata", {})}, **options)
        self.shortest = shortest
        self.longest = longest

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = (super()._deserialize(value, attr, data, **kwargs) or "").strip()
        if not self.shortest <= len(text) <= self.longest:
            raise ValidationError(f"Must have {self.shortest} to {self.longest} characters.")
        if not text.isprintable():
            raise ValidationError("Must have no control characters.")
        return text


class CardCounts(fields.Field[dict[int, int]]):
    """Copies by card: `{"tomato": 3}`. A key is a slug, or a number in digits; inside they are numbers."""

    def __init__(self, **options: Any) -> None:
        described = {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1, "maximum": MOST_COUNTED},
            "description": "Copies by card. A key is a card's slug; its number, in digits, is taken too.",
            "example": {"tomato": 3, "bread": 2},
        }
        super().__init__(metadata={**described, **options.pop("metadata", {})}, **options)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> dict[str, int]:
        cards = house().catalog.cards
        return {cards[n].slug if n in cards else str(n): count for n, count in value.items()}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[int, int]:
        if not isinstance(value, Mapping) or len(value) > MOST_LISTED:
            raise ValidationError(f"Must be an object of at most {MOST_LISTED} cards: copies by slug.")
        counts: dict[int, int] = {}
        faults: dict[str, Any] = {}
        for key, count in value.items():
            number = find_number(house().catalog, key)
            if number is None:
                faults[key] = [Fault("unknown_card", f"There is no card {key[:60]}.")]
            elif number in counts:
                faults[key] = [Fault("repeated_card", "This card is named twice, by slug and by number.")]
            elif not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_COUNTED:
                text = f"Copies are a whole number from 1 to {MOST_COUNTED}."
                faults[key] = [Fault("bad_count", text, data={"number": number})]
            else:
                counts[number] = count
        if faults:
            raise ValidationError(faults)
        return counts


def find_number(catalog: Catalog, name: str) -> int | None:
    """The number of the card with that slug, or that number in digits; None if there is none."""
    if name.isascii() and name.isdecimal() and len(name) <= 10:
        return int(name) if int(name) in catalog.cards else None
    try:
        return catalog.by_slug(name).number
    except KeyError:
        return None
