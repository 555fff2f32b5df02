"""HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM; one message."""

from __future__ import annotations

import secrets

import kitchen
from pyodide.ffi import to_js

from Crypto.Protocol.DH import Key, import_x25519_private_key

_KEM, _SUITE = b"KEM\0\x20", b"HPKE\0\x20\0\1\0\2"


class AEAD:
    """The ciphers; there is one."""

    AES256_GCM = 2


def _extract(suite: bytes, salt: bytes, label: bytes, secret: bytes) -> bytes:
    given = to_js(b"HPKE-v1" + suite + label + secret)
    return kitchen.hkdf_extract(to_js(salt or bytes(32)), given).to_bytes()


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, length: int) -> bytes:
    told = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return kitchen.hkdf_expand(to_js(key), to_js(told), length).to_bytes()


class Context:
    """The key schedule of one message (RFC 9180, section 5.1)."""

    def __init__(self, shared: bytes, enc: bytes, public: bytes, info: bytes) -> None:
        self.enc = enc
        secret = _expand(_KEM, _extract(_KEM, b"", b"eae_prk", shared), b"shared_secret", enc + public, 32)
        hashed = _extract(_SUITE, b"", b"psk_id_hash", b""), _extract(_SUITE, b"", b"info_hash", info)
        context = b"\0" + b"".join(hashed)
        scheduled = _extract(_SUITE, secret, b"secret", b"")
        self._key = to_js(_expand(_SUITE, scheduled, b"key", context, 32))
        self._nonce = to_js(_expand(_SUITE, scheduled, b"base_nonce", context, 12))

    def seal(self, content: bytes, aad: bytes) -> bytes:
        """Ciphertext and tag."""
        return kitchen.gcm_seal(self._key, self._nonce, to_js(bytes(aad)), to_js(bytes(content))).to_bytes()

    def unseal(self, box: bytes, aad: bytes) -> bytes:
        """The content. Raises ValueError."""
        plain = kitchen.gcm_open(self._key, self._nonce, to_js(bytes(aad)), to_js(bytes(box)))
        if plain is None:
            raise ValueError("MAC check failed")
        return plain.to_bytes()


def _shared(private: bytes | None, public: bytes) -> bytes:
    if private is None:
        raise ValueError("the private key is missing")
    return kitchen.x_shared(to_js(private), to_js(public)).to_bytes()


def new(*, receiver_key: Key, aead_id: int, info: bytes, enc: bytes | None = None) -> Context:
    """The context of a sender, or with `enc` of the receiver."""
    if aead_id != AEAD.AES256_GCM:
        raise ValueError("this stand-in has AES-256-GCM and no other cipher")
    if enc is None:
        sender = import_x25519_private_key(secrets.token_bytes(32))
        shared = _shared(sender.private, receiver_key.public)
        return Context(shared, sender.public, receiver_key.public, info)
    return Context(_shared(receiver_key.private, bytes(enc)), bytes(enc), receiver_key.public, info)
