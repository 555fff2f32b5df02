"""The catalogue: cards and card sets, read from `data/card_sets`, checked and frozen.

A `Card` is what the rules know of a card; a `Printing` adds what collectors know of it.
`load` reads every set of a folder, checks each file by itself and then all cards
together, and either gives a frozen `Catalog` or one `CatalogError` that lists every
fault with its file, card and field. docs/cards.md says how the files are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

CATEGORIES = ("starch", "vegetable", "oil", "protein", "seasoning")
"""The five categories, in the order of a card's vector (protocol section 4)."""

TYPES = ("ingredient", "recipe")
RARITIES = ("common", "uncommon", "rare", "legendary")

Units = tuple[int, int, int, int, int]
"""Units of the five categories, in the order of `CATEGORIES`; none negative."""

NONE: Units = (0, 0, 0, 0, 0)

SET_SIZE = 1000
"""A card's number is its set's index times this, plus its number in the set (1 to 999)."""

MAX_UNITS = 99
"""Most units of a category, or of bonus, on a card: 40 cards stay far below 2^15 (protocol section 8)."""

MAX_NUMBER = 2**32 - 1

FOLDER = Path(__file__).resolve().parents[2] / "data" / "card_sets"

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAME = re.compile(r"[^\s\x00-\x1f\x7f]+( [^\s\x00-\x1f\x7f]+)*")
_FIELDS = ("number", "slug", "name", "type", "provides", "costs", "kinds", "list", "bonus", "one_time")


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing wrong: in which file, at which card (or set, or starter), in which field, and why."""

    file: str
    card: str
    field: str
    text: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.card, self.field, self.text) if part)


class CatalogError(ValueError):
    """Cards that cannot be taken; `flaws` holds every reason."""

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        self.flaws = tuple(flaws)
        super().__init__("\n".join(str(flaw) for flaw in self.flaws))


@dataclass(frozen=True, slots=True)
class Card:
    """A card as the rules see it (rulings, chef 1). Make one with `from_text`, or check it with `flaws`."""

    number: int
    slug: str
    name: str
    type: str
    """"ingredient" or "recipe"."""
    provides: Units
    costs: Units
    """What a special ingredient costs itself, or a recipe's cost."""
    kinds: tuple[str, ...]
    """What an ingredient also counts as, sorted: Tuna is a Fish."""
    list: tuple[str, ...]
    """The ingredients that a recipe names, sorted."""
    bonus: int
    one_time: bool

    def __hash__(self) -> int:
        return hash(self.number)

    def __str__(self) -> str:
        return self.name

    @property
    def is_recipe(self) -> bool:
        """Whether it is a recipe."""
        return self.type == "recipe"

    @property
    def is_special(self) -> bool:
        """Whether it is an ingredient that costs units and adds a bonus instead of providing."""
        return self.type == "ingredient" and self.provides == NONE

    @property
    def net(self) -> Units:
        """What it brings to a dish: provided less cost, by category."""
        p, c = self.provides, self.costs
        return (p[0] - c[0], p[1] - c[1], p[2] - c[2], p[3] - c[3], p[4] - c[4])

    @property
    def vector(self) -> tuple[int, int, int, int, int, int, int]:
        """(number, is_recipe, the five nets): what a seal's proof adds up (protocol section 4)."""
        return (self.number, int(self.is_recipe), *self.net)

    def text(self) -> dict[str, Any]:
        """The card's text in play, a JSON object (protocol section 4)."""
        return {
            "number": self.number,
            "slug": self.slug,
            "name": self.name,
            "type": self.type,
            "provides": _units_text(self.provides),
            "costs": _units_text(self.costs),
            "kinds": [*self.kinds],
            "list": [*self.list],
            "bonus": self.bonus,
            "one_time": self.one_time,
        }

    @classmethod
    def from_text(cls, text: object) -> Card:
        """The card of such an object: strict, so `from_text(x).text() == x`. Raises `CatalogError`."""
        if not isinstance(text, dict):
            raise CatalogError([Flaw("", "card", "", "is not an object")])
        named = label(text)
        flaws = [Flaw("", named, name, "is missing") for name in _FIELDS if name not in text]
        flaws += [
            Flaw("", named, str(name), "is not a field of a card") for name in text if name not in _FIELDS
        ]
        if flaws:
            raise CatalogError(flaws)
        found = [*_form(text)]
        if not found:
            card = make(text["number"], text)
            found = [*card_flaws(card)]
        if found:
            raise CatalogError(Flaw("", named, field, why) for field, why in found)
        return card


