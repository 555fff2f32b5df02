"""Gunicorn as the house needs it: threads, a worker inside if asked, and a clean end at every signal."""

from __future__ import annotations

import errno
import gc
import json
import logging
import os
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import FrameType
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.gthread import ThreadWorker

from service.api import RESOURCES
from service.app import create_app
from service.config import Settings
from service.notices import Notices
from service.problems import CONTENT_TYPE, Problem
from service.runtime import Runtime
from service.stopping import stopping
from service.web.blueprint import Blueprint
from worker import bots
from worker.app import Worker
from worker.work import work_of

GRACE = 2
"""Seconds that running requests get when the house closes."""
LIMIT = 5
"""Seconds until a process that has not ended is killed."""
WORKER_THREADS = 4
_CONNECTIONS = 1000
"""Connections of a process at once, beside its listeners': answered now or kept alive."""
_DRAINED = 65_536
"""Bytes of an unread body that gunicorn reads to keep a connection; with more it closes the connection."""


@dataclass(frozen=True)
class ServerPlan:
    """A plan of how to serve."""

    settings: Settings
    listener: socket.socket
    processes: int
    threads: int
    """The number of requests that a process answers at once, beside its listeners."""
    listeners: int
    """The number of event streams that a process serves at once; each takes one more thread."""
    worker: bool
    """True if each process has a worker inside."""
    opened: Callable[[], object]
    """A callback that runs once, as soon as requests are answered."""
    resources: Sequence[Blueprint] = RESOURCES
    """The resources that are served."""


def run(plan: ServerPlan) -> None:
    """Serve until a signal says to stop. Ends with SystemExit."""
    # What is loaded now stays. Without this each child would copy these pages when it collects garbage.
    gc.freeze()
    _Server(plan).run()


class _Server(BaseApplication):
    def __init__(self, plan: ServerPlan) -> None:
        self._plan = plan
        super().__init__()

    def load_config(self) -> None:
        plan = self._plan
        values: dict[str, Any] = {
            "bind": f"fd://{plan.listener.fileno()}",
            "workers": plan.processes,
            "worker_class": _Process,
            "threads": plan.threads + plan.listeners,
            "worker_connections": _CONNECTIONS + plan.listeners,
            "timeout": 60,
            "graceful_timeout": LIMIT,
            "keepalive": 30,
            "proc_name": "cloche",
            "control_socket_disable": True,
            "logger_class": _Log,
            "post_fork": _after_fork,
            "post_worker_init": self._begin,
            "worker_exit": _end,
        }
        for name, value in values.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        # This runs in the child, so nothing is shared with the parent.
        house = Runtime.open(self._plan.settings, bots.by_mode())
        # At most half of the threads wait for news of games; the others bring the news.
        self._house = replace(house, notices=Notices(self._plan.threads // 2, self._plan.listeners))
        return create_app(house=self._house, resources=self._plan.resources)

    def run(self) -> None:
        _Arbiter(self).run()

    def _begin(self, process: _Process) -> None:
        self._house.listen()
        if self._plan.worker:
            process.inside = Worker(self._house, work_of(self._house), WORKER_THREADS)
            process.inside.start()
        if process.age == 1:
            self._plan.opened()


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


class _Process(ThreadWorker):
    """A process that serves."""

    inside: Worker | None = None
    _leaving = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop, at any signal. A second signal may interrupt the work of the first."""
        if self._leaving:
            return
        self._leaving = True
        stopping.set()
        if self.inside is not None:
            self.inside.ask_to_stop()
        super().handle_exit(sig, frame)

    handle_quit = handle_exit

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuse what can't be read as HTTP with a problem document, like every other refusal."""
        super().handle_error(req, _Refused(client), addr, exc)

    def handle_request(self, req: Any, conn: Any) -> bool:
        """Answer a request. A listener that does not read what is sent counts as gone."""
        length = next((value for name, value in req.headers if name == "CONTENT-LENGTH"), "0")
        if int(length) >= _DRAINED:
            req.force_close()  # gunicorn would close it all the same, after an answer that says it is kept
        try:
            return bool(super().handle_request(req, conn))
        except TimeoutError:
            raise BrokenPipeError(errno.EPIPE, "does not take what is sent") from None


class _Refused:
    """A connection on which gunicorn refuses a request: sends a problem document, not gunicorn's page."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def sendall(self, page: bytes) -> None:
        """Send the problem with the page's status. It repeats nothing of the request."""
        status = HTTPStatus(int(page.split(maxsplit=2)[1]))
        code, detail = _UNREADABLE.get(status, ("bad_request", "This can't be read as a request."))
        body = json.dumps(Problem(status, code, detail).document()).encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
            f"Content-Type: {CONTENT_TYPE}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._connection.sendall(head.encode() + body)


_UNREADABLE = {
    HTTPStatus.REQUEST_URI_TOO_LONG: ("path_too_long", "A path with its query has at most 4,000 characters."),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: (
        "headers_too_large",
        "These are too many headers, or too long.",
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "internal_error",
        "Something went wrong in the house; it is in its log.",
    ),
}
"""Code and detail by status; any other status is a bad request."""


class _Log(Logger):
    """Sends gunicorn's messages where ours go."""

    def setup(self, cfg: Any) -> None:
        self.error_log.propagate = True
        self.error_log.setLevel(logging.INFO)

    def warning(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Log a warning, without any part of a request that can't be read."""
        cut = str(msg).partition(": ")[0] if str(msg).startswith("Invalid request") else msg
        super().warning(cut, *args, **kwargs)

    def exception(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Log a fault with its traceback, without the path of the request that led to it."""
        if str(msg).startswith("Error handling request"):
            msg, args = "Error handling request", ()
        super().exception(msg, *args, **kwargs)


def _after_fork(_arbiter: Arbiter, process: _Process) -> None:
    # The child and its worker must end before the parent kills them.
    process.cfg.set("graceful_timeout", GRACE)


def _end(_arbiter: Arbiter, process: _Process) -> None:
    if process.inside is not None and not process.inside.stop(LIMIT - GRACE - 0.5):
        logging.getLogger(__name__).warning("a task was still running when the house closed")
    if process.nr_conns > 0 or (process.inside is not None and process.inside.busy):
        # Some requests did not end in time, some connections never said anything, or a delivery hangs. Python
        # would wait for their threads. What they have not committed is undone either way.
        logging.shutdown()
        os._exit(0)
