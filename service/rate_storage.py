"""The place where a house counts requests: in the process, or in a storage that all its processes share.

While the shared storage fails, each process goes on counting by itself, and tries again after a pause.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import structlog
from limits.storage import MemoryStorage, Storage, storage_from_string

from service.config import Settings

log = structlog.get_logger(__name__)

PAUSE = 5.0
"""Seconds without another attempt after the storage has failed, so that requests don't wait for it."""
_NETWORK_OPTIONS = {"socket_connect_timeout": 2, "socket_timeout": 2}
_T = TypeVar("_T")


class RateStorage:
    """The storage that the settings name, and one of the process for when that is away."""

    def __init__(self, settings: Settings, pause: float = PAUSE) -> None:
        self.alone: Storage = MemoryStorage()
        self.shared: Storage = self.alone
        self._pause = pause
        self._away_until: float | None = None
        if settings.rate_storage != "memory://":
            options: dict[str, Any] = _NETWORK_OPTIONS if settings.rate_storage.startswith("redis") else {}
            self.shared = cast(Storage, storage_from_string(settings.rate_storage, **options))

    def use(self, act: Callable[[Storage], _T]) -> _T:
        """Return what `act` returns for the shared storage; while that is away, for the process's own."""
        if self._away_until is None or time.monotonic() >= self._away_until:
            try:
                found = act(self.shared)
            except self.shared.base_exceptions as fault:
                if self._away_until is None:
                    log.warning("rate_storage_away", fault=type(fault).__name__)
                self._away_until = time.monotonic() + self._pause
            else:
                if self._away_until is not None:
                    self._away_until = None
                    log.info("rate_storage_back")
                return found
        return act(self.alone)
