"""Long lists in pages. An opaque cursor says where the last page ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from marshmallow import Schema, fields, validate

from crypto.encoding import EncodingError, b64, parse, unb64
from service.problems import Fault, Problem, bad_request

Item = TypeVar("Item")

USUAL = 50
MOST = 200


class PageQuery(Schema):
    """The page of a list."""

    cursor = fields.String(
        load_default=None,
        metadata={"description": "`next` of the page before. Default: the first page."},
    )
    limit = fields.Integer(
        load_default=USUAL,
        validate=validate.Range(1, MOST),
        metadata={"description": "The most items on the page."},
    )


@cache
def page_of(view: type[Schema]) -> type[Schema]:
    """The schema of a page of such items."""
    name = view.__name__.removesuffix("View") + "Page"
    return Schema.from_dict(
        {
            "items": fields.List(fields.Nested(view), required=True),
            "next": fields.String(
                required=True,
                allow_none=True,
                metadata={"description": "The cursor of the next page; null on the last one."},
            ),
        },
        name=name,
    )


def page(items: Sequence[Item], limit: int, key: Callable[[Item], tuple[int | str, ...]]) -> dict[str, Any]:
    """A page of the first `limit` of `items`. The caller has read one item more to know of a next page."""
    shown = items[:limit]
    return {"items": shown, "next": _write(key(shown[-1])) if len(items) > limit else None}


def read_cursor(text: str | None, *kinds: type) -> tuple[Any, ...] | None:
    """The key in a cursor, its parts of the given types (int, str). Raises `Problem` 400."""
    key = read_any_cursor(text)
    if key is not None and [type(part) for part in key] != list(kinds):
        raise unknown_cursor()
    return key


def read_any_cursor(text: str | None) -> tuple[Any, ...] | None:
    """The key in a cursor of any list. Raises `Problem` 400."""
    if text is None:
        return None
    try:
        key = parse(unb64(text))
    except EncodingError:
        raise unknown_cursor() from None
    if not isinstance(key, list):
        raise unknown_cursor()
    if not all(part.isprintable() for part in key if isinstance(part, str)):
        raise unknown_cursor()  # a database could not store such a text
    return tuple(key)


def _write(key: tuple[int | str, ...]) -> str:
    return b64(json.dumps(key, separators=(",", ":")).encode())


def unknown_cursor() -> Problem:
    """The problem of a cursor that is not from this list."""
    detail = "This is not a cursor of this list."
    return bad_request("bad_cursor", detail, [Fault("bad_cursor", detail, parameter="cursor")])
