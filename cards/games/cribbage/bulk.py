"""Scores of whole arrays of hands: one sum of five numbers and two look-ups a hand.

Each card has a number, and the sum of a hand's five tells all that its score depends on. Its low bits tell
the ranks: their weights are such that different five cards have different sums. The bits above count the
suits in the hand, name the suits of its jacks, and hold the suit of the starter. So the score is what the
ranks are worth, from one table, and flush and nobs, from another.

`score` lists what each hand is worth, item by item; this module gives the same total as a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, product

from cards.games import french
from cards.games.cribbage.score import RANK, SUIT, ranks_show

WEIGHTS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""A weight for each rank. Five of them, none more than four times, have a sum that no other five have."""

_BITS = 19
_MASK = (1 << _BITS) - 1
_JACKS, _STARTER = 12, 16


def _weight(code: str) -> int:
    return WEIGHTS[RANK[code] - 1]


IN_HAND = tuple(
    _weight(code)
    | (1 << 3 * french.SUITS.index(SUIT[code])) << _BITS
    | ((code[:-1] == "J") << _JACKS + french.SUITS.index(SUIT[code])) << _BITS
    for code in french.PACK
)
"""The number of a card in the hand, by its place in the pack."""

AS_STARTER = tuple(
    _weight(code) | (french.SUITS.index(SUIT[code]) << _STARTER) << _BITS for code in french.PACK
)


@cache
def _by_ranks() -> bytes:
    """The points for fifteens, runs and pairs, by the sum of the weights."""
    table = bytearray(4 * WEIGHTS[-1] + WEIGHTS[-2] + 1)
    for ranks in combinations_with_replacement(range(1, 14), 5):
        if ranks[0] != ranks[4]:
            table[sum(WEIGHTS[rank - 1] for rank in ranks)] = ranks_show(ranks).total
    return bytes(table)


@cache
def _by_suits(crib: bool) -> bytes:
    """The points for flush and nobs, by the upper bits."""
    table = bytearray(4 << _STARTER)
    for suits in combinations_with_replacement(range(4), 4):
        counted = sum(1 << 3 * suit for suit in suits)
        for jacks, starter in product(range(16), range(4)):
            flush = 0
            if suits[0] == suits[3]:
                flush = 5 if suits[0] == starter else 0 if crib else 4
            table[counted | jacks << _JACKS | starter << _STARTER] = flush + (jacks >> starter & 1)
    return bytes(table)


def shows(cards: bytes, *, crib: bool = False) -> bytes:
    """The scores of many hands, or cribs, one a byte.

    `cards` has five bytes for each: the places in the pack (`french.place`) of the four cards and of the
    starter, no card twice. ValueError for half a hand.

    >>> from cards.games import french
    >>> [*shows(bytes(french.place(code) for code in ("JH", "5S", "5D", "5C", "5H")))]
    [29]
    """
    if len(cards) % 5:
        raise ValueError("a hand and its starter are five cards")
    ranks, suits, hand, starter = _by_ranks(), _by_suits(crib), IN_HAND, AS_STARTER
    columns = (cards[i::5] for i in range(5))
    return bytes(
        [
            ranks[(key := hand[a] + hand[b] + hand[c] + hand[d] + starter[e]) & _MASK] + suits[key >> _BITS]
            for a, b, c, d, e in zip(*columns, strict=True)
        ]
    )


def every() -> Iterator[bytes]:
    """All 12,994,800 hands with their starters, in pieces for `shows`."""
    for one, two in combinations(range(52), 2):
        rest = bytes(chain.from_iterable(combinations(range(two + 1, 52), 3)))
        if not rest:
            continue
        size = len(rest) // 3
        columns = [bytes((one,)) * size, bytes((two,)) * size, rest[0::3], rest[1::3], rest[2::3]]
        for starter in range(5):
            hands = bytearray(5 * size)
            for place, column in enumerate(columns):
                slot = 4 if place == starter else place - (place > starter)
                hands[slot::5] = column
            yield bytes(hands)
