"""Boosters: which cards one holds, given uniform draws, and the odds that follow.

The caller supplies the draws, as a function `below(n)`. Everything else that decides is in a `Booster`, which
has a JSON form. So the same booster and the same draws always give the same cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from cards.catalog.cards import MAX_NUMBER, RARITIES, CardSet, Pity, Slot

Below = Callable[[int], int]
"""Draws a uniform index: `below(n)` is one of 0..n-1."""

MOST_CARDS = 99
"""The most cards in a booster, and in each of its slots."""
MOST_WEIGHT = 999_999
MOST_WITHIN = 999

_FIELDS = ("set", "slots", "pity", "cards")


class BoosterError(ValueError):
    """Data that is no booster; `field` is a JSON pointer to the error."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True)
class Booster:
    """The rules of a set's boosters: the cards that they are drawn from, and how."""

    set: str
    """The set's code."""
    slots: tuple[Slot, ...]
    pity: Pity | None
    cards: Mapping[str, tuple[int, ...]]
    """The numbers of the cards that can be drawn, ascending, by rarity."""

    def json(self) -> dict[str, Any]:
        """Its JSON form, which `read_booster` reads back."""
        pity = self.pity
        return {
            "set": self.set,
            "slots": [{"count": slot.count, "weights": dict(slot.weights)} for slot in self.slots],
            "pity": None if pity is None else {"rarity": pity.rarity, "within": pity.within},
            "cards": {rarity: [*numbers] for rarity, numbers in self.cards.items()},
        }


@dataclass(frozen=True, slots=True)
class BoosterContents:
    """The cards drawn from a booster: their numbers in the order drawn, no card twice."""

    cards: tuple[int, ...]
    pity: bool
    """True if one of them has the rarity that the pity counter waits for."""


def of_set(card_set: CardSet) -> Booster | None:
    """The rules of a set's boosters; None for a set without boosters.

    They never hold withdrawn cards, nor Basic Ingredients, which anybody may mint for free.
    """
    plan = card_set.booster
    if plan is None:
        return None
    pools: dict[str, list[int]] = {}
    for printing in card_set.printings:
        if not (printing.basic or printing.retired):
            pools.setdefault(printing.rarity, []).append(printing.card.number)
    named = {rarity for slot in plan.slots for rarity, _ in slot.weights}
    cards = {rarity: tuple(sorted(pools.get(rarity, ()))) for rarity in RARITIES if rarity in named}
    return Booster(card_set.code, plan.slots, plan.pity, MappingProxyType(cards))


def draw(booster: Booster, since: int, below: Below) -> BoosterContents:
    """Open a booster; `since` is the pity counter: the boosters opened since the last card of its rarity.

    The cards are drawn slot by slot. First a card's rarity is drawn by the slot's weights, if it has several.
    But if the counter is full, the first card that can have the counter's rarity gets it without a draw.
    Then one of that rarity's cards is drawn that is not in the booster yet, each with equal odds.
    """
    pity = booster.pity
    owed = pity is not None and since + 1 >= pity.within
    left = {rarity: [*numbers] for rarity, numbers in booster.cards.items()}
    drawn: list[int] = []
    came = False
    for slot in booster.slots:
        rarities = [rarity for rarity, _ in slot.weights]
        for _ in range(slot.count):
            if owed and pity is not None and pity.rarity in rarities:
                rarity, owed = pity.rarity, False
            elif len(rarities) == 1:
                (rarity,) = rarities
            else:
                rarity = _weighted(slot, below)
            pool = left[rarity]
            drawn.append(pool.pop(below(len(pool))))
            came = came or (pity is not None and rarity == pity.rarity)
    return BoosterContents(tuple(drawn), came)


def _weighted(slot: Slot, below: Below) -> str:
    at = below(sum(weight for _, weight in slot.weights))
    for rarity, weight in slot.weights:
        if at < weight:
            return rarity
        at -= weight
    raise AssertionError("an index below the sum of the weights falls on one of them")


def counted(booster: Booster, since: int, pack: BoosterContents) -> int:
    """The pity counter after a booster: 0 if its rarity came, else one more."""
    return 0 if booster.pity is None or pack.pity else since + 1


# Odds


@dataclass(frozen=True, slots=True)
class RarityOdds:
    """The exact odds of a rarity. All but `with_pity` are by the weights alone, without the pity counter."""

    rarity: str
    expected: Fraction
    """The number of its cards that a booster holds on average."""
    chance: Fraction
    """The probability that a booster has at least one."""
    each: Fraction
    """The probability that a booster has one given card of this rarity."""
    with_pity: Fraction | None
    """The share of boosters that have one, with the pity counter; None unless the counter waits for it."""


