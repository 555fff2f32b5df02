"""What can be asked of cards and of decks in the search language, and the answers.

    found = Search(parse("t:recipe ing:fish sort:cost", CARDS).query, CARDS).page(card_facts(catalog))

Facts are what a search looks at, made ready once: `card_facts` of a whole catalogue, `DeckFacts` of a deck.
Texts in them are folded, a line each, with a blank before every word, so that one look at one string finds
where a word begins. What the asker owns comes as copies by card number.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeVar

from cards.catalog.cards import CATEGORIES, RARITIES, TYPES, Card, Catalog, Printing
from cards.decks import decklist
from cards.decks.decklist import DeckList
from cards.decks.query import (
    CHOICE,
    DATE,
    NUMBER,
    TEXT,
    And,
    Field,
    Language,
    Node,
    Not,
    Query,
    Term,
    folded,
    span,
    whole,
)

Owned = Mapping[int, int]
Value = int | str
Fact = TypeVar("Fact")

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card as a search sees it."""

    number: int
    name: str
    kinds: str
    lists: str
    """What a recipe names."""
    uses: str
    """That, the kinds of what it names, and all ingredients of a kind that it names."""
    flavour: str
    words: str
    """All that is on it in words."""
    code: str
    """Of its set."""
    type: str
    rarity: str
    gives: tuple[str, ...]
    needs: tuple[str, ...]
    units: Mapping[str, int]
    """By category, provided or needed."""
    provides: int
    cost: int
    bonus: int
    flags: tuple[str, ...]


@lru_cache(maxsize=4)
def card_facts(catalog: Catalog) -> tuple[CardFacts, ...]:
    """The facts of all cards, by number."""
    kinds = {card.name: card.kinds for card in catalog.cards.values() if not card.is_recipe}
    by_kind: dict[str, list[str]] = {}
    for name, also in kinds.items():
        for kind in also:
            by_kind.setdefault(kind, []).append(name)
    return tuple(_facts(printing, kinds, by_kind) for printing in catalog.printings.values())


def _facts(
    printing: Printing, kinds: Mapping[str, tuple[str, ...]], by_kind: Mapping[str, list[str]]
) -> CardFacts:
    card = printing.card
    met = {name for listed in card.list for name in (*kinds.get(listed, ()), *by_kind.get(listed, ()))}
    units = zip(CATEGORIES, card.provides, card.costs, strict=True)
    return CardFacts(
        number=card.number,
        name=_lines(card.name),
        kinds=_lines(*card.kinds),
        lists=_lines(*card.list),
        uses=_lines(*card.list, *sorted(met)),
        flavour=_lines(printing.flavour),
        words=_lines(card.name, *card.kinds, *card.list, printing.flavour),
        code=_lines(printing.set_code),
        type=card.type,
        rarity=printing.rarity,
        gives=tuple(name for name, n in zip(CATEGORIES, card.provides, strict=True) if n),
        needs=tuple(name for name, n in zip(CATEGORIES, card.costs, strict=True) if n),
        units={name: given + needed for name, given, needed in units},
        provides=sum(card.provides),
        cost=sum(card.costs),
        bonus=card.bonus,
        flags=tuple(name for name, holds in _flags(card, printing).items() if holds),
    )


def _lines(*texts: str) -> str:
    """Texts as they are looked through."""
    return "\n" + "".join(f" {folded(text)}\n" for text in texts)


def _flags(card: Card, printing: Printing) -> dict[str, bool]:
    return {
        "ingredient": not card.is_recipe,
        "recipe": card.is_recipe,
        "basic": printing.basic,
        "onetime": card.one_time,
        "special": card.is_special,
        "retired": printing.retired,
    }


_CARD_FLAGS = ("ingredient", "recipe", "basic", "onetime", "special", "retired")


