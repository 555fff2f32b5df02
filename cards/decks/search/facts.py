"""Facts: cards and decks made ready to be searched, `card_facts` of a catalogue and `DeckFacts` of a deck.

Their texts are folded: each stands on a line, with a blank before every word. So one look into one string
finds where a word begins. The asker's copies come as a mapping from card number to copies.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from cards.catalog.cards import CATEGORIES, Card, Catalog, Printing
from cards.decks import deck_lists
from cards.decks.deck_lists import DeckList
from cards.decks.search.query import folded

CARD_FLAGS = ("ingredient", "recipe", "basic", "onetime", "special", "retired")
DECK_FLAGS = ("legal", "owned", "favourite", "private", "unlisted", "public")

Owned = Mapping[int, int]
"""The copies that somebody owns, by card number."""


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card as a search sees it."""

    number: int
    name: str
    kinds: str
    lists: str
    """The ingredients that a recipe names."""
    uses: str
    """`lists`, with the kinds of these ingredients and every ingredient of a kind that the recipe names."""
    flavour: str
    words: str
    """All text on the card."""
    code: str
    """The code of its set."""
    type: str
    rarity: str
    gives: tuple[str, ...]
    needs: tuple[str, ...]
    units: Mapping[str, int]
    """The units by category, provided or needed."""
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
    """Texts folded for searching, a line each."""
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


class DeckTable:
    """Names, costs and flags of a catalogue's cards, looked up for every deck that is searched."""

    def __init__(self, catalog: Catalog) -> None:
        facts = card_facts(catalog)
        self.catalog = catalog
        self.costs = {card.number: card.cost for card in facts if card.type == "recipe"}
        self.names = {card.number: f"{card.name[1:]} {card.number}\n" for card in facts}
        self.by_flag = {
            flag: frozenset(card.number for card in facts if flag in card.flags) for flag in CARD_FLAGS
        }


deck_table = lru_cache(maxsize=4)(DeckTable)
"""The table of a catalogue, which is made once."""


@dataclass(frozen=True)
class DeckFacts:
    """A deck as a search sees it: its own data, and a table of the cards to look things up in."""

    id: str
    title: str
    listing: Callable[[], Mapping[int, int]] = field(repr=False)
    """Returns its copies by card number. A search calls it late, as it needs the cards of few decks."""
    revision: int
    created_at: int
    """Milliseconds since 1970, like `updated_at`."""
    updated_at: int
    table: DeckTable = field(repr=False)
    tags: tuple[str, ...] = ()
    visibility: str = "private"
    """private, unlisted or public."""
    favourite: bool = False
    """True if the asker marked it as a favourite."""
    owner: str = ""
    """Its owner's handle."""

    @cached_property
    def counts(self) -> Mapping[int, int]:
        """Copies by card number."""
        return self.listing()

    @property
    def labels(self) -> str:
        """The tags, folded."""
        return _lines(*self.tags)

    @property
    def by(self) -> str:
        """The owner's handle, folded."""
        return _lines(self.owner)

    @property
    def name(self) -> str:
        """The title, folded."""
        return _lines(self.title)

    @property
    def uses(self) -> str:
        """The names and numbers of its cards, folded."""
        names = self.table.names
        return "\n" + "".join([names.get(number) or f" {number}\n" for number in self.counts])

    @property
    def size(self) -> int:
        """The number of cards that it holds, copies counted."""
        return sum(self.counts.values())

    def of(self, flag: str) -> int:
        """Count its cards that have a flag of `CARD_FLAGS`, copies counted."""
        fitting = self.table.by_flag[flag]
        return sum(n for number, n in self.counts.items() if number in fitting)

    @property
    def cost_average(self) -> int:
        """The mean cost of its recipes in hundredths of a unit, rounded down; 0 without recipes."""
        costs = self.table.costs
        recipes = [(costs[number], n) for number, n in self.counts.items() if number in costs]
        copies = sum(n for _, n in recipes)
        return 100 * sum(cost * n for cost, n in recipes) // copies if copies else 0

    def missing(self, owned: Owned) -> int:
        """The number of its copies that the asker lacks."""
        return sum(max(0, n - owned.get(number, 0)) for number, n in self.counts.items())

    def holds(self, flag: str, owned: Owned) -> bool:
        """Tell whether a flag of `DECK_FLAGS` is true of it."""
        if flag == "favourite":
            return self.favourite
        if flag == "owned":
            return not self.missing(owned)
        if flag == "legal":
            return not self.missing(owned) and not deck_lists.faults(
                DeckList(self.counts), self.table.catalog
            )
        return self.visibility == flag

    def flags(self, owned: Owned) -> Container[str]:
        """The flags that are true of it. Each is computed when it is looked for."""
        return _Flags(self, owned)


class _Flags:
    def __init__(self, deck: DeckFacts, owned: Owned) -> None:
        self._deck = deck
        self._owned = owned

    def __contains__(self, flag: object) -> bool:
        return isinstance(flag, str) and self._deck.holds(flag, self._owned)
