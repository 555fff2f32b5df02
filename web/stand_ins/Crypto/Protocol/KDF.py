"""scrypt (RFC 7914)."""

from __future__ import annotations

import kitchen
from pyodide.ffi import to_js


def scrypt(password: bytes, salt: bytes, key_len: int, N: int, r: int, p: int) -> bytes:
    """Derive a key of `key_len` bytes."""
    return kitchen.scrypt(to_js(bytes(password)), to_js(bytes(salt)), N, r, p, key_len).to_bytes()
