"""The painter: asks a provider for pictures, one at a time, in a thread that nothing else waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import structlog

MOST_WAITING = 500
"""Cards that may wait while one is painted. A card that finds no room is asked for again later."""
_DISHES = "dishes"

_log = structlog.get_logger(__name__)


class Painter:
    """Takes cards by number and paints them one after another. It does not take a card that waits already.

    Dishes wait in the database. The painter takes them as a whole, and paints one whenever their turn comes.
    """

    def __init__(
        self, paint: Callable[[str], object], paint_dish: Callable[[], bool] = lambda: False
    ) -> None:
        self._paint = paint
        self._paint_dish = paint_dish
        self._pool = ThreadPoolExecutor(1, "painter")
        self._known: dict[str, Future[None]] = {}
        """What waits or is in hand: cards by number, and the dishes."""
        self._again = False
        """True if the dishes were taken once more while one was in hand."""
        self._stopped = False
        self._lock = threading.Lock()

    @property
    def busy(self) -> bool:
        """True if a picture is in hand."""
        with self._lock:
            return any(future.running() for future in self._known.values())

    def take(self, number: str) -> None:
        """Paint this card when its turn comes; returns at once. If too many wait, the card is not taken."""
        with self._lock:
            if not (self._stopped or number in self._known or len(self._known) > MOST_WAITING):
                self._known[number] = self._pool.submit(self._run, number)

    def take_dishes(self) -> None:
        """Paint the dishes that wait, one at a time among the cards; returns at once."""
        with self._lock:
            if _DISHES in self._known:
                self._again = True
            elif not self._stopped:
                self._known[_DISHES] = self._pool.submit(self._run_dishes)

    def stop(self) -> None:
        """Begin no further picture; returns at once, even while one is in hand."""
        with self._lock:
            self._stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, number: str) -> None:
        try:
            self._paint(number)
        except Exception:
            _log.exception("painting_failed", card=number)
        with self._lock:
            self._known.pop(number, None)

    def _run_dishes(self) -> None:
        with self._lock:
            self._again = False
        more = False
        try:
            more = self._paint_dish()
        except Exception:
            _log.exception("painting_failed", what=_DISHES)
        with self._lock:
            self._known.pop(_DISHES, None)
            more = more or self._again
        if more:
            self.take_dishes()
