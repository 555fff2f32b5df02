"""The page and its kitchen, built for the tests; programs that run in them, and flows of people."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest

from service.page import Page
from tests.paths import ROOT

WEB = ROOT / "web"
HERE = Path(__file__).parent
SECONDS = 900
"""Seconds in which a build, a program in the kitchen or a flow ends, however busy the machine is."""

SOURCES = ("cards", "crypto", "referee", "player", "client", "bots", "data/card_sets", "data/formats")
NOT_SOURCES = ("node_modules", "dist", "__pycache__")
LONG_AGO = 1_000_000_000


def need_node() -> None:
    """Skip the test where Node is missing; in CI, fail it."""
    missing = [program for program in ("node", "npm") if shutil.which(program) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"no {' and no '.join(missing)}")
    if missing:
        pytest.skip(f"no {' and no '.join(missing)}")


def chromium(*, whole: bool = False) -> str:
    """The path of Debian's Chromium. Skips the test where it is missing; in CI, fails it.

    Unless it must be the `whole` browser, it is the one without windows where that is installed: it shows the
    same pages with three quarters of the work.
    """
    names = ("chromium",) if whole else ("chromium-headless-shell", "chromium")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None and os.environ.get("CI"):
        pytest.fail("no chromium")
    if found is None:
        pytest.skip("no chromium")
    return found


def sources(folder: Path) -> Path:
    """Copy the sources of the page, in another order and with other times; returns their build.py."""
    tops = [ROOT / name for name in SOURCES] + [
        path for path in WEB.iterdir() if path.name not in NOT_SOURCES
    ]
    files = [path for top in tops for path in (top.rglob("*") if top.is_dir() else [top])]
    for path in sorted(files, reverse=True):
        if path.is_file() and "__pycache__" not in path.parts:
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            os.utime(target, (LONG_AGO, LONG_AGO))
    return folder / "web" / "build.py"


@cache
def kitchen() -> Path:
    """The folder of a build of the kitchen alone, from the sources as they are."""
    need_node()
    folder = Path(tempfile.mkdtemp(prefix="cloche-kitchen-")) / "dist"
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    command = [sys.executable, WEB / "build.py", "--kitchen", "--out", folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return folder


@cache
def built_page() -> Page:
    """The page of the sources as they are. Of several test processes one builds it, and the others wait."""
    need_node()
    command = [sys.executable, WEB / "build.py", "--if-possible"]
    lock = os.open(WEB, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    finally:
        os.close(lock)
    found = Page.built()
    assert found is not None, done.stderr
    return found


class Flow:
    """A program of `flows/` that uses the page of a house in Chromium, as people do."""

    def __init__(self, name: str, house: str, **wishes: object) -> None:
        # Chromium without windows does not open a profile again that it has kept in a folder.
        browser = chromium(whole="folder" in wishes)
        command = ["node", HERE / "flows" / f"{name}.mjs", house, browser, json.dumps(wishes)]
        self._faults = Path(tempfile.mkstemp(prefix="cloche-flow-")[1])
        faults = self._faults.open("w")
        # A group of its own, so that no browser is left behind.
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=faults,
            text=True,
            bufsize=1,
            start_new_session=True,
        )
        faults.close()
        self._timer = threading.Timer(SECONDS, self.stop)
        self._timer.start()

    def hears(self, start: str) -> str:
        """Wait until the flow prints a line that begins like this; returns the line."""
        assert self._popen.stdout is not None
        for line in self._popen.stdout:
            if line.startswith(start):
                return line.strip()
        return self._failed(f"it never says {start}")

    def say(self, word: str) -> None:
        """Write a word to the flow, in a line of its own."""
        assert self._popen.stdin is not None
        self._popen.stdin.write(f"{word}\n")

    def found(self) -> Any:
        """Wait for the end; returns what the flow has found."""
        assert self._popen.stdout is not None
        told = [line for line in self._popen.stdout if line.strip()]
        if self._popen.wait(SECONDS) != 0:
            self._failed("".join(told)[-2000:])
        self.stop()
        self._faults.unlink()
        return json.loads(told[-1])

    def stop(self) -> None:
        """End it with its browsers, whatever they do."""
        self._timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _failed(self, what: str) -> NoReturn:
        self.stop()
        self._popen.wait(SECONDS)
        faults = self._faults.read_text()  # the error comes first, then what each player saw
        pytest.fail(f"{what}\n{faults[:1500]}\n...\n{faults[1500:][-2500:]}")


def flow(name: str, house: str, **wishes: object) -> Any:
    """Run a flow at a house, and return what it has found."""
    return Flow(name, house, **wishes).found()


def in_kitchen(script: str, **folders: Path) -> Any:
    """Run a file of `in_kitchen/` in the kitchen, with folders mounted; returns its variable `found`."""
    mounts = [f"{folder}={name}" for name, folder in folders.items()]
    done = subprocess.run(
        ["node", HERE / "run.mjs", kitchen(), HERE / "in_kitchen" / f"{script}.py", *mounts],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])
