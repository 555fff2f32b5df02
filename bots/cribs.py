"""What cards bring to the crib in cribbage, if the others lay away with sense.

The other cards of a crib are no random ones: a dealer throws what goes together, the others what does not.
The table below is the fixed point of that: every player keeps what counts most, and reckons with this table.
`measured` computes it; a test holds the table against a computation of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from random import Random

from cards.games import french
from cards.games.cribbage.bulk import shows
from cards.games.cribbage.score import RANK

Discard = tuple[int, ...]
"""Places in the pack of the cards that one player lays away."""
Worth = Mapping[tuple[int, ...], float]
"""The points that a crib counts on average, by the ascending ranks (1 to 13) that one player lays away."""

ROUNDS = 4
"""Rounds of `measured`: in each one players reckon with the table of the round before."""

_RANKS = [RANK[code] for code in french.PACK]


def kept_worth(kept: Sequence[int], dealt: Sequence[int]) -> float:
    """Return what four cards (places in the pack) count on average, over all starters that were not dealt."""
    numbers, taken = bytes(kept), {*dealt}
    hands = b"".join([numbers + bytes((starter,)) for starter in range(52) if starter not in taken])
    return sum(shows(hands)) / (52 - len(taken))


def ways_to_lay(dealt: Sequence[int], away: int, crib: Worth, sign: int) -> list[Discard]:
    """All ways to lay cards away, the best first: by what the rest counts, and the crib.

    `sign` is 1 if the crib counts for this player's side, -1 if it counts for the others.
    """

    def worth(laid: Discard) -> float:
        kept = [place for place in dealt if place not in laid]
        return kept_worth(kept, dealt) + sign * crib[ranks_of(laid)]

    return sorted(combinations(dealt, away), key=worth, reverse=True)


def ranks_of(places: Sequence[int]) -> tuple[int, ...]:
    """The ascending ranks of places in the pack."""
    return tuple(sorted([_RANKS[place] for place in places]))


def measured(seats: int, hands: int, cribs: int, rng: Random) -> tuple[dict[tuple[int, ...], float], ...]:
    """Compute the table of a number of seats: of the dealer's side, and of the others.

    Each round deals `hands` hands to either side, and averages `cribs` cribs for each discard.
    """
    size, away = (6, 2) if seats == 2 else (5, 1)
    keys = [*combinations_with_replacement(range(1, 14), away)]
    table = tuple(dict.fromkeys(keys, 0.0) for _ in range(2))
    for _ in range(ROUNDS):
        thrown = [
            [
                ways_to_lay(rng.sample(range(52), size), away, table[side], 1 - 2 * side)[0]
                for _ in range(hands)
            ]
            for side in range(2)
        ]
        # The others who lay away, by side: with three, a card of the stock makes the fourth.
        rest = {2: ((1,), (0,)), 3: ((1, 1), (0, 1)), 4: ((0, 1, 1), (0, 0, 1))}[seats]
        table = tuple(
            {key: _crib(key, [thrown[other] for other in rest[side]], cribs, rng) for key in keys}
            for side in range(2)
        )
    return table


def _crib(ranks: tuple[int, ...], others: Sequence[Sequence[Discard]], cribs: int, rng: Random) -> float:
    """The average of cribs with these ranks, a discard of each of the others, and a starter."""
    found = bytearray()
    while len(found) < 5 * cribs:
        suits = rng.sample(range(4), len(ranks))
        cards = [13 * suit + (rank + 11) % 13 for rank, suit in zip(ranks, suits, strict=True)]
        for thrown in others:
            cards += rng.choice(thrown)
        cards += [rng.randrange(52) for _ in range(5 - len(cards))]
        if len({*cards}) == 5:
            found += bytes(cards)
    return sum(shows(bytes(found), crib=True)) / cribs


# `measured(seats, 2000, 3000, Random(seats))`, rounded. Rows and columns are ranks from the ace; a row begins
# with the pair of its rank.
_OWN = """
    5.12 3.88 4.15 5.24 5.39 3.63 3.56 3.56 3.30 3.37 3.56 3.25 3.24
    5.42 6.64 4.33 5.35 3.73 3.68 3.53 3.52 3.37 3.65 3.42 3.32
    5.64 4.64 5.81 3.56 3.50 3.72 3.50 3.50 3.74 3.45 3.46
    5.53 6.26 3.72 3.56 3.72 3.56 3.47 3.69 3.57 3.50
    8.60 6.41 5.91 5.31 5.31 6.47 6.81 6.53 6.45
    5.54 4.65 4.39 4.89 3.06 3.31 3.07 3.04
    5.63 6.28 3.84 3.02 3.27 3.14 3.08
    5.13 4.53 3.67 3.28 3.09 3.07
    4.90 4.00 3.85 2.80 3.00
    4.50 4.44 3.24 2.74
    5.16 4.63 3.91
    4.49 3.25
    4.35
"""
_OTHERS = """
    5.95 4.81 4.79 5.62 6.04 4.75 4.70 4.70 4.53 4.26 4.59 4.23 4.07
    6.15 6.94 5.11 6.00 4.76 4.87 4.81 4.60 4.46 4.57 4.40 4.26
    6.50 5.64 6.64 4.68 4.89 4.75 4.61 4.49 4.68 4.34 4.26
    6.40 7.29 5.11 4.57 4.77 4.60 4.39 4.71 4.22 4.07
    9.03 7.28 6.93 6.10 6.10 7.12 7.21 7.05 6.92
    6.68 6.06 5.51 5.93 4.12 4.43 4.17 3.89
    6.84 7.40 4.94 4.18 4.48 4.14 4.07
    6.03 5.34 4.84 4.47 4.25 4.16
    6.04 5.37 4.82 3.99 3.92
    5.69 5.26 4.22 3.58
    6.19 4.97 4.66
    5.46 4.18
    5.46
"""
_SINGLES = {
    3: (
        "4.05 3.98 4.14 4.16 6.42 4.18 4.21 4.28 4.04 3.86 4.24 3.86 3.70",
        "4.22 4.41 4.51 4.41 6.39 4.39 4.53 4.53 4.28 4.18 4.44 4.00 3.87",
    ),
    4: (
        "4.01 4.26 4.25 4.17 6.34 4.08 4.11 4.23 4.15 3.98 4.28 3.73 3.83",
        "4.23 4.60 4.72 4.58 6.29 4.53 4.63 4.41 4.37 4.20 4.35 4.10 3.90",
    ),
}


def _pairs(text: str) -> Worth:
    rows = [[float(word) for word in line.split()] for line in text.split("\n") if line]
    return {(a, a + i): worth for a, row in enumerate(rows, 1) for i, worth in enumerate(row)}


def _singles(text: str) -> Worth:
    return {(a,): float(word) for a, word in enumerate(text.split(), 1)}


CRIBS: Mapping[int, tuple[Worth, Worth]] = {
    2: (_pairs(_OWN), _pairs(_OTHERS)),
    **{seats: (_singles(own), _singles(others)) for seats, (own, others) in _SINGLES.items()},
}
"""What a discard brings to the crib, by the number of seats: to that of its own side, and to the others'."""
