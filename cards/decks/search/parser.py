"""Read and write the texts of queries, such as `t:recipe cost<=3 -cat:oil sort:cost`.

    query   = or                      and, outside parentheses, any number of sort:KEY, sort:-KEY
    or      = and { "or" and }
    and     = not { ["and"] not }
    not     = { "-" } ( "(" or ")" | term )
    term    = [ key op ] ( word | '"' text '"' )
    op      = ":" | "=" | "!=" | "<" | "<=" | ">" | ">="

Columns count characters from 1. A text that is no query is refused, and the error says at which column. A
condition with an unknown key is left out with a warning, so that the query finds more than was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cards.decks.search.query import (
    CHOICE,
    COMPARISONS,
    DATE,
    NUMBER,
    SORT,
    TEXT,
    And,
    Language,
    Node,
    Not,
    Or,
    Query,
    SearchField,
    SortBy,
    Term,
    both,
    chosen,
    either,
    folded,
    negated,
    number_text,
    span,
)

_OP = re.compile(r"<=|>=|!=|[:=<>]")
_WORD = re.compile(r"(?:[^\s()\":=<>!]|!(?!=))+")
_VALUE = re.compile(r"[^\s()\"]+")
_BLANK = re.compile(r"\s*")
_SORTED = re.compile(r"sort[:=]", re.IGNORECASE)
_A_TERM = ("a word", 'a text in ""', "a key with a value", "(")


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """The most characters, terms and nested parentheses that a query may have."""

    length: int = 500
    terms: int = 50
    depth: int = 10


LIMITS = QueryLimits()


@dataclass(frozen=True, slots=True)
class QueryWarning:
    """A part of a query that was left out; `code` is stable: unknown_key, unknown_sort, repeated_sort."""

    code: str
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query, and warnings of what was left out of its text."""

    query: Query
    warnings: tuple[QueryWarning, ...]


class QueryError(ValueError):
    """A text that is no query: the column of the error (from 1), the reason, and what was expected there.

    `code` is stable: empty_query, query_too_long, too_many_terms, too_deep, unclosed_quote,
    unclosed_parenthesis, unopened_parenthesis, expected_term, expected_key, expected_value, bad_operator,
    bad_number, bad_date, bad_choice, bad_text, misplaced_sort.
    """

    def __init__(self, code: str, column: int, text: str, expected: Iterable[str] = ()) -> None:
        super().__init__(f"column {column}: {text}")
        self.code = code
        self.column = column
        self.text = text
        self.expected = tuple(expected)


def write(query: Query) -> str:
    """The text of a query in normal form. `parse` reads it back, if it keeps the limits."""
    where = [] if query.where is None else [_written(query.where)]
    return " ".join([*where, *(f"{SORT}:{'-' if by.down else ''}{by.field}" for by in query.order)])


def _written(node: Node) -> str:
    if isinstance(node, Term):
        return f"{node.field}{node.op}" + (f'"{node.value}"' if " " in node.value else node.value)
    if isinstance(node, Not):
        return f"-{_grouped(node.of, (And, Or))}"
    if isinstance(node, And):
        return " ".join(_grouped(part, Or) for part in node.of)
    return " or ".join(_written(part) for part in node.of)


def _grouped(node: Node, kinds: Any) -> str:
    return f"({_written(node)})" if isinstance(node, kinds) else _written(node)


# -- Reading -------------------------------------------------------------------


def parse(text: str, language: Language, limits: QueryLimits = LIMITS) -> ParsedQuery:
    """The query of a text, and warnings of unknown keys. Raises `QueryError`."""
    if len(text) > limits.length:
        detail = f"a query has at most {limits.length} characters, not {len(text)}"
        raise QueryError("query_too_long", limits.length + 1, detail)
    return _Parser(text, language, limits).query()


