"""Transcripts without a witness, for a prover who may choose the challenges first (protocol 6, 8)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from crypto.group import ORDER, encode_scalar
from tests.attack.algebra import axis, blind, com, scalars, slot, solved, total
from tests.attack.meal_forger import slots


def simulated_shuffle(
    cards: Sequence[bytes], positions: Sequence[bytes], challenges: Mapping[str, int], rng: random.Random
) -> bytes:
    """A proof that fits these challenges: answers at random, first messages solved for."""
    n, (y, lam, z, x) = len(cards), (challenges[name] for name in ("y", "lambda", "z", "x"))
    f, u, inner = scalars(rng, n), scalars(rng, n), scalars(rng, n - 2)
    z_f, z_t, z_u, z_s, *blindings = scalars(rng, 7)
    c1, c2, c_Delta = (com([], r) for r in blindings)
    powers = [pow(y, j, ORDER) for j in range(1, n + 1)]
    product = 1
    for j, power in enumerate(powers, 1):
        product = product * (lam * j + power - z) % ORDER
    b = [u[0], *inner, x * product]
    chain = com([x * b[i] - b[i - 1] * u[i] for i in range(1, n)], z_s)
    c3 = solved([(x, c2), (-1, com(f, z_f))], 1)
    moved = [(-x * power, card) for power, card in zip(powers, cards, strict=True)]
    E = total(*zip(f, positions, strict=True), (z_t, blind()), *moved)
    sums = [(-x * z, slot(i)) for i in range(n)]
    c_d = solved([(x * lam, c1), (x, c2), *sums, (-1, com(u, z_u))], 1)
    c_delta = solved([(x, c_Delta), (-1, chain)], 1)
    values = [*f, z_f, z_t, *u, z_u, *inner, z_s]
    return b"".join([c1, c2, c3, E, c_d, c_delta, c_Delta, *map(encode_scalar, values)])


def simulated_meal(hand: Sequence[bytes], courses: int, x: int, rng: random.Random) -> tuple[bytes, bytes]:
    """A seal and a proof that fit the challenge x."""
    rows = [scalars(rng, courses) for _ in hand]
    f_g, n, k = (scalars(rng, courses) for _ in range(3))
    z_A, z_Q, r_B, r_Q = scalars(rng, 4)
    seal, Q = com([], r_B), com([], r_Q)
    f = slots(rows, x, f_g)
    A = solved([(x, seal), (-1, com(f, z_A))], 1)
    S = solved([(x, Q), (-1, com([value * (x - value) for value in f], z_Q))], 1)
    W = [
        total(
            *zip((row[c] for row in rows), hand, strict=True),
            (-n[c], axis(0)),
            (-f_g[c], axis(1)),
            (-k[c], blind()),
        )
        for c in range(courses)
    ]
    values = [*(value for row in rows for value in row), *f_g, z_A, z_Q]
    values += [value for pair in zip(n, k, strict=True) for value in pair]
    return seal, b"".join([A, Q, S, *W, *map(encode_scalar, values)])
