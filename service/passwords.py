"""Passwords: which are refused, and their hashes by argon2id.

A check costs the same whether or not a handle exists. A hash takes much memory and time. So a process
computes few at once, and only so many requests wait for their turn, since each of them holds a thread.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from secrets import token_urlsafe

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from service import metrics
from service.problems import Problem

AT_ONCE = 2
"""Hashes that a process computes at the same time. Each takes the whole memory cost."""
WAITING = 2
"""Hashes that may wait for their turn, unless the settings say otherwise."""
COMMON = Path(__file__).resolve().parents[1] / "data" / "passwords" / "common.txt"


@cache
def common() -> frozenset[str]:
    """The commonest passwords, in small letters. Nobody may choose one: they are the first to be guessed."""
    lines = COMMON.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


class Passwords:
    """Hashes passwords and checks them, for a bounded number of requests at the same time.

    `passes` and `kib` are argon2id's costs, `waiting` is how many requests may wait. Beyond that `hash` and
    `check` raise `Problem` 503 at once.
    """

    def __init__(self, passes: int, kib: int, waiting: int = WAITING) -> None:
        self._hasher = PasswordHasher(time_cost=passes, memory_cost=kib)
        self._gate = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self.most = AT_ONCE + waiting
        """Requests that may be here at the same time."""
        self.taken = 0
        """Requests whose hashes are computed now, or wait."""
        self._count(0)

    @property
    def waiting(self) -> int:
        """Requests that wait for their turn."""
        return max(0, self.taken - AT_ONCE)

    @cached_property
    def _nobodys(self) -> str:
        """The hash of a password that nobody has, of the same cost as a real one."""
        return self._hasher.hash(token_urlsafe(16))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            if self.taken >= self.most:
                detail = "The house is checking as many passwords as it can; try again in a moment."
                raise Problem(503, "busy", detail, headers={"Retry-After": "1"})
            self._count(1)
        try:
            with self._gate:
                yield
        finally:
            with self._lock:
                self._count(-1)

    def _count(self, change: int) -> None:
        self.taken += change
        metrics.password_hashes.labels("computing").set(self.taken - self.waiting)
        metrics.password_hashes.labels("waiting").set(self.waiting)

    def hash(self, password: str) -> str:
        """The hash of a password, which includes its salt and its costs. Raises `Problem` 503."""
        with self._turn():
            return self._hasher.hash(password)

    def check(self, kept: str | None, password: str) -> bool:
        """Tell whether `kept` is a hash of `password`. With None (no such player) it takes as long.

        Raises `Problem` 503.
        """
        with self._turn():
            nobodys = self._nobodys  # made at the first check, whoever that is for
            try:
                self._hasher.verify(nobodys if kept is None else kept, password)
            except (VerificationError, InvalidHashError):
                return False
            return kept is not None

    def outdated(self, kept: str) -> bool:
        """Tell whether a hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(kept)