def _units_text(units: Units) -> dict[str, int]:
    return {name: n for name, n in zip(CATEGORIES, units, strict=True) if n}


def _units(text: Mapping[str, int]) -> Units:
    starch, vegetable, oil, protein, seasoning = (text.get(name, 0) for name in CATEGORIES)
    return (starch, vegetable, oil, protein, seasoning)


def label(text: Mapping[str, Any]) -> str:
    """What a flaw calls the card of such a text."""
    return f"card {text.get('number', '?')} ({text.get('name', text.get('slug', 'unnamed'))})"


def make(number: int, text: Mapping[str, Any]) -> Card:
    """A card of fields whose form was checked; those that may be left out have their defaults."""
    return Card(
        number=number,
        slug=text["slug"],
        name=text["name"],
        type=text["type"],
        provides=_units(text.get("provides", {})),
        costs=_units(text.get("costs", {})),
        kinds=tuple(sorted(text.get("kinds", ()))),
        list=tuple(sorted(text.get("list", ()))),
        bonus=text.get("bonus", 0),
        one_time=text.get("one_time", False),
    )


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_name(value: object) -> bool:
    """Whether `value` can name a card or a kind: 1 to 60 characters, words parted by single spaces."""
    return isinstance(value, str) and len(value) <= 60 and _NAME.fullmatch(value) is not None


