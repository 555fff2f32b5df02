"""Invitation codes: 80 random bits that people read out, type, and find their table by.

Crockford's base 32, in which no two characters look alike: O is read as 0, I and L as 1, and small
letters, spaces and hyphens make no difference.
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
    """A code as it is shown: 7K3M-9QXT-2B4C-HJ8W."""
    return "-".join(code[at : at + _GROUP] for at in range(0, LENGTH, _GROUP))


def digest(code: str) -> str:
    """SHA-256 of a code, in hex: it has 80 random bits, so a fast hash is enough."""
    return sha256(code.encode()).hexdigest()


def digest_of(typed: str) -> str | None:
    """The digest of a code as somebody has typed it; None for what can be no code."""
    code = typed.upper().translate(_READ_AS)
    if len(code) != LENGTH or set(code) - set(SYMBOLS):
        return None
    return digest(code)


def opens(typed: str | None, kept: str | None) -> bool:
    """Whether what somebody has typed is the code of this digest; compared in constant time."""
    given = None if typed is None else digest_of(typed)
    return given is not None and kept is not None and compare_digest(given, kept)
