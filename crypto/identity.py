"""Ed25519 keys and signatures (RFC 8032), with the strict verification of protocol section 10.

The library verifies with the cofactored equation, which accepts torsion in R or in a key. This module
therefore verifies by itself, with the library's points: it computes R' = S B - k A and compares its
encoding with the bytes of R. That is the cofactorless equation. It also refuses non-canonical bytes
of R.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache
from typing import Any

from Crypto.Signature import eddsa

from crypto.encoding import EncodingError

KEY_BYTES = 32
SIGNATURE_BYTES = 64
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the subgroup that the base point generates."""

_BASE: Any = eddsa.import_public_key(b"\x58" + 31 * b"\x66").pointQ
"""B, the base point, from its encoding."""


def new_private_key() -> bytes:
    """A fresh private key: 32 bytes from the system's random source."""
    return secrets.token_bytes(KEY_BYTES)


@lru_cache(maxsize=64)
def _signer(private: bytes) -> Any:
    """The key of a private key. It is kept: making it takes as long as a signature."""
    if len(private) != KEY_BYTES:
        raise EncodingError(f"a private key has {KEY_BYTES} bytes, not {len(private)}")
    return eddsa.import_private_key(private)


def public_key(private: bytes) -> bytes:
    """The 32-byte public key of a private key."""
    return bytes(_signer(private).public_key().export_key(format="raw"))


def sign(private: bytes, message: bytes) -> bytes:
    """The 64-byte Ed25519 signature of a message. The same key and message always give the same one."""
    return bytes(eddsa.new(_signer(private), "rfc8032").sign(message))


def _encode(point: Any) -> bytes:
    x, y = point.xy
    return int(y | (x & 1) << 255).to_bytes(KEY_BYTES, "little")


@lru_cache(maxsize=4096)
def _decode_key(public: bytes) -> Any:
    """The point of a public key that `check_public_key` accepts."""
    if len(public) != KEY_BYTES:
        raise EncodingError(f"a public key has {KEY_BYTES} bytes, not {len(public)}")
    try:
        point: Any = eddsa.import_public_key(public).pointQ
    except ValueError:
        raise EncodingError("the public key is no point of the curve") from None
    if _encode(point) != public:
        raise EncodingError("the public key is not in canonical form")
    if point.is_point_at_infinity() or not (point * L).is_point_at_infinity():
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
    return _encode(_BASE * s + -key * k) == r
