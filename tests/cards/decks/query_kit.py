"""Strategies for queries of every shape, in normal form."""

from __future__ import annotations

from hypothesis import strategies as st

from cards.decks.search.query import (
    CHOICE,
    COMPARISONS,
    DATE,
    NUMBER,
    TEXT,
    Language,
    Node,
    Query,
    SearchField,
    SortBy,
    Term,
    both,
    either,
    folded,
    negated,
)

WORDS = st.text(min_size=1, max_size=12).map(folded).filter(bool)


def _value(found: SearchField) -> st.SearchStrategy[str]:
    if found.kind == NUMBER:
        n = st.integers(0, 9999)
        return n.map(str) if not found.places else n.map(lambda n: f"{n / 100:.2f}".rstrip("0").rstrip("."))
    if found.kind == CHOICE:
        return st.sampled_from(found.choices)
    if found.kind == DATE:
        return (
            st.dates()
            .filter(lambda d: 1970 <= d.year < 9000)
            .map(str)
            .flatmap(lambda d: st.sampled_from([d, d[:7], d[:4]]))
        )
    return WORDS


@st.composite
def terms(draw: st.DrawFn, language: Language) -> Term:
    found = draw(st.sampled_from(language.fields))
    ops = [":"]
    if found.kind == TEXT:
        ops.append("=")
    elif COMPARISONS[0] in found.operators:
        ops += COMPARISONS
    return Term(found.name, draw(st.sampled_from(ops)), draw(_value(found)))


def nodes(language: Language) -> st.SearchStrategy[Node]:
    """Queries of any shape, in normal form."""

    def larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        some = st.lists(inner, min_size=1, max_size=4)
        return st.one_of(some.map(both), some.map(either), inner.map(negated))

    return st.recursive(terms(language), larger, max_leaves=12)


@st.composite
def queries(draw: st.DrawFn, language: Language) -> Query:
    sortable = [found.name for found in language.fields if found.sorts]
    order = draw(st.lists(st.builds(SortBy, st.sampled_from(sortable), st.booleans()), max_size=4))
    unique = tuple({by.field: by for by in order}.values())
    return Query(draw(nodes(language)), unique)
