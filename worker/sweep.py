"""The sweep: every quarter of a second, look for games that are due.

A deadline is a column of the database, so none is missed: not when a
message is lost, not when the broker is away, not when the house was stopped
while it passed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import structlog

BATCH = 100
"""Games claimed at once; a full batch is followed by the next without a pause."""
LONGEST_PAUSE = 5.0
"""Seconds between two attempts, at most, while the database is away."""

_log = structlog.get_logger(__name__)

Due = Callable[[int], Sequence[str]]
"""Claims at most that many due games and returns their ids."""


def sweep(due: Due, wake: Callable[[str], bool], act: Callable[[str], object]) -> int:
    """One sweep; returns how many games were due.

    Each is handed to `wake` (publish; False when no broker took it) and, if
    that failed, to `act`, which does here what a worker would do. A game that
    fails does not keep the others waiting: its claim runs out and it is due
    again.
    """
    total = 0
    while True:
        games = due(BATCH)
        for game in games:
            try:
                if not wake(game):
                    act(game)
            except Exception:
                _log.exception("sweep_failed_for_game", game=game)
        total += len(games)
        if len(games) < BATCH:
            return total


class Sweeper:
    """A thread that sweeps every `interval` seconds, whatever fails, until it is stopped."""

    def __init__(self, once: Callable[[], int], interval: float) -> None:
        self._once = once
        self._interval = interval
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
        self.rounds = 0
        """Sweeps that went through."""

    def start(self) -> None:
        """Begin; once."""
        self._thread.start()

    def stop(self, timeout: float) -> bool:
        """End after the sweep in hand; False if it lasts longer than `timeout` seconds."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        pause, failures = self._interval, 0
        while not self._stopping.wait(pause):
            try:
                self._once()
            except Exception as fault:  # whatever it is, deadlines go on
                failures += 1
                pause = min(self._interval * 2 ** min(failures, 10), LONGEST_PAUSE)
                if failures == 1:
                    _log.exception("sweep_failed")
                else:
                    _log.error("sweep_failed", times=failures, fault=f"{type(fault).__name__}: {fault}")
                continue
            if failures:
                _log.info("sweep_again", after=failures)
            pause, failures = self._interval, 0
            self.rounds += 1
