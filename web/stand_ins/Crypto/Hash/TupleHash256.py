"""TupleHash256 (NIST SP 800-185)."""

from __future__ import annotations

import kitchen
from pyodide.ffi import to_js


class TupleHash:
    """A hash of a tuple of byte strings."""

    def __init__(self, size: int, custom: bytes) -> None:
        self._size, self._custom, self._parts = size, custom, list[bytes]()

    def update(self, *parts: bytes) -> TupleHash:
        """Add parts at the end."""
        self._parts += map(bytes, parts)
        return self

    def digest(self) -> bytes:
        """The digest of all parts."""
        return kitchen.tuple_hash(to_js(self._custom), to_js(self._parts), self._size).to_bytes()


def new(digest_bytes: int = 64, custom: bytes = b"") -> TupleHash:
    """Begin a hash with a digest of so many bytes."""
    return TupleHash(digest_bytes, custom)
