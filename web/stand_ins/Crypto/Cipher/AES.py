"""AES-256-GCM with a nonce of 12 bytes and a tag of 16."""

from __future__ import annotations

import kitchen
from pyodide.ffi import to_js

MODE_GCM = 11
_TAG = 16


class Gcm:
    """One message under one nonce."""

    def __init__(self, key: bytes, nonce: bytes) -> None:
        self._key, self._nonce, self._aad = to_js(bytes(key)), to_js(bytes(nonce)), b""

    def update(self, data: bytes) -> None:
        """Add associated data."""
        self._aad += data

    def encrypt_and_digest(self, plain: bytes) -> tuple[bytes, bytes]:
        """Ciphertext and tag."""
        box = kitchen.gcm_seal(self._key, self._nonce, to_js(self._aad), to_js(bytes(plain))).to_bytes()
        return box[:-_TAG], box[-_TAG:]

    def decrypt_and_verify(self, box: bytes, tag: bytes) -> bytes:
        """The plain bytes. Raises ValueError."""
        whole = to_js(bytes(box) + bytes(tag))
        plain = kitchen.gcm_open(self._key, self._nonce, to_js(self._aad), whole)
        if plain is None:
            raise ValueError("MAC check failed")
        return plain.to_bytes()


def new(key: bytes, mode: int, nonce: bytes, mac_len: int = _TAG) -> Gcm:
    """Begin a message."""
    if mode != MODE_GCM or mac_len != _TAG or len(nonce) != 12:
        raise ValueError("this stand-in has GCM with a nonce of 12 bytes and a tag of 16, and no other mode")
    return Gcm(key, nonce)
