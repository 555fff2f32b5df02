"""The courier: carries what is due to players' webhooks, in threads that have nothing else to do.

Endpoints belong to others: they may hang, each for seconds. So nothing is carried by the threads that close
rounds, and a delivery whose thread dies is due again by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import structlog

_log = structlog.get_logger(__name__)


class Courier:
    """Claims what is due and carries it, `places` at a time."""

    def __init__(
        self, due: Callable[[int], Sequence[str]], carry: Callable[[str], object], places: int = 8
    ) -> None:
        self._due, self._carry = due, carry
        self._free = places
        self._lock = threading.Lock()

    def sweep(self) -> int:
        """Claim as much as there are places for and carry it in threads; returns how much that is."""
        with self._lock:
            free = self._free
        found = self._due(free)
        for each in found:
            with self._lock:
                self._free -= 1
            threading.Thread(target=self._run, args=(each,), name="courier", daemon=True).start()
        return len(found)

    def _run(self, each: str) -> None:
        try:
            self._carry(each)
        except Exception:
            _log.exception("delivery_failed", delivery=each)
        finally:
            with self._lock:
                self._free += 1