def _form(text: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Fields of a card's text that have the wrong form: (field, why)."""
    if not _whole(text["number"], 1, MAX_NUMBER):
        yield "number", f"must be a whole number from 1 to {MAX_NUMBER}"
    if not isinstance(text["slug"], str) or not _SLUG.fullmatch(text["slug"]):
        yield "slug", "must be lower-case words joined by hyphens"
    if not is_name(text["name"]):
        yield "name", "must be words parted by single spaces, 60 characters at most"
    if text["type"] not in TYPES:
        yield "type", "must be ingredient or recipe"
    for field in ("provides", "costs"):
        units = text[field]
        if not isinstance(units, dict) or not all(
            name in CATEGORIES and _whole(n, 1, MAX_UNITS) for name, n in units.items()
        ):
            yield field, f"must give units from 1 to {MAX_UNITS} by category"
    for field in ("kinds", "list"):
        names = text[field]
        if not isinstance(names, list) or not all(is_name(name) for name in names):
            yield field, "must be an array of names"
        elif names != sorted(set(names)):
            yield field, "must be sorted, each name once"
    if not _whole(text["bonus"], 0, MAX_UNITS):
        yield "bonus", f"must be a whole number from 0 to {MAX_UNITS}"
    if not isinstance(text["one_time"], bool):
        yield "one_time", "must be true or false"


def card_flaws(card: Card) -> Iterator[tuple[str, str]]:
    """What the rules do not allow on a card (rulings, chef 1): (field, why)."""
    if card.is_recipe:
        if card.provides != NONE:
            yield "provides", "a recipe provides nothing"
        if card.costs == NONE:
            yield "costs", "a recipe costs at least one unit"
        if not card.list:
            yield "list", "a recipe lists at least one ingredient"
        if card.kinds:
            yield "kinds", "a recipe has no kinds"
        if card.bonus:
            yield "bonus", "a recipe has no bonus"
        return
    if card.list:
        yield "list", "an ingredient lists nothing"
    if card.name in card.kinds:
        yield "kinds", "an ingredient's own name is no kind of it"
    if card.provides != NONE and card.costs != NONE:
        yield "costs", "an ingredient that provides units never costs any"
    elif card.provides == NONE and card.costs == NONE:
        yield "provides", "an ingredient provides units, or costs units and adds a bonus"
    elif card.is_special and card.bonus < 1:
        yield "bonus", "an ingredient that costs units adds a bonus of at least 1"
    elif card.provides != NONE and card.bonus and not card.one_time:
        yield "bonus", "an ingredient that provides units has a bonus only if it is one-time"


@dataclass(frozen=True, slots=True)
class Printing:
    """A card in a set: what collectors want to know of it."""

    card: Card
    set_code: str
    number_in_set: int
    rarity: str
    basic: bool
    """A Basic Ingredient, which anybody may mint free."""
    flavour: str
    retired: bool
    """Withdrawn: stays readable, its number is never given to another card."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A ready deck of 40 for newcomers."""

    slug: str
    name: str
    text: str
    counts: Mapping[int, int]
    """Copies by card number, ascending."""


@dataclass(frozen=True, slots=True)
class Move:
    """An id of a card that became another with a version of its set; published for good."""

    set_code: str
    version: str
    kind: str
    """"renamed": `old` is no card's any more, `new` is the same card under the same number. "moved": `old`
    was withdrawn, and `new` is the same card in another place. "replaced": `new` stands in for it."""
    old: str
    """A slug."""
    old_name: str
    """What the card was called before."""
    new: str
    """A slug."""
    reason: str

    def __str__(self) -> str:
        if self.kind == "renamed":
            return f"{self.old} is {self.new} since {self.set_code} {self.version}: {self.reason}"
        return (
            f"{self.old} was withdrawn with {self.set_code} {self.version}, and there is {self.new}:"
            f" {self.reason}"
        )


@dataclass(frozen=True, slots=True)
class Slot:
    """So many cards of a booster, each of a rarity drawn with these weights, in the order of `RARITIES`."""

    count: int
    weights: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Pity:
    """A card of this rarity comes at the latest in the `within`-th booster since the last one."""

    rarity: str
    within: int


@dataclass(frozen=True, slots=True)
class BoosterPlan:
    """What a set's boosters hold, as its file says; `cards/catalog/boosters.py` opens them."""

    slots: tuple[Slot, ...]
    pity: Pity | None


@dataclass(frozen=True, slots=True)
class CardSet:
    """A published set; `version` is semver (major: a card's rules, minor: cards added, patch: texts)."""

    index: int
    code: str
    name: str
    version: str
    printings: tuple[Printing, ...]
    """By number."""
    starters: tuple[Starter, ...]
    booster: BoosterPlan | None = None
    """What its boosters hold; None where it has none."""
    text: str = ""
    """What this version brought, where its history is kept (`cards.catalog.histories`)."""
    moves: tuple[Move, ...] = ()
    """All that were published up to this version, oldest first."""
    earlier: tuple[CardSet, ...] = ()
    """The set as it was in the versions before, newest first. Nothing is played by them but what began so."""

    def at(self, version: str) -> CardSet | None:
        """The set as it was in a version, its own included; None if there was no such version."""
        return next((known for known in (self, *self.earlier) if known.version == version), None)


class Catalog:
    """All sets together; frozen. Two sets never share a number, a slug or a name."""

    __slots__ = ("_by_slug", "_moved", "cards", "moves", "printings", "sets", "starters")

    sets: tuple[CardSet, ...]
    cards: Mapping[int, Card]
    """By number, ascending."""
    printings: Mapping[int, Printing]
    """By number, ascending."""
    starters: Mapping[str, Starter]
    """By slug."""
    moves: tuple[Move, ...]
    """Ids that changed, by set and then in their order."""
    _by_slug: Mapping[str, Card]
    _moved: Mapping[str, Move]

    def __init__(self, sets: Iterable[CardSet]) -> None:
        ordered = tuple(sorted(sets, key=lambda s: s.index))
        printings = sorted((p for s in ordered for p in s.printings), key=lambda p: p.card.number)
        put = object.__setattr__
        put(self, "sets", ordered)
        put(self, "printings", MappingProxyType({p.card.number: p for p in printings}))
        put(self, "cards", MappingProxyType({p.card.number: p.card for p in printings}))
        put(self, "starters", MappingProxyType({t.slug: t for s in ordered for t in s.starters}))
        put(self, "moves", tuple(move for s in ordered for move in s.moves))
        put(self, "_by_slug", {p.card.slug: p.card for p in printings})
        put(self, "_moved", {move.old: move for move in self.moves})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a catalogue is frozen: {name}")

    def by_slug(self, slug: str) -> Card:
        """The card of that slug; KeyError when there is none."""
        return self._by_slug[slug]

    def moved(self, slug: str) -> tuple[Move, ...]:
        """What became of a slug, step by step; the last one's `new` is what it is now. Often empty."""
        steps: list[Move] = []
        while slug in self._moved:  # `cards.catalog.histories` has seen to it that this ends
            steps.append(self._moved[slug])
            slug = steps[-1].new
        return tuple(steps)

    def called(self, slug: str) -> Card:
        """The card that has that slug, or had it once; KeyError when there is none."""
        for move in self.moved(slug):
            if move.kind != "renamed":
                break
            slug = move.new
        return self.by_slug(slug)


def texts(cards: Catalog | Iterable[Card]) -> list[dict[str, Any]]:
    """The texts of cards in play, by number (protocol section 4)."""
    every = cards.cards.values() if isinstance(cards, Catalog) else cards
    return [card.text() for card in sorted(every, key=lambda c: c.number)]
