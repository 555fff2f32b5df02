"""The search language: texts that are read, how queries are written, and errors with their columns."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.decks.search import CARDS, DECKS
from cards.decks.search.parser import QueryError, QueryLimits, parse, write
from cards.decks.search.query import And, Language, Node, Not, Or, Query, SortBy, Term, folded, span, whole
from tests.cards.decks.query_kit import queries

WIDE = QueryLimits(length=10**6, terms=10**4, depth=100)


def where(text: str, language: Language = CARDS) -> Node | None:
    return parse(text, language).query.where


def refused(text: str, language: Language = CARDS) -> QueryError:
    with pytest.raises(QueryError) as caught:
        parse(text, language)
    return caught.value


TUNA, FISH, OIL = Term("name", ":", "tuna"), Term("ing", ":", "fish"), Term("category", ":", "oil")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("tuna", TUNA),
        ("TUNA", TUNA),
        ("  name:Tuna  ", TUNA),
        ('"tuna"', TUNA),
        ("name=tuna", Term("name", "=", "tuna")),
        ("name!=tuna", Not(Term("name", "=", "tuna"))),
        ("-tuna", Not(TUNA)),
        ("--tuna", TUNA),
        ("-(-tuna)", TUNA),
        ("tuna ing:fish", And((TUNA, FISH))),
        ("tuna and ing:fish AND cat:oil", And((TUNA, FISH, OIL))),
        ("tuna (ing:fish (cat:oil))", And((TUNA, FISH, OIL))),
        ("tuna or ing:fish cat:oil", Or((TUNA, And((FISH, OIL))))),
        ("(tuna OR ing:fish) cat:oil", And((Or((TUNA, FISH)), OIL))),
        ("tuna or (ing:fish or cat:oil)", Or((TUNA, FISH, OIL))),
        ("-(tuna or ing:fish)", Not(Or((TUNA, FISH)))),
        ("(tuna)-ing:fish", And((TUNA, Not(FISH)))),
        ('"or"', Term("name", ":", "or")),
        ("name:or", Term("name", ":", "or")),
        ('ing:"Olive  OIL!"', Term("ing", ":", "olive oil")),
        ("coq-au-vin", Term("name", ":", "coq au vin")),
        ("shepherd's", Term("name", ":", "shepherds")),
        ("crème", Term("name", ":", "creme")),
        ("wow!", Term("name", ":", "wow")),
        ('tuna"fish"', And((TUNA, Term("name", ":", "fish")))),
        ("t:r", Term("type", ":", "recipe")),
        ("T=Recipe", Term("type", ":", "recipe")),
        ("t!=recipe", Not(Term("type", ":", "recipe"))),
        ("is:one-time", Term("is", ":", "onetime")),
        ("r>=unc", Term("rarity", ">=", "uncommon")),
        ("cost=03", Term("cost", ":", "3")),
        ("cost!=3", Not(Term("cost", ":", "3"))),
        ("COST<=3", Term("cost", "<=", "3")),
        ("cost>0", Term("cost", ">", "0")),
    ],
)
def test_what_is_read(text: str, node: Node) -> None:
    parsed = parse(text, CARDS)
    assert parsed.query == Query(node)
    assert parsed.warnings == ()
    assert parse(write(parsed.query), CARDS) == parsed


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("cost<=2.50", Term("cost-average", "<=", "2.5")),
        ("cost-average:02.00", Term("cost-average", ":", "2")),
        ("updated>=2026-11", Term("updated", ">=", "2026-11")),
        ("is:legal", Term("is", ":", "legal")),
        ("card:1027", Term("uses", ":", "1027")),
    ],
)
def test_what_is_read_of_decks(text: str, node: Node) -> None:
    assert where(text, DECKS) == node


def test_orders() -> None:
    query = parse("sort:cost tuna Sort:-NAME or ing:fish sort:n", CARDS).query
    assert query == Query(Or((TUNA, FISH)), (SortBy("cost"), SortBy("name", True), SortBy("number")))
    assert write(query) == "name:tuna or ing:fish sort:cost sort:-name sort:number"
    assert parse("sort:cost", CARDS).query == Query(None, (SortBy("cost"),))


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("", "empty_query", 1),
        ("   ", "empty_query", 4),
        ("foo:1", "empty_query", 1),
        ("  foo:1 or -(bar:2)", "empty_query", 3),
        ("foo:1 sort:cost", "empty_query", 1),
        ("sort:flavour", "empty_query", 6),
        ("x" * 501, "query_too_long", 501),
        ("a " * 51, "too_many_terms", 101),
        ("(" * 11 + "a", "too_deep", 11),
        ("-(" * 11 + "a", "too_deep", 22),
        ('tuna "fish', "unclosed_quote", 6),
        ('ing:"fish', "unclosed_quote", 5),
        ("a (b (c)", "unclosed_parenthesis", 3),
        ("a) b", "unopened_parenthesis", 2),
        ("()", "expected_term", 2),
        ("a or", "expected_term", 5),
        ("or a", "expected_term", 1),
        ("a or or b", "expected_term", 6),
        ("(a or )", "expected_term", 7),
        ("and a", "expected_term", 1),
        ("a and", "expected_term", 6),
        ("a -", "expected_term", 4),
        ("- a", "expected_term", 2),
        ("-)", "expected_term", 2),
        ("a or sort:cost", "expected_term", 6),
        ("sort:cost or a", "expected_term", 1),
        ("=3", "expected_key", 1),
        ("a :3", "expected_key", 3),
        ("cost<=", "expected_value", 7),
        ("cost<= 3", "expected_value", 7),
        ("cost:(3)", "expected_value", 6),
        ("sort:", "expected_value", 6),
        ("name<tuna", "bad_operator", 5),
        ("t>=recipe", "bad_operator", 2),
        ("sort>cost", "bad_operator", 5),
        ("cost:many", "bad_number", 6),
        ("cost:-1", "bad_number", 6),
        ("cost:1.5", "bad_number", 6),
        ("cost:\u0663", "bad_number", 6),
        ("cost:12345678901", "bad_number", 6),
        ("cost<<3", "bad_number", 6),
        ("t:banana", "bad_choice", 3),
        ("is:r", "bad_choice", 4),
        ('is:""', "bad_choice", 4),
        ("!!!", "bad_text", 1),
        ('""', "bad_text", 1),
        ("name:---", "bad_text", 6),
        ("(sort:cost)", "misplaced_sort", 2),
        ("-sort:cost", "misplaced_sort", 2),
    ],
)
def test_what_is_refused(text: str, code: str, column: int) -> None:
    error = refused(text)
    assert (error.code, error.column) == (code, column)


@pytest.mark.parametrize(
    "value", ["2026-13", "2026-02-30", "26", "2026-1", "today", "9999-12-31T", "0000", "9999"]
)
def test_what_is_no_date(value: str) -> None:
    error = refused(f"updated:{value}", DECKS)
    assert (error.code, error.column) == ("bad_date", 9)


def test_more_places_than_are_counted() -> None:
    assert refused("cost-average:1.005", DECKS).code == "bad_number"
    assert whole("1.50", 2) == 150
    assert whole("7", 2) == 700
    assert whole("1.5") is None


def test_what_was_expected_is_said() -> None:
    assert refused("is:r").expected == ("recipe", "retired")
    assert refused("r:epic").expected == ("common", "uncommon", "rare", "legendary")
    assert refused("name>a").expected == (":", "=", "!=")
    assert ")" in refused("(a").expected
    assert "a word" in refused("a or").expected
    assert refused("updated:x", DECKS).expected == ("2026", "2026-11", "2026-11-30")


def test_what_is_passed_over_is_said() -> None:
    parsed = parse("tuna cots:3 or -(foo:1 ing:fish) sort:flavour sort:cost sort:-cost", CARDS)
    assert parsed.query == Query(Or((TUNA, Not(FISH))), (SortBy("cost"),))
    assert [(found.code, found.column) for found in parsed.warnings] == [
        ("unknown_key", 6),
        ("unknown_key", 18),
        ("unknown_sort", 39),
        ("repeated_sort", 62),
    ]
    assert "cost?" in parsed.warnings[0].text


def test_a_key_of_the_other_language_is_unknown() -> None:
    assert [found.code for found in parse("tuna uses:salt", CARDS).warnings] == ["unknown_key"]
    assert [found.code for found in parse("tuna t:recipe", DECKS).warnings] == ["unknown_key"]


def test_days_months_and_years() -> None:
    day = 24 * 60 * 60 * 1000
    assert span("1970") == (0, 365 * day)
    assert span("1970-02") == (31 * day, 59 * day)
    assert span("1970-12") == (334 * day, 365 * day)
    assert span("1970-01-02") == (day, 2 * day)
    assert span("2024-02-29") is not None


@pytest.mark.parametrize("language", [CARDS, DECKS], ids=lambda language: language.name)
def test_no_name_is_given_twice(language: Language) -> None:
    names = [name for found in language.fields for name in (found.name, *found.aliases)]
    assert len(names) == len({*names, "sort", "or", "and"}) - 3
    assert all(name == name.lower() for name in names)


# -- Properties ------------------------------------------------------------------


@pytest.mark.parametrize("language", [CARDS, DECKS], ids=lambda language: language.name)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read_again(language: Language, data: st.DataObject) -> None:
    query = data.draw(queries(language))
    parsed = parse(write(query), language, WIDE)
    assert parsed.query == query
    assert parsed.warnings == ()


PIECES = st.one_of(
    st.sampled_from(
        [
            "(",
            ")",
            "-",
            '"',
            " ",
            "or",
            "and",
            ":",
            "=",
            "!=",
            "<",
            "<=",
            ">",
            "sort:",
            "cost",
            "tuna",
            "is:",
            "1",
        ]
    ),
    st.text(max_size=3),
)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=15).map("".join)))
def test_any_text_is_read_or_refused_at_a_column(text: str) -> None:
    for language in (CARDS, DECKS):
        try:
            parsed = parse(text, language, WIDE)
        except QueryError as error:
            assert 1 <= error.column <= len(text) + 1  # noqa: PT017
            continue
        assert all(1 <= found.column <= len(text) for found in parsed.warnings)
        assert parse(write(parsed.query), language, WIDE).query == parsed.query


@settings(max_examples=60, deadline=None)
@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)
