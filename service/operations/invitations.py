"""Invitation codes: 80 random bits that people can read out and type to find a private table.

They are written in Crockford's base 32, in which no two characters look alike. O is read as 0, I and L are
read as 1, and case, spaces and hyphens make no difference.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 16
_GROUP = 4
_READ_AS = str.maketrans("OIL", "011", "- ")


def new_code() -> str:
    """A fresh code: 16 symbols of 5 bits, without hyphens."""
    return "".join(secrets.choice(SYMBOLS) for _ in range(LENGTH))


def written(code: str) -> str:
    """A code in the form that people see: 7K3M-9QXT-2B4C-HJ8W."""
    return "-".join(code[at : at + _GROUP] for at in range(0, LENGTH, _GROUP))


def digest(code: str) -> str:
    """SHA-256 of a code, in hex. A code has 80 random bits, so a fast hash is enough."""
    return sha256(code.encode()).hexdigest()


def digest_of(typed: str) -> str | None:
    """The digest of a code that somebody typed; None if it is not a code."""
    code = typed.upper().translate(_READ_AS)
    if len(code) != LENGTH or set(code) - set(SYMBOLS):
        return None
    return digest(code)


def opens(typed: str | None, kept: str | None) -> bool:
    """Tell whether the typed code has the digest `kept`. The comparison takes constant time."""
    given = None if typed is None else digest_of(typed)
    return given is not None and kept is not None and compare_digest(given, kept)
