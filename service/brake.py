"""The brake on guessing passwords: a handle for which wrong ones were sent must pause, ever longer.

An attempt is counted before its password is checked, so that many at once are not all admitted. Handles are
counted as they are typed, whether or not a player has them: nobody learns by a pause who is registered.
"""

from __future__ import annotations

import time
from hashlib import sha256
from math import floor

from limits.storage import Storage

from service.config import Settings
from service.rate_storage import RateStorage

FREE = 3
"""Wrong passwords without a pause. The next one brings a second, and each further one twice as much."""
FORGOTTEN = 86_400
"""Seconds after the first wrong password of a row when all of them are forgotten."""
_ROUNDED = 0.001
"""Seconds by which a storage may round a time down."""


class Brake:
    """The wrong passwords of each handle, since the last right one, and its pause."""

    def __init__(self, settings: Settings) -> None:
        self._storage = RateStorage(settings)
        self._house, self._longest = settings.queue, settings.sign_in_pause

    def left(self, handle: str) -> int:
        """Whole seconds after which the next attempt is admitted; 0 if it is now."""
        if not self._longest:
            return 0
        _, pause = self._keys(handle)
        return self._storage.use(lambda storage: _left(storage, pause))

    def count(self, handle: str) -> int:
        """Count an attempt before its check. Returns 0, or seconds like `left` if another was quicker."""
        if not self._longest:
            return 0
        attempts, pause = self._keys(handle)

        def act(storage: Storage) -> int:
            seconds = _pause(storage.incr(attempts, FORGOTTEN), self._longest)
            if seconds and storage.incr(pause, seconds) > 1:
                return max(1, _left(storage, pause))
            return 0

        return self._storage.use(act)

    def take_back(self, handle: str) -> None:
        """Uncount an attempt whose password was not checked after all."""
        if self._longest:
            attempts, pause = self._keys(handle)

            def act(storage: Storage) -> None:
                storage.clear(pause)
                storage.incr(attempts, FORGOTTEN, -1)

            self._storage.use(act)

    def release(self, handle: str) -> None:
        """Forget the attempts of a handle, whose password has now been right."""
        if self._longest:
            attempts, pause = self._keys(handle)

            def act(storage: Storage) -> None:
                storage.clear(attempts)
                storage.clear(pause)

            self._storage.use(act)

    def _keys(self, handle: str) -> tuple[str, str]:
        digest = sha256(handle.lower().encode("utf-8", "surrogateescape")).hexdigest()
        return f"{self._house}/attempts/{digest}", f"{self._house}/pause/{digest}"


def _pause(attempts: int, longest: int) -> int:
    """The pause in seconds after so many wrong passwords."""
    over = attempts - FREE
    return 0 if over <= 0 else min(1 << min(over - 1, 30), longest)


def _left(storage: Storage, key: str) -> int:
    if not storage.get(key):
        return 0
    return max(0, floor(storage.get_expiry(key) - time.time() + _ROUNDED)) + 1
