"""Lists that can be searched: `?q=` in the search language, what was passed over in it, and its cursors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

from marshmallow import Schema, fields

from cards.decks.search import Owned, Search, needs_owner
from cards.decks.search.parser import Limits, QueryError, parse, write
from cards.decks.search.query import Language, Query
from crypto.encoding import b64
from service.operations import collection
from service.problems import Fault, Problem, bad_request, unauthorized
from service.web.context import house, perhaps_me
from service.web.errors import FaultView
from service.web.paging import PageQuery, page, page_of, read_any_cursor, unknown_cursor

Item = TypeVar("Item")

_VERSION = "q1"
"""Of the cursors: a new one whenever the same query may stand for another order."""


class SearchQuery(PageQuery):
    """Which page of what is found."""

    q = fields.String(
        load_default=None,
        metadata={
            "description": "Only what this query finds, in its order: see docs/search.md. How long it may be,"
            " how many terms it may have and how deep its parentheses go, the house says (500, 50 and 10)."
        },
    )


@cache
def found_page_of(view: type[Schema]) -> type[Schema]:
    """The schema of a page of such items that may have been searched for."""
    plain = page_of(view)
    return plain.from_dict(
        {
            "query": fields.String(
                required=True,
                allow_none=True,
                metadata={"description": "How the query was understood, written out; null without one."},
            ),
            "warnings": fields.List(
                fields.Nested(FaultView),
                required=True,
                metadata={"description": "What was passed over in the query, each with its column from 1."},
            ),
        },
        name="Found" + plain.__name__.removesuffix("Schema"),
    )


class Asked:
    """A query that came with a request, read; raises `Problem` 400."""

    def __init__(self, text: str, language: Language, scope: str = "") -> None:
        """`scope` is what else decides which items there are."""
        limits = house().settings
        try:
            parsed = parse(
                text, language, Limits(limits.query_length, limits.query_terms, limits.query_depth)
            )
        except QueryError as error:
            raise _refused(error) from None
        self.language = language
        self.query: Query = parsed.query
        self.written = write(parsed.query)
        self.warnings = [
            Fault(found.code, f"{found.text}.", parameter="q", data={"column": found.column})
            for found in parsed.warnings
        ]
        data = f"{_VERSION}\0{language.name}\0{scope}\0{self.written}".encode()
        self._name = _VERSION + b64(sha256(data).digest()[:9])

    def search(self) -> Search[Any]:
        """To be asked of facts. Raises `Problem` 401 if it asks for one's own and nobody is signed in."""
        owned: Owned | None = None
        if needs_owner(self.query, self.language):
            who = perhaps_me()
            if who is None:
                raise unauthorized("not_signed_in", "What you own can only be searched for with a token.")
            with house().read() as session:
                owned = collection.owned(session, who.id)
        return Search(self.query, self.language, owned)

    def after(self, cursor: str | None, kinds: Sequence[type]) -> tuple[Any, ...] | None:
        """The key in a cursor of this query. Raises `Problem` 400."""
        key = read_any_cursor(cursor)
        if key is None:
            return None
        if not key or key[0] != self._name:
            detail = "This is a cursor of another query."
            raise bad_request(
                "cursor_of_another_query",
                detail,
                [Fault("cursor_of_another_query", detail, parameter="cursor")],
            )
        if [type(part) for part in key[1:]] != list(kinds):
            raise unknown_cursor()
        return key[1:]

    def page(
        self, items: Sequence[Item], limit: int, key: Callable[[Item], tuple[Any, ...]]
    ) -> dict[str, Any]:
        """A page, as `paging.page`, with how the query was understood."""
        shown = page(items, limit, lambda item: (self._name, *key(item)))
        return {**shown, "query": self.written, "warnings": self.warnings}


def unasked(shown: dict[str, Any]) -> dict[str, Any]:
    """A page that nobody searched for."""
    return {**shown, "query": None, "warnings": []}


def _refused(error: QueryError) -> Problem:
    data: dict[str, Any] = {"column": error.column}
    if error.expected:
        data["expected"] = list(error.expected)
    detail = f"Column {error.column} of the query: {error.text}."
    return bad_request(error.code, detail, [Fault(error.code, detail, parameter="q", data=data)])
