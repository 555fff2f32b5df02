"""Questions in the search language as values: what can be asked, and what is.

What can be asked is a `Language`: `cards.decks.search` has that of cards and that of decks, and answers.
A `Query` is a value in a normal form: two texts that say the same give equal queries.
`cards.decks.query_text` reads and writes the texts. docs/search.md is for people.
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
"""The key that says an order."""

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


@dataclass(frozen=True, slots=True)
class Field:
    """Something that can be asked of a card or a deck."""

    name: str
    kind: str
    """TEXT, NUMBER, CHOICE or DATE."""
    text: str
    """What it is, for people."""
    read: Callable[[Any, Mapping[int, int]], Any] = field(compare=False)
    """Its value, from the facts and what the asker owns: folded texts, a line each with a blank before it;
    a whole number; choices; milliseconds."""
    aliases: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    ordered: bool = False
    """Whether its choices stand in an order and can be compared."""
    places: int = 0
    """Decimal places of a number; it is counted in units of the last one."""
    sorts: bool = False
    """Whether one can sort by it."""
    owner: bool = False
    """Whether the answer depends on who asks."""

    @property
    def operators(self) -> tuple[str, ...]:
        """What may stand between its name and a value."""
        compared = self.kind in (NUMBER, DATE) or self.ordered
        return (":", "=", "!=", *(COMPARISONS if compared else ()))


class Language:
    """What can be asked of one kind of thing; a free word is a text that `free` names."""

    def __init__(
        self,
        name: str,
        fields: Iterable[Field],
        free: str,
        tie: Callable[[Any], tuple[Any, ...]],
        counted: bool = False,
    ) -> None:
        self.name = name
        self.fields = tuple(fields)
        self.free = free
        self.tie = tie
        """What tells two things apart that sort alike, in ascending order."""
        self.counted = counted
        """Whether reading a value takes more than a look."""
        self._by_name = {name: found for found in self.fields for name in (found.name, *found.aliases)}

    def find(self, name: str) -> Field | None:
        """The field of that name or alias, in any case of letters."""
        return self._by_name.get(name.lower())

    def __getitem__(self, name: str) -> Field:
        return self._by_name[name]

    def near(self, name: str) -> str:
        """The key that was perhaps meant, as the end of a sentence; else nothing."""
        close = get_close_matches(name.lower(), [*self._by_name, SORT], 1, 0.7)
        return f"; {close[0]}?" if close else ""


# -- Queries -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Term:
    """A field, `:`, `=` (of texts alone: the whole of it) or a comparison, and a value in its one form."""

    field: str
    op: str
    value: str


@dataclass(frozen=True, slots=True)
class Not:
    """What is not so; never another Not."""

    of: Term | And | Or


@dataclass(frozen=True, slots=True)
class And:
    """Two or more, none an And."""

    of: tuple[Term | Not | Or, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Two or more, none an Or."""

    of: tuple[Term | Not | And, ...]


Node = Term | Not | And | Or


@dataclass(frozen=True, slots=True)
class Order:
    """A field to sort by, downwards or upwards."""

    field: str
    down: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked: of everything that `where` holds for, in this order."""

    where: Node | None
    order: tuple[Order, ...] = ()

    def fields(self) -> Iterator[str]:
        """The names of all fields that it asks or sorts by."""
        yield from (order.field for order in self.order)
        stack: list[Node] = [] if self.where is None else [self.where]
        while stack:
            node = stack.pop()
            if isinstance(node, Term):
                yield node.field
            else:
                stack += [node.of] if isinstance(node, Not) else node.of


def both(nodes: Iterable[Node]) -> Node | None:
    """All of them, in normal form; None for none."""
    flat = [part for node in nodes for part in (node.of if isinstance(node, And) else (node,))]
    return And(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def either(nodes: Iterable[Node]) -> Node | None:
    """At least one of them, in normal form; None for none."""
    flat = [part for node in nodes for part in (node.of if isinstance(node, Or) else (node,))]
    return Or(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def negated(node: Node) -> Node:
    """Its contrary, in normal form."""
    return node.of if isinstance(node, Not) else Not(node)


# -- Values --------------------------------------------------------------------


@lru_cache(4096)
def folded(text: str) -> str:
    """A text as it is compared: lower case, no accents, words of letters and digits parted by one blank."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    kept = "".join(
        c if c.isalnum() else " " for c in plain if c not in "'\u2019" and not unicodedata.combining(c)
    )
    return " ".join(kept.split())


def whole(value: str, places: int = 0) -> int | None:
    """A decimal number in units of its last place; None if it is none, or has more places."""
    found = re.fullmatch(r"([0-9]{1,10})(?:\.([0-9]{1,9}))?", value)
    if found is None or len(decimals := (found[2] or "").rstrip("0")) > places:
        return None
    power: int = 10**places
    return int(found[1]) * power + int((decimals or "0").ljust(places, "0"))


def number_text(value: str, places: int) -> str | None:
    """Such a number in its one form: no zeros that it does not need."""
    n = whole(value, places)
    if n is None:
        return None
    units, rest = divmod(n, 10**places)
    return f"{units}.{rest:0{places}}".rstrip("0").rstrip(".") if places else str(units)


def span(value: str) -> tuple[int, int] | None:
    """A year, month or day in UTC: its first millisecond and the first after it; None if it is none."""
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        start = datetime(year, month or 1, day or 1, tzinfo=UTC)
        if found[3]:
            return _ms(start), _ms(start) + 24 * 60 * 60 * 1000
        last = not found[2] or month == 12
        end = start.replace(year=year + 1, month=1) if last else start.replace(month=month + 1)
    except ValueError:
        return None
    return _ms(start), _ms(end)


def _ms(time: datetime) -> int:
    return round(time.timestamp()) * 1000


def chosen(wanted: str, choices: tuple[str, ...]) -> list[str]:
    """The choices that are so called, or else begin so: `one-time` and `onet` are onetime."""
    plain = re.sub(r"[-_]", "", wanted.lower())
    return (
        [plain] if plain in choices else [choice for choice in choices if plain and choice.startswith(plain)]
    )
