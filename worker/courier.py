"""The courier: carries what is due to players' webhooks, in threads that have nothing else to do.

Endpoints belong to others: they may hang, each for seconds. So nothing is carried by the threads that close
rounds, and a delivery whose thread dies is due again by itself.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence

import structlog

_log = structlog.get_logger(__name__)


class Courier:
    """Claims what is due and carries it, `places` at a time; who has carried one looks for more at once."""

    def __init__(
        self, due: Callable[[int], Sequence[str]], carry: Callable[[str], object], places: int = 8
    ) -> None:
        self._due, self._carry, self._places = due, carry, places
        self._taken = 0
        self._stopping = False
        self._changed = threading.Condition()

    def sweep(self) -> int:
        """Claim as much as there are places for and carry it in threads; returns how much that is."""
        with self._changed:
            free = 0 if self._stopping else self._places - self._taken
            self._taken += free
        begun = 0
        try:
            for each in self._due(free) if free else ():
                threading.Thread(target=self._run, args=(each,), name="courier", daemon=True).start()
                begun += 1
        finally:
            self._give_back(free - begun)
        return begun

    def stop(self, timeout: float) -> bool:
        """Claim no more, and wait for what is in hand; False if it lasts longer than `timeout` seconds."""
        with self._changed:
            self._stopping = True
            return self._changed.wait_for(lambda: self._taken == 0, timeout)

    def _run(self, each: str) -> None:
        try:
            self._carry(each)
        except Exception:
            _log.exception("delivery_failed", delivery=each)
        finally:
            self._give_back(1)
        # The next to the same endpoint, for one. What fails here fails for the sweeper too, which says so.
        with contextlib.suppress(Exception):
            self.sweep()

    def _give_back(self, places: int) -> None:
        with self._changed:
            self._taken -= places
            self._changed.notify_all()
