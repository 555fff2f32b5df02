"""The results of queries: examples for every key, then a comparison with a plainer evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.cards import CATEGORIES, RARITIES, Printing
from cards.decks.deck_lists import DeckList, faults
from cards.decks.search import CARDS, DECKS, DeckFacts, Search, card_facts, deck_table, needs_owner
from cards.decks.search.parser import parse
from cards.decks.search.query import CHOICE, And, Node, Not, Or, Query, SearchField, SortBy, Term, folded
from tests.cards.decks.query_kit import queries

CATALOG = load()
FACTS = card_facts(CATALOG)
TABLE = deck_table(CATALOG)
DAY = 24 * 60 * 60 * 1000
OWNED = {number: number % 5 for number in CATALOG.cards}


def found(text: str, owned: Mapping[int, int] | None = None) -> list[str]:
    """The slugs of the cards that a query finds, in the query's order."""
    parsed = parse(text, CARDS)
    assert parsed.warnings == ()
    return [CATALOG.cards[fact.number].slug for fact in Search(parsed.query, CARDS, owned).page(FACTS)]


def slugs(test: Callable[[Printing], object]) -> list[str]:
    """The slugs of the cards for which a predicate holds, by number."""
    return [printing.card.slug for printing in CATALOG.printings.values() if test(printing)]


def test_names_are_found_where_a_word_begins() -> None:
    assert {"tuna", "tuna-sandwich"} <= {*found("tuna")}
    assert found("tuna") == slugs(lambda p: " tuna" in f" {p.card.name.lower()}")
    assert found("name=tuna") == ["tuna"]
    assert "tuna-sandwich" in found('"tuna s"')
    assert "tuna" not in found("una") + found('"tuna s"')
    assert found("shepherds-pie") == found("SHEPHERD'S pie") == ["shepherds-pie"]


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("t:recipe", lambda p: p.card.is_recipe),
        ("-t:recipe", lambda p: not p.card.is_recipe),
        ("is:basic", lambda p: p.basic),
        ("is:onetime", lambda p: p.card.one_time),
        ("is:special", lambda p: p.card.is_special),
        ("is:retired", lambda p: p.retired),
        ("is:ingredient", lambda p: not p.card.is_recipe),
        ("cat:oil", lambda p: p.card.provides[2] or p.card.costs[2]),
        ("gives:oil", lambda p: p.card.provides[2]),
        ("needs:oil", lambda p: p.card.costs[2]),
        ("protein>=2", lambda p: p.card.provides[3] + p.card.costs[3] >= 2),
        ("t:recipe cost<=3", lambda p: p.card.is_recipe and sum(p.card.costs) <= 3),
        ("cost!=0", lambda p: sum(p.card.costs)),
        ("provides:2", lambda p: sum(p.card.provides) == 2),
        ("bonus>0", lambda p: p.card.bonus),
        ("r:rare", lambda p: p.rarity == "rare"),
        ("r>common", lambda p: p.rarity in ("uncommon", "rare", "legendary")),
        ("r<=uncommon", lambda p: p.rarity in ("common", "uncommon")),
        ("set:pb", lambda p: p.set_code == "PB"),
        ("set:xx", lambda p: False),
        ("n:1027", lambda p: p.card.slug == "tuna"),
        ("n<1003", lambda p: p.card.number < 1003),
        ("kind:fish", lambda p: "Fish" in p.card.kinds),
        ("kind:oil", lambda p: "Cooking Oil" in p.card.kinds),
        ("kind=oil", lambda p: False),
        ("lists:fish", lambda p: "Fish" in p.card.list),
        ("ft:sandwich", lambda p: " sandwich" in f" {folded(p.flavour)}"),
        ("own>=3", lambda p: OWNED[p.card.number] >= 3),
        ("own:0", lambda p: OWNED[p.card.number] == 0),
    ],
)
def test_every_key(text: str, test: Callable[[Printing], object]) -> None:
    assert found(text, OWNED) == slugs(test)


def test_a_recipe_is_found_by_whatever_it_can_use() -> None:
    """It lists Fish, of which Tuna is one; or it lists an ingredient that is a Fish."""
    tuna = CATALOG.by_slug("tuna")
    fish = [p.card.name for p in CATALOG.printings.values() if "Fish" in p.card.kinds]
    assert found("ing=tuna") == slugs(lambda p: {"Tuna", *tuna.kinds} & {*p.card.list})
    assert found("ing=fish") == slugs(lambda p: {"Fish", *fish} & {*p.card.list})
    assert found("lists=fish") == slugs(lambda p: "Fish" in p.card.list)


def test_the_example_of_the_page() -> None:
    shown = found("t:recipe cost<=3 -cat:oil ing:fish own>=1 r:common", dict.fromkeys(CATALOG.cards, 1))
    assert shown
    for slug in shown:
        card = CATALOG.by_slug(slug)
        assert card.is_recipe
        assert sum(card.costs) <= 3
        assert not card.costs[2]


