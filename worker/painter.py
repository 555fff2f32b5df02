"""The painter: asks a provider for pictures, one at a time, in a thread that nothing else waits for."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import structlog

MOST_WAITING = 500

_log = structlog.get_logger(__name__)


class Painter:
    """Takes cards by number and paints them one after another; one that waits is not taken twice."""

    def __init__(self, paint: Callable[[str], object]) -> None:
        self._paint = paint
        self._waiting: queue.Queue[str] = queue.Queue(MOST_WAITING)
        self._known: set[str] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def take(self, number: str) -> None:
        """Paint this card in its turn; returns at once. With too many waiting it is asked for again."""
        with self._lock:
            if number in self._known or self._waiting.full():
                return
            self._known.add(number)
            self._waiting.put_nowait(number)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="painter", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            number = self._waiting.get()
            try:
                self._paint(number)
            except Exception:
                _log.exception("painting_failed", card=number)
            with self._lock:
                self._known.discard(number)
