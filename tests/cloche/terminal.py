"""A real terminal for tests: `cloche` runs in it as for a person, and its screen can be read."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import threading
import time
from functools import partial
from pathlib import Path

import pexpect
import pytest
from pexpect.fdpexpect import fdspawn
from pyte import HistoryScreen, Stream

from tests.fork_server import Forked, fits, fork_server
from tests.paths import ROOT
from tests.waiting import PATIENCE, until

ANSI = re.compile(r"\x1b\[[0-9;]*m")
TERM = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
"""A terminal as most are."""
_LOOKS = ("NO_COLOR", "COLUMNS", "LINES", "LC_ALL")
"""Variables of the terminal in which the tests run."""


class _Screen(HistoryScreen):
    """Answers what a terminal is asked, such as where its cursor is."""

    answer = staticmethod(lambda data: None)

    def write_process_input(self, data: str) -> None:
        """Send what a terminal would send back."""
        self.answer(data)


class Terminal:
    """One `cloche` command at a terminal of `columns` by `rows`."""

    def __init__(
        self, arguments: list[str], environment: dict[str, str], columns: int = 80, rows: int = 40
    ) -> None:
        self._screen = _Screen(columns, rows, history=5000, ratio=0.5)
        self._stream = Stream(self._screen)
        self.raw = ""
        self._drawn: tuple[list[str], int] | None = None
        env = {name: text for name, text in os.environ.items() if name not in _LOOKS}
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (rows, columns))
        self._process = _started(arguments, {**env, **TERM, **environment}, theirs)
        # While neither we nor the process hold its side of the terminal, reading would find an end.
        until(
            lambda: os.tcgetpgrp(ours) or self._process.poll() is not None, what="a process at the terminal"
        )
        os.close(theirs)
        self._line = fdspawn(ours, encoding="utf-8", codec_errors="replace", timeout=PATIENCE)
        self._screen.answer = self._line.send
        self._lock = threading.Lock()
        self._more = True
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        """Take what is written at once: what a terminal is asked it has to answer in time."""
        try:
            while True:
                try:
                    data = self._line.read_nonblocking(65536, 0.2)
                except pexpect.TIMEOUT:
                    continue
                with self._lock:
                    self.raw += data
                    self._stream.feed(data)
                    self._drawn = None
        except (pexpect.EOF, OSError, ValueError):
            self._more = False

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            print(self.text())  # noqa: T201
        self.close()

    def close(self) -> None:
        """End it, whatever it does."""
        self.kill9()
        self._line.close()

    def read(self, seconds: float = 0.05) -> bool:
        """Wait a moment; False once the program has ended and all is read."""
        time.sleep(seconds)
        return self._more

    def text(self) -> str:
        """All that has scrolled by, and the screen."""
        return "\n".join(self._lines()[0])

    def screen(self) -> str:
        """The screen alone."""
        return "\n".join(self._lines()[0][-self._screen.lines :]).rstrip()

    def _lines(self) -> tuple[list[str], int]:
        """All lines, and how many end above or at the cursor; drawn again after something was printed."""
        with self._lock:
            if self._drawn is None:
                past = ["".join(line[x].data for x in sorted(line)) for line in self._screen.history.top]
                lines = [line.rstrip() for line in [*past, *self._screen.display]]
                self._drawn = lines, len(past) + self._screen.cursor.y + 1
            return self._drawn

    def sees(self, pattern: str, seconds: float = PATIENCE, since: int = 0) -> re.Match[str]:
        """Wait until what was printed (from character `since`) matches."""
        deadline = time.monotonic() + seconds
        while True:
            more = self.read()
            if found := re.search(pattern, self.text()[since:], re.MULTILINE):
                return found
            if not more or time.monotonic() > deadline:
                pytest.fail(f"never saw {pattern!r} in:\n{self.text()}")

    def types(self, line: str) -> int:
        """Type a line once nothing more is printed; returns how much had been printed above the cursor."""
        printed, deadline = -1, time.monotonic() + PATIENCE
        while printed != len(self.raw) and time.monotonic() < deadline:
            printed = len(self.raw)
            self.read()
        lines, above = self._lines()
        self._line.send(line + "\r")
        return len("\n".join(lines[:above]).rstrip())

    def plays_the_first(self) -> int:
        """Make the first move of the list of legal ones; returns what `types` does."""
        before = self.types("moves")
        self.sees(r"^ ?1 ", since=before)
        return self.types("1")

    def keys(self, keys: str) -> None:
        """Press keys."""
        self._line.send(keys)

    def kill9(self) -> None:
        """End the program without a word."""
        self._process.send_signal(signal.SIGKILL)
        self._reap()

    def ends(self, seconds: float = PATIENCE) -> int:
        """Wait for its end; returns the exit status."""
        deadline = time.monotonic() + seconds
        while self.read() and time.monotonic() < deadline:
            pass
        return self._reap()

    def _reap(self) -> int:
        """Take the exit status once all that was printed is read."""
        self._listener.join(PATIENCE)
        return self._process.wait(PATIENCE)


def _started(
    arguments: list[str], environment: dict[str, str], terminal: int
) -> subprocess.Popen[bytes] | Forked:
    """Start `cloche` at a terminal, of which we hold the file descriptor of the program's side."""
    if environment["LANG"] == TERM["LANG"] and fits(arguments, environment, {*TERM, *_LOOKS}):
        return fork_server().start(arguments, environment, Path(os.ttyname(terminal)), terminal=True)
    return subprocess.Popen(
        [sys.executable, "-m", "cloche", *arguments],
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=partial(fcntl.ioctl, terminal, termios.TIOCSCTTY, 0),
    )
