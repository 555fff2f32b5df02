"""A deck list under several sets of rules at once: the game's, what one owns, and formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cards.catalog.cards import Catalog
from cards.decks import decklist, formats
from cards.decks.decklist import DeckList, Fault
from cards.decks.formats import Format

BASIC = "basic"
"""The rules of the game (rulings, chef 10): 40 cards, at most 3 copies of one."""
OWNED = "owned"
"""Who asks has that many copies, and no running match holds them."""
USUAL = (BASIC, OWNED)
"""With these a match can be played."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """Copies that somebody has, by card number."""

    owned: Mapping[int, int]
    free: Mapping[int, int]
    """Of them, held by no match."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one set of rules says."""

    rules: str
    """BASIC, OWNED or the name of a format."""
    faults: tuple[Fault, ...]

    @property
    def legal(self) -> bool:
        """Whether it has nothing against the deck."""
        return not self.faults


def judge(
    deck: DeckList,
    catalog: Catalog,
    rules: Iterable[str],
    known: Mapping[str, Format],
    holdings: Holdings,
    pointer: str = "",
) -> tuple[Verdict, ...]:
    """What each of these sets of rules says of a deck list, in this order; KeyError for an unknown name."""

    def faults(name: str) -> list[Fault]:
        if name == BASIC:
            return decklist.faults(deck, catalog, pointer=pointer)
        if name == OWNED:
            return decklist.lacking(deck, catalog, holdings.owned, holdings.free, pointer)
        return formats.faults(deck, catalog, known[name], pointer)

    return tuple(Verdict(name, tuple(faults(name))) for name in rules)


@dataclass(frozen=True, slots=True)
class Missing:
    """Copies of a card that a deck list has and somebody has not."""

    number: int
    needed: int
    owned: int
    free: int
    rarity: str | None
    """None for a card that the house lost."""
    mintable: bool
    """Anybody may have it free: a Basic Ingredient that is still made."""

    @property
    def missing(self) -> int:
        """How many."""
        return self.needed - self.owned


def missing(deck: DeckList, catalog: Catalog, holdings: Holdings) -> tuple[Missing, ...]:
    """What somebody lacks for a deck list, by card number."""
    found = []
    for number, n in deck.counts.items():
        owned, printing = holdings.owned.get(number, 0), catalog.printings.get(number)
        if n > owned:
            mintable = printing is not None and printing.basic and not printing.retired
            rarity = printing.rarity if printing else None
            found.append(Missing(number, n, owned, holdings.free.get(number, 0), rarity, mintable))
    return tuple(found)
