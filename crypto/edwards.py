"""The library behind Ed25519: points of edwards25519, public keys and signatures.

`crypto.identity` decides what is valid. It asks an `Edwards` for the arithmetic alone. `Pycryptodome` is the
usual one; where it can't be installed, as in a browser, another is offered (`crypto.identity.offer`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any

L = 2**252 + 27742317777372353535851937790883648493
"""The order of the subgroup that the base point generates."""

Point = Any
"""A point in the form of the library that made it."""


class Edwards(ABC):
    """Arithmetic on edwards25519. Encodings have 32 bytes (RFC 8032, section 5.1.2)."""

    @abstractmethod
    def decode(self, data: bytes) -> Point:
        """The point of 32 bytes; ValueError if there is none. The bytes need not be canonical."""

    @abstractmethod
    def encode(self, point: Point) -> bytes:
        """The canonical encoding of a point."""

    @abstractmethod
    def has_prime_order(self, point: Point) -> bool:
        """Tell whether a point has order L: it is not the identity, and has no torsion part."""

    @abstractmethod
    def difference(self, s: int, k: int, point: Point) -> bytes:
        """The encoding of s B - k `point`, B the base point, for s and k from 0 to L - 1."""

    @abstractmethod
    def public_key(self, private: bytes) -> bytes:
        """The public key of a private key of 32 bytes."""

    @abstractmethod
    def sign(self, private: bytes, message: bytes) -> bytes:
        """The signature of RFC 8032, section 5.1.6, of 64 bytes."""


class Pycryptodome(Edwards):
    """pycryptodome's `Crypto.Signature.eddsa` and its points."""

    def __init__(self) -> None:
        from Crypto.Signature import eddsa

        self._eddsa: Any = eddsa
        self._base: Point = self.decode(b"\x58" + 31 * b"\x66")

    def decode(self, data: bytes) -> Point:
        return self._eddsa.import_public_key(data).pointQ

    def encode(self, point: Point) -> bytes:
        x, y = point.xy
        return int(y | (x & 1) << 255).to_bytes(32, "little")

    def has_prime_order(self, point: Point) -> bool:
        return not point.is_point_at_infinity() and bool((point * L).is_point_at_infinity())

    def difference(self, s: int, k: int, point: Point) -> bytes:
        return self.encode(self._base * s + -point * k)

    def public_key(self, private: bytes) -> bytes:
        return bytes(_signer(self._eddsa, private).public_key().export_key(format="raw"))

    def sign(self, private: bytes, message: bytes) -> bytes:
        return bytes(self._eddsa.new(_signer(self._eddsa, private), "rfc8032").sign(message))


@lru_cache(maxsize=64)
def _signer(eddsa: Any, private: bytes) -> Any:
    """The key of a private key. It is kept: making it takes as long as a signature."""
    return eddsa.import_private_key(private)
