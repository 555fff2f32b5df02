"""Ed25519 keys and signatures (RFC 8032), with the strict verification of protocol section 10.

Libraries verify with the cofactored equation, which accepts torsion in R or in a key. This module
therefore verifies by itself, with a library's points (`crypto.edwards`): it computes R' = S B - k A and
compares its encoding with the bytes of R. That is the cofactorless equation. It also refuses non-canonical
bytes of R.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import cache, lru_cache

from crypto.edwards import Edwards, L, Point, Pycryptodome
from crypto.encoding import EncodingError

KEY_BYTES = 32
SIGNATURE_BYTES = 64
P = 2**255 - 19

_offered: list[Edwards] = []
"""The library that was offered, if one was."""


def offer(library: Edwards) -> None:
    """Compute with this library from now on. Call it before any key is used: points are cached."""
    _offered[:] = [library]
    _library.cache_clear()


@cache
def _library() -> Edwards:
    return _offered[0] if _offered else Pycryptodome()


def new_private_key() -> bytes:
    """A fresh private key: 32 bytes from the system's random source."""
    return secrets.token_bytes(KEY_BYTES)


def _check_private_key(private: bytes) -> None:
    if len(private) != KEY_BYTES:
        raise EncodingError(f"a private key has {KEY_BYTES} bytes, not {len(private)}")


def public_key(private: bytes) -> bytes:
    """The 32-byte public key of a private key."""
    _check_private_key(private)
    return _library().public_key(private)


def sign(private: bytes, message: bytes) -> bytes:
    """The 64-byte Ed25519 signature of a message. The same key and message always give the same one."""
    _check_private_key(private)
    return _library().sign(private, message)


@lru_cache(maxsize=4096)
def _decode_key(public: bytes) -> Point:
    """The point of a public key that `check_public_key` accepts."""
    if len(public) != KEY_BYTES:
        raise EncodingError(f"a public key has {KEY_BYTES} bytes, not {len(public)}")
    try:
        point = _library().decode(public)
    except ValueError:
        raise EncodingError("the public key is no point of the curve") from None
    if _library().encode(point) != public:
        raise EncodingError("the public key is not in canonical form")
    if not _library().has_prime_order(point):
        raise EncodingError("the public key lies outside the prime-order subgroup")
    return point


def check_public_key(public: bytes) -> None:
    """Raise EncodingError unless `public` is the canonical form of a point of order L.

    This refuses the identity, the other points of small order, and keys with a torsion part.
    """
    _decode_key(bytes(public))


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether `signature` is the key's over `message`; False for any malformed key or signature."""
    try:
        key = _decode_key(bytes(public))
    except EncodingError:
        return False
    if len(signature) != SIGNATURE_BYTES:
        return False
    r = bytes(signature[:KEY_BYTES])
    s = int.from_bytes(signature[KEY_BYTES:], "little")
    if s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % L
    # R' = S B - k A
    return _library().difference(s, k, key) == r
