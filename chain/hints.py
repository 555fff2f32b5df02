"""The hints that the contracts' Ed25519 wants: the x of a key and two inverses. All are public.

A contract has no square roots and no cheap inverses, so the caller computes them. The contract checks each
where it uses it. Nothing here is secret, and nothing runs in constant time.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from chain.constants import D, base_point, recover_x
from crypto.edwards import L
from crypto.identity import P

_Extended = tuple[int, int, int]


def hints(key: bytes, digest: bytes, signature: bytes) -> tuple[int, int, int]:
    """The hints for a signature of 64 bytes over a digest; ValueError if the key's bytes are no point.

    They are the same whether the signature holds or not.
    """
    x, y, inverse = _key(key)
    s = int.from_bytes(signature[32:], "little")
    if s >= L:
        return x, inverse, 0
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + digest).digest(), "little") % L
    return x, inverse, pow(_last_z(s, k, P - x, y), -1, P)


@lru_cache(maxsize=256)
def _key(key: bytes) -> tuple[int, int, int]:
    """x and y of a key, and the inverse that adds the base point to its negative."""
    number = int.from_bytes(key, "little")
    y, odd = number % (1 << 255), number >> 255
    x = recover_x(y, odd)
    base_x, base_y = base_point()
    e = D * base_x * base_y * (P - x) * y % P
    return x, y, pow((1 - e * e) % P, -1, P)


def _last_z(s: int, k: int, x: int, y: int) -> int:
    """Z of s B + k (x, y), in the steps of contracts/ed25519.vy: another order would give another Z."""
    base_x, base_y = base_point()
    e = D * base_x * base_y * x * y
    both = (
        (base_x * y + base_y * x) * pow(1 + e, -1, P) % P,
        (base_y * y + base_x * x) * pow(1 - e, -1, P) % P,
    )
    affine = {1: (base_x, base_y), 2: (x, y), 3: both}
    table = {i: ((b + a) % P, (b - a) % P, 2 * D * a * b % P) for i, (a, b) in affine.items()}
    X, Y, Z = 0, 1, 1
    for i in reversed(range(253)):
        a, b = X * X, Y * Y
        H = a + b
        E, G = (H - (X + Y) ** 2) % P, (a - b) % P
        F = (2 * Z * Z + G) % P
        X, Y, Z = E * F % P, G * H % P, F * G % P
        chosen = (s >> i & 1) | (k >> i & 1) << 1
        if chosen:
            total, less, product = table[chosen]
            a, b, c = (Y - X) * less, (Y + X) * total, E * H * product
            E, F, G, H = (b - a) % P, (2 * Z - c) % P, (2 * Z + c) % P, (b + a) % P
            X, Y, Z = E * F % P, G * H % P, F * G % P
    return Z