def odds(booster: Booster) -> list[RarityOdds]:
    """The odds of a booster, rarity by rarity.

    If q is the probability that a booster lacks the rarity of the pity counter, then on average
    1 + q + q^2 + ... + q^(within - 1) boosters are opened from one card of that rarity to the next.
    """
    found = []
    for rarity in booster.cards:
        expected, lacks = Fraction(0), Fraction(1)
        for slot in booster.slots:
            weights = dict(slot.weights)
            share = Fraction(weights.get(rarity, 0), sum(weights.values()))
            expected += slot.count * share
            lacks *= (1 - share) ** slot.count
        with_pity = None
        if booster.pity is not None and booster.pity.rarity == rarity:
            with_pity = 1 / sum((lacks**k for k in range(booster.pity.within)), Fraction(0))
        found.append(
            RarityOdds(rarity, expected, 1 - lacks, expected / len(booster.cards[rarity]), with_pity)
        )
    return found


# Checking and reading


def booster_flaws(booster: Booster) -> Iterator[tuple[str, str]]:
    """Flaws that keep boosters with these rules from being opened: (field, why)."""
    most: dict[str, int] = {}
    for slot in booster.slots:
        for rarity, _ in slot.weights:
            most[rarity] = most.get(rarity, 0) + slot.count
    for rarity, count in most.items():
        there = len(booster.cards.get(rarity, ()))
        if there < count:
            yield "slots", f"up to {count} {rarity} cards are needed, and there are only {there}"
    if sum(slot.count for slot in booster.slots) > MOST_CARDS:
        yield "slots", f"a booster has at most {MOST_CARDS} cards"
    if booster.pity is not None and booster.pity.rarity not in most:
        yield "pity/rarity", f"no slot can have a {booster.pity.rarity} card"


def read_booster(data: object) -> Booster:
    """Read a booster's JSON form. It is strict, so `read_booster(x).json() == x`. Raises `BoosterError`."""
    given = _object(data, "", _FIELDS)
    if not isinstance(given["set"], str) or not 1 <= len(given["set"]) <= 60:
        raise BoosterError("/set", "must be a set's code")
    listed = given["slots"]
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_CARDS:
        raise BoosterError("/slots", f"must be a list of 1 to {MOST_CARDS} slots")
    slots = tuple(_read_slot(slot, f"/slots/{i}") for i, slot in enumerate(listed))
    cards = _read_cards(given["cards"])
    booster = Booster(given["set"], slots, _read_pity(given["pity"]), MappingProxyType(cards))
    for field, why in booster_flaws(booster):
        raise BoosterError(f"/{field}", why)
    if {*cards} != {rarity for slot in slots for rarity, _ in slot.weights}:
        raise BoosterError("/cards", "must have the rarities that the slots name, and no other")
    return booster


def _object(data: object, at: str, names: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(data, dict) or {*data} != {*names}:
        raise BoosterError(at, f"must be an object with {', '.join(names)}")
    return data


def _whole(value: object, at: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise BoosterError(at, f"must be a whole number from 1 to {most}")
    return value


def _read_slot(data: object, at: str) -> Slot:
    given = _object(data, at, ("count", "weights"))
    weights = given["weights"]
    if not isinstance(weights, dict) or not weights or not {*weights} <= {*RARITIES}:
        raise BoosterError(f"{at}/weights", f"must give weights by rarity: {', '.join(RARITIES)}")
    count = _whole(given["count"], f"{at}/count", MOST_CARDS)
    ordered = [(r, _whole(weights[r], f"{at}/weights/{r}", MOST_WEIGHT)) for r in RARITIES if r in weights]
    return Slot(count, tuple(ordered))


def _read_pity(data: object) -> Pity | None:
    if data is None:
        return None
    given = _object(data, "/pity", ("rarity", "within"))
    if given["rarity"] not in RARITIES:
        raise BoosterError("/pity/rarity", f"must be one of {', '.join(RARITIES)}")
    return Pity(given["rarity"], _whole(given["within"], "/pity/within", MOST_WITHIN))


def _read_cards(data: object) -> dict[str, tuple[int, ...]]:
    if not isinstance(data, dict) or not {*data} <= {*RARITIES}:
        raise BoosterError("/cards", f"must list cards by rarity: {', '.join(RARITIES)}")
    found: dict[str, tuple[int, ...]] = {}
    for rarity in (name for name in RARITIES if name in data):
        numbers, at = data[rarity], f"/cards/{rarity}"
        if not isinstance(numbers, list):
            raise BoosterError(at, "must be a list of card numbers")
        whole = tuple(_whole(number, f"{at}/{i}", MAX_NUMBER) for i, number in enumerate(numbers))
        if list(whole) != sorted({*whole}):
            raise BoosterError(at, "must ascend, each number once")
        found[rarity] = whole
    if len({n for numbers in found.values() for n in numbers}) != sum(map(len, found.values())):
        raise BoosterError("/cards", "must have each card in one rarity")
    return found
