"""One house at a time on an SQLite file: a second one would write and keep time beside the first."""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

ORPHANS = 10.0
"""Seconds in which the children of a process that was killed notice, and end."""


class Locked(RuntimeError):
    """Another process has the house open; the text says which."""


class Lock:
    """A lock on a file, held as long as this process or a child of it lives: a crash leaves none behind.

    It is taken on FILE.lock beside it, whose text says who holds it.
    """

    def __init__(self, file: Path) -> None:
        """Take the lock of `file`, or raise `Locked`."""
        real = file.resolve()
        real.parent.mkdir(parents=True, exist_ok=True)
        self.path = real.with_name(real.name + ".lock")
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        if not self._taken():
            held = holder(self.path)
            os.close(self._handle)
            raise Locked(f"A house is already open on {file}{held}. Close it first.")
        self.note()

    def _taken(self) -> bool:
        """Take it, after waiting for those whom a killed process left; whether that was possible."""
        until = time.monotonic() + ORPHANS
        while True:
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if _lives(_facts(self.path).get("pid")) or time.monotonic() > until:
                    return False
                time.sleep(0.05)

    def close(self) -> None:
        """Let go of it."""
        os.close(self._handle)

    def note(self, **facts: str) -> None:
        """Write down who holds it, for whoever comes second."""
        text = json.dumps({"pid": os.getpid(), **facts}) + "\n"
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, text.encode(), 0)


def holder(path: Path) -> str:
    """Who has taken the lock of this file, in brackets; empty where it does not say."""
    facts = _facts(path)
    if "pid" not in facts:
        return ""
    return f" (process {facts['pid']}" + (f", {facts['url']}" if "url" in facts else "") + ")"


def _facts(path: Path) -> dict[str, Any]:
    """What the lock's file says; nothing where it can't be read."""
    try:
        facts = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _lives(pid: object) -> bool:
    """Whether there is a process of that number; so it is taken where none is named."""
    try:
        if isinstance(pid, int):
            os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
