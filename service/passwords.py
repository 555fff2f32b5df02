"""Hashes of passwords, by argon2id. A check costs the same whether or not a handle exists."""

from __future__ import annotations

import threading
from functools import cached_property
from secrets import token_urlsafe

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 4
"""Hashes that a process computes at the same time. Each takes the whole memory cost."""


class Passwords:
    """Hashes passwords and checks them."""

    def __init__(self, passes: int, kib: int) -> None:
        self._hasher = PasswordHasher(time_cost=passes, memory_cost=kib)
        self._gate = threading.BoundedSemaphore(AT_ONCE)

    @cached_property
    def _nobodys(self) -> str:
        """The hash of a password that nobody has, of the same cost as a real one."""
        return self._hasher.hash(token_urlsafe(16))

    def hash(self, password: str) -> str:
        """The hash of a password, which includes its salt and its costs."""
        with self._gate:
            return self._hasher.hash(password)

    def check(self, kept: str | None, password: str) -> bool:
        """Tell whether `kept` is a hash of `password`. Without one (no such player) it takes as long."""
        with self._gate:
            try:
                self._hasher.verify(self._nobodys if kept is None else kept, password)
            except (VerificationError, InvalidHashError):
                return False
            return kept is not None

    def outdated(self, kept: str) -> bool:
        """Tell whether a hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(kept)
