"""Fields that several resources share: ids, times, lines of text, lists of cards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Flask, Response, g
from marshmallow import ValidationError, fields

from cards import games
from cards.catalog.cards import Catalog
from cards.decks.codes import DeckCodeError, decode
from cards.decks.plain_text import DeckTextError, read_listing
from cards.decks.search.query import folded
from crypto.encoding import timestamp
from service.operations.decks import LONGEST_TAG, MOST_TAGS
from service.operations.players import PASSWORD_LENGTH
from service.problems import Fault
from service.web.context import house

MOST_COUNTED = 999
"""Copies of one card in a deck list that is kept. The rules say what may be played."""
MOST_LISTED = 500
"""Different cards in a deck list that is kept."""
NOTICES = "Cloche-Notices"
"""The header that names the cards that were asked for by an old slug: faults as JSON, in ASCII."""
MOST_NOTICES = 20
"""Notices in that header; proxies refuse long headers."""


class Flag(fields.Boolean):
    """true or false in a JSON body. Texts and numbers that marshmallow would take for them are refused."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Id(fields.String):
    """The id of a player, deck, table, game or another thing that the house keeps: a UUID."""

    def __init__(self, what: str = "", **options: Any) -> None:
        described = {"format": "uuid", **({"description": what} if what else {})}
        super().__init__(metadata={**described, **options.pop("metadata", {})}, **options)


class Stored(fields.Dict):
    """A JSON object that the house answers with as it keeps it; the document names its schema."""

    def __init__(self, component: str, **options: Any) -> None:
        super().__init__(metadata={"allOf": [{"$ref": f"#/components/schemas/{component}"}]}, **options)


class Time(fields.String):
    """A time: milliseconds since 1970 inside, RFC 3339 in UTC on the wire. Requests have none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(metadata={"format": "date-time", **options.pop("metadata", {})}, **options)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else timestamp(value)


class OneLine(fields.String):
    """A line of text that people write. Blanks around it are cut off, control characters are refused."""

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


class NewPassword(fields.String):
    """A password that a player chooses. Answers have none."""

    def __init__(self, **options: Any) -> None:
        shortest, longest = PASSWORD_LENGTH
        described = {"format": "password", "minLength": shortest, "maxLength": longest}
        super().__init__(load_only=True, metadata={**described, **options.pop("metadata", {})}, **options)


class ModeName(fields.String):
    """The name of a mode that is played here, in a request."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        name = super()._deserialize(value, attr, data, **kwargs) or ""
        if name not in games.names():
            raise ValidationError([Fault("unknown_mode", f"Modes are {', '.join(games.names())}.")])
        return name


class CardCountsField(fields.Field[dict[int, int]]):
    """Copies by card: `{"tomato": 3}`. A key is a slug, or a number in digits; inside, keys are numbers.

    `inside` is the JSON pointer to the object of the body that has this field.
    """

    def __init__(self, inside: str = "", **options: Any) -> None:
        self.inside = inside
        described = {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1, "maximum": MOST_COUNTED},
            "description": "The number of copies by card. A key is a card's slug, or its number in digits.",
            "example": {"tomato": 3, "bread": 2},
        }
        super().__init__(metadata={**described, **options.pop("metadata", {})}, **options)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> dict[str, int] | None:
        if value is None:
            return None
        cards = house().catalog.cards
        return {cards[n].slug if n in cards else str(n): count for n, count in value.items()}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[int, int]:
        if not isinstance(value, Mapping) or len(value) > MOST_LISTED:
            raise ValidationError(f"Must be an object of at most {MOST_LISTED} cards: copies by slug.")
        counts: dict[int, int] = {}
        faults: dict[str, Any] = {}
        for key, count in value.items():
            number = find_number(house().catalog, key)
            if moves := house().catalog.moved(key):
                code = "renamed_card" if moves[0].kind == "renamed" else "withdrawn_card"
                _notice(code, f"{moves[0]}", pointer=f"{self.inside}/{attr}/{key}")
            if number is None:
                faults[key] = [Fault("unknown_card", f"There is no card {key[:60]}.")]
            elif number in counts:
                faults[key] = [
                    Fault("repeated_card", "The list names this card twice, by slug and by number.")
                ]
            elif not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_COUNTED:
                text = f"The number of copies must be a whole number from 1 to {MOST_COUNTED}."
                faults[key] = [Fault("bad_count", text, data={"number": number})]
            else:
                counts[number] = count
        if faults:
            raise ValidationError(faults)
        return counts


