"""The processes of a house, under gunicorn: a front in each, a worker inside if asked, and a clean end."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker as GunicornWorker
from prometheus_client import multiprocess
from sqlalchemy.exc import SQLAlchemyError

from cloche.operate.files import MOST_WAITING
from cloche.operate.front.loop import Front, Limits
from service import metrics
from service.api import RESOURCES
from service.app import create_app
from service.config import Settings
from service.notices import Notices
from service.operations import presence, tokens
from service.runtime import Runtime
from service.stopping import stopping
from service.web.blueprint import Blueprint
from worker import bots
from worker.app import Worker
from worker.sweep import Sweeper
from worker.work import work_of

GRACE = 2
"""Seconds that running requests get when the house closes."""
LIMIT = 5
"""Seconds until a process that has not ended is killed."""
WORKER_THREADS = 4


@dataclass(frozen=True)
class ServerPlan:
    """A plan of how to serve."""

    settings: Settings
    listener: socket.socket
    processes: int
    threads: int
    """The number of requests that a process answers at once."""
    listeners: int
    """The number of event streams that a process serves at once. They take no thread."""
    worker: bool
    """True if each process has a worker inside."""
    opened: Callable[[], object]
    """A callback that runs once, as soon as requests are answered."""
    resources: Sequence[Blueprint] = RESOURCES
    """The resources that are served."""
    application: Callable[..., Any] = create_app
    """Makes the WSGI application of a process from `house` and `resources`."""
    certificate: Callable[[], Path] | None = None
    """Gives the PEM file of the key and the certificate for TLS; None for plain HTTP."""


def run(plan: ServerPlan) -> None:
    """Serve until a signal says to stop. Ends with SystemExit."""
    # The code that is loaded now stays. Without this each child would copy these pages when it collects
    # garbage.
    gc.freeze()
    _Server(plan).run()


class _Server(BaseApplication):
    def __init__(self, plan: ServerPlan) -> None:
        self.plan = plan
        super().__init__()

    def load_config(self) -> None:
        plan = self.plan
        values: dict[str, Any] = {
            "bind": f"fd://{plan.listener.fileno()}",
            "workers": plan.processes,
            "worker_class": _Process,
            "timeout": 60,
            "graceful_timeout": LIMIT,
            "proc_name": "cloche",
            "control_socket_disable": True,
            "logger_class": _Log,
            "post_fork": _after_fork,
            "post_worker_init": self._begin,
            "worker_exit": _end,
            "child_exit": _count_no_more,
        }
        for name, value in values.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        # This runs in the child, so nothing is shared with the parent.
        house = Runtime.open(self.plan.settings, bots.by_mode())
        self.house = replace(house, notices=Notices(MOST_WAITING, self.plan.listeners))
        return self.plan.application(house=self.house, resources=self.plan.resources)

    def run(self) -> None:
        _Arbiter(self).run()

    def _begin(self, process: _Process) -> None:
        self.house.listen()
        process.begin_beating(self.house)
        if self.plan.worker:
            process.inside = Worker(self.house, work_of(self.house), WORKER_THREADS)
            process.inside.start()
        if process.age == 1:
            self.plan.opened()


class _Arbiter(Arbiter):
    """The parent of the serving processes. Ctrl-C, SIGTERM and a closed terminal all close the house."""

    def init_signals(self) -> None:
        ignores_hangup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        super().init_signals()
        if ignores_hangup:  # nohup
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def _close(self) -> None:
        raise StopIteration

    def _nothing(self) -> None:
        """Do nothing: the number of processes is fixed at the start."""

    handle_hup = handle_int = handle_quit = _close
    handle_ttin = handle_ttou = handle_usr2 = handle_winch = _nothing


class _Process(GunicornWorker):
    """A process that serves: a front, and perhaps a worker inside."""

    inside: Worker | None = None
    front: Front | None = None
    beating: Sweeper | None = None
    alive: bool

    def begin_beating(self, house: Runtime) -> None:
        """Beat now, so that an absence is noted before any request or sweep, and then every second."""
        self.beating = Sweeper(partial(_beat, house), presence.BEAT_SECONDS, "presence")
        try:
            presence.keep(house)
        except SQLAlchemyError:
            logging.getLogger(__name__).warning("the database does not answer yet")
        self.beating.start()

    def run(self) -> None:
        """Serve until a signal says to stop."""
        plan: ServerPlan = self.app.plan
        limits = Limits(plan.threads, plan.settings, plan.certificate)
        self.front = Front(self.wsgi, self.app.house, limits, self._look, GRACE)
        if self.alive:  # else a signal came before
            self.front.serve([each.sock for each in self.sockets])

    async def _look(self) -> None:
        """Tell the parent that this process lives, and stop if the parent does not."""
        self.notify()
        if self.ppid != os.getppid():
            self.handle_exit(signal.SIGTERM, None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop, at any signal. A second signal may interrupt the work of the first."""
        if not self.alive:
            return
        self.alive = False
        stopping.set()
        if self.beating is not None:
            self.beating.ask_to_stop()
        if self.inside is not None:
            self.inside.ask_to_stop()
        if self.front is not None:
            self.front.ask_to_stop()

    handle_quit = handle_exit


def _beat(house: Runtime) -> None:
    presence.keep(house)
    tokens.note_uses(house)


class _Log(Logger):
    """Sends gunicorn's messages where ours go."""

    def setup(self, cfg: Any) -> None:
        self.error_log.propagate = True
        self.error_log.setLevel(logging.INFO)


def _after_fork(_arbiter: Arbiter, process: _Process) -> None:
    # The child and its worker must end before the parent kills them.
    process.cfg.set("graceful_timeout", GRACE)


def _count_no_more(_arbiter: Arbiter, process: _Process) -> None:
    """Forget the gauges of a process that has ended, where several count together."""
    if os.environ.get(metrics.SHARED):
        multiprocess.mark_process_dead(process.pid)  # type: ignore[no-untyped-call]


def _end(_arbiter: Arbiter, process: _Process) -> None:
    if process.inside is not None and not process.inside.stop(LIMIT - GRACE - 0.5):
        logging.getLogger(__name__).warning("a task was still running when the house closed")
    requests = process.front is not None and process.front.busy
    if requests or (process.inside is not None and process.inside.busy):
        # Some requests did not end in time, or a delivery hangs. Python would wait for their threads. What
        # they have not committed is undone either way.
        logging.shutdown()
        os._exit(0)