def test_orders_and_ties() -> None:
    def key(slug: str) -> tuple[int, int]:
        card = CATALOG.by_slug(slug)
        return -sum(card.costs), card.number

    recipes = slugs(lambda p: p.card.is_recipe)
    assert found("t:recipe sort:-cost") == sorted(recipes, key=key)
    names = [CATALOG.by_slug(slug).name.casefold() for slug in found("t:recipe sort:-name")]
    assert names == sorted(names, reverse=True)
    shown = found("sort:rarity sort:-type sort:name")
    printings = {p.card.slug: p for p in CATALOG.printings.values()}
    expected = sorted(
        shown,
        key=lambda s: (
            RARITIES.index(printings[s].rarity),
            not printings[s].card.is_recipe,
            folded(printings[s].card.name),
        ),
    )
    assert shown == expected
    assert len(shown) == len(CATALOG.cards)


# -- Decks -----------------------------------------------------------------------


def deck(
    title: str, counts: Mapping[int, int], at: int = 0, updated: int = 0, revision: int = 1
) -> DeckFacts:
    return DeckFacts(f"id-{title}", title, lambda: counts, revision, at, updated, TABLE)


TRATTORIA = dict(CATALOG.starters["trattoria"].counts)
MARKET = dict(CATALOG.starters["night-market"].counts)
SALT, TOMATO = CATALOG.by_slug("salt").number, CATALOG.by_slug("tomato").number
BOXES = [
    deck("Corner Trattoria", TRATTORIA, 3 * DAY, 40 * DAY, 4),
    deck("Night Market", MARKET, 2 * DAY, 35 * DAY, 2),
    deck("Just Salt", {SALT: 3}, DAY, DAY),
    deck("Élan", {SALT: 3, TOMATO: 1, 9999001: 2}, 4 * DAY, 60 * DAY),
    deck("Nothing", {}, 4 * DAY, 60 * DAY),
]


def decks_found(text: str, owned: Mapping[int, int] | None = None) -> list[str]:
    parsed = parse(text, DECKS)
    assert parsed.warnings == ()
    return [box.title for box in Search(parsed.query, DECKS, owned).page(BOXES)]


def test_keys_of_decks() -> None:
    assert decks_found("market") == ["Night Market"]
    assert decks_found("elan") == ["Élan"]
    assert decks_found("uses:salt size<40") == ["Just Salt", "Élan"]
    assert decks_found("uses=9999001") == ["Élan"]
    assert decks_found("size:40") == ["Night Market", "Corner Trattoria"]
    assert decks_found("recipes:18 ingredients:22") == ["Night Market"]
    assert decks_found("recipes:16 ingredients:24") == ["Corner Trattoria"]
    assert decks_found("basics=4 size<40") == ["Élan"]
    assert decks_found("revision>1 sort:-revision") == ["Corner Trattoria", "Night Market"]
    assert decks_found("created:1970-01-03") == ["Night Market"]
    assert decks_found("updated<1970-02") == ["Just Salt"]
    assert decks_found("updated<=1970-02") == ["Just Salt", "Night Market", "Corner Trattoria"]
    assert decks_found("updated>1970-02") == ["Nothing", "Élan"]
    assert decks_found("updated>=1970-02-05 updated<1970-02-10") == ["Night Market"]
    assert decks_found("updated:1970 sort:-updated sort:name") == [
        "Élan",
        "Nothing",
        "Corner Trattoria",
        "Night Market",
        "Just Salt",
    ]


def test_the_cost_of_a_decks_recipes_in_the_mean() -> None:
    recipes = [(sum(CATALOG.cards[n].costs), c) for n, c in TRATTORIA.items() if CATALOG.cards[n].is_recipe]
    mean = 100 * sum(cost * c for cost, c in recipes) // sum(c for _, c in recipes)
    assert BOXES[0].cost_average == mean
    assert "Corner Trattoria" in decks_found(f"cost:{mean / 100}")
    assert "Corner Trattoria" not in decks_found(f"cost<{mean / 100}")
    assert decks_found("cost:0 size>0") == ["Just Salt", "Élan"]


def test_what_is_owned_and_what_is_legal() -> None:
    owned = {**TRATTORIA, SALT: 3}
    lacking = sum(max(0, n - owned.get(number, 0)) for number, n in MARKET.items())
    assert decks_found("is:legal", owned) == ["Corner Trattoria"]
    assert decks_found("is:owned -is:legal sort:name", owned) == ["Just Salt", "Nothing"]
    assert decks_found(f"missing:{lacking}", owned) == ["Night Market"]
    assert decks_found("is:legal", {}) == []
    for box in BOXES:
        legal = faults(DeckList(box.counts), CATALOG, owned) == []
        assert ("legal" in box.flags(owned)) is legal


@pytest.mark.parametrize(
    ("text", "asks"), [("own>0", True), ("tuna or -(own:1)", True), ("tuna sort:own", True), ("tuna", False)]
)
def test_what_asks_for_the_owner(text: str, asks: bool) -> None:
    assert needs_owner(parse(text, CARDS).query, CARDS) is asks


