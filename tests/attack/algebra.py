"""A forger's arithmetic: points by their openings, linear systems and square roots mod q."""

from __future__ import annotations

import random
from collections.abc import Sequence

from crypto.group import ORDER, A, G, H, commit, decode_point, encode_point, engine

Vector = Sequence[int]


def total(*terms: tuple[int, bytes]) -> bytes:
    """The sum of scalar * point, of encoded points."""
    curve = engine()
    points, scalars = [decode_point(point) for _, point in terms], [scalar for scalar, _ in terms]
    return curve.encode(curve.msm(points, scalars))


def solved(rest: Sequence[tuple[int, bytes]], factor: int) -> bytes:
    """The point P with factor * P + the sum of `rest` = 0."""
    inverse = -pow(factor, -1, ORDER)
    return total(*((scalar * inverse, point) for scalar, point in rest))


def blind() -> bytes:
    """H."""
    return encode_point(H())


def axis(k: int) -> bytes:
    """A_k."""
    return encode_point(A(k))


def slot(i: int) -> bytes:
    """G_i."""
    return encode_point(G(i))


def com(values: Vector, blinding: int) -> bytes:
    """Com(v; r), on the engine that checks."""
    return commit(values, blinding, on=engine())


def scalars(rng: random.Random, count: int) -> list[int]:
    """Draw so many random scalars."""
    return [rng.randrange(1, ORDER) for _ in range(count)]


def combination(rng: random.Random, vectors: Sequence[Vector], target: Vector) -> list[int]:
    """Weights with sum weight_i * vector_i = target mod q, random where there is a choice.

    ValueError where the target is out of reach.
    """
    count = len(vectors)
    rows = [[vector[k] % ORDER for vector in vectors] + [target[k] % ORDER] for k in range(len(target))]
    pivots: list[int] = []
    for column in range(count):
        done = len(pivots)
        found = next((i for i in range(done, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[done], rows[found] = rows[found], rows[done]
        inverse = pow(rows[done][column], -1, ORDER)
        rows[done] = [value * inverse % ORDER for value in rows[done]]
        for i, row in enumerate(rows):
            if i != done and row[column]:
                rows[i] = [(v - row[column] * p) % ORDER for v, p in zip(row, rows[done], strict=True)]
        pivots.append(column)
    if any(row[-1] for row in rows[len(pivots) :]):
        raise ValueError("the target is not in the span")
    weights = [0 if column in pivots else rng.randrange(ORDER) for column in range(count)]
    free = list(weights)
    for row, pivot in zip(rows, pivots, strict=False):
        weights[pivot] = (row[-1] - sum(v * w for v, w in zip(row[:-1], free, strict=True))) % ORDER
    return weights


_TWO_ADIC, _ODD = 32, (ORDER - 1) >> 32
_NON_RESIDUE = 7


def root(square: int) -> int | None:
    """A square root mod q by Tonelli and Shanks, or None."""
    square %= ORDER
    if square == 0:
        return 0
    if pow(square, (ORDER - 1) // 2, ORDER) != 1:
        return None
    size, c = _TWO_ADIC, pow(_NON_RESIDUE, _ODD, ORDER)
    value, rest = pow(square, (_ODD + 1) // 2, ORDER), pow(square, _ODD, ORDER)
    while rest != 1:
        order, probe = 0, rest
        while probe != 1:
            probe, order = probe * probe % ORDER, order + 1
        step = pow(c, 1 << (size - order - 1), ORDER)
        size, c = order, step * step % ORDER
        value, rest = value * step % ORDER, rest * c % ORDER
    return value
