"""Envelopes: encryption to the holder of an X25519 key by HPKE's base mode (RFC 9180; protocol section 11).

The suite is DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. An envelope is the encapsulated key
enc (32 bytes) followed by the ciphertext, whose last 16 bytes are the tag. `info` and `aad` are not
sent: an envelope opens only with the same `info` and `aad`. An envelope does not authenticate its sender.
"""

from __future__ import annotations

import secrets
from typing import Any

from Crypto.Protocol import HPKE
from Crypto.Protocol.DH import import_x25519_private_key, import_x25519_public_key

from crypto.encoding import EncodingError

KEY_BYTES = 32
TAG_BYTES = 16
OVERHEAD = KEY_BYTES + TAG_BYTES
"""Bytes that an envelope is longer than its content."""
P = 2**255 - 19


class EnvelopeError(ValueError):
    """An envelope that does not open with this key, info and aad. The cause can't be known."""


def new_private_key() -> bytes:
    """A fresh private key: 32 bytes from the system's random source."""
    return secrets.token_bytes(KEY_BYTES)


def public_key(private: bytes) -> bytes:
    """The 32-byte public key of a private key."""
    return bytes(_private(private).public_key().export_key(format="raw"))


def check_public_key(public: bytes) -> None:
    """Raise EncodingError unless `public` has 32 bytes, is reduced mod p, and is no point of small order.

    With a point of small order the shared secret is zero for every private key (RFC 7748, section 6.1).
    """
    _public(public)


def seal(public: bytes, info: bytes, aad: bytes, content: bytes) -> bytes:
    """Encrypt `content` to a public key. The ephemeral key is fresh, so two envelopes are never the same.

    Raises EncodingError for a key that `check_public_key` refuses.
    """
    sender = HPKE.new(receiver_key=_public(public), aead_id=HPKE.AEAD.AES256_GCM, info=info)
    return bytes(sender.enc + sender.seal(content, aad))


def unseal(private: bytes, info: bytes, aad: bytes, envelope: bytes) -> bytes:
    """Decrypt the content of an envelope.

    Raises EncodingError for an envelope that is too short or whose encapsulated key
    `check_public_key` refuses. Raises EnvelopeError for an envelope that does not open.
    """
    if len(envelope) < OVERHEAD:
        raise EncodingError(f"an envelope has at least {OVERHEAD} bytes, not {len(envelope)}")
    enc = envelope[:KEY_BYTES]
    check_public_key(enc)
    receiver = HPKE.new(
        receiver_key=_private(private), aead_id=HPKE.AEAD.AES256_GCM, enc=bytes(enc), info=info
    )
    try:
        return bytes(receiver.unseal(bytes(envelope[KEY_BYTES:]), aad))
    except ValueError:
        raise EnvelopeError("the envelope does not open") from None


def _private(private: bytes) -> Any:
    if len(private) != KEY_BYTES:
        raise EncodingError(f"a private key has {KEY_BYTES} bytes, not {len(private)}")
    return import_x25519_private_key(bytes(private))


def _public(public: bytes) -> Any:
    if len(public) != KEY_BYTES:
        raise EncodingError(f"a public key has {KEY_BYTES} bytes, not {len(public)}")
    # The library follows RFC 7748 and ignores the highest bit. Here every key has exactly one encoding.
    if int.from_bytes(public, "little") >= P:
        raise EncodingError("the public key is not in canonical form")
    try:
        return import_x25519_public_key(bytes(public))
    except ValueError:
        raise EncodingError("the public key has a small order") from None
