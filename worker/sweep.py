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


class Publishing:
    """Publishes wake-ups for the sweep, and notices when nobody hears them.

    A line to the broker may be dead without telling, of those who publish or of those who listen: then every
    message is taken, and none arrives. A game that is due again so soon after its wake-up was not heard of,
    and is better done here. If nothing else has come through since, so are all games until something does;
    their wake-ups are published all the same, to see when that is. Safe to share between threads.
    """

    def __init__(self, publish: Callable[[str], bool]) -> None:
        self._publish = publish
        self._lock = threading.Lock()
        self._woken: dict[str, float] = {}
        self._heard = 0.0
        self._deaf_since: float | None = None

    def heard(self) -> None:
        """To be called whenever a message has come through."""
        self._heard = time.monotonic()

    def __call__(self, game: str) -> bool:
        """Publish; False when no broker took the message, or when it is not believed to arrive."""
        now = time.monotonic()
        with self._lock:
            believed = self._believed(game, now)
        taken = (believed or self._deaf_since is not None) and self._publish(game)
        if believed and taken:
            with self._lock:
                self._woken[game] = now
        return believed and taken

    def _believed(self, game: str, now: float) -> bool:
        """Whether a wake-up for this game may be left to whoever hears it."""
        self._woken = {woken: at for woken, at in self._woken.items() if now - at < HEARD}
        woken = self._woken.pop(game, None)
        if self._deaf_since is not None and self._heard > self._deaf_since:
            self._deaf_since = None
            _log.info("wake_ups_heard")
        elif self._deaf_since is None and woken is not None and self._heard < woken:
            self._deaf_since = now
            _log.info("wake_ups_unheard")
        return woken is None and self._deaf_since is None


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

    def ask_to_stop(self) -> None:
        """End after the sweep in hand; returns at once."""
        self._stopping.set()

    def stop(self, timeout: float) -> bool:
        """End after the sweep in hand; False if it lasts longer than `timeout` seconds."""
        self.ask_to_stop()
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
