"""Put the browser's curve engine and Ed25519 under the rooms, before anything else is imported."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import kitchen
from pyodide.ffi import to_js

from crypto import edwards, engines, group, identity


class Point:
    """A point in the worker's memory, by its number. It is given back when Python forgets it."""

    __slots__ = ("at",)

    def __init__(self, at: int) -> None:
        self.at = at

    def __del__(self) -> None:
        kitchen.curve_release(self.at)


class Mcl(engines.Engine):
    """mcl-wasm. Its time depends on scalars, as that of most libraries does (docs/security.md)."""

    name = "mcl"

    def __init__(self) -> None:
        self.identity = Point(kitchen.curve_identity())

    def decode(self, data: bytes) -> Point:
        at = kitchen.curve_decode(to_js(bytes(data)))
        if at < 0:
            raise ValueError("these bytes are no point of G1")
        return Point(at)

    def encode(self, point: Point) -> bytes:
        return kitchen.curve_encode(point.at).to_bytes()

    def hash_to_curve(self, message: bytes, dst: bytes) -> Point:
        return Point(kitchen.curve_hash(to_js(message), to_js(dst)))

    def add(self, left: Point, right: Point) -> Point:
        return Point(kitchen.curve_add(left.at, right.at))

    def neg(self, point: Point) -> Point:
        return Point(kitchen.curve_neg(point.at))

    def equal(self, left: Point, right: Point) -> bool:
        return bool(kitchen.curve_equal(left.at, right.at))

    def mul(self, point: Point, scalar: int) -> Point:
        return self._product([point], [scalar % engines.ORDER])

    def _product(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        numbers = array("I", [point.at for point in points]).tobytes()
        factors = b"".join(scalar.to_bytes(32, "big") for scalar in scalars)
        return Point(kitchen.curve_product(to_js(numbers), to_js(factors)))


class Noble(edwards.Edwards):
    """noble-curves. A point is its encoding here; the worker keeps what it has decoded."""

    def decode(self, data: bytes) -> bytes:
        if kitchen.ed_canonical(to_js(bytes(data))) is None:
            raise ValueError("these bytes are no point of the curve")
        return bytes(data)

    def encode(self, point: bytes) -> bytes:
        found = kitchen.ed_canonical(to_js(point))
        if found is None:
            raise ValueError("these bytes are no point of the curve")
        return found.to_bytes()

    def has_prime_order(self, point: bytes) -> bool:
        return bool(kitchen.ed_prime_order(to_js(point)))

    def difference(self, s: int, k: int, point: bytes) -> bytes:
        first, second = (to_js(scalar.to_bytes(32, "little")) for scalar in (s, k))
        return kitchen.ed_difference(first, second, to_js(point)).to_bytes()

    def public_key(self, private: bytes) -> bytes:
        return kitchen.ed_public(to_js(private)).to_bytes()

    def sign(self, private: bytes, message: bytes) -> bytes:
        return kitchen.ed_sign(to_js(private), to_js(bytes(message))).to_bytes()


group.offer(Mcl)
identity.offer(Noble())
