"""Answer a query: find the facts that it holds for, sort them, and cut them into pages."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from cards.decks.search.facts import Owned
from cards.decks.search.query import (
    CHOICE,
    DATE,
    TEXT,
    And,
    Language,
    Node,
    Not,
    Query,
    SearchField,
    Term,
    span,
    whole,
)

Value = int | str
Fact = TypeVar("Fact")

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Search(Generic[Fact]):
    """A query made ready to be asked of many facts. `owned` are the asker's copies, by card number."""

    def __init__(self, query: Query, language: Language, owned: Owned | None = None) -> None:
        self._language = language
        self._owned: Owned = owned or {}
        self._readers: dict[str, Callable[[Any, Owned], Any]] = {}
        self._where = None if query.where is None else self._test(query.where)
        self._order = [(language[by.field], by.down) for by in query.order]

    def matches(self, fact: Fact) -> bool:
        """Tell whether the query holds for this fact."""
        return self._where is None or self._where(fact)

    def key(self, fact: Fact) -> tuple[Value, ...]:
        """The place of a fact in the order: the values that it is sorted by, then the language's `tie`."""
        return tuple(self._value(by, fact) for by, _ in self._order) + self._language.tie(fact)

    def kinds(self, tie: tuple[type, ...]) -> tuple[type, ...]:
        """The types of the parts of a `key`; those of the language's `tie` are given, and come last."""
        return tuple(str if by.kind == TEXT else int for by, _ in self._order) + tie

    def page(
        self, facts: Iterable[Fact], after: tuple[Value, ...] | None = None, limit: int | None = None
    ) -> list[Fact]:
        """The facts that the query holds for, in order: those after the key `after`, at most `limit`."""
        where = self._where
        found = [*facts] if where is None else [fact for fact in facts if where(fact)]
        found.sort(key=lambda fact: self._rank(self.key(fact)))
        start = 0
        if after is not None:
            start = bisect_right(found, self._rank(after), key=lambda fact: self._rank(self.key(fact)))
        return found[start : None if limit is None else start + limit]

    def _rank(self, key: tuple[Value, ...]) -> tuple[Any, ...]:
        """A key in a form that compares as the order says, descending parts included."""
        downs = [down for _, down in self._order]
        return (
            tuple(_Descending(part) if down else part for part, down in zip(key, downs, strict=False))
            + key[len(downs) :]
        )

    def _value(self, by: SearchField, fact: Fact) -> Value:
        value = self._reader(by)(fact, self._owned)
        if by.kind == CHOICE:
            return by.choices.index(value[0])
        return str(value).strip() if by.kind == TEXT else int(value)

    def _reader(self, by: SearchField) -> Callable[[Any, Owned], Any]:
        """Return the function that reads a field.

        In a `counted` language, a fact's value is computed once.
        """
        if not self._language.counted:
            return by.read
        return self._readers.setdefault(by.name, _remembering(by.read))

    # Conditions as functions of a fact

    def _test(self, node: Node) -> Callable[[Fact], bool]:
        if isinstance(node, Term):
            return self._term(node)
        if isinstance(node, Not):
            inner = self._test(node.of)
            return lambda fact: not inner(fact)
        return _joined([self._test(part) for part in node.of], isinstance(node, And))

    def _term(self, term: Term) -> Callable[[Fact], bool]:
        by, owned = self._language[term.field], self._owned
        read = self._reader(by)
        if by.kind == TEXT:
            wanted = f"\n {term.value}\n" if term.op == "=" else f" {term.value}"
            return lambda fact: wanted in read(fact, owned)
        if by.kind == DATE:
            return self._date(term, by)
        if by.kind == CHOICE and term.op == ":":
            return lambda fact: term.value in read(fact, owned)
        if by.kind == CHOICE:
            rank, compare = by.choices.index(term.value), _COMPARE[term.op]
            return lambda fact: any(compare(by.choices.index(each), rank) for each in read(fact, owned))
        n = whole(term.value, by.places)
        compare = _COMPARE.get(term.op, operator.eq)
        return lambda fact: compare(read(fact, owned), n)

    def _date(self, term: Term, by: SearchField) -> Callable[[Fact], bool]:
        start, end = span(term.value)
        read, owned = self._reader(by), self._owned
        if term.op == ":":
            return lambda fact: start <= read(fact, owned) < end
        # "After a day" means after its end, and "up to a day" includes all of it.
        bound = end if term.op in ("<=", ">") else start
        if term.op in ("<", "<="):
            return lambda fact: read(fact, owned) < bound
        return lambda fact: read(fact, owned) >= bound


def _joined(tests: Sequence[Callable[[Fact], bool]], every: bool) -> Callable[[Fact], bool]:
    """A test that holds where every test does, or (without `every`) where one does."""

    def test(fact: Fact) -> bool:
        for each in tests:
            if each(fact) is not every:
                return not every
        return every

    return test


def _remembering(read: Callable[[Any, Owned], Any]) -> Callable[[Any, Owned], Any]:
    """A reader that keeps its value for the last fact, since a query asks one fact after another."""
    last: Any = None
    value: Any = None

    def reading(fact: Any, owned: Owned) -> Any:
        nonlocal last, value
        if fact is not last:
            last, value = fact, read(fact, owned)
        return value

    return reading


class _Descending:
    """A value that sorts in descending order."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and bool(self.value == other.value)

    def __lt__(self, other: _Descending) -> bool:
        return bool(other.value < self.value)


def needs_owner(query: Query, language: Language) -> bool:
    """Tell whether the answer to a query depends on who asks it."""
    return any(language[name].owner for name in query.fields())
