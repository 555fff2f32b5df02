"""docs/search.md: its examples are asked, its keys and codes are those that there are."""

from __future__ import annotations

import json
import re
from functools import partial
from urllib.parse import unquote

import pytest

from cards.catalog.card_sets import load
from cards.decks.search import CARDS, DECKS, DeckFacts, Search, card_facts, deck_table
from cards.decks.search.parser import LIMITS, QueryError, parse, write
from cards.decks.search.query import Language
from tests.paths import DOCS

PAGE = (DOCS / "search.md").read_text()
CATALOG = load()
OWNED = {number: number % 3 for number in CATALOG.cards}
MADE = 1_800_000_000_000
TABLE = deck_table(CATALOG)
STARTERS = [
    DeckFacts(
        starter.slug,
        starter.name,
        partial(dict, starter.counts),
        1,
        MADE,
        MADE,
        TABLE,
        ("quick-lunch",),
        "public",
        True,
    )
    for starter in CATALOG.starters.values()
]


def _rows(text: str) -> list[list[str]]:
    """The codes in the first cell of each row of the first table of a text."""
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    return [re.findall(r"`([^`]+)`", row[1]) for row in rows]


def _examples(heading: str) -> list[str]:
    table = PAGE.partition(f"<!-- {heading} -->")[2].partition("\n## ")[0]
    return [query for (query,) in _rows(table)]


CASES = [(query, CARDS) for query in _examples("cards")] + [(query, DECKS) for query in _examples("decks")]


def test_there_are_examples() -> None:
    assert len(_examples("cards")) >= 8
    assert len(_examples("decks")) >= 4


@pytest.mark.parametrize(
    ("text", "language"), CASES, ids=lambda value: value if isinstance(value, str) else value.name
)
def test_examples_find_some_and_leave_some(text: str, language: Language) -> None:
    parsed = parse(text, language)
    assert parsed.warnings == ()
    facts = [*card_facts(CATALOG)] if language is CARDS else [*STARTERS, _unfinished()]
    search = Search(parsed.query, language, OWNED if language is CARDS else STARTERS[0].counts)
    assert 0 < len(search.page(facts)) < len(facts)
    assert parse(write(parsed.query), language).query == parsed.query


def _unfinished() -> DeckFacts:
    tomato = CATALOG.by_slug("tomato").number
    return DeckFacts("unfinished", "Unfinished", lambda: {tomato: 1}, 1, 0, 0, TABLE)


@pytest.mark.parametrize(("heading", "language"), [("Keys of cards", CARDS), ("Keys of decks", DECKS)])
def test_every_key_is_on_the_page(heading: str, language: Language) -> None:
    section = PAGE.partition(f"## {heading}\n")[2].partition("<!--")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    named = {name for row in rows for cell in row for name in re.findall(r"`([^`]+)`", cell)}
    assert named == {name for found in language.fields for name in (found.name, *found.aliases)}
    for found in language.fields:
        for choice in found.choices:
            assert f"`{choice}`" in section, choice
    sorts = section.partition("`sort:` takes ")[2]
    assert sorts
    if language is DECKS:
        assert {found.name for found in language.fields if not found.sorts} == {"tag", "uses", "is"}
    else:
        listed = sorts.replace("the five categories", "starch, vegetable, oil, protein, seasoning")
        assert {found.name for found in language.fields if found.sorts} == {*re.findall(r"[a-z]+", listed)}


def test_every_code_is_on_the_page() -> None:
    documented = QueryError.__doc__.partition("is stable:")[2]
    section = PAGE.partition("## Warnings and refusals")[2]
    codes = re.findall(r"[a-z]+(?:_[a-z]+)+", documented)
    assert len(codes) >= 15
    for code in (*codes, "unknown_key", "unknown_sort", "repeated_sort", "cursor_of_another_query"):
        assert f"`{code}`" in section, code


def test_the_operators_of_the_page() -> None:
    language = PAGE.partition("## The language")[2].partition("## Keys of cards")[0]
    for queries in _rows(language):
        for query in queries:
            assert parse(query, CARDS).warnings == (), query


def test_the_limits_of_the_page() -> None:
    assert (LIMITS.length, LIMITS.terms, LIMITS.depth) == (500, 50, 10)
    assert "500 characters, 50 conditions and orders, ten parentheses" in PAGE


def test_the_refusal_of_the_page() -> None:
    shown = PAGE.partition("GET /api/v1/cards?q=")[2]
    asked = unquote(shown.split()[0])
    with pytest.raises(QueryError) as caught:
        parse(asked, CARDS)
    error = caught.value
    assert f'"code": "{error.code}", "detail": "Column {error.column} of the query: {error.text}."' in shown
    assert f'"column": {error.column}, "expected": {json.dumps(error.expected)}' in shown
