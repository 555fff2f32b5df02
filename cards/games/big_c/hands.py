"""The hands of Big C: what cards make together, and what a hand played on another does (docs/rules/big-c.md).

Bracketed numbers are sections of that page. A natural card's *strength* is 0 (the 3 of
diamonds) to 51 (the 2 of spades); a Joker's is -1, the lowest there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

from cards.games import french

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
SUITS = ("D", "C", "H", "S")
JOKER_STRENGTH = -1

ORDER: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 natural cards, the lowest first (2)."""

STRENGTH: dict[str, int] = {
    **{code: i for i, code in enumerate(ORDER)},
    french.JOKER: JOKER_STRENGTH,
}

SIZES = (1, 2, 3, 5)
"""The numbers of cards that a hand can have (4)."""

RankGroup = tuple[int, ...]
"""Strengths of cards that belong together, the highest first."""


class Kind(IntEnum):
    """The kinds of hands. Of five cards, a later kind beats an earlier one (4)."""

    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    TWO_PAIR = 4
    FLUSH = 5
    STRAIGHT = 6
    FULL_HOUSE = 7
    FOUR_KIND = 8
    FIVE_KIND = 9
    STRAIGHT_FLUSH = 10

    @property
    def title(self) -> str:
        """The name for people.

        >>> Kind.FOUR_KIND.title, Kind.FULL_HOUSE.title
        ('four of a kind', 'full house')
        """
        return self.name.lower().replace("_kind", "_of_a_kind").replace("_", " ")


class Comparison(Enum):
    """The result of comparing a hand with the one on the table."""

    LOWER = "lower"
    ASIDE = "aside"
    """Neither higher nor lower: two pairs with equal higher pairs and different lower ones (6)."""
    HIGHER = "higher"
    HALF = "half"
    """Higher by one step: a half footstool (7)."""
    FULL = "full"
    """Exactly equal: a full footstool (7)."""

    @property
    def legal(self) -> bool:
        """True if the hand may be played."""
        return self not in (Comparison.LOWER, Comparison.ASIDE)

    @property
    def penalty(self) -> int:
        """The number of cards that the player of the hand below draws (8)."""
        return {Comparison.HALF: 1, Comparison.FULL: 2}.get(self, 0)


@dataclass(frozen=True, slots=True)
class Combination:
    """A hand of one to five cards that may be played, its Jokers assigned (4, 5)."""

    kind: Kind
    key: tuple[RankGroup, ...]
    """The groups that are compared, most important first.

    Within a kind a higher key wins, except among two pairs (6).
    """
    groups: tuple[RankGroup, ...]
    """The groups that a half footstool must step over (7)."""


def combination_of(codes: Iterable[str]) -> Combination | None:
    """The hand that these cards make, the strongest possible; None where they make none (4, 5).

    KeyError for what is no card.
    """
    return combination_from(sorted([STRENGTH[code] for code in codes], reverse=True))


def combination_played(codes: Iterable[str]) -> Combination:
    """The hand that cards already played make; ValueError where they make none."""
    found = combination_of(codes)
    if found is None:
        raise ValueError("these cards make no hand")
    return found


def combination_from(found: Sequence[int]) -> Combination | None:
    """The hand of cards given by their strengths, the highest first."""
    size = len(found)
    if size not in SIZES or found[0] == JOKER_STRENGTH:
        return None
    jokers = found.count(JOKER_STRENGTH)
    groups = by_rank(found[: size - jokers])
    if size == 5:
        return _five(groups, jokers)
    return _both(Kind(size), found) if len(groups) == 1 else None


def by_rank(cards: Sequence[int]) -> list[list[int]]:
    """Natural cards, the highest first, parted by rank."""
    groups: list[list[int]] = []
    last = None
    for card in cards:
        if card >> 2 == last:
            groups[-1].append(card)
        else:
            groups.append([card])
            last = card >> 2
    return groups


def _high(kind: Kind, high: int) -> Combination:
    """A hand that is compared by its highest natural card alone (6)."""
    compared = ((high,),)
    return Combination(kind, compared, compared)


def _alike(kind: Kind, group: Sequence[int], jokers: int) -> Combination:
    """Four or five of a kind: compared by the high card, stepped over by any of the group (6, 7)."""
    return Combination(kind, ((group[0],),), ((*group, *(JOKER_STRENGTH,) * jokers),))


def _both(kind: Kind, *groups: Sequence[int]) -> Combination:
    """A hand of which every group counts: a pair, a triple, a full house, two pairs."""
    compared = tuple(map(tuple, groups))
    return Combination(kind, compared, compared)


def _five(ranks: list[list[int]], jokers: int) -> Combination | None:
    """The strongest hand of five cards: naturals parted by rank, the highest first, and Jokers."""
    high, low = ranks[0][0], ranks[-1][-1]
    if jokers == 4:
        return _high(Kind.STRAIGHT_FLUSH, high)
    if len(ranks) == 1:
        return _alike(Kind.FIVE_KIND, ranks[0], jokers)
    if jokers == 3:  # by the rules never a straight flush
        return _alike(Kind.FOUR_KIND, ranks[0], 3)
    in_row = len(ranks) == 5 - jokers and (high >> 2) - (low >> 2) <= 4
    of_suit = high & 3 == low & 3 and all(card & 3 == high & 3 for group in ranks for card in group)
    if in_row and of_suit:
        return _high(Kind.STRAIGHT_FLUSH, high)
    if len(ranks) > 3 and not in_row and not of_suit:
        return None
    most, *others = sorted(ranks, key=len, reverse=True)
    if len(most) + jokers == 4:
        return _alike(Kind.FOUR_KIND, most, jokers)
    if len(ranks) == 2:
        return _both(Kind.FULL_HOUSE, (*most, *(JOKER_STRENGTH,) * jokers), others[0])
    if in_row or of_suit:
        return _high(Kind.STRAIGHT if in_row else Kind.FLUSH, high)
    if len(most) == 3:
        return None
    # Each pair lacking a card takes a Joker; the third rank is left over.
    pairs = sorted(((*group, JOKER_STRENGTH)[:2] for group in (most, others[0])), reverse=True)
    return _both(Kind.TWO_PAIR, *pairs)


def compare(new: Combination, old: Combination) -> Comparison:
    """Compare `new` with `old`, a hand of as many cards (6, 7)."""
    if new.kind != old.kind:
        return Comparison.HIGHER if new.kind > old.kind else Comparison.LOWER
    if new.key == old.key:
        return Comparison.FULL
    if new.kind is Kind.TWO_PAIR and new.key[0] == old.key[0]:
        return Comparison.ASIDE
    if new.key < old.key:
        return Comparison.LOWER
    pairs = zip(new.groups, old.groups, strict=True)
    return Comparison.HALF if all(under[0] + 1 in over for over, under in pairs) else Comparison.HIGHER
