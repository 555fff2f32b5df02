"""The yardstick: raw multi-scalar products, and the number of terms in the equations of a proof."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from benchmarks.measure import Work
from crypto.group import ORDER, G, use

MIX_POINTS = 8
"""Points in the proof of a mix itself."""


def deck_terms(cards: int) -> int:
    """The number of different points in S1..S4 (protocol 6): the G_i, H, D_j, K_i, and 7 of the proof."""
    return cards + 1 + cards + cards + 7


def meal_terms(cards: int, courses: int) -> int:
    """The number of different points in M1..M3 (protocol 8)."""
    return _shared(cards, courses) + cards + _own(courses)


def mix_terms(cards: int) -> int:
    """The number of different points in S1..S4 of a mix (protocol 20.5).

    They are the G_i, H, U, the joint lock, both halves of D and of K, and 8 of the proof.
    """
    return cards + 3 + 4 * cards + MIX_POINTS


def meals_terms(hands: Mapping[int, Sequence[int]], courses: int) -> int:
    """The number of different points in the one sum of many meals.

    `hands` has, for each chef, the number of cards in hand at every meal. A chef's hand grows, so the largest
    hand has the points of all others.
    """
    largest = [max(cards) for cards in hands.values()]
    meals = sum(len(cards) for cards in hands.values())
    return _shared(max(largest), courses) + sum(largest) + meals * _own(courses)


def _shared(cards: int, courses: int) -> int:
    """The points that are the same in every meal: the G_i of all boxes and recipes, H, A_0, A_1."""
    return cards * (courses + 1) + courses + 3


def _own(courses: int) -> int:
    """The points of one meal alone: B, and A, Q, S and the W_c of the proof."""
    return 4 + courses


@cache
def _points(terms: int) -> list[Any]:
    with use("arkworks") as curve:
        return [G(i, on=curve) for i in range(terms)]


def raw(sizes: Sequence[int]) -> Work:
    """Return work: one product by py_arkworks_bls12381 for each number of terms, with new random scalars.

    The work is the library's own call alone, on points and scalars that are already in the library's form.
    """
    from py_arkworks_bls12381 import G1Point, Scalar

    lists = [(_points(terms), [Scalar.from_le_bytes(_scalar()) for _ in range(terms)]) for terms in sizes]
    product = G1Point.multiexp_unchecked

    def work() -> bool:
        for points, scalars in lists:
            product(points, scalars)
        return True

    return work


def _scalar() -> bytes:
    return secrets.randbelow(ORDER).to_bytes(32, "little")
