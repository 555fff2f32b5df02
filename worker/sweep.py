"""The sweep: look for games that are due, by default every quarter of a second.

Deadlines stand in the database, so none is missed: not if a message is lost or the broker is away, and not if
the house was closed when the deadline passed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import structlog

from service import metrics

BATCH = 100
"""Games that are claimed at once. After a full batch the next one follows without a pause."""
CHORES_EVERY = 60.0
"""Seconds between two looks for chores that are due."""
PAIRING_EVERY = 1.0
"""Seconds between two looks for players of the queue who may be paired now."""
CHAIN_EVERY = 15.0
"""Seconds between two looks at the chain on which copies are outside."""
LONGEST_PAUSE = 5.0
"""The most seconds between two attempts while the database is away."""

HEARD = 10.0
"""Seconds after a wake-up. A game that is due again within them shows that the wake-up was lost."""

_log = structlog.get_logger(__name__)

Due = Callable[[int], Sequence[str]]
"""Claims at most that many due games and returns their ids."""


def sweep(due: Due, wake: Callable[[str], bool], act: Callable[[str], object]) -> int:
    """Sweep once; returns how many games were due.

    `wake` publishes a wake-up for a game, and returns False if no broker took it. Then `act` does the work of
    a worker here. A game that fails does not hold up the others: its claim runs out, and it is due again.
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
    """Publishes wake-ups for the sweep, and finds out if no worker receives them. Threads may share it.

    A connection to the broker may be dead without an error, at the publisher's end or at a worker's. Then the
    broker takes every message, and none arrives. So if a game is due again soon after its wake-up, the sweep
    acts on it here. If no message has arrived since that wake-up, the sweep acts on all games here until one
    does. Their wake-ups are still published, to find out when messages arrive again.
    """

    def __init__(self, publish: Callable[[str], bool]) -> None:
        self._publish = publish
        self._lock = threading.Lock()
        self._woken: dict[str, float] = {}
        self._heard = 0.0
        self._deaf_since: float | None = None

    def heard(self) -> None:
        """Note that a message has arrived. Every task calls it."""
        self._heard = time.monotonic()

    def __call__(self, game: str) -> bool:
        """Publish a wake-up; False if no broker took it, or if it probably won't arrive."""
        now = time.monotonic()
        with self._lock:
            believed = self._believed(game, now)
        taken = (believed or self._deaf_since is not None) and self._publish(game)
        if believed and taken:
            with self._lock:
                self._woken[game] = now
        return believed and taken

    def _believed(self, game: str, now: float) -> bool:
        """Tell whether a wake-up for this game will probably reach a worker."""
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
    """A thread that calls `once` every `interval` seconds until it is stopped, even if calls fail."""

    def __init__(self, once: Callable[[], object], interval: float, name: str = "sweep") -> None:
        self._once = once
        self._interval = interval
        self._stopping = threading.Event()
        self._name = name
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.rounds = 0
        """The number of calls that did not fail."""

    @property
    def alive(self) -> bool:
        """True if the thread still runs."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin. Call it once."""
        self._thread.start()

    def ask_to_stop(self) -> None:
        """End after the call in hand; returns at once."""
        self._stopping.set()

    def stop(self, timeout: float) -> bool:
        """End after the call in hand; False if that lasts longer than `timeout` seconds."""
        self.ask_to_stop()
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        pause, failures = self._interval, 0
        while not self._stopping.wait(pause):
            try:
                self._once()
            except Exception as fault:  # deadlines go on after any fault
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