class DeckTable:
    """What is looked up for every deck: what its cards are called, cost and are."""

    def __init__(self, catalog: Catalog) -> None:
        facts = card_facts(catalog)
        self.catalog = catalog
        self.costs = {card.number: card.cost for card in facts if card.type == "recipe"}
        self.names = {card.number: f"{card.name[1:]} {card.number}\n" for card in facts}
        self.by_flag = {
            flag: frozenset(card.number for card in facts if flag in card.flags) for flag in _CARD_FLAGS
        }


deck_table = lru_cache(maxsize=4)(DeckTable)
"""The table of a catalogue, made once."""


@dataclass(frozen=True)
class DeckFacts:
    """A deck as a search sees it: its list, and the cards of the house to look things up in."""

    id: str
    title: str
    listing: Callable[[], Mapping[int, int]] = field(repr=False)
    """Gives its cards by number. Asked only when a query looks at them: of thousands few may get so far."""
    revision: int
    created_at: int
    """Milliseconds since 1970, like `updated_at`."""
    updated_at: int
    table: DeckTable = field(repr=False)
    tags: tuple[str, ...] = ()
    visibility: str = "private"
    """private, unlisted or public."""
    favourite: bool = False
    """Of who asks."""
    owner: str = ""
    """A handle."""

    @cached_property
    def counts(self) -> Mapping[int, int]:
        """How many of each card, by its number."""
        return self.listing()

    @property
    def labels(self) -> str:
        """The tags, as they are looked through."""
        return _lines(*self.tags)

    @property
    def by(self) -> str:
        """The owner, as it is looked through."""
        return _lines(self.owner)

    @property
    def name(self) -> str:
        """The title, as it is looked through."""
        return _lines(self.title)

    @property
    def uses(self) -> str:
        """The names and numbers of its cards."""
        names = self.table.names
        return "\n" + "".join([names.get(number) or f" {number}\n" for number in self.counts])

    @property
    def size(self) -> int:
        """Cards in all."""
        return sum(self.counts.values())

    def of(self, flag: str) -> int:
        """How many of them are recipes, basic and so on."""
        fitting = self.table.by_flag[flag]
        return sum(n for number, n in self.counts.items() if number in fitting)

    @property
    def cost_average(self) -> int:
        """What a recipe of it costs in the mean, in hundredths of a unit, rounded down; 0 without recipes."""
        costs = self.table.costs
        recipes = [(costs[number], n) for number, n in self.counts.items() if number in costs]
        copies = sum(n for _, n in recipes)
        return 100 * sum(cost * n for cost, n in recipes) // copies if copies else 0

    def missing(self, owned: Owned) -> int:
        """How many of its copies are not owned."""
        return sum(max(0, n - owned.get(number, 0)) for number, n in self.counts.items())

    def holds(self, flag: str, owned: Owned) -> bool:
        """Whether one of `DECK_FLAGS` is true of it."""
        if flag == "favourite":
            return self.favourite
        if flag == "owned":
            return not self.missing(owned)
        if flag == "legal":
            return not self.missing(owned) and not decklist.faults(DeckList(self.counts), self.table.catalog)
        return self.visibility == flag

    def flags(self, owned: Owned) -> Container[str]:
        """What is true of it; nothing is found out before it is asked."""
        return _Flags(self, owned)


DECK_FLAGS = ("legal", "owned", "favourite", "private", "unlisted", "public")


class _Flags:
    def __init__(self, deck: DeckFacts, owned: Owned) -> None:
        self._deck = deck
        self._owned = owned

    def __contains__(self, flag: object) -> bool:
        return isinstance(flag, str) and self._deck.holds(flag, self._owned)


def _units(category: str) -> Callable[[CardFacts, Owned], int]:
    return lambda card, _: card.units[category]


