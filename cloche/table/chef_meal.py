"""A meal of Pancake while a player puts it together: the player names cards, and positions are found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cards.catalog.cards import CATEGORIES, Card, Units
from cards.games import chef
from cards.games.chef.pantry import Candidate, Pantry
from cards.games.contract import Move
from cloche.table.matching import either, meant, near
from cloche.table.presenter import Misread

COURSES: Mapping[str, chef.Course] = {course.name: course for course in chef.COURSES}
MOST_OF_A_RECIPE = 2
"""The most dishes of one recipe on the menu."""
MOST_DISHES = 12

_PARTS = re.compile(r"[:,;+]")
_COUNT = re.compile(r"(\d+)\s*x?\s+(.+)|(.+?)\s+x\s*(\d+)")


def units(given: Units) -> str:
    """Units in words: "1 starch, 2 oil"."""
    return ", ".join(f"{n} {name}" for n, name in zip(given, CATEGORIES, strict=True) if n)


def about(card: Card) -> str:
    """Say in a line what a card does."""
    if card.is_recipe:
        parts = [f"needs {units(card.costs)}"]
        if card.list:
            parts.append(f"likes {', '.join(card.list)}")
    else:
        parts = [f"costs {units(card.costs)}" if card.is_special else units(card.provides)]
        if card.kinds:
            parts.append(f"a {', '.join(card.kinds)}")
    if card.bonus:
        parts.append(f"bonus +{card.bonus}")
    if card.one_time:
        parts.append("one-time")
    return "; ".join(parts)


def counted(cards: Iterable[Card]) -> str:
    """Cards by name, with a count for equal ones: "Bread x2, Tuna"."""
    found = Counter(card.name for card in cards)
    return ", ".join(name if n == 1 else f"{name} x{n}" for name, n in found.items())


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Distinct cards in the order in which a hand numbers them: recipes first, then ingredients, by name."""
    return sorted(set(cards), key=lambda card: (not card.is_recipe, card.name))


@dataclass(frozen=True, slots=True)
class DraftPlate:
    """The cards on a course so far, as indices in the chef's deck."""

    recipe: int | None
    ingredients: tuple[int, ...]

    @property
    def used(self) -> tuple[int, ...]:
        """All cards of the plate."""
        return self.ingredients if self.recipe is None else (self.recipe, *self.ingredients)


@dataclass
class Draft:
    """A meal that is not sealed yet."""

    plates: dict[int, DraftPlate] = field(default_factory=dict)
    """The plates by the course's number."""
    menu: tuple[Candidate, ...] = ()
    """The dishes of the last menu, which can be named m1, m2 and so on."""

    def move(self) -> Move:
        """The meal as a choice (protocol section 9)."""
        return chef_choice(self.plates)

    def load(self, move: Move) -> None:
        """Lay a whole choice."""
        self.plates = {
            dish["course"]: DraftPlate(dish["recipe"], tuple(dish["ingredients"])) for dish in move["dishes"]
        }

    def free(self, hand: Mapping[int, Card], course: int | None = None) -> dict[int, Card]:
        """The cards of a hand that are on no other course than `course`."""
        used = {index for number, plate in self.plates.items() if number != course for index in plate.used}
        return {index: card for index, card in hand.items() if index not in used}

    def take(self, hand: Mapping[int, Card], course: int, wanted: Sequence[Card]) -> DraftPlate:
        """A plate of these cards; of equal cards it takes the first free one. Raises `Misread`."""
        recipes = [card for card in wanted if card.is_recipe]
        if len(recipes) > 1:
            names = " and ".join(card.name for card in recipes)
            raise Misread(f"A dish has one recipe, and {names} are two.", "chef 4")
        free = self.free(hand, course)
        chosen: list[int] = []
        for card in wanted:
            index = next((i for i in sorted(free) if free[i] == card and i not in chosen), None)
            if index is None:
                raise Misread(self._short_of(hand, card), "chef 6")
            chosen.append(index)
        recipe = next((index for index in chosen if hand[index].is_recipe), None)
        return DraftPlate(recipe, tuple(sorted(index for index in chosen if index != recipe)))

    def _short_of(self, hand: Mapping[int, Card], card: Card) -> str:
        held = sum(other == card for other in hand.values())
        taken = held - sum(other == card for other in self.free(hand).values())
        copies = "one copy" if held == 1 else f"{held} copies"
        other = f" and {taken} of it on another course; `drop` frees it" if taken else ""
        return f"You hold {copies} of {card.name}{other}."


