"""Deck lists: what one builds. Legality with every fault at once, and one canonical form.

A deck list says how many copies of which card, by number. Its JSON form is an object
of counts by number, `{"1001": 3, ...}`, so a pointer to a fault is `/1001`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cards.catalog.cards import Card, Catalog

SIZE = 40
"""Cards in a deck (rulings, chef 10)."""

COPIES = 3
"""Most copies of a card, Basic Ingredients included."""

RECIPES = 14
"""Recipes that the rules advise; the other 26 are ingredients."""

_NUMBER = re.compile(r"[1-9][0-9]{0,9}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a deck list, or worth a word."""

    code: str
    """Stable: deck_size, too_many_copies, unknown_card, not_owned, not_free, bad_count, bad_number, bad_form;
    as warnings advice_recipes, retired_card. Those of formats are in `cards.decks.formats`."""
    pointer: str
    """A JSON pointer (RFC 6901) into the deck list."""
    text: str
    data: Mapping[str, int | str]
    """The numbers: of the card, how many, how many are allowed; what else is named."""

    def __str__(self) -> str:
        return self.text


class DeckList:
    """Copies by card number, in ascending order; a value."""

    __slots__ = ("counts",)

    counts: Mapping[int, int]

    def __init__(self, counts: Mapping[int, int]) -> None:
        object.__setattr__(self, "counts", MappingProxyType(dict(sorted(counts.items()))))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a deck list is frozen: {name}")

    def __eq__(self, other: object) -> bool:
        return self.counts == other.counts if isinstance(other, DeckList) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.counts.items()))

    def __len__(self) -> int:
        """How many cards it holds."""
        return sum(n for n in self.counts.values() if n > 0)

    def __repr__(self) -> str:
        return f"DeckList({dict(self.counts)})"

    def numbers(self) -> tuple[int, ...]:
        """Each card's number, ascending, copies side by side: a certificate's order (protocol section 5)."""
        return tuple(number for number, n in self.counts.items() for _ in range(n))

    def cards(self, catalog: Catalog) -> tuple[Card, ...]:
        """Each card in that order; KeyError for a number that the catalogue does not know."""
        return tuple(catalog.cards[number] for number in self.numbers())

    def to_json(self) -> dict[str, int]:
        """Its JSON form; `read` reads it back."""
        return {str(number): n for number, n in self.counts.items()}


def read(data: object, pointer: str = "") -> tuple[DeckList, list[Fault]]:
    """A deck list from its JSON form, as far as it can be read, and the faults of the rest.

    `pointer` is where `data` stands in the document that the faults point into.
    """
    if not isinstance(data, dict):
        text = "A deck list is an object: copies by card number."
        return DeckList({}), [Fault("bad_form", pointer, text, {})]
    counts: dict[int, int] = {}
    found: list[Fault] = []
    for key, n in data.items():
        at = f"{pointer}/{_escape(str(key))}"
        if not isinstance(key, str) or not _NUMBER.fullmatch(key):
            found.append(Fault("bad_number", at, "A card is named by its number, in plain digits.", {}))
        elif not isinstance(n, int) or isinstance(n, bool):
            text = f"The copies of card {key} must be a whole number."
            found.append(Fault("bad_count", at, text, {"number": int(key)}))
        else:
            counts[int(key)] = n
    return DeckList(counts), found


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def faults(
    deck: DeckList, catalog: Catalog, owned: Mapping[int, int] | None = None, pointer: str = ""
) -> list[Fault]:
    """All that makes a deck list illegal (rulings, chef 10); with `owned`, also what its owner lacks."""
    found: list[Fault] = []
    if len(deck) != SIZE:
        text = f"A deck holds exactly {SIZE} cards; this one holds {len(deck)}."
        found.append(Fault("deck_size", pointer, text, {"cards": len(deck), "exactly": SIZE}))
    for number, n in deck.counts.items():
        found += _card_faults(number, n, catalog, owned, f"{pointer}/{number}")
    return found


def _card_faults(
    number: int, n: int, catalog: Catalog, owned: Mapping[int, int] | None, at: str
) -> Iterator[Fault]:
    data: dict[str, Any] = {"number": number, "copies": n}
    card = catalog.cards.get(number)
    name = str(card) if card else f"card {number}"
    if card is None:
        yield Fault("unknown_card", at, f"There is no card {number}.", data)
    if n < 1:
        yield Fault("bad_count", at, f"{n} copies of {name}: a count is at least 1.", {**data, "at_least": 1})
    if n > COPIES:
        text = f"{n} copies of {name}; at most {COPIES} are allowed."
        yield Fault("too_many_copies", at, text, {**data, "at_most": COPIES})
    if card is not None and owned is not None and n > owned.get(number, 0):
        have = owned.get(number, 0)
        text = f"{n} copies of {name}, and only {have} owned."
        yield Fault("not_owned", at, text, {**data, "owned": have, "missing": n - have})


def lacking(
    deck: DeckList, catalog: Catalog, owned: Mapping[int, int], free: Mapping[int, int], pointer: str = ""
) -> list[Fault]:
    """What keeps somebody from playing a deck list now: too few copies owned, or not enough of them free.

    `owned` and `free` are copies by card number; what is owned and not free is held by a running match.
    """
    found: list[Fault] = []
    for number, n in deck.counts.items():
        have, able = owned.get(number, 0), free.get(number, 0)
        name = str(catalog.cards.get(number, f"card {number}"))
        data = {"number": number, "copies": n, "owned": have, "free": able}
        at = f"{pointer}/{number}"
        if n > have:
            text = f"{counted(n)} of {name}, and {f'only {have}' if have else 'none'} owned."
            found.append(Fault("not_owned", at, text, {**data, "missing": n - have}))
        elif n > able:
            some = f"only {able}" if able else "none"
            text = f"{counted(n)} of {name}, and {some} of {have} free: others are held, as by a match."
            found.append(Fault("not_free", at, text, {**data, "held": have - able}))
    return found


def counted(n: int) -> str:
    """So many copies, in words."""
    return "1 copy" if n == 1 else f"{n} copies"


def warnings(deck: DeckList, catalog: Catalog, pointer: str = "") -> list[Fault]:
    """What is worth a word about a deck that may be legal all the same: other than 14 recipes and 26
    ingredients, and cards that were withdrawn.
    """
    held = {number: n for number, n in deck.counts.items() if number in catalog.cards and n > 0}
    found = []
    recipes = sum(n for number, n in held.items() if catalog.cards[number].is_recipe)
    ingredients = sum(held.values()) - recipes
    if (recipes, ingredients) != (RECIPES, SIZE - RECIPES):
        advised = f"{RECIPES} and {SIZE - RECIPES}"
        text = f"{recipes} recipes and {ingredients} ingredients; the rules advise {advised}."
        data = {"recipes": recipes, "ingredients": ingredients, "advised": RECIPES}
        found.append(Fault("advice_recipes", pointer, text, data))
    for number, n in held.items():
        if catalog.printings[number].retired:
            text = f"{catalog.cards[number]} was withdrawn: it can be played, and no more copies are made."
            found.append(Fault("retired_card", f"{pointer}/{number}", text, {"number": number, "copies": n}))
    return found