CARDS = Language(
    "cards",
    [
        Field("name", TEXT, "its name", lambda c, _: c.name, sorts=True),
        Field("number", NUMBER, "its number for ever", lambda c, _: c.number, ("n",), sorts=True),
        Field("type", CHOICE, "what it is", lambda c, _: (c.type,), ("t",), TYPES, sorts=True),
        Field("set", TEXT, "the code of its set", lambda c, _: c.code, sorts=True),
        Field("rarity", CHOICE, "its rarity", lambda c, _: (c.rarity,), ("r",), RARITIES, True, sorts=True),
        Field("kind", TEXT, "what an ingredient also counts as", lambda c, _: c.kinds, ("k",)),
        Field("lists", TEXT, "what a recipe names", lambda c, _: c.lists),
        Field("ing", TEXT, "what a recipe can use", lambda c, _: c.uses, ("ingredient",)),
        Field(
            "category", CHOICE, "provided or needed", lambda c, _: c.gives + c.needs, ("cat", "c"), CATEGORIES
        ),
        Field("gives", CHOICE, "a category that it provides", lambda c, _: c.gives, (), CATEGORIES),
        Field("needs", CHOICE, "a category of its cost", lambda c, _: c.needs, (), CATEGORIES),
        Field("cost", NUMBER, "units that it costs", lambda c, _: c.cost, sorts=True),
        Field("provides", NUMBER, "units that it provides", lambda c, _: c.provides, ("p",), sorts=True),
        *(
            Field(
                name,
                NUMBER,
                f"units of {name}, provided or needed",
                _units(name),
                sorts=True,
            )
            for name in CATEGORIES
        ),
        Field("bonus", NUMBER, "yum that it adds", lambda c, _: c.bonus, ("yum",), sorts=True),
        Field("is", CHOICE, "what is true of it", lambda c, _: c.flags, (), _CARD_FLAGS),
        Field("flavour", TEXT, "its flavour text", lambda c, _: c.flavour, ("flavor", "ft")),
        Field("text", TEXT, "anything in words on it", lambda c, _: c.words),
        Field("own", NUMBER, "copies that you own", lambda c, o: o.get(c.number, 0), sorts=True, owner=True),
    ],
    free="name",
    tie=lambda card: (card.number,),
)
"""What can be asked of `CardFacts`."""

DECKS = Language(
    "decks",
    [
        Field("name", TEXT, "its name", lambda d, _: d.name, sorts=True),
        Field("tag", TEXT, "a tag of it", lambda d, _: d.labels),
        Field("by", TEXT, "whose it is", lambda d, _: d.by, ("owner",), sorts=True),
        Field("uses", TEXT, "a card in it, by name or number", lambda d, _: d.uses, ("card",)),
        Field("size", NUMBER, "cards in all", lambda d, _: d.size, sorts=True),
        Field("recipes", NUMBER, "recipes, copies counted", lambda d, _: d.of("recipe"), sorts=True),
        Field(
            "ingredients", NUMBER, "ingredients, copies counted", lambda d, _: d.of("ingredient"), sorts=True
        ),
        Field("basics", NUMBER, "Basic Ingredients, copies counted", lambda d, _: d.of("basic"), sorts=True),
        Field(
            "cost-average",
            NUMBER,
            "what a recipe of it costs in the mean",
            lambda d, _: d.cost_average,
            ("cost",),
            places=2,
            sorts=True,
        ),
        Field("missing", NUMBER, "copies that you lack", lambda d, o: d.missing(o), sorts=True, owner=True),
        Field("is", CHOICE, "what is true of it", lambda d, o: d.flags(o), (), DECK_FLAGS, owner=True),
        Field("revision", NUMBER, "how often it was written", lambda d, _: d.revision, sorts=True),
        Field("created", DATE, "when it was made", lambda d, _: d.created_at, sorts=True),
        Field("updated", DATE, "when it was last revised", lambda d, _: d.updated_at, sorts=True),
    ],
    free="name",
    tie=lambda deck: (deck.created_at, deck.id),
    counted=True,
)
"""What can be asked of `DeckFacts`."""


# -- Answers -------------------------------------------------------------------


