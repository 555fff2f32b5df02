"""The y of a compressed point of BLS12-381, which the precompiles want (EIP-2537)."""

from __future__ import annotations

from collections.abc import Iterable

from crypto.engines import MODULUS
from crypto.group import POINT_BYTES

_X = (1 << 381) - 1


def coordinates(point: bytes) -> tuple[int, int]:
    """x and y of 48 bytes.

    Bytes that are no point of the curve give a y all the same, and the contract refuses it.
    """
    data = int.from_bytes(point, "big")
    x = data & _X
    # p is 3 mod 4, so this power is a square root wherever there is one.
    y = pow(x**3 + 4, (MODULUS + 1) // 4, MODULUS)
    larger = data >> 381 & 1
    return x, MODULUS - y if larger != (y > MODULUS // 2) else y


def ys(points: Iterable[bytes]) -> bytes:
    """The y's of points, 48 bytes each."""
    return b"".join(coordinates(point)[1].to_bytes(POINT_BYTES, "big") for point in points)
