"""A server that has imported the house once and forks processes of it for the tests.

A test that starts a command here gets a process of its own, a child of the test's process: it runs the same
command, takes every signal and can be waited for. Only the seconds for its imports are saved. An import that
depends on the environment needs a process of its own: see `fits`.
"""

from __future__ import annotations

import ctypes
import gc
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PR_SET_CHILD_SUBREAPER = 36
IMPORTED = ("serve", "worker", "events", "register", "bot", "play")
"""The commands that the fork server imports, since tests start them most."""


def plain(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without the variables of pytest and of the house."""
    return {name: text for name, text in environment.items() if not name.startswith(("CLOCHE_", "PYTEST_"))}


FIRST = plain(os.environ)
"""The environment in which the fork server imported the house; a test may change its own later."""


class Forked:
    """A process that the fork server made; it has the part of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, arguments: list[str]) -> None:
        self.pid = pid
        self.args = arguments
        self.returncode: int | None = None
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        """Its exit status once it has ended, None before."""
        with self._lock:
            if self.returncode is None:
                ended, status = os.waitpid(self.pid, os.WNOHANG)
                if ended:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
            time.sleep(0.01)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


class ForkServer:
    """The process to fork from, and the pipes to it."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None)
        self._lock = threading.Lock()
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server"],
            env=FIRST,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
            text=True,
        )

    def start(
        self, arguments: list[str], environment: Mapping[str, str], output: Path, *, terminal: bool = False
    ) -> Forked:
        """Start `cloche` with these arguments; what it prints is appended to `output`.

        With `terminal`, `output` is a terminal. It becomes the process's own, and the process reads from it.
        """
        request = {
            "arguments": arguments,
            "environment": dict(environment),
            "output": str(output),
            "terminal": terminal,
        }
        with self._lock:
            assert self._popen.stdin is not None
            assert self._popen.stdout is not None
            # A process that is forked twice loses its parent; this process asks to become the new one.
            self._libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            try:
                self._popen.stdin.write(json.dumps(request) + "\n")
                self._popen.stdin.flush()
                return Forked(int(self._popen.stdout.readline()), ["cloche", *arguments])
            finally:
                self._libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@cache
def fork_server() -> ForkServer:
    """The fork server of this process; it ends when this process does."""
    return ForkServer()


def fits(arguments: list[str], environment: Mapping[str, str], apart: Collection[str] = ()) -> bool:
    """Tell whether a process of the fork server is the same as one that is started by itself.

    Another environment for Python or the system's loader may be for its imports, and houses of several
    processes count otherwise from their first import on. Variables in `apart` may differ.
    """
    together = environment.get("CLOCHE_PROCESSES", "1") != "1" or "--processes" in arguments
    ours, theirs = (
        {name: text for name, text in given.items() if name not in apart}
        for given in (FIRST, plain(environment))
    )
    same = ours == theirs
    return sys.platform == "linux" and same and not together


def _requests() -> dict[str, Any] | None:
    """Fork for every request; returns one in the process that is to answer it, None at the end."""
    for line in sys.stdin:
        ours, theirs = os.pipe()
        between = os.fork()
        if between == 0:
            if (pid := os.fork()) == 0:
                os.close(ours)
                os.close(theirs)
                return dict(json.loads(line))
            os.write(theirs, str(pid).encode())
            os._exit(0)
        os.close(theirs)
        os.waitpid(between, 0)
        sys.stdout.write(os.read(ours, 32).decode() + "\n")
        sys.stdout.flush()
        os.close(ours)
    return None


def _become(request: dict[str, Any]) -> None:
    # Under nohup a house ignores this signal, and so would every house of a run that was begun so.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.setsid()
    if request["terminal"]:
        # The first terminal that the leader of a session opens becomes the session's own.
        source = output = os.open(request["output"], os.O_RDWR)
    else:
        output = os.open(request["output"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        source = os.open(os.devnull, os.O_RDONLY)
    for target, opened in enumerate((source, output, output)):
        os.dup2(opened, target)
    for opened in {source, output}:
        os.close(opened)
    if request["terminal"]:
        # Python has chosen how to buffer what is printed when it started, with a pipe in this place.
        assert isinstance(sys.stdout, io.TextIOWrapper)
        sys.stdout.reconfigure(line_buffering=True)
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [str(ROOT / "cloche" / "__main__.py"), *request["arguments"]]


if __name__ == "__main__":
    import cloche.operate.server  # noqa: F401 (imported late by a house)
    import service.operations.upkeep  # noqa: F401 (the same)
    from cards.catalog import card_sets
    from cloche.main import load, main

    for command in IMPORTED:
        load(command)
    card_sets.load()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if (given := _requests()) is not None:
        _become(given)
        main(prog_name="cloche")
