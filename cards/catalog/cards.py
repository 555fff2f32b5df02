"""Cards, card sets and the catalogue, as immutable values.

A `Card` has everything that matters in play. A `Printing` adds what matters to collectors.
`cards.catalog.card_sets` reads a `Catalog` from files, and docs/cards.md says how the files are written.
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
"""The most units of a category, or of bonus, on a card. A sum over 40 cards stays far below 2^15 (protocol
section 8)."""

MAX_NUMBER = 2**32 - 1

FOLDER = Path(__file__).resolve().parents[2] / "data" / "card_sets"

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAME = re.compile(r"[^\s\x00-\x1f\x7f]+( [^\s\x00-\x1f\x7f]+)*")
_FIELDS = ("number", "slug", "name", "type", "provides", "costs", "kinds", "list", "bonus", "one_time")


@dataclass(frozen=True, slots=True)
class Flaw:
    """An error in a file: the file, the card (or set, or starter), the field, and the reason."""

    file: str
    card: str
    field: str
    text: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.card, self.field, self.text) if part)


class CatalogError(ValueError):
    """Cards, sets or formats that can't be used; `flaws` holds every reason."""

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        self.flaws = tuple(flaws)
        super().__init__("\n".join(str(flaw) for flaw in self.flaws))


@dataclass(frozen=True, slots=True)
class Card:
    """A card as the rules see it (rulings, chef 1). `from_text` makes one, `card_flaws` checks it."""

    number: int
    slug: str
    name: str
    type: str
    """"ingredient" or "recipe"."""
    provides: Units
    costs: Units
    """The cost of a recipe or of a special ingredient."""
    kinds: tuple[str, ...]
    """The kinds that an ingredient also counts as, sorted: a Tuna is a Fish."""
    list: tuple[str, ...]
    """The ingredients and kinds that a recipe lists, sorted."""
    bonus: int
    one_time: bool

    def __hash__(self) -> int:
        return hash(self.number)

    def __str__(self) -> str:
        return self.name

    @property
    def is_recipe(self) -> bool:
        """True if it is a recipe."""
        return self.type == "recipe"

    @property
    def is_special(self) -> bool:
        """True if it is an ingredient that costs units and adds a bonus, and provides none."""
        return self.type == "ingredient" and self.provides == NONE

    @property
    def net(self) -> Units:
        """The units that it brings to a dish: provided minus cost, by category."""
        p, c = self.provides, self.costs
        return (p[0] - c[0], p[1] - c[1], p[2] - c[2], p[3] - c[3], p[4] - c[4])

    @property
    def vector(self) -> tuple[int, int, int, int, int, int, int]:
        """The card vector: (number, is_recipe, the five nets). A proof adds these up (protocol section 4)."""
        return (self.number, int(self.is_recipe), *self.net)

    def text(self) -> dict[str, Any]:
        """The card's text, a JSON object (protocol section 4)."""
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
        """Read a card's text. It is strict, so `from_text(x).text() == x`. Raises `CatalogError`."""
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
    """The name by which a flaw calls the card of a text."""
    return f"card {text.get('number', '?')} ({text.get('name', text.get('slug', 'unnamed'))})"


def make(number: int, text: Mapping[str, Any]) -> Card:
    """Make a card of fields whose form was checked. Fields that may be left out have their defaults."""
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
    """Tell whether `value` can name a card or a kind: 1 to 60 characters, single spaces between words."""
    return isinstance(value, str) and len(value) <= 60 and _NAME.fullmatch(value) is not None


