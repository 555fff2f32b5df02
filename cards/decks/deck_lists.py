"""Deck lists, which are what one builds: how many copies of which card, by number.

`faults` gives everything that breaks the rules at once. A list has one JSON form, an object of copies by card
number, `{"1001": 3, ...}`; a JSON pointer to a fault is then `/1001`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES, copies_error, size_error

if TYPE_CHECKING:
    from cards.catalog.cards import Card, Catalog

ADVISED_RECIPES = 14
"""Recipes that the rules advise for a deck; the other 26 cards are ingredients."""

_NUMBER = re.compile(r"[1-9][0-9]{0,9}")


@dataclass(frozen=True, slots=True)
class DeckFault:
    """A rule that a deck list breaks, or a warning about it."""

    code: str
    """Stable: deck_size, too_many_copies, unknown_card, not_owned, not_free, bad_count, bad_number, bad_form;
    of warnings: advice_recipes, retired_card. `cards.decks.formats` has codes of its own."""
    pointer: str
    """A JSON pointer (RFC 6901) into the deck list."""
    text: str
    data: Mapping[str, int | str]
    """The figures of the fault: the card's number, its copies, how many are allowed, and so on."""

    def __str__(self) -> str:
        return self.text


class DeckList:
    """A deck list: copies by card number, ascending. It is immutable and compares by value."""

    __slots__ = ("counts",)

    counts: Mapping[int, int]

    def __init__(self, counts: Mapping[int, int]) -> None:
        object.__setattr__(self, "counts", MappingProxyType(dict(sorted(counts.items()))))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a deck list can't be changed: {name}")

    def __eq__(self, other: object) -> bool:
        return self.counts == other.counts if isinstance(other, DeckList) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.counts.items()))

    def __len__(self) -> int:
        """The number of cards that it holds, copies counted."""
        return sum(n for n in self.counts.values() if n > 0)

    def __repr__(self) -> str:
        return f"DeckList({dict(self.counts)})"

    def numbers(self) -> tuple[int, ...]:
        """The number of every copy, ascending. This is the order of a certificate (protocol section 5)."""
        return tuple(number for number, n in self.counts.items() for _ in range(n))

    def cards(self, catalog: Catalog) -> tuple[Card, ...]:
        """The card of every copy, by number. Raises KeyError for a number that the catalogue lacks."""
        return tuple(catalog.cards[number] for number in self.numbers())

    def to_json(self) -> dict[str, int]:
        """Its JSON form, which `read` reads back."""
        return {str(number): n for number, n in self.counts.items()}


def read(data: object, pointer: str = "") -> tuple[DeckList, list[DeckFault]]:
    """Read a deck list from its JSON form: the parts that are readable, and faults for the others.

    `pointer` is the place of `data` in the document that the faults point into.
    """
    if not isinstance(data, dict):
        text = "A deck list is an object: copies by card number."
        return DeckList({}), [DeckFault("bad_form", pointer, text, {})]
    counts: dict[int, int] = {}
    found: list[DeckFault] = []
    for key, n in data.items():
        at = f"{pointer}/{_escape(str(key))}"
        if not isinstance(key, str) or not _NUMBER.fullmatch(key):
            found.append(DeckFault("bad_number", at, "A card is named by its number, in plain digits.", {}))
        elif not isinstance(n, int) or isinstance(n, bool):
            text = f"The copies of card {key} must be a whole number."
            found.append(DeckFault("bad_count", at, text, {"number": int(key)}))
        else:
            counts[int(key)] = n
    return DeckList(counts), found


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def faults(
    deck: DeckList, catalog: Catalog, owned: Mapping[int, int] | None = None, pointer: str = ""
) -> list[DeckFault]:
    """Every rule that a deck list breaks (rulings, chef 10).

    With `owned`, copies by card number, also every card of which the owner has too few copies.
    """
    found: list[DeckFault] = []
    if text := size_error(len(deck)):
        found.append(DeckFault("deck_size", pointer, text, {"cards": len(deck), "exactly": DECK_SIZE}))
    for number, n in deck.counts.items():
        found += _card_faults(number, n, catalog, owned, f"{pointer}/{number}")
    return found


