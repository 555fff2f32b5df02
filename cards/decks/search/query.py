"""Queries of the search language as values, and the languages that they are written in.

A `Language` lists the fields that can be asked for; `cards.decks.search.fields` has the two languages.
A `Query` has a normal form, so that two texts with the same meaning give equal queries.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

TEXT, NUMBER, CHOICE, DATE = "text", "number", "choice", "date"

COMPARISONS = ("<", "<=", ">", ">=")
SORT = "sort"
"""The key that gives an order."""

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


@dataclass(frozen=True, slots=True)
class SearchField:
    """Something that can be asked of a card or a deck: a key of the language."""

    name: str
    kind: str
    """TEXT, NUMBER, CHOICE or DATE."""
    text: str
    """A description for people."""
    read: Callable[[Any, Mapping[int, int]], Any] = field(compare=False)
    """Its value, read from a fact and the asker's copies by card number.

    TEXT: folded texts, a line each, with a blank before each. NUMBER: a whole number, in units of the last
    decimal place. CHOICE: the choices that are true. DATE: milliseconds since 1970.
    """
    aliases: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    ordered: bool = False
    """True if its choices have an order, and so can be compared."""
    places: int = 0
    """Decimal places of a number."""
    sorts: bool = False
    """True if results can be sorted by it."""
    owner: bool = False
    """True if the answer depends on who asks."""

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators that may stand between its name and a value."""
        compared = self.kind in (NUMBER, DATE) or self.ordered
        return (":", "=", "!=", *(COMPARISONS if compared else ()))


class Language:
    """The fields that can be asked of one kind of thing.

    A word without a key is looked for in the field `free`.
    """

    def __init__(
        self,
        name: str,
        fields: Iterable[SearchField],
        free: str,
        tie: Callable[[Any], tuple[Any, ...]],
        counted: bool = False,
    ) -> None:
        self.name = name
        self.fields = tuple(fields)
        self.free = free
        self.tie = tie
        """Gives values that tell apart things that sort alike; they are compared in ascending order."""
        self.counted = counted
        """True if reading a value takes a computation, so that it is worth remembering."""
        self._by_name = {name: found for found in self.fields for name in (found.name, *found.aliases)}

    def find(self, name: str) -> SearchField | None:
        """The field with that name or alias, in upper or lower case; None if there is none."""
        return self._by_name.get(name.lower())

    def __getitem__(self, name: str) -> SearchField:
        return self._by_name[name]

    def near(self, name: str) -> str:
        """The key that was perhaps meant, for a sentence: " (did you mean cost?)"; empty if none is close."""
        close = get_close_matches(name.lower(), [*self._by_name, SORT], 1, 0.7)
        return f" (did you mean {close[0]}?)" if close else ""


# -- Queries -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Term:
    """A condition: a field, an operator, and a value in normal form.

    The operator is `:` or a comparison; texts also have `=`, which compares the whole text.
    """

    field: str
    op: str
    value: str


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition, which is never another Not."""

    of: Term | And | Or


@dataclass(frozen=True, slots=True)
class And:
    """Two or more conditions that all hold; none of them is an And."""

    of: tuple[Term | Not | Or, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Two or more conditions of which one holds at least; none of them is an Or."""

    of: tuple[Term | Not | And, ...]


Node = Term | Not | And | Or


@dataclass(frozen=True, slots=True)
class SortBy:
    """A field to sort by, ascending or (`down`) descending."""

    field: str
    down: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A condition, None if everything is asked for, and the order of the results."""

    where: Node | None
    order: tuple[SortBy, ...] = ()

    def fields(self) -> Iterator[str]:
        """The names of all fields in its condition and its order."""
        yield from (order.field for order in self.order)
        stack: list[Node] = [] if self.where is None else [self.where]
        while stack:
            node = stack.pop()
            if isinstance(node, Term):
                yield node.field
            else:
                stack += [node.of] if isinstance(node, Not) else node.of


def both(nodes: Iterable[Node]) -> Node | None:
    """The conjunction of some conditions, in normal form; None if there are none."""
    flat = [part for node in nodes for part in (node.of if isinstance(node, And) else (node,))]
    return And(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def either(nodes: Iterable[Node]) -> Node | None:
    """The disjunction of some conditions, in normal form; None if there are none."""
    flat = [part for node in nodes for part in (node.of if isinstance(node, Or) else (node,))]
    return Or(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def negated(node: Node) -> Node:
    """The negation of a condition, in normal form."""
    return node.of if isinstance(node, Not) else Not(node)


# -- Values --------------------------------------------------------------------


@lru_cache(4096)
def folded(text: str) -> str:
    """A text as it is compared: lower-case words of letters and digits, no accents, single blanks."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    kept = "".join(
        c if c.isalnum() else " " for c in plain if c not in "'\u2019" and not unicodedata.combining(c)
    )
    return " ".join(kept.split())


def whole(value: str, places: int = 0) -> int | None:
    """A decimal number in units of its last place; None for other texts and for more decimal places."""
    found = re.fullmatch(r"([0-9]{1,10})(?:\.([0-9]{1,9}))?", value)
    if found is None or len(decimals := (found[2] or "").rstrip("0")) > places:
        return None
    power: int = 10**places
    return int(found[1]) * power + int((decimals or "0").ljust(places, "0"))


def number_text(value: str, places: int) -> str | None:
    """A decimal number in normal form, without needless zeros; None where `whole` gives None."""
    n = whole(value, places)
    if n is None:
        return None
    units, rest = divmod(n, 10**places)
    return f"{units}.{rest:0{places}}".rstrip("0").rstrip(".") if places else str(units)


def span(value: str) -> tuple[int, int]:
    """A year, month or day in UTC as milliseconds since 1970: its first, and the first after it.

    Raises `ValueError` for other texts and for dates that don't exist.
    """
    found = _DATE.fullmatch(value)
    if found is None:
        raise ValueError(f"{value} is no year, month or day")
    year, month, day = (int(part) if part else 0 for part in found.groups())
    start = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if found[3]:
        return _ms(start), _ms(start) + 24 * 60 * 60 * 1000
    last = not found[2] or month == 12
    end = start.replace(year=year + 1, month=1) if last else start.replace(month=month + 1)
    return _ms(start), _ms(end)


def _ms(time: datetime) -> int:
    return round(time.timestamp()) * 1000


def chosen(wanted: str, choices: tuple[str, ...]) -> list[str]:
    """The choice with this name, or else those that begin with it: `one-time` and `onet` give onetime."""
    plain = re.sub(r"[-_]", "", wanted.lower())
    return (
        [plain] if plain in choices else [choice for choice in choices if plain and choice.startswith(plain)]
    )
