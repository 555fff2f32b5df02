"""What the proofs cost beside the bare products in them: ratios, all measured in one run.

    python -m benchmarks.proofs [ALTERNATIONS]

Each line alternates the work with one raw multi-scalar product of as many terms by the same engine, and
prints the median of the ratios: a machine that is slow or busy slows both.
"""

from __future__ import annotations

import secrets
import statistics
import sys
import time
from collections.abc import Callable, Iterator

from crypto import certificate, meal, shuffle
from crypto.fairness import Chain
from crypto.group import ORDER, G, engine
from crypto.secret import MatchSecret
from crypto.verifier import Equation, check

CARDS = 40
HAND = 24
COURSES = 3
DISH = [(9, 1, -1, 0, -1, -1, 0), (1, 0, 1, 0, 0, 0, 0), (2, 0, 0, 0, 1, 0, 0), (3, 0, 0, 0, 0, 1, 0)]
"""A recipe for a starch, an oil and a protein, and an ingredient of each."""


def masks() -> Iterator[int]:
    """Fresh random scalars."""
    while True:
        yield secrets.randbelow(ORDER)


def terms(equations: list[Equation]) -> int:
    """Different points in a proof's equations: the terms of their one sum."""
    return len({id(point) for equation in equations for _, point in equation})


def product(size: int) -> Callable[[], object]:
    """A raw product of `size` points and full scalars."""
    curve = engine()
    points = [G(i) for i in range(size)]
    scalars = [secrets.randbelow(ORDER) for _ in range(size)]
    return lambda: curve.msm(points, scalars)


def seconds(work: Callable[[], object]) -> float:
    """How long one run takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def report(name: str, work: Callable[[], object], size: int, times: int) -> None:
    """Alternate the work with the raw product, and print the median ratio."""
    raw = product(size)
    work(), raw()
    pairs = [(seconds(work), seconds(raw)) for _ in range(times)]
    ratio = statistics.median(a / b for a, b in pairs)
    ours = statistics.median(a for a, _ in pairs) * 1000
    print(f"{name:14} {ratio:6.2f} x a product of {size} terms   ({ours:.1f} ms)")


def main(times: int = 15) -> None:
    """Measure a 24-card meal and a 40-card match deck."""
    print(f"engine {engine().name}, median of {times} alternations")
    secret = MatchSecret(secrets.token_bytes(32))
    vectors = [DISH[i % len(DISH)] for i in range(CARDS)]
    cards = certificate.card_points(secret.certificate_seed, vectors)
    order = secret.permutation
    t = [secret.position_blinding(i) for i in range(CARDS)]
    positions = shuffle.positions(cards, order, t)
    anchor = Chain(secrets.token_bytes(64)).anchor
    context = shuffle.context(bytes(16), 0, bytes(32), bytes(64), anchor, anchor)

    def prove_deck() -> bytes:
        return shuffle.prove(context, cards, positions, order, t, masks())

    deck = prove_deck()
    size = terms(shuffle.equations(context, cards, positions, deck))
    report("deck_prove", prove_deck, size, times)
    report("deck_verify", lambda: check(shuffle.equations(context, cards, positions, deck)), size, times)

    held = [next(i for i in range(CARDS) if order[i] % len(DISH) == kind) for kind in range(len(DISH))]
    hand = sorted({*held, *range(HAND)})[:HAND] if max(held) < HAND else sorted({*range(HAND - 4), *held})
    boxes = [1 if index in held else 0 for index in hand]
    points = [positions[index] for index in hand]
    opened = [vectors[order[index]] for index in hand]
    blindings = [
        (certificate.blinding(secret.certificate_seed, order[index]) + t[index]) % ORDER for index in hand
    ]
    about = meal.context(bytes(16), 11, 0, bytes(32), bytes(64), bytes(64), COURSES, hand)

    def prove_meal() -> meal.Sealed:
        return meal.prove(about, points, opened, blindings, boxes, COURSES, masks())

    sealed = prove_meal()
    size = terms(meal.equations(about, points, COURSES, sealed.seal, sealed.proof))
    report("meal_prove", prove_meal, size, times)
    report(
        "meal_verify",
        lambda: check(meal.equations(about, points, COURSES, sealed.seal, sealed.proof)),
        size,
        times,
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
