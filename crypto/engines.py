"""The two curve engines for G1 of BLS12-381: py_ecc, the reference, and arkworks, the fast one.

Both implement `Engine` and give the same bytes. Their libraries are not strict enough about
encodings, so `crypto.group` checks encodings before and after it calls an engine. Where neither can run,
another is offered (`crypto.group.offer`).
"""

from __future__ import annotations

import hashlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
"""q, the prime order of G1 and the modulus of the scalar field."""
MODULUS = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
"""p, the modulus of the field of coordinates."""

_U = 0xD201000000010000
"""|u|, the size of the curve family's parameter: q = u^4 - u^2 + 1."""
_BETA = pow(2, (MODULUS - 1) // 3, MODULUS)
"""The cube root of one for which (x, y) -> (beta x, y) is multiplication by -u^2 on G1."""

Point = Any
"""A point in the form of the engine that made it; points of two engines are never mixed."""


class EngineError(RuntimeError):
    """The engine asked for does not exist, or can't be loaded on this machine."""


class Engine(ABC):
    """Points of the curve, their compressed bytes, and multi-scalar products."""

    name: str
    identity: Point

    @abstractmethod
    def decode(self, data: bytes) -> Point:
        """The point of 48 compressed bytes; ValueError unless it is on the curve and in the subgroup."""

    @abstractmethod
    def encode(self, point: Point) -> bytes:
        """The 48 compressed bytes of a point."""

    @abstractmethod
    def hash_to_curve(self, message: bytes, dst: bytes) -> Point:
        """Hash to a point by RFC 9380, BLS12381G1_XMD:SHA-256_SSWU_RO_, domain separation tag `dst`."""

    @abstractmethod
    def add(self, left: Point, right: Point) -> Point:
        """left + right."""

    @abstractmethod
    def neg(self, point: Point) -> Point:
        """-point."""

    @abstractmethod
    def equal(self, left: Point, right: Point) -> bool:
        """Tell whether both are the same point."""

    @abstractmethod
    def _product(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        """`msm` for lists of equal length with at least two terms, and scalars reduced mod q."""

    @abstractmethod
    def mul(self, point: Point, scalar: int) -> Point:
        """scalar * point."""

    def msm(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        """The multi-scalar product: the sum of scalar * point. Scalars are any integers, taken mod q.

        Raises ValueError for lists of unequal length (arkworks itself would cut the longer one).
        """
        if len(points) != len(scalars):
            raise ValueError(f"there are {len(points)} points for {len(scalars)} scalars")
        if not points:
            return self.identity
        if len(points) == 1:
            return self.mul(points[0], scalars[0])
        return self._product(points, [scalar % ORDER for scalar in scalars])


class Arkworks(Engine):
    """py_arkworks_bls12381: native code that releases the interpreter's lock."""

    name = "arkworks"

    def __init__(self) -> None:
        try:
            import py_arkworks_bls12381 as library
        except ImportError as error:
            raise EngineError("py_arkworks_bls12381 is not installed") from error
        self._G1: Any = library.G1Point
        self._scalar: Any = library.Scalar.from_le_bytes
        self.identity = self._G1.identity()

    def decode(self, data: bytes) -> Point:
        return self._G1.from_compressed_bytes(data)

    def encode(self, point: Point) -> bytes:
        return bytes(point.to_compressed_bytes())

    def hash_to_curve(self, message: bytes, dst: bytes) -> Point:
        # The library expects this order, and does not notice when the two are exchanged.
        return self._G1.hash_to_curve(message, dst)

    def add(self, left: Point, right: Point) -> Point:
        return left + right

    def neg(self, point: Point) -> Point:
        return -point

    def equal(self, left: Point, right: Point) -> bool:
        return bool(left == right)

    def mul(self, point: Point, scalar: int) -> Point:
        return point * self._scalar((scalar % ORDER).to_bytes(32, "little"))

    def _product(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        convert = self._scalar
        return self._G1.multiexp_unchecked(
            list(points), [convert(scalar.to_bytes(32, "little")) for scalar in scalars]
        )


class PyEcc(Engine):
    """py_ecc's `optimized_bls12_381`, with a subgroup check and Pippenger's method added.

    Its running time depends on the scalars. Use it to check proofs; do not use it to make them where
    somebody could measure the time.
    """

    name = "py_ecc"

    def __init__(self) -> None:
        # Importing the library raises the process's recursion limit to 100,000, far beyond what the stack
        # can hold. The curve arithmetic used here needs a depth of about 400, so the limit is restored.
        limit = sys.getrecursionlimit()
        from py_ecc.bls import hash_to_curve, point_compression
        from py_ecc.optimized_bls12_381 import optimized_curve as curve

        sys.setrecursionlimit(limit)

        self._curve: Any = curve
        self._compression: Any = point_compression
        self._hash: Any = hash_to_curve.hash_to_G1
        self._add: Any = curve.add
        self._double: Any = curve.double
        self._neg: Any = curve.neg
        self.identity = curve.Z1

    def decode(self, data: bytes) -> Point:
        point = self._compression.decompress_G1(int.from_bytes(data, "big"))
        if not self._in_subgroup(point):
            raise ValueError("the point lies outside the subgroup")
        return point

    def _in_subgroup(self, point: Point) -> bool:
        """Tell whether q * point is the identity, found by phi(P) = -u^2 P (Scott, ePrint 2021/1130).

        phi(x, y) = (beta x, y) satisfies phi^2 + phi + 1 = 0 on the whole curve. If phi(P) = -u^2 P, then
        (u^4 - u^2 + 1) P = q P is the identity. Conversely, phi is multiplication by -u^2 on G1. This is
        quick because u^2 has half as many bits as q, and few of them are set.
        """
        x, y, z = point
        square = self._curve.multiply(self._curve.multiply(point, _U), _U)
        return bool(self._curve.is_inf(self._add(square, (x * _BETA, y, z))))

    def encode(self, point: Point) -> bytes:
        return int(self._compression.compress_G1(point)).to_bytes(48, "big")

    def hash_to_curve(self, message: bytes, dst: bytes) -> Point:
        return self._hash(message, dst, hashlib.sha256)

    def add(self, left: Point, right: Point) -> Point:
        return self._add(left, right)

    def neg(self, point: Point) -> Point:
        return self._neg(point)

    def equal(self, left: Point, right: Point) -> bool:
        return bool(self._curve.is_inf(self._add(left, self._neg(right))))

    def mul(self, point: Point, scalar: int) -> Point:
        return self._curve.multiply(point, scalar % ORDER)

    def _product(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        return pippenger(self, self._double, points, scalars)


def pippenger(engine: Engine, double: Any, points: Sequence[Point], scalars: Sequence[int]) -> Point:
    """The sum of scalar * point by Pippenger's buckets, with signed digits of w bits.

    Each scalar is written in digits from -2^(w-1)+1 to 2^(w-1). In every window, each point goes to the
    bucket of its digit's absolute value, negated for a negative digit. Running sums from the highest
    bucket down give each bucket its weight. `points` and `scalars` have equal length; scalars are
    non-negative.
    """
    width = 3 if len(points) < 16 else 4 if len(points) < 48 else 5 if len(points) < 160 else 6
    digits = [_signed_digits(scalar, width) for scalar in scalars]
    total = engine.identity
    for window in range(max(map(len, digits), default=0) - 1, -1, -1):
        for _ in range(width):
            total = double(total)
        buckets: list[Point | None] = [None] * (2 ** (width - 1) + 1)
        for point, own in zip(points, digits, strict=True):
            digit = own[window] if window < len(own) else 0
            if digit:
                term = point if digit > 0 else engine.neg(point)
                held = buckets[abs(digit)]
                buckets[abs(digit)] = term if held is None else engine.add(held, term)
        running = inner = engine.identity
        for bucket in reversed(buckets[1:]):
            if bucket is not None:
                running = engine.add(running, bucket)
            inner = engine.add(inner, running)
        total = engine.add(total, inner)
    return total


def _signed_digits(scalar: int, width: int) -> list[int]:
    """`scalar` in base 2^width, lowest digit first, every digit in (-2^(width-1), 2^(width-1)]."""
    base, half = 1 << width, 1 << (width - 1)
    digits = []
    while scalar:
        digit = scalar & (base - 1)
        if digit > half:
            digit -= base
        scalar = (scalar - digit) >> width
        digits.append(digit)
    return digits
