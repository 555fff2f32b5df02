"""The courier: makes the deliveries to players' webhooks, in threads that do nothing else.

Endpoints belong to players, and each may hang for seconds. So the threads that close rounds make no delivery.
A delivery whose thread dies becomes due again by itself.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import structlog

_log = structlog.get_logger(__name__)


class Courier:
    """Claims due deliveries and makes them, `places` at a time; after each it looks for more at once."""

    def __init__(
        self, due: Callable[[int], Sequence[str]], deliver: Callable[[str], object], places: int = 8
    ) -> None:
        self._due, self._deliver, self._places = due, deliver, places
        self._pool = ThreadPoolExecutor(places, "courier")
        self._taken: set[object] = set()
        """A token for each delivery in hand, and for each that a sweep has room for."""
        self._stopping = False
        self._changed = threading.Condition()

    @property
    def busy(self) -> bool:
        """True if a delivery is in hand."""
        return bool(self._taken)

    def sweep(self) -> int:
        """Claim as many deliveries as there are free places, and begin them; returns how many they are."""
        with self._changed:
            free = 0 if self._stopping else self._places - len(self._taken)
            tokens = [object() for _ in range(free)]
            self._taken.update(tokens)
        begun = 0
        try:
            for delivery in self._due(free) if free else ():
                self._pool.submit(self._run, tokens[begun], delivery)
                begun += 1
        finally:
            self._give_back(tokens[begun:])
        return begun

    def stop(self, timeout: float) -> bool:
        """Claim no more, and wait for the deliveries in hand; False if they last over `timeout` seconds."""
        with self._changed:
            self._stopping = True
            return self._changed.wait_for(lambda: not self._taken, timeout)

    def _run(self, token: object, delivery: str) -> None:
        if token not in self._taken:  # its thread could not be started then, and it is due again later
            return
        try:
            self._deliver(delivery)
        except Exception:
            _log.exception("delivery_failed", delivery=delivery)
        finally:
            self._give_back([token])
        # For instance the next delivery to the same endpoint. If this fails, the sweeper's own sweep fails
        # too, and logs it.
        with contextlib.suppress(Exception):
            self.sweep()

    def _give_back(self, tokens: Iterable[object]) -> None:
        with self._changed:
            self._taken.difference_update(tokens)
            self._changed.notify_all()
