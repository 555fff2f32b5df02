"""Keccak of 256 bits, as Ethereum has it."""

from __future__ import annotations

import kitchen
from pyodide.ffi import to_js


class Keccak:
    """The hash of one byte string."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def digest(self) -> bytes:
        """The digest of 32 bytes."""
        return kitchen.keccak(to_js(self._data)).to_bytes()


def new(digest_bits: int, data: bytes) -> Keccak:
    """Hash `data`. Raises `ValueError` for another length than 256 bits."""
    if digest_bits != 256:
        raise ValueError("only Keccak of 256 bits is here")
    return Keccak(data)
