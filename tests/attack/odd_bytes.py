"""Bytes in the place of a point or a scalar that no decoder may take (protocol 1).

Torsion: the curve has q h points, h = 3 * 11^2 * 10177^2 * 859267^2 * 52437899^2, so there are points of each
of these small orders beside the subgroup, and a proof's point plus one of them still lies on the curve.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from py_ecc.bls.point_compression import compress_G1, decompress_G1
from py_ecc.optimized_bls12_381 import optimized_curve as curve

from crypto.engines import MODULUS, ORDER
from tests.crypto.crypto_kit import POINT, compressed, off_curve

SMALL_ORDERS = (3, 11, 10177, 859267, 52437899)
COFACTOR = 0x396C8C005555E1568C00AAAB0000AAAB
X_BITS = (1 << 381) - 1
Projective = Any


def _decompressed(data: bytes) -> Projective:
    """A point of the curve, in the subgroup or not."""
    return decompress_G1(int.from_bytes(data, "big"))


def _compressed(point: Projective) -> bytes:
    return int(compress_G1(point)).to_bytes(POINT, "big")


@cache
def of_order(small: int) -> Projective:
    """A point of the curve whose order is this prime divisor of the cofactor."""
    part = COFACTOR
    while part % small == 0:
        part //= small
    x = 0
    while True:
        x += 1
        try:
            found = curve.multiply(_decompressed(compressed(x)), ORDER * part)
        except ValueError:
            continue
        if curve.is_inf(found):
            continue
        while not curve.is_inf(higher := curve.multiply(found, small)):
            found = higher
        return found


def plus_torsion(point: bytes, small: int) -> bytes:
    """The point plus one of small order."""
    return _compressed(curve.add(_decompressed(point), of_order(small)))


def torsion(small: int) -> bytes:
    """A point of small order alone."""
    return _compressed(of_order(small))


def plus_modulus(point: bytes) -> bytes | None:
    """The same point with x + p for x, where that fits into 381 bits: a decoder that reduces takes it."""
    x = (int.from_bytes(point, "big") & X_BITS) + MODULUS
    return compressed(x, point[0] >> 5) if x <= X_BITS else None


def infinities() -> dict[str, bytes]:
    """Everything that some decoder somewhere takes for the identity, the canonical form included."""
    return {
        "infinity": b"\xc0" + bytes(47),
        "infinity with a sign": b"\xe0" + bytes(47),
        "infinity with a last bit": b"\xc0" + bytes(46) + b"\x01",
        "infinity with a first bit": b"\xc1" + bytes(47),
        "infinity with a middle bit": b"\xc0" + bytes(23) + b"\x80" + bytes(23),
        "infinity not marked as compressed": b"\x40" + bytes(47),
        "infinity with a sign, not marked as compressed": b"\x60" + bytes(47),
        "all zero": bytes(48),
        "a sign and nothing else": b"\x20" + bytes(47),
        "x = 0": b"\x80" + bytes(47),
        "x = 0 with a sign": b"\xa0" + bytes(47),
        "x = p": compressed(MODULUS),
        "x = p, infinite": compressed(MODULUS, 0b110),
        "all ones": b"\xff" * 48,
    }


def not_points(point: bytes) -> dict[str, bytes]:
    """48 bytes for the place of `point`, none of them to be taken; by what is wrong with them."""
    x = int.from_bytes(point, "big") & X_BITS
    found = infinities()
    for small in SMALL_ORDERS:
        found[f"of order {small}"] = torsion(small)
        found[f"plus a point of order {small}"] = plus_torsion(point, small)
    found |= {f"flags {flags:03b}": compressed(x, flags) for flags in range(8) if flags not in (0b100, 0b101)}
    # A compressed point is an x: what lies on another curve of the form y^2 = x^3 + 4 is on the twist.
    found["on the twist"] = off_curve()
    found["on the twist, with a sign"] = bytes([off_curve()[0] | 0x20]) + off_curve()[1:]
    found["x = p + 4"] = compressed(MODULUS + 4)
    found["x of 381 ones"] = compressed(X_BITS)
    reduced = plus_modulus(point)
    if reduced is not None:
        found["x + p"] = reduced
    return found


def other_lengths(point: bytes) -> dict[str, bytes]:
    """The same point, or nothing, in another number of bytes."""
    x, y = (int(value) for value in curve.normalize(_decompressed(point)))
    long = x.to_bytes(POINT, "big") + y.to_bytes(POINT, "big")
    return {
        "empty": b"",
        "a byte short": point[:-1],
        "a byte long": point + b"\x00",
        "a byte before": b"\x00" + point,
        "not compressed": long,
        "twice": point * 2,
    }


def not_scalars(scalar: bytes) -> Iterator[bytes]:
    """32 bytes for the place of `scalar`, none of them to be taken: most are the same number mod q."""
    value = int.from_bytes(scalar, "big")
    for large in (value + ORDER, value + 2 * ORDER, ORDER, ORDER + 1, 2 * ORDER, 2**256 - 1, 2**255):
        if large < 2**256:
            yield large.to_bytes(32, "big")


def negated(point: bytes) -> bytes:
    """The point with its sign turned: well encoded, and another point."""
    return bytes([point[0] ^ 0x20]) + point[1:]
