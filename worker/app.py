"""A Celery worker and its sweep. It runs in a thread of `cloche serve`, or as a process of its own."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import structlog
from celery import Celery
from celery.app import trace
from celery.worker import WorkController, state

from service import publisher
from service.runtime import Runtime
from worker import tasks
from worker.courier import Courier
from worker.painter import Painter
from worker.sweep import CHAIN_EVERY, CHORES_EVERY, PAIRING_EVERY, Publishing, Sweeper, sweep
from worker.work import WorkerOperations

RESTART_AFTER = 1.0
"""Seconds until a Celery controller that has died is replaced."""
GRACE = 3.0
"""Seconds that deliveries in hand have when a worker stops. An endpoint that hangs must not delay it more."""

_log = structlog.get_logger(__name__)


class Worker:
    """One worker: Celery's controller on a pool of threads, and its sweepers beside it.

    A process has one worker at a time, since Celery keeps its switch for stopping in a global variable.
    """

    def __init__(self, house: Runtime, work: WorkerOperations, threads: int) -> None:
        settings = house.settings
        self._in_memory = settings.broker.startswith("memory://")
        self._publisher = house.publisher
        self._wake = Publishing(house.publisher.resolve)
        self._painter = Painter(work.paint, work.paint_dish)
        self._work = replace(work, paint=self._painter.take, dishes=self._dishes)
        self._note = work.dishes
        self._threads = threads
        self._app = publisher.celery(settings.broker, settings.queue)
        tasks.register(self._app, self._work, self._sweep, self._wake.heard)
        self._sweeper = Sweeper(self._sweep, settings.sweep_ms / 1000)
        self._courier = Courier(work.deliveries, work.deliver)
        courier = Sweeper(self._courier.sweep, settings.sweep_ms / 1000, "courier")
        self._sweepers: tuple[Sweeper, ...] = (
            self._sweeper,
            Sweeper(work.tidy, CHORES_EVERY, "tidy"),
            courier,
            Sweeper(self._pair, PAIRING_EVERY, "pairing"),
            Sweeper(self._advance, PAIRING_EVERY, "rounds"),
        )
        if settings.chain_nodes:
            self._sweepers += (Sweeper(work.chain, CHAIN_EVERY, "chain"),)
        if settings.picture_url:  # dishes whose wake-up was lost, or whose pause is over
            self._sweepers += (Sweeper(self._painter.take_dishes, CHORES_EVERY, "painter"),)
        self._stopping = threading.Event()
        self._ready = threading.Event()
        self._controller: WorkController | None = None
        self._thread = threading.Thread(target=self._run, name="celery", daemon=True)

    def start(self) -> None:
        """Begin to take tasks and to sweep, in threads of their own; returns at once. Call it once."""
        state.should_stop = None
        state.should_terminate = None
        self._thread.start()
        for each in self._sweepers:
            each.start()

    @property
    def alive(self) -> bool:
        """True if the worker still takes tasks and sweeps."""
        return self._thread.is_alive() and self._sweeper.alive

    @property
    def busy(self) -> bool:
        """True if a delivery, a picture or a bot's turn is in hand. Python would wait for it at the end."""
        return self._courier.busy or self._painter.busy or self._work.thinkers.busy

    def ready(self, timeout: float) -> bool:
        """Wait until the worker takes tasks; False if that lasts longer than `timeout` seconds."""
        return self._ready.wait(timeout)

    def ask_to_stop(self) -> None:
        """Take no further task; returns at once. A signal handler may call it, and it may be called twice."""
        self._stopping.set()
        state.should_stop = 0
        # With a real broker, Celery's loop sleeps until something happens, for at most ten seconds.
        hub = getattr(self._controller, "hub", None)
        if hub is not None:
            hub.call_soon(lambda: None)

    def stop(self, timeout: float) -> bool:
        """Stop after the tasks in hand; False if they last longer than `timeout` seconds.

        Deliveries in hand have at most `GRACE` seconds. A delivery whose outcome is not noted by then is sent
        again later. A picture in hand is not waited for. A bot's turn that is not over by then is asked for
        again by the next worker.
        """
        self.ask_to_stop()
        deadline = time.monotonic() + timeout
        self._courier.stop(0)
        for each in self._sweepers:
            each.ask_to_stop()
        stopped = [each.stop(max(deadline - time.monotonic(), 0.0)) for each in self._sweepers]
        if self._in_memory:
            # This transport waits two seconds for a message before it looks at the switch, and it does so
            # twice: two messages end both waits.
            self._publisher.sweep()
            self._publisher.sweep()
        if self._thread.is_alive():
            self._thread.join(max(deadline - time.monotonic(), 0.0))
        self._painter.stop()
        self._work.thinkers.stop(min(GRACE, max(deadline - time.monotonic(), 0.0)))
        self._courier.stop(min(GRACE, max(deadline - time.monotonic(), 0.0)))
        return all(stopped) and not self._thread.is_alive()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the worker is asked to stop; False if `timeout` seconds pass before that."""
        return self._stopping.wait(timeout)

    def _dishes(self, game: str) -> None:
        self._note(game)
        self._painter.take_dishes()

    def _sweep(self) -> int:
        return sweep(self._work.due, self._wake, self._act)

    def _act(self, game: str) -> None:
        # Without a broker, the wake-up for the bots would be lost too: they move here.
        self._work.resolve(game)
        self._work.bots(game)

    def _pair(self) -> int:
        return sweep(self._work.waiting, lambda _player: False, self._work.pair)

    def _advance(self) -> int:
        return sweep(self._work.tournaments, lambda _tournament: False, self._work.advance)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._controller = _controller(self._app, self._threads, self._ready)
                self._controller.start()
            except Exception:
                _log.exception("worker_died")
            if not self._stopping.wait(RESTART_AFTER):
                _log.error("worker_restarted")


def _controller(app: Celery, threads: int, ready: threading.Event) -> WorkController:
    # The threads that Celery starts have no current application. This makes ours the default in all of them.
    trace.setup_worker_optimizations(app)
    return WorkController(
        app=app,
        pool="threads",
        concurrency=threads,
        ready_callback=lambda _consumer: ready.set(),
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
