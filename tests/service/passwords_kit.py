"""A queue of hashes that stands still, so that a test can look at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.passwords import AT_ONCE, Passwords


@contextmanager
def stopped(passwords: Passwords) -> Iterator[None]:
    """No hash is computed meanwhile: whatever comes waits."""
    for _ in range(AT_ONCE):
        passwords._gate.acquire()
    try:
        yield
    finally:
        for _ in range(AT_ONCE):
            passwords._gate.release()
