"""Lists that can be searched by `?q=` in the search language, with warnings and cursors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

from marshmallow import Schema, fields

from cards.decks.search import Owned, Search, needs_owner
from cards.decks.search.parser import QueryError, QueryLimits, parse, write
from cards.decks.search.query import Language, Query
from crypto.encoding import b64
from service.operations import collection
from service.problems import Fault, Problem, bad_request, unauthorized
from service.web.context import house, perhaps_me
from service.web.errors import FaultView
from service.web.paging import PageQuery, page, page_of, read_any_cursor, unknown_cursor

Item = TypeVar("Item")

_VERSION = "q1"
"""The version of the cursors. A new one is due when the same query may mean another order."""


class SearchQuery(PageQuery):
    """The page of a list, or of what a query finds in it."""

    q = fields.String(
        load_default=None,
        metadata={
            "description": "A query (docs/search.md): the list has only what it finds, in its order."
            " GET /limits says"
            " how long it may be, how many terms it may have, and how deep its parentheses may go."
        },
    )


@cache
def found_page_of(view: type[Schema]) -> type[Schema]:
    """The schema of a page of a list that can be searched."""
    plain = page_of(view)
    return plain.from_dict(
        {
            "query": fields.String(
                required=True,
                allow_none=True,
                metadata={"description": "The query as the house understood it; null without a query."},
            ),
            "warnings": fields.List(
                fields.Nested(FaultView),
                required=True,
                metadata={
                    "description": "The parts of the query that were ignored, each with its column,"
                    " counted from 1."
                },
            ),
        },
        name="Found" + plain.__name__.removesuffix("Schema"),
    )


class SearchRequest:
    """A query that came with a request, parsed. Raises `Problem` 400."""

    def __init__(self, text: str, language: Language, scope: str = "") -> None:
        """`scope` is what else decides which items the list has, such as the set of a card."""
        limits = house().settings
        try:
            parsed = parse(
                text, language, QueryLimits(limits.query_length, limits.query_terms, limits.query_depth)
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
        """The search. Raises `Problem` 401 if the query asks for own cards and nobody is signed in."""
        owned: Owned | None = None
        if needs_owner(self.query, self.language):
            who = perhaps_me()
            if who is None:
                raise unauthorized("not_signed_in", "A search for cards that you own needs a token.")
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
        """A page as `paging.page` makes it, with the query as it was understood."""
        shown = page(items, limit, lambda item: (self._name, *key(item)))
        return {**shown, "query": self.written, "warnings": self.warnings}


def not_searched(shown: dict[str, Any]) -> dict[str, Any]:
    """A page of a list that was not searched."""
    return {**shown, "query": None, "warnings": []}


def _refused(error: QueryError) -> Problem:
    data: dict[str, Any] = {"column": error.column}
    if error.expected:
        data["expected"] = list(error.expected)
    detail = f"Column {error.column} of the query: {error.text}."
    return bad_request(error.code, detail, [Fault(error.code, detail, parameter="q", data=data)])
