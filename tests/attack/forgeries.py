"""Ed25519 signatures and keys that lax verifiers take: small order, torsion, other encodings, larger S.

Each is made by arithmetic on the curve, and each passes `lax`: the equation alone, with or without the
cofactor, on whatever bytes are given. So each is a forgery that some library in use accepts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from crypto.identity import public_key, sign
from tests.crypto.edwards import (
    BASE,
    TORSION,
    ZERO,
    Affine,
    L,
    P,
    add,
    challenge,
    encode,
    lift,
    mul,
    secret_scalar,
)

assert BASE is not None
SIGN = 1 << 255
_NONCES = tuple(range(1001, 1033))


@dataclass(frozen=True)
class Forgery:
    """A key, and signatures under it that nobody should take."""

    what: str
    key: bytes
    sign: Callable[[bytes], bytes]
    """The signature of any bytes."""
    cofactor: int = 1
    """The cofactor of the lax equation that accepts it: 1 or 8."""


def _point(data: bytes) -> Affine | None:
    """The point of any 32 bytes, reduced and with whatever sign."""
    number = int.from_bytes(data, "little")
    return lift(number % SIGN % P, number >> 255)


def lax(key: bytes, message: bytes, signature: bytes, cofactor: int) -> bool:
    """cofactor (S B - R - k A) = 0, for points in any encoding and of any order, and any S."""
    public, r = _point(key), _point(signature[:32])
    if public is None or r is None:
        return False
    s = int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    right = add(r, mul(k, public))
    return mul(cofactor, mul(s % L, BASE)) == mul(cofactor, right)


def encodings(point: Affine) -> list[bytes]:
    """Every 32 bytes that a decoder without checks reads as this point."""
    x, y = point
    found = []
    for number in (y, y + P):
        if number < SIGN:
            signs = (0, SIGN) if x == 0 else ((x & 1) * SIGN,)
            found += [(number | bit).to_bytes(32, "little") for bit in signs]
    return found


@cache
def _nonce_points() -> tuple[Affine, ...]:
    points = [mul(_NONCES[0], BASE)]
    for _ in _NONCES[1:]:
        points.append(add(points[-1], BASE))
    return tuple(points)


def _in_torsion(a: int, index: int, key: bytes) -> Callable[[bytes], bytes]:
    """Signatures under a B + T_index by the equation without a cofactor: R takes up what k T leaves over."""

    def made(message: bytes) -> bytes:
        for nonce, point in zip(_NONCES, _nonce_points(), strict=True):
            for j in range(8):
                r = encode(add(point, TORSION[j]))
                k = challenge(r, key, message)
                if (j + k * index) % 8 == 0:
                    return r + ((nonce + k * a) % L).to_bytes(32, "little")
        raise AssertionError("one of 256 fits")

    return made


def _shifted(a: int, key: bytes, r_point: Affine, nonce: int) -> Callable[[bytes], bytes]:
    """Signatures with a given point R, S being right for `nonce` B."""
    r = encode(r_point)
    return lambda message: r + ((nonce + challenge(r, key, message) * a) % L).to_bytes(32, "little")


def _small_keys() -> Iterator[Forgery]:
    for index, point in enumerate(TORSION):
        for n, key in enumerate(encodings(point)):
            form = "" if key == encode(point) else f", encoding {n + 1}"
            yield Forgery(f"key of small order, T{index}{form}", key, _in_torsion(0, index, key))
            blank = encode(ZERO) + bytes(32)
            yield Forgery(f"one signature for all, T{index}{form}", key, lambda _, b=blank: b, 8)


def _mixed_keys() -> Iterator[Forgery]:
    a = secret_scalar(b"\x05" * 32)
    for index in range(1, 8):
        key = encode(add(mul(a, BASE), TORSION[index]))
        yield Forgery(f"key of mixed order, T{index}", key, _in_torsion(a, index, key))
        plain = _shifted(a, key, _nonce_points()[0], _NONCES[0])
        yield Forgery(f"key of mixed order, T{index}, R without torsion", key, plain, 8)


@cache
def with_bad_keys() -> tuple[Forgery, ...]:
    """Signatures under keys of small and of mixed order, in every encoding."""
    return (*_small_keys(), *_mixed_keys())


@cache
def with_good_key(private: bytes) -> tuple[Forgery, ...]:
    """Make what can be made of the signatures of an honest key: by its owner, or by anybody who has one."""
    key, a = public_key(private), secret_scalar(private)
    found = []
    for index in range(1, 8):
        r_point = add(_nonce_points()[index], TORSION[index])
        made = _shifted(a, key, r_point, _NONCES[index])
        found.append(Forgery(f"torsion in R, T{index}", key, made, 8))
        found.append(Forgery(f"R of small order, T{index}", key, _shifted(a, key, TORSION[index], 0), 8))
    for r in encodings(ZERO):
        if r != encode(ZERO):
            found.append(Forgery(f"R = 0 as {r[:1].hex()}..{r[-1:].hex()}", key, _with_r(a, key, r)))
    top = 2**256 // L
    for times in (*range(1, top), -1):
        found.append(Forgery(f"S + {times} L" if times > 0 else "S of 256 bits", key, _more(private, times)))
    return tuple(found)


def _with_r(a: int, key: bytes, r: bytes) -> Callable[[bytes], bytes]:
    return lambda message: r + (challenge(r, key, message) * a % L).to_bytes(32, "little")


def _more(private: bytes, times: int) -> Callable[[bytes], bytes]:
    def made(message: bytes) -> bytes:
        signature = sign(private, message)
        s = int.from_bytes(signature[32:], "little")
        most = (2**256 - 1 - s) // L if times < 0 else times
        return signature[:32] + (s + most * L).to_bytes(32, "little")

    return made


@cache
def bad_keys() -> tuple[bytes, ...]:
    """32 bytes that are no key: of small or mixed order, not reduced, with a needless sign, off the curve."""
    made = {forgery.key for forgery in with_bad_keys()}
    made |= {(y | bit).to_bytes(32, "little") for y in range(P, SIGN) for bit in (0, SIGN)}
    made |= {(y | SIGN).to_bytes(32, "little") for y in (1, P - 1)}
    made |= {y.to_bytes(32, "little") for y in range(2, 40) if lift(y) is None}
    return tuple(sorted(made))
