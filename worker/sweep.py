"""The sweep: every quarter of a second, look for games that are due.

A deadline is a column of the database, so none is missed: not when a
message is lost, not when the broker is away, not when the house was stopped
while it passed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import structlog

from service import metrics

BATCH = 100
"""Games claimed at once; a full batch is followed by the next without a pause."""
CHORES_EVERY = 60.0
"""Seconds between two looks whether a chore is due."""
LONGEST_PAUSE = 5.0
"""Seconds between two attempts, at most, while the database is away."""

HEARD = 10.0
"""Seconds in which a game that is due again tells that its wake-up was lost."""

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


class Waking:
    """Publishes wake-ups for the sweep, and notices when nobody hears them.

    A line to the broker may be dead without telling: then every message is taken, and none arrives. A game
    that is due again so soon after its wake-up was not heard of, and is better done here.
    """

    def __init__(self, publish: Callable[[str], bool]) -> None:
        self._publish = publish
        self._woken: dict[str, float] = {}

    def __call__(self, game: str) -> bool:
        """Publish; False when no broker took the message, or when nobody has heard the one before."""
        now = time.monotonic()
        self._woken = {woken: at for woken, at in self._woken.items() if now - at < HEARD}
        if self._woken.pop(game, None) is not None:
            return False
        self._woken[game] = now
        return self._publish(game)


class Sweeper:
    """A thread that does something every `interval` seconds, whatever fails, until it is stopped."""

    def __init__(self, once: Callable[[], object], interval: float, name: str = "sweep") -> None:
        self._once = once
        self._interval = interval
        self._stopping = threading.Event()
        self._name = name
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.rounds = 0
        """Sweeps that went through."""

    @property
    def alive(self) -> bool:
        """Whether it goes on."""
        return self._thread.is_alive()

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
                metrics.sweeps.labels(self._name, "failed").inc()
                if failures == 1:
                    _log.exception(f"{self._name}_failed")
                else:
                    _log.error(
                        f"{self._name}_failed", times=failures, fault=f"{type(fault).__name__}: {fault}"
                    )
                continue
            metrics.sweeps.labels(self._name, "done").inc()
            if failures:
                _log.info(f"{self._name}_again", after=failures)
            pause, failures = self._interval, 0
            self.rounds += 1
