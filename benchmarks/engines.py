"""Figures of the two curve engines: Pippenger's method on py_ecc, and one engine against the other."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from benchmarks import chefs
from benchmarks.chefs import COURSES, HAND, elsewhere
from benchmarks.measure import Work, WorkPair
from benchmarks.products import meal_terms
from benchmarks.proofs import verify_meals
from crypto.group import ORDER, G, decode_point, encode_point, use

TERMS = 128
SINGLE = 16
"""Multiplications that are timed. Each counts as `TERMS / SINGLE` of them."""


def py_ecc_msm() -> WorkPair:
    """The py_ecc engine's product of 128 terms against 128 multiplications by py_ecc itself."""
    from py_ecc.optimized_bls12_381.optimized_curve import multiply

    with use("arkworks") as fast:
        data = [encode_point(G(i, on=fast), on=fast) for i in range(TERMS)]
    with use("py_ecc") as curve:
        points = [decode_point(point, on=curve) for point in data]

    def fresh() -> tuple[Work, Work]:
        scalars = [secrets.randbelow(ORDER) for _ in range(TERMS)]

        def product() -> bool:
            curve.msm(points, scalars)
            return True

        def singly() -> bool:
            for point, scalar in zip(points[:SINGLE], scalars, strict=False):
                multiply(point, scalar)
            return True

        return product, singly

    return WorkPair(fresh, counts=TERMS // SINGLE, terms=TERMS)


def arkworks_over_py_ecc() -> WorkPair:
    """The same meal on both engines, each knowing the points of the hand."""

    def on(name: str, shown: Sequence[chefs.MealShown]) -> Work:
        with use(name):
            for meal in shown:
                for point in meal.hand:
                    decode_point(point)

        def work() -> bool:
            with use(name):
                return verify_meals(shown)

        return work

    def fresh() -> tuple[Work, Work]:
        shown = elsewhere(chefs.meals, [(0, HAND)])
        return on("py_ecc", shown), on("arkworks", shown)

    size = len(elsewhere(chefs.meals, [(0, HAND)])[0].proof)
    return WorkPair(fresh, terms=meal_terms(HAND, COURSES), proof_bytes=size, decoded=4 + COURSES)