class Search(Generic[Fact]):
    """A query made ready to be asked of many facts. `owned` are the copies of who asks, by card number."""

    def __init__(self, query: Query, language: Language, owned: Owned | None = None) -> None:
        self._language = language
        self._owned: Owned = owned or {}
        self._readers: dict[str, Callable[[Any, Owned], Any]] = {}
        self._where = None if query.where is None else self._test(query.where)
        self._order = [(language[by.field], by.down) for by in query.order]

    def matches(self, fact: Fact) -> bool:
        """Whether the query holds for it."""
        return self._where is None or self._where(fact)

    def key(self, fact: Fact) -> tuple[Value, ...]:
        """Where it stands among all: what it is sorted by, and what tells it from its equals."""
        return tuple(self._value(by, fact) for by, _ in self._order) + self._language.tie(fact)

    def kinds(self, tie: tuple[type, ...]) -> tuple[type, ...]:
        """The types of the parts of `key`, of which the last ones are `tie`."""
        return tuple(str if by.kind == TEXT else int for by, _ in self._order) + tie

    def page(
        self, facts: Iterable[Fact], after: tuple[Value, ...] | None = None, limit: int | None = None
    ) -> list[Fact]:
        """Those for which it holds, in order, from the first that stands after the key `after`."""
        where = self._where
        found = [*facts] if where is None else [fact for fact in facts if where(fact)]
        found.sort(key=lambda fact: self._rank(self.key(fact)))
        start = 0
        if after is not None:
            start = bisect_right(found, self._rank(after), key=lambda fact: self._rank(self.key(fact)))
        return found[start : None if limit is None else start + limit]

    def _rank(self, key: tuple[Value, ...]) -> tuple[Any, ...]:
        """A key as it is compared: downwards is upwards, turned round."""
        downs = [down for _, down in self._order]
        return (
            tuple(_Down(part) if down else part for part, down in zip(key, downs, strict=False))
            + key[len(downs) :]
        )

    def _value(self, by: Field, fact: Fact) -> Value:
        value = self._reader(by)(fact, self._owned)
        if by.kind == CHOICE:
            return by.choices.index(value[0])
        return str(value).strip() if by.kind == TEXT else int(value)

    def _reader(self, by: Field) -> Callable[[Any, Owned], Any]:
        """How the field is read: what takes counting is counted once a fact, however often it is asked."""
        if not self._language.counted:
            return by.read
        return self._readers.setdefault(by.name, _remembering(by.read))

    # What is asked, as functions of a fact

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

    def _date(self, term: Term, by: Field) -> Callable[[Fact], bool]:
        found = span(term.value)
        assert found is not None, "the value of a date is one"
        start, end = found
        read, owned = self._reader(by), self._owned
        if term.op == ":":
            return lambda fact: start <= read(fact, owned) < end
        # after a day is after its end, up to a day is up to its end
        bound = end if term.op in ("<=", ">") else start
        if term.op in ("<", "<="):
            return lambda fact: read(fact, owned) < bound
        return lambda fact: read(fact, owned) >= bound


def _joined(tests: Sequence[Callable[[Fact], bool]], every: bool) -> Callable[[Fact], bool]:
    """Whether all hold, or (not `every`) one of them does."""

    def test(fact: Fact) -> bool:
        for each in tests:
            if each(fact) is not every:
                return not every
        return every

    return test


def _remembering(read: Callable[[Any, Owned], Any]) -> Callable[[Any, Owned], Any]:
    last: Any = None
    value: Any = None

    def reading(fact: Any, owned: Owned) -> Any:
        nonlocal last, value
        if fact is not last:
            last, value = fact, read(fact, owned)
        return value

    return reading


class _Down:
    """A value that sorts the other way round."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Down) and bool(self.value == other.value)

    def __lt__(self, other: _Down) -> bool:
        return bool(other.value < self.value)


def needs_owner(query: Query, language: Language) -> bool:
    """Whether the answer depends on who asks."""
    return any(language[name].owner for name in query.fields())