# -- Pages -----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(queries(CARDS), st.integers(1, 40))
def test_pages_are_the_whole_cut_up(query: Query, limit: int) -> None:
    search = Search(query, CARDS, OWNED)
    everything = search.page(FACTS)
    seen, after = [], None
    while part := search.page(FACTS, after, limit):
        assert len(part) <= limit
        seen += part
        after = search.key(part[-1])
        assert [type(value) for value in after] == [*search.kinds((int,))]
    assert seen == everything


def test_a_page_goes_on_though_its_last_card_is_gone() -> None:
    search = Search(parse("t:recipe sort:-name", CARDS).query, CARDS)
    everything = search.page(FACTS)
    after = search.key(everything[4])
    assert search.page([fact for fact in FACTS if fact != everything[4]], after) == everything[5:]


# -- Compared with a plainer evaluation -------------------------------------------


def _texts(name: str, p: Printing) -> list[str]:
    card = p.card
    named = {q.card.name: q.card.kinds for q in CATALOG.printings.values() if not q.card.is_recipe}
    uses = [
        other
        for other in {*named, *(kind for kinds in named.values() for kind in kinds)}
        for listed in card.list
        if other in named.get(listed, ()) or listed in named.get(other, ())
    ]
    return {
        "name": [card.name],
        "set": [p.set_code],
        "kind": [*card.kinds],
        "lists": [*card.list],
        "ing": [*card.list, *uses],
        "flavour": [p.flavour],
        "text": [card.name, *card.kinds, *card.list, p.flavour],
    }[name]


def _numbers(name: str, p: Printing) -> int:
    card = p.card
    if name in CATEGORIES:
        return (card.provides[CATEGORIES.index(name)]) + card.costs[CATEGORIES.index(name)]
    return {
        "number": card.number,
        "cost": sum(card.costs),
        "provides": sum(card.provides),
        "bonus": card.bonus,
        "own": OWNED[card.number],
    }[name]


def _chosen(name: str, p: Printing) -> set[str]:
    gives = {c for c, n in zip(CATEGORIES, p.card.provides, strict=True) if n}
    needs = {c for c, n in zip(CATEGORIES, p.card.costs, strict=True) if n}
    true = {"basic": p.basic, "onetime": p.card.one_time, "special": p.card.is_special, "retired": p.retired}
    flags = {p.card.type} | {flag for flag, holds in true.items() if holds}
    return {
        "type": {p.card.type},
        "rarity": {p.rarity},
        "category": gives | needs,
        "gives": gives,
        "needs": needs,
        "is": flags,
    }[name]


def _compared(op: str, a: int, b: int) -> bool:
    return (a == b, a < b, a <= b, a > b, a >= b)[[":", "<", "<=", ">", ">="].index(op)]


def holds(node: Node, p: Printing) -> bool:
    """The meaning of a query, in plain code."""
    if isinstance(node, Not):
        return not holds(node.of, p)
    if isinstance(node, And):
        return all(holds(part, p) for part in node.of)
    if isinstance(node, Or):
        return any(holds(part, p) for part in node.of)
    by: SearchField = CARDS[node.field]
    if by.kind == CHOICE:
        if node.op == ":":
            return node.value in _chosen(node.field, p)
        return _compared(node.op, RARITIES.index(p.rarity), RARITIES.index(node.value))
    if by.kind == "number":
        return _compared(node.op, _numbers(node.field, p), int(node.value))
    texts = [folded(text) for text in _texts(node.field, p)]
    if node.op == "=":
        return node.value in texts
    return any(text.startswith(node.value) or f" {node.value}" in text for text in texts)


WORDS = sorted(
    {word for p in CATALOG.printings.values() for text in _texts("text", p) for word in folded(text).split()}
)


def _with_words(node: Node, draw: Callable[[list[str]], str]) -> Node:
    """The same query with words that are on cards, so that it finds some."""
    if isinstance(node, Not):
        return Not(_with_words(node.of, draw))  # type: ignore[arg-type]
    if isinstance(node, (And, Or)):
        return type(node)(tuple(_with_words(part, draw) for part in node.of))  # type: ignore[arg-type]
    if CARDS[node.field].kind == "text":
        return Term(node.field, node.op, draw(WORDS)[:4] if node.op == ":" else draw(WORDS))
    if CARDS[node.field].kind == "number" and node.field != "number":
        return Term(node.field, node.op, str(int(node.value) % 5))
    return node


@settings(max_examples=60, deadline=None)
@given(queries(CARDS), st.data())
def test_what_is_found_is_what_it_means(query: Query, data: st.DataObject) -> None:
    assert query.where is not None
    where = _with_words(query.where, lambda words: data.draw(st.sampled_from(words)))
    asked = Search(Query(where, (SortBy("number"),)), CARDS, OWNED).page(FACTS)
    assert [fact.number for fact in asked] == [n for n, p in CATALOG.printings.items() if holds(where, p)]
