"""HPKE (RFC 9180) of our suite, written from the RFCs alone: the envelopes are checked against it."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from Crypto.Cipher import AES

P = 2**255 - 19


def ladder(private: bytes, u: int) -> bytes:
    """X25519 (RFC 7748, section 5)."""
    k = int.from_bytes(private, "little") & ~7 & ~(128 << 8 * 31) | 64 << 8 * 31
    x2, z2, x3, z3 = 1, 0, u, 1
    for t in reversed(range(255)):
        if k >> t & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        x3, z3 = (d * a + c * b) ** 2 % P, u * (d * a - c * b) ** 2 % P
        aa, bb = a * a % P, b * b % P
        x2, z2 = aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P
        if k >> t & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def shared(private: bytes, public: bytes) -> bytes:
    """Return what both sides of a Diffie-Hellman exchange compute."""
    return ladder(private, int.from_bytes(public, "little"))


def extract(suite: bytes, salt: bytes, label: bytes, ikm: bytes) -> bytes:
    """LabeledExtract (RFC 9180, section 4)."""
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, hashlib.sha256)


def expand(suite: bytes, prk: bytes, label: bytes, info: bytes, length: int) -> bytes:
    """LabeledExpand, of one block."""
    text = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(prk, text + b"\1", hashlib.sha256)[:length]


def key_schedule(dh: bytes, enc: bytes, public: bytes, info: bytes) -> tuple[bytes, bytes, bytes]:
    """The shared secret, key and base nonce of base mode in our suite."""
    kem, suite = b"KEM\0\x20", b"HPKE\0\x20\0\1\0\2"
    secret = expand(kem, extract(kem, b"", b"eae_prk", dh), b"shared_secret", enc + public, 32)
    context = b"\0" + extract(suite, b"", b"psk_id_hash", b"") + extract(suite, b"", b"info_hash", info)
    scheduled = extract(suite, secret, b"secret", b"")
    return (
        secret,
        expand(suite, scheduled, b"key", context, 32),
        expand(suite, scheduled, b"base_nonce", context, 12),
    )


def cipher(dh: bytes, enc: bytes, public: bytes, info: bytes, aad: bytes) -> Any:
    """The AES-GCM of the first message."""
    _, key, nonce = key_schedule(dh, enc, public, info)
    found: Any = AES.new(key, AES.MODE_GCM, nonce=nonce)
    found.update(aad)
    return found
