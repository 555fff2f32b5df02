"""Big C's hands by a slow second program: it tries every Joker as every card and keeps the best hand.

It shares only the names of cards with cards/games/big_c. Each class of hands is written here as the sentence
of the rules that defines it (docs/rules/big-c.md, sections 4 to 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
SUITS = ["D", "C", "H", "S"]
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
PLACE = {code: place for place, code in enumerate(CARDS)}
RANK = {code: RANKS.index(code[:-1]) for code in CARDS}
JOKER = "Joker"

Card = tuple[str, bool]
"""The card that a card stands for, and whether it is natural."""
Made = tuple[int, tuple[tuple[int, ...], ...]]
"""The class, 0 for two pair to 6 for straight flush, and what is compared."""

CLASSES = ("TWO_PAIR", "FLUSH", "STRAIGHT", "FULL_HOUSE", "FOUR_KIND", "FIVE_KIND", "STRAIGHT_FLUSH")


def rank(code: str) -> int:
    """The rank of a card, from 0 for the 3 to 12 for the 2."""
    return RANK[code]


def value(card: Card) -> int:
    """The place of a natural card among the 52; a Joker is below all."""
    return PLACE[card[0]] if card[1] else -1


def falling(cards: Sequence[Card]) -> tuple[int, ...]:
    """The values of cards, the highest first."""
    return tuple(sorted((value(card) for card in cards), reverse=True))


def one_rank(cards: Sequence[Card]) -> bool:
    """Tell whether all cards are of one rank."""
    return len({rank(code) for code, _ in cards}) == 1


def one_suit(cards: Sequence[Card]) -> bool:
    """Tell whether all cards are of one suit."""
    return len({code[-1] for code, _ in cards}) == 1


def in_a_row(cards: Sequence[Card]) -> bool:
    """Tell whether five ranks follow one another."""
    ranks = sorted(rank(code) for code, _ in cards)
    return ranks == list(range(ranks[0], ranks[0] + 5))


def parted(cards: Sequence[Card], size: int) -> Iterator[tuple[list[Card], list[Card]]]:
    """All ways to take that many of the cards, each with the cards that are left."""
    for chosen in combinations(range(len(cards)), size):
        yield [cards[i] for i in chosen], [cards[i] for i in range(len(cards)) if i not in chosen]


def classes(cards: Sequence[Card]) -> Iterator[Made]:
    """Every class to which five natural cards belong."""
    high = ((max(value(card) for card in cards),),)
    if one_suit(cards):
        yield 1, high
    if in_a_row(cards):
        yield 2, high
        if one_suit(cards):
            yield 6, high
    if len({rank(code) for code, _ in cards}) > 3:
        return  # what comes below has a group of four, or two groups, and one card more at most
    if one_rank(cards):
        yield 5, high
    for four, _ in parted(cards, 4):
        if one_rank(four):
            yield 4, (falling(four)[:1],)
    for triple, pair in parted(cards, 3):
        if one_rank(triple) and one_rank(pair) and not one_rank(cards):
            yield 3, (falling(triple), falling(pair))
    for pair, rest in parted(cards, 2):
        for other, _ in parted(rest, 2):
            if one_rank(pair) and one_rank(other) and not one_rank([*pair, *other]):
                first, second = sorted((falling(pair), falling(other)), reverse=True)
                yield 0, (first, second)


@cache
def assignments(jokers: int) -> list[tuple[Card, ...]]:
    """All combinations of cards that this many Jokers can stand for."""
    return [tuple((code, False) for code in codes) for codes in combinations_with_replacement(CARDS, jokers)]


def best(codes: Sequence[str]) -> Made | None:
    """The strongest hand of five cards with at most two Jokers; within a class the highest."""
    naturals: list[Card] = [(code, True) for code in codes if code != JOKER]
    found: Made | None = None
    for filled in assignments(5 - len(naturals)):
        for made in classes([*naturals, *filled]):
            found = made if found is None or made > found else found
    return found


def beats(new: Made, old: Made) -> str:
    """Compare two hands: "lower", "aside", "higher" or "full", by the sentences of section 6."""
    if new[0] != old[0]:
        return "higher" if new[0] > old[0] else "lower"
    if new[1] == old[1]:
        return "full"
    if new[0] == 0 and new[1][0] == old[1][0]:
        return "aside"
    for mine, theirs in zip(new[1], old[1], strict=True):
        if mine != theirs:
            return "higher" if mine > theirs else "lower"
    raise AssertionError("they differ somewhere")


def hands(progress: Callable[[int], None] = lambda done: None) -> Iterator[tuple[tuple[str, ...], int]]:
    """All five-card hands of one pack with two Jokers, each with the number of its ways: 3,162,510 in all."""
    done = 0
    for jokers, ways in ((0, 1), (1, 2), (2, 1)):
        for naturals in combinations(CARDS, 5 - jokers):
            yield (*naturals, *(JOKER,) * jokers), ways
            done += ways
            if done % 100_000 < ways:
                progress(done)