class _Parser:
    """A parser by recursive descent; `at` is its position, from 0.

    A part of the query is None where all its conditions were left out.
    """

    def __init__(self, text: str, language: Language, limits: QueryLimits) -> None:
        self.text = text
        self.language = language
        self.limits = limits
        self.at = 0
        self.terms = 0
        self.order: dict[str, SortBy] = {}
        self.warnings: list[QueryWarning] = []

    def query(self) -> ParsedQuery:
        """Read the whole text."""
        self._blank()
        if self._ends():
            raise self._error("empty_query", self.at, "the query is empty", _A_TERM)
        where, conditions = self._or(0)
        if not self._ends():
            raise self._error("unopened_parenthesis", self.at, "this parenthesis was never opened")
        if where is None and (conditions or not self.order):
            first = self.warnings[0]
            raise QueryError("empty_query", first.column, f"nothing is left of the query: {first.text}")
        return ParsedQuery(Query(where, tuple(self.order.values())), tuple(self.warnings))

    def _or(self, depth: int) -> tuple[Node | None, int]:
        """A node, and how many conditions the text has for it, those left out included."""
        parts = [(self.at, *self._and(depth))]
        while self._takes("or"):
            parts.append((self.at, *self._and(depth)))
        for start, _, conditions in parts:
            if not conditions and len(parts) > 1:
                raise self._error("expected_term", start, "or needs a condition on both sides", _A_TERM)
        node = either(node for _, node, _ in parts if node is not None)
        return node, sum(conditions for *_, conditions in parts)

    def _and(self, depth: int) -> tuple[Node | None, int]:
        nodes: list[Node | None] = []
        conditions = 0
        while True:
            if sort := self._sort(depth):
                self._sorted(*sort)
            else:
                nodes.append(self._not(depth))
                conditions += 1
            asked = self._takes("and")
            if not asked and (self._ends() or self.text[self.at] == ")" or self._stands("or")):
                return both(node for node in nodes if node is not None), conditions

    def _not(self, depth: int) -> Node | None:
        start = self.at
        while self.text[self.at : self.at + 1] == "-":
            self.at += 1
        following = self.text[self.at : self.at + 1]
        if self.at > start and not following.strip():
            raise self._error("expected_term", self.at, "there is nothing after the -", _A_TERM)
        contrary = (self.at - start) % 2 == 1
        node = self._group(depth) if following == "(" else self._term()
        self._blank()
        return negated(node) if node is not None and contrary else node

    def _group(self, depth: int) -> Node | None:
        opened = self.at
        if depth == self.limits.depth:
            text = f"parentheses go at most {self.limits.depth} deep"
            raise self._error("too_deep", opened, text)
        self.at += 1
        self._blank()
        node, _ = self._or(depth + 1)
        if self._ends():
            raise self._error("unclosed_parenthesis", opened, "this parenthesis is never closed", [")"])
        self.at += 1
        return node

    def _term(self) -> Node | None:
        start = self.at
        if self._ends() or self.text[start] == ")" or self._stands("or") or self._stands("and"):
            raise self._error("expected_term", start, f"a condition is missing{self._before()}", _A_TERM)
        self._count(start)
        if self.text[start] == '"':
            return self._made(self.language[self.language.free], ":", self._quoted(), start)
        word = _WORD.match(self.text, start)
        if word is None:
            raise self._error("expected_key", start, "there is no key before this", ["a key"])
        self.at = word.end()
        op = _OP.match(self.text, self.at)
        if op is None:
            return self._made(self.language[self.language.free], ":", word[0], start)
        self.at = op.end()
        if word[0].lower() == SORT:
            if op[0] not in ":=":
                raise self._error("bad_operator", op.start(), "sort takes a colon", [":"])
            raise self._error("misplaced_sort", start, "sort must be outside parentheses and without a -")
        value, column = self._value()
        found = self.language.find(word[0])
        if found is None:
            text = f"{word[0]} is not a key of {self.language.name}{self.language.near(word[0])}"
            self.warnings.append(QueryWarning("unknown_key", start + 1, text))
            return None
        if op[0] not in found.operators:
            text = f"{found.name} can't be compared by {op[0]}"
            raise self._error("bad_operator", op.start(), text, found.operators)
        return self._made(found, op[0], value, column)

    def _value(self) -> tuple[str, int]:
        """The value after an operator, and its position."""
        start = self.at
        if self.text[start : start + 1] == '"':
            return self._quoted(), start
        found = _VALUE.match(self.text, start)
        if found is None:
            raise self._error("expected_value", start, "a value is missing", ["a word", 'a text in ""'])
        self.at = found.end()
        return found[0], start

    def _quoted(self) -> str:
        start = self.at
        end = self.text.find('"', start + 1)
        if end < 0:
            raise self._error("unclosed_quote", start, "this quotation mark is never closed", ['"'])
        self.at = end + 1
        return self.text[start + 1 : end]

    def _made(self, found: SearchField, op: str, value: str, start: int) -> Node:
        """The term, with its value in normal form; `a!=b` becomes `-a=b`."""
        given = self._normal(found, value, start)
        if op in COMPARISONS:
            return Term(found.name, op, given)
        kind = "=" if op != ":" and found.kind == TEXT else ":"
        term = Term(found.name, kind, given)
        return Not(term) if op == "!=" else term

    def _normal(self, found: SearchField, value: str, start: int) -> str:
        """A value of a field in normal form."""
        if found.kind == NUMBER:
            number = number_text(value, found.places)
            if number is None:
                kind = "a whole number" if not found.places else f"a number, {found.places} decimals at most"
                raise self._error("bad_number", start, f"{found.name} is {kind}", [kind])
            return number
        if found.kind == DATE:
            try:
                span(value)
            except ValueError:
                text, expected = (
                    f"{found.name} is a year, a month or a day",
                    ["2026", "2026-11", "2026-11-30"],
                )
                raise self._error("bad_date", start, text, expected) from None
            return value
        if found.kind == CHOICE:
            return self._chosen(found, value, start)
        words = folded(value)
        if not words:
            raise self._error("bad_text", start, "there is no letter or digit to look for", ["a word"])
        return words

    def _chosen(self, found: SearchField, value: str, start: int) -> str:
        fitting = chosen(value, found.choices)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            text = f"{found.name}:{value} may mean {' or '.join(fitting)}"
        else:
            text = f"{found.name} has no value {value}; its values are {', '.join(found.choices)}"
        raise self._error("bad_choice", start, text, fitting or found.choices)

    def _sort(self, depth: int) -> tuple[str, int] | None:
        """Read a sort:KEY at this position: its value and position; None if there is none."""
        found = _SORTED.match(self.text, self.at)
        if found is None or depth:
            return None
        self._count(self.at)
        self.at = found.end()
        value = self._value()
        self._blank()
        return value

    def _sorted(self, value: str, start: int) -> None:
        down = value.startswith("-")
        found = self.language.find(value[down:])
        known = [each.name for each in self.language.fields if each.sorts]
        if found is None or not found.sorts:
            text = f"{self.language.name} can't be sorted by {value[down:]}, only by {', '.join(known)}"
            self.warnings.append(QueryWarning("unknown_sort", start + 1, text))
        elif found.name in self.order:
            text = f"they are sorted by {found.name} already"
            self.warnings.append(QueryWarning("repeated_sort", start + 1, text))
        else:
            self.order[found.name] = SortBy(found.name, down)

    def _count(self, start: int) -> None:
        self.terms += 1
        if self.terms > self.limits.terms:
            raise self._error("too_many_terms", start, f"a query has at most {self.limits.terms} terms")

    # Its position in the text

    def _ends(self) -> bool:
        return self.at >= len(self.text)

    def _blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _stands(self, keyword: str) -> bool:
        """Tell whether this keyword stands at the position, as a word of its own."""
        word = _WORD.match(self.text, self.at)
        return word is not None and word[0].lower() == keyword and _OP.match(self.text, word.end()) is None

    def _takes(self, keyword: str) -> bool:
        if not self._stands(keyword):
            return False
        self.at += len(keyword)
        self._blank()
        return True

    def _before(self) -> str:
        if self._ends():
            return " at the end"
        if self.text[self.at] == ")":
            return " before this parenthesis"
        return " before this word"

    def _error(self, code: str, at: int, text: str, expected: Iterable[str] = ()) -> QueryError:
        return QueryError(code, at + 1, text, expected)