def _card_faults(
    number: int, n: int, catalog: Catalog, owned: Mapping[int, int] | None, at: str
) -> Iterator[DeckFault]:
    data: dict[str, Any] = {"number": number, "copies": n}
    card = catalog.cards.get(number)
    name = str(card) if card else f"card {number}"
    if card is None:
        yield DeckFault("unknown_card", at, f"There is no card {number}.", data)
    if n < 1:
        text = f"{n} copies of {name}: a count is at least 1."
        yield DeckFault("bad_count", at, text, {**data, "at_least": 1})
    if error := copies_error(name, n):
        yield DeckFault("too_many_copies", at, error, {**data, "at_most": MOST_COPIES})
    if card is not None and owned is not None and n > owned.get(number, 0):
        have = owned.get(number, 0)
        text = f"{n} copies of {name}, and only {have} owned."
        yield DeckFault("not_owned", at, text, {**data, "owned": have, "missing": n - have})


def lacking(
    deck: DeckList, catalog: Catalog, owned: Mapping[int, int], playable: Mapping[int, int], pointer: str = ""
) -> list[DeckFault]:
    """Every card that keeps a player from playing a deck list now: too few copies are owned or playable.

    `owned` and `playable` are copies by card number. An open offer gives the other copies that are owned.
    """
    found: list[DeckFault] = []
    for number, n in deck.counts.items():
        have, able = owned.get(number, 0), playable.get(number, 0)
        name = str(catalog.cards.get(number, f"card {number}"))
        data = {"number": number, "copies": n, "owned": have, "playable": able}
        at = f"{pointer}/{number}"
        if n > have:
            text = f"{counted(n)} of {name}, and {f'only {have}' if have else 'none'} owned."
            found.append(DeckFault("not_owned", at, text, {**data, "missing": n - have}))
        elif n > able:
            some = f"only {able}" if able else "none"
            text = f"{counted(n)} of {name}, and {some} of {have} to play with: an open offer gives others."
            found.append(DeckFault("not_free", at, text, {**data, "offered": have - able}))
    return found


def counted(n: int) -> str:
    """A number of copies in words: "1 copy", "2 copies"."""
    return "1 copy" if n == 1 else f"{n} copies"


def warnings(deck: DeckList, catalog: Catalog, pointer: str = "") -> list[DeckFault]:
    """Warnings about a deck that may be legal all the same.

    It has other than 14 recipes and 26 ingredients, or cards that were withdrawn.
    """
    held = {number: n for number, n in deck.counts.items() if number in catalog.cards and n > 0}
    found = []
    recipes = sum(n for number, n in held.items() if catalog.cards[number].is_recipe)
    ingredients = sum(held.values()) - recipes
    if (recipes, ingredients) != (ADVISED_RECIPES, DECK_SIZE - ADVISED_RECIPES):
        advised = f"{ADVISED_RECIPES} and {DECK_SIZE - ADVISED_RECIPES}"
        text = (
            f"{recipes} {'recipe' if recipes == 1 else 'recipes'} and {ingredients}"
            f" {'ingredient' if ingredients == 1 else 'ingredients'}; the rules advise {advised}."
        )
        data = {"recipes": recipes, "ingredients": ingredients, "advised": ADVISED_RECIPES}
        found.append(DeckFault("advice_recipes", pointer, text, data))
    for number, n in held.items():
        if catalog.printings[number].retired:
            text = f"{catalog.cards[number]} was withdrawn: it can be played, and no more copies are made."
            found.append(
                DeckFault("retired_card", f"{pointer}/{number}", text, {"number": number, "copies": n})
            )
    return found