def chef_choice(plates: Mapping[int, DraftPlate]) -> Move:
    """Plates as a choice."""
    return {
        "dishes": [
            {"course": number, "recipe": plates[number].recipe, "ingredients": [*plates[number].ingredients]}
            for number in sorted(plates)
        ]
    }


def listed(hand: Iterable[Card]) -> tuple[Candidate, ...]:
    """List what can be cooked, the best dish first, with few dishes of each recipe."""
    taken: Counter[int] = Counter()
    found = []
    for dish in Pantry(hand).dishes():
        taken[dish.recipe.number] += 1
        if taken[dish.recipe.number] <= MOST_OF_A_RECIPE:
            found.append(dish)
    return tuple(found[:MOST_DISHES])


def cards_of(text: str, hand: Iterable[Card], deck: Iterable[Card], menu: Sequence[Candidate]) -> list[Card]:
    """The cards that a player names: by name, by its beginning, by number, or as a dish of the menu.

    Raises `Misread` for a text that fits no card or several.
    """
    held = in_order(hand)
    found: list[Card] = []
    for part in _PARTS.split(text):
        if part.strip():
            found += _part(part.strip(), held, list(deck), menu)
    return found


def _part(part: str, held: Sequence[Card], deck: Sequence[Card], menu: Sequence[Candidate]) -> list[Card]:
    if re.fullmatch(r"m\d+", part.casefold()):
        number = int(part[1:])
        if not 1 <= number <= len(menu):
            raise Misread(f"There is no dish {part}; `menu` lists what can be cooked.")
        dish = menu[number - 1]
        return [dish.recipe, *dish.ingredients]
    if all(word.isdecimal() for word in part.split()):
        return [_numbered(int(word), held) for word in part.split()]
    fitting = meant(part, [card.name for card in held])
    times = 1
    if not fitting and (count := _COUNT.fullmatch(part)):
        times, name = int(count[1] or count[4]), count[2] or count[3]
        fitting = meant(name, [card.name for card in held])
    if not fitting and " " in part:
        return _by_words(part.split(), held, deck)
    if len(fitting) != 1:
        raise Misread(_which(part, fitting, held, deck), "" if fitting else "chef 6")
    return [next(card for card in held if card.name == fitting[0])] * min(times, 40)


def _by_words(words: Sequence[str], held: Sequence[Card], deck: Sequence[Card]) -> list[Card]:
    """Read names without separators: the longest name that fits comes first."""
    if not words:
        return []
    names = [card.name for card in held]
    for n in range(len(words), 0, -1):
        fitting = meant(" ".join(words[:n]), names)
        if len(fitting) == 1:
            card = next(card for card in held if card.name == fitting[0])
            return [card, *_by_words(words[n:], held, deck)]
    raise Misread(_which(" ".join(words), [], held, deck), "chef 6")


def _numbered(number: int, held: Sequence[Card]) -> Card:
    if not 1 <= number <= len(held):
        raise Misread(f"There is no card {number}; the cards of your hand have the numbers 1 to {len(held)}.")
    return held[number - 1]


def _which(part: str, fitting: Sequence[str], held: Sequence[Card], deck: Sequence[Card]) -> str:
    if fitting:
        return f"{part}: {either(fitting)}?"
    names = [card.name for card in held]
    elsewhere = meant(part, [card.name for card in deck])
    if len(elsewhere) == 1:
        return f"{elsewhere[0]} is not in your hand."
    close = near(part, names)
    return f"You have no card called {part}." + (f" Did you mean {either(close)}?" if close else "")