def _form(text: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Flaws in the form of a card's text: (field, why)."""
    if not _whole(text["number"], 1, MAX_NUMBER):
        yield "number", f"must be a whole number from 1 to {MAX_NUMBER}"
    if not isinstance(text["slug"], str) or not _SLUG.fullmatch(text["slug"]):
        yield "slug", "must be lower-case words joined by hyphens"
    if not is_name(text["name"]):
        yield "name", "must be words with single spaces between them, 60 characters at most"
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
    """Flaws in what a card does, which the rules do not allow (rulings, chef 1): (field, why)."""
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
        yield "kinds", "an ingredient's own name is not one of its kinds"
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
    """A card in a set, with what matters to collectors."""

    card: Card
    set_code: str
    number_in_set: int
    rarity: str
    basic: bool
    """True if it is a Basic Ingredient, of which anybody may mint copies for free."""
    flavour: str
    retired: bool
    """True if it was withdrawn. It stays readable, and its number is never given to another card."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A ready deck of 40 cards for newcomers."""

    slug: str
    name: str
    text: str
    counts: Mapping[int, int]
    """Copies by card number, ascending."""


@dataclass(frozen=True, slots=True)
class IdMove:
    """A card's id (its slug) that became another in a version of its set. A published move never changes."""

    set_code: str
    version: str
    kind: str
    """One of three. "renamed": no card has the slug `old` any more; `new` is the same card under the same
    number. "moved": the card `old` was withdrawn, and `new` is the same card in another place. "replaced":
    the card `old` was withdrawn, and `new` replaces it."""
    old: str
    """A slug."""
    old_name: str
    """The card's name before."""
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
    """Some cards of a booster. The rarity of each is drawn with these weights, in the order of `RARITIES`."""

    count: int
    weights: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Pity:
    """A promise: of every `within` boosters of a set in a row, one at least has a card of this rarity."""

    rarity: str
    within: int


@dataclass(frozen=True, slots=True)
class BoosterPlan:
    """The boosters of a set as its file describes them; `cards.catalog.boosters` opens them."""

    slots: tuple[Slot, ...]
    pity: Pity | None


@dataclass(frozen=True, slots=True)
class CardSet:
    """A published set. Its version is major.minor.patch: a card's rules, cards added, texts changed."""

    index: int
    code: str
    name: str
    version: str
    printings: tuple[Printing, ...]
    """The printings, by number."""
    starters: tuple[Starter, ...]
    booster: BoosterPlan | None = None
    """Its boosters; None if it has none."""
    text: str = ""
    """The changes of this version in words, if the set has a history (`cards.catalog.histories`)."""
    moves: tuple[IdMove, ...] = ()
    """The ids that moved up to this version, oldest first."""
    earlier: tuple[CardSet, ...] = ()
    """The set in its earlier versions, newest first. Only matches that began with one are played by it."""

    def at(self, version: str) -> CardSet | None:
        """The set as it was in a version, which may be its own; None if there was no such version."""
        return next((known for known in (self, *self.earlier) if known.version == version), None)


class Catalog:
    """All sets together, immutable. No two of their cards share a number, a slug or a name."""

    __slots__ = ("_by_slug", "_moved", "cards", "moves", "printings", "sets", "starters")

    sets: tuple[CardSet, ...]
    cards: Mapping[int, Card]
    """The cards by number, ascending."""
    printings: Mapping[int, Printing]
    """The printings by number, ascending."""
    starters: Mapping[str, Starter]
    """The starter decks by slug."""
    moves: tuple[IdMove, ...]
    """The ids that moved: set by set, oldest first."""
    _by_slug: Mapping[str, Card]
    _moved: Mapping[str, IdMove]

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
        raise AttributeError(f"a catalogue can't be changed: {name}")

    def by_slug(self, slug: str) -> Card:
        """The card with this slug. Raises KeyError if there is none."""
        return self._by_slug[slug]

    def moved(self, slug: str) -> tuple[IdMove, ...]:
        """The moves of a slug, in their order; usually none. The `new` of the last is its slug today."""
        steps: list[IdMove] = []
        while slug in self._moved:  # `cards.catalog.histories` refuses circles.
            steps.append(self._moved[slug])
            slug = steps[-1].new
        return tuple(steps)

    def called(self, slug: str) -> Card:
        """The card that has this slug, or had it once. Raises KeyError if there is none."""
        for move in self.moved(slug):
            if move.kind != "renamed":
                break
            slug = move.new
        return self.by_slug(slug)


def texts(cards: Catalog | Iterable[Card]) -> list[dict[str, Any]]:
    """The texts of cards, by number (protocol section 4)."""
    every = cards.cards.values() if isinstance(cards, Catalog) else cards
    return [card.text() for card in sorted(every, key=lambda c: c.number)]
