"""A lock that lets one house at a time open an SQLite file."""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

ORPHANS = 30.0
"""Seconds that the children of a killed process have to notice, and to end, on a slow machine too."""


class HouseLocked(RuntimeError):
    """Another process has the house open; the text says which."""


class FileLock:
    """A lock on a file, held while this process or one of its children lives. A crash leaves none behind.

    The lock is taken on FILE.lock beside the file; the text in there says who holds it.
    """

    def __init__(self, file: Path) -> None:
        """Take the lock of `file`. Raises `HouseLocked` if another process has it."""
        real = file.resolve()
        real.parent.mkdir(parents=True, exist_ok=True)
        self.path = real.with_name(real.name + ".lock")
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        if not self._taken():
            held = holder(self.path)
            os.close(self._handle)
            raise HouseLocked(f"A house is already open on {file}{held}. Close it first.")
        self.note()

    def _taken(self) -> bool:
        """Try to take the lock, waiting for children of a killed process; returns whether it worked."""
        until = time.monotonic() + ORPHANS
        while True:
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if lives(_facts(self.path).get("pid")) or time.monotonic() > until:
                    return False
                time.sleep(0.05)

    def close(self) -> None:
        """Release the lock."""
        os.close(self._handle)

    def note(self, **facts: str) -> None:
        """Write into the lock's file who holds it, for a second house to tell."""
        text = json.dumps({"pid": os.getpid(), **facts}) + "\n"
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, text.encode(), 0)


def holder(path: Path) -> str:
    """Name in brackets the process that holds the lock of this path; empty if the file does not say."""
    facts = _facts(path)
    if "pid" not in facts:
        return ""
    return f" (process {facts['pid']}" + (f", {facts['url']}" if "url" in facts else "") + ")"


def _facts(path: Path) -> dict[str, Any]:
    """Read what the lock's file says; empty if it can't be read."""
    try:
        facts = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def lives(pid: object) -> bool:
    """Tell whether there is a process with this number; true if none is named."""
    try:
        if isinstance(pid, int):
            os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