class DeckCode(fields.Field[dict[int, int]]):
    """A deck code (docs/cards.md#deck-codes) in a request; inside, copies by card number."""

    def __init__(self, **options: Any) -> None:
        described = {
            "type": "string",
            "description": "The deck list as a deck code, instead of `cards`.",
            "example": "PK1.EAEBAwIC1QNQ_wk",
        }
        super().__init__(metadata={**described, **options.pop("metadata", {})}, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[int, int]:
        if not isinstance(value, str):
            raise ValidationError("Must be a deck code.")
        try:
            counts = dict(decode(value).counts)
        except DeckCodeError as error:
            where = {} if error.position is None else {"position": error.position}
            raise ValidationError(
                [Fault(error.code, f"This is not a deck code: {error}.", data=where)]
            ) from None
        known = house().catalog.cards
        missing = [number for number in counts if number not in known]
        if missing:
            raise ValidationError(
                [Fault("unknown_card", f"There is no card {n}.", data={"number": n}) for n in missing]
            )
        if len(counts) > MOST_LISTED:
            raise ValidationError(f"Must name at most {MOST_LISTED} cards.")
        return counts


class DeckText(fields.Field[dict[int, int]]):
    """A deck list as text in a request, `3 Tuna` a line; inside, copies by card number.

    A refusal names every line that is wrong.
    """

    def __init__(self, **options: Any) -> None:
        described = {
            "type": "string",
            "description": "The deck list as text, instead of `cards`: a line for each card, with its"
            " copies and its"
            " name, slug or number. # begins a comment. Exports of other deck sites are read too, with"
            " headings and printings (docs/decks.md).",
            "example": "3 Tomato\n2 Bread",
        }
        super().__init__(metadata={**described, **options.pop("metadata", {})}, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[int, int]:
        if not isinstance(value, str):
            raise ValidationError("Must be a text.")
        catalog = house().catalog
        cards = ({"number": n, "slug": card.slug, "name": card.name} for n, card in catalog.cards.items())
        try:
            read = read_listing(value, cards, map(asdict, catalog.moves))
        except DeckTextError as error:
            lines = [Fault(f.code, f"Line {f.line}: {f.text}", data={"line": f.line}) for f in error.faults]
            raise ValidationError(lines) from None
        for notice in read.notices:
            _notice(notice.code, f"Line {notice.line}: {notice.text}", line=notice.line)
        counts = {catalog.by_slug(slug).number: n for slug, n in read.counts.items()}
        many = [number for number, n in counts.items() if n > MOST_COUNTED]
        if many or len(counts) > MOST_LISTED:
            text = (
                f"A deck list has at most {MOST_COUNTED} copies of a card, and at most {MOST_LISTED} cards."
            )
            raise ValidationError([Fault("bad_count", text)])
        return counts


class Tags(fields.Field[list[str]]):
    """Tags of a deck list: normalised, without repeats, in alphabetical order."""

    def __init__(self, **options: Any) -> None:
        described = {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_TAG},
            "maxItems": MOST_TAGS,
            "description": "The owner's labels. The house writes each in lower case, without accents, and"
            " with hyphens between words: `Quick Lunch` becomes `quick-lunch`.",
            "example": ["quick-lunch", "vegetarian"],
        }
        super().__init__(metadata={**described, **options.pop("metadata", {})}, **options)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> list[str]:
        return list(value)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[str]:
        if not isinstance(value, list):
            raise ValidationError("Must be an array of texts.")
        found: set[str] = set()
        faults: dict[int, list[Fault]] = {}
        for at, text in enumerate(value[: 10 * MOST_TAGS]):
            tag = folded(text).replace(" ", "-") if isinstance(text, str) else ""
            if 1 <= len(tag) <= LONGEST_TAG:
                found.add(tag)
            else:
                detail = f"A tag has 1 to {LONGEST_TAG} letters, digits and hyphens."
                faults[at] = [Fault("bad_tag", detail, data={"at_most": LONGEST_TAG})]
        if faults:
            raise ValidationError(dict(faults))
        if max(len(found), len(value) // 10) > MOST_TAGS:
            detail = f"A deck has at most {MOST_TAGS} tags."
            raise ValidationError([Fault("too_many_tags", detail, data={"at_most": MOST_TAGS})])
        return sorted(found)


def find_number(catalog: Catalog, name: str) -> int | None:
    """The number of the card that has, or once had, this slug, or this number in digits; else None."""
    if name.isascii() and name.isdecimal() and len(name) <= 10:
        return int(name) if int(name) in catalog.cards else None
    try:
        return catalog.called(name).number
    except KeyError:
        return None


def _notice(code: str, text: str, **data: Any) -> None:
    """Add a notice to the header Cloche-Notices of the answer."""
    g.setdefault("notices", []).append({"code": code, "detail": text, **data})


def install(app: Flask) -> None:
    """Have an application's answers name, in a header, the cards that a request named by an old slug."""

    def begin() -> None:
        g.pop("notices", None)

    def tell(response: Response) -> Response:
        if found := g.pop("notices", None):
            response.headers[NOTICES] = json.dumps(found[:MOST_NOTICES], separators=(",", ":"))
        return response

    app.before_request(begin)
    app.after_request(tell)
