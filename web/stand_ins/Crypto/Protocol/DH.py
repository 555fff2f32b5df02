"""X25519 keys (RFC 7748)."""

from __future__ import annotations

import kitchen
from pyodide.ffi import to_js

_P = 2**255 - 19
_SMALL = {
    0,
    1,
    _P - 1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
}
"""The u-coordinates of points of small order on the curve and its twist, reduced mod p."""


class Key:
    """A key pair, or a public key alone."""

    def __init__(self, private: bytes | None, public: bytes) -> None:
        self.private, self.public = private, public

    def public_key(self) -> Key:
        """The public half."""
        return Key(None, self.public)

    def export_key(self, format: str) -> bytes:
        """The 32 bytes of the public key."""
        return self.public


def import_x25519_private_key(data: bytes) -> Key:
    """The key of 32 private bytes."""
    return Key(bytes(data), kitchen.x_public(to_js(bytes(data))).to_bytes())


def import_x25519_public_key(data: bytes) -> Key:
    """The key of 32 public bytes. Raises ValueError for a point of small order."""
    if (int.from_bytes(data, "little") & (2**255 - 1)) % _P in _SMALL:
        raise ValueError("the point has a small order")
    return Key(None, bytes(data))
