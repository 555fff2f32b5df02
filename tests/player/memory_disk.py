"""A vault's disk in a test's memory."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from player.vault_format import VaultError


@dataclass
class MemoryDisk:
    """See `player.vault.Disk`."""

    data: bytes | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __str__(self) -> str:
        return "this page"

    def read(self) -> bytes:
        if self.data is None:
            raise VaultError("no_file", "Nothing is kept here.")
        return self.data

    def replace(self, data: bytes) -> None:
        self.data = data

    def alone(self) -> AbstractContextManager[object]:
        return self._lock
