"""The check of a deck list by several sets of rules: the game's, what the player owns, and formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cards.catalog.cards import Catalog
from cards.decks import deck_lists, formats
from cards.decks.deck_lists import DeckFault, DeckList
from cards.decks.formats import Format

BASIC = "basic"
"""The rules of the game (rulings, chef 10): 40 cards, at most 3 copies of one."""
OWNED = "owned"
"""The player owns that many copies, and no open offer gives them."""
USUAL = (BASIC, OWNED)
"""The sets of rules that a deck list must keep for a match."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """The copies that a player has, by card number."""

    owned: Mapping[int, int]
    playable: Mapping[int, int]
    """The owned copies that no open offer gives."""


@dataclass(frozen=True, slots=True)
class RulesCheck:
    """The result of checking a deck list against one set of rules."""

    rules: str
    """BASIC, OWNED or the name of a format."""
    faults: tuple[DeckFault, ...]

    @property
    def legal(self) -> bool:
        """True if the deck list keeps these rules."""
        return not self.faults


def check(
    deck: DeckList,
    catalog: Catalog,
    rules: Iterable[str],
    known: Mapping[str, Format],
    holdings: Holdings,
    pointer: str = "",
) -> tuple[RulesCheck, ...]:
    """Check a deck list against several sets of rules, in their order.

    `known` are the formats by name. Raises KeyError for a name that is neither usual nor known.
    """

    def faults(name: str) -> list[DeckFault]:
        if name == BASIC:
            return deck_lists.faults(deck, catalog, pointer=pointer)
        if name == OWNED:
            return deck_lists.lacking(deck, catalog, holdings.owned, holdings.playable, pointer)
        return formats.faults(deck, catalog, known[name], pointer)

    return tuple(RulesCheck(name, tuple(faults(name))) for name in rules)


@dataclass(frozen=True, slots=True)
class MissingCopies:
    """A card of a deck list of which the player owns too few copies."""

    number: int
    needed: int
    owned: int
    playable: int
    """The owned copies that no open offer gives."""
    rarity: str | None
    """The card's rarity; None for a card that the house's sets no longer have."""
    mintable: bool
    """True if anybody may have copies for free: it is a Basic Ingredient and is not withdrawn."""

    @property
    def missing(self) -> int:
        """The number of copies that the player lacks."""
        return self.needed - self.owned


def missing(deck: DeckList, catalog: Catalog, holdings: Holdings) -> tuple[MissingCopies, ...]:
    """The cards of a deck list of which a player owns too few copies, by number."""
    found = []
    for number, n in deck.counts.items():
        owned, printing = holdings.owned.get(number, 0), catalog.printings.get(number)
        if n > owned:
            mintable = printing is not None and printing.basic and not printing.retired
            rarity = printing.rarity if printing else None
            playable = holdings.playable.get(number, 0)
            found.append(MissingCopies(number, n, owned, playable, rarity, mintable))
    return tuple(found)
