"""A real terminal for tests: `cloche` runs in it as for a person, and its screen can be read."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import time

import pexpect
import pytest
from pyte import HistoryScreen, Stream

from tests.paths import ROOT

ANSI = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE = 90.0
TERM = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
"""A terminal as most are."""


class _Screen(HistoryScreen):
    """Answers what a terminal is asked, such as where its cursor is."""

    answer = staticmethod(lambda data: None)

    def write_process_input(self, data: str) -> None:
        """What a terminal would send back."""
        self.answer(data)


class Terminal:
    """One `cloche` command at a terminal of `columns` by `rows`."""

    def __init__(
        self, arguments: list[str], environment: dict[str, str], columns: int = 80, rows: int = 40
    ) -> None:
        self._screen = _Screen(columns, rows, history=5000, ratio=0.5)
        self._stream = Stream(self._screen)
        self.raw = ""
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES", "LC_ALL")}
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "cloche", *arguments],
            env={**env, **TERM, **environment},
            cwd=str(ROOT),
            dimensions=(rows, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=PATIENCE,
        )
        self._screen.answer = self.process.send
        self._lock = threading.Lock()
        self._more = True
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        """Take what is written at once: what a terminal is asked it has to answer in time."""
        try:
            while True:
                try:
                    data = self.process.read_nonblocking(65536, 0.2)
                except pexpect.TIMEOUT:
                    continue
                with self._lock:
                    self.raw += data
                    self._stream.feed(data)
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
        self.process.close(force=True)

    def read(self, seconds: float = 0.05) -> bool:
        """Wait a moment; False once the program has ended and all is read."""
        time.sleep(seconds)
        return self._more

    def text(self) -> str:
        """All that has scrolled by, and the screen."""
        with self._lock:
            past = ["".join(line[x].data for x in sorted(line)) for line in self._screen.history.top]
            return "\n".join(line.rstrip() for line in [*past, *self._screen.display])

    def screen(self) -> str:
        """The screen alone."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

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
        """Type a line; returns how much had been printed before."""
        self.read()
        before = len(self.text().rstrip())
        self.process.send(line + "\r")
        return before

    def keys(self, keys: str) -> None:
        """Press keys."""
        self.process.send(keys)

    def kill9(self) -> None:
        """End the program without a word."""
        if not self.process.terminated:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        self._reap()

    def ends(self, seconds: float = PATIENCE) -> int:
        """Wait for its end; returns the exit status."""
        deadline = time.monotonic() + seconds
        while self.read() and time.monotonic() < deadline:
            pass
        self._reap()
        return int(self.process.exitstatus or 0)

    def _reap(self) -> None:
        """Take the exit status once nobody listens any more: pexpect asks for it while it reads, too."""
        self._listener.join(PATIENCE)
        with contextlib.suppress(pexpect.ExceptionPexpect):
            self.process.wait()
