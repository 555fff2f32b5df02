"""Edwards25519 by its definition: signatures that no honest signer makes, keys that nobody should take."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Affine = tuple[int, int]
ZERO: Affine = (0, 1)


def add(a: Affine, b: Affine) -> Affine:
    t = D * a[0] * b[0] * a[1] * b[1]
    return (
        (a[0] * b[1] + b[0] * a[1]) * pow(1 + t, -1, P) % P,
        (a[1] * b[1] + a[0] * b[0]) * pow(1 - t, -1, P) % P,
    )


def mul(n: int, a: Affine) -> Affine:
    total = ZERO
    while n:
        if n & 1:
            total = add(total, a)
        a, n = add(a, a), n >> 1
    return total


def lift(y: int, sign_bit: int = 0) -> Affine | None:
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        return None
    return (x if x & 1 == sign_bit else (P - x) % P), y


def encode(a: Affine) -> bytes:
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


BASE = lift(4 * pow(5, -1, P) % P)
assert BASE is not None


def torsion() -> list[Affine]:
    """The eight points of small order."""
    for y in range(2, 100):
        point = lift(y)
        if point is not None:
            eighth = mul(L, point)
            if mul(4, eighth) != ZERO:
                return [mul(i, eighth) for i in range(8)]
    raise AssertionError


TORSION = torsion()


def secret_scalar(private: bytes) -> int:
    digest = bytearray(hashlib.sha512(private).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return int.from_bytes(digest, "little")


def challenge(r: bytes, public: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % L


def by_hand(a: int, public: bytes, message: bytes, nonce: int, shift: Affine = ZERO) -> bytes:
    """A signature with R = nonce B + shift."""
    r = encode(add(mul(nonce, BASE), shift))
    return r + ((nonce + challenge(r, public, message) * a) % L).to_bytes(32, "little")
