"""Servers in processes of their own: a house as it ships, or whatever else a command starts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import benchmarks
from benchmarks.load import processes
from service.config import UNLIMITED

ROOT = Path(benchmarks.__file__).parents[1]
OPENING = 90.0
"""Seconds that a server may take to open."""
CLOSING = 15.0
FREE = {
    "PASSWORD_PASSES": "1",
    "PASSWORD_KIB": "64",
    "PASSWORD_QUEUE": "1000",
    **{name.upper(): v for name, v in UNLIMITED.items()},
}
"""Settings of a house under load: no rate limits, and cheap passwords, since many players register."""


def surroundings() -> dict[str, str]:
    """The environment for another process: this one's, without the variables that name another house.

    An installed house has its modules compiled, so Python is not kept from that either.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLOCHE_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    if engine := os.environ.get("CLOCHE_ENGINE"):
        kept["CLOCHE_ENGINE"] = engine
    return kept


class NotOpen(RuntimeError):
    """A server that does not open. The text has the end of what it printed."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that runs."""

    url: str
    pid: int
    output: Path

    def cpu(self) -> dict[int, float]:
        """Return the processor seconds of each of its processes."""
        return processes.cpu(processes.family(self.pid))

    @property
    def total(self) -> float:
        """The processor seconds of all its processes."""
        return sum(self.cpu().values())

    @property
    def answering(self) -> int:
        """The process that answers requests: of the server's children the one that has used the most time.

        The parent imports everything and may have used more than a child that has answered little so far.
        """
        used = self.cpu()
        children = [pid for pid in used if pid != self.pid] or [self.pid]
        return max(children, key=lambda pid: used[pid])


@contextmanager
def served(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    opened: str,
    file_name: str = "server.out",
) -> Iterator[RunningServer]:
    """Start a server, and end it at last. `opened` matches its output, with its address as the first group.

    The output goes into a file of this name in `folder`. Raises `NotOpen`.
    """
    output = folder / file_name
    with output.open("wb") as file:
        popen = subprocess.Popen(
            command,
            env=surroundings() | dict(environment),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + OPENING
        while (found := re.search(opened, output.read_text(errors="replace"))) is None:
            if popen.poll() is not None or time.monotonic() > deadline:
                raise NotOpen(f"{command[-1]} does not open: {output.read_text(errors='replace')[-2000:]}")
            time.sleep(0.02)
        yield RunningServer(found[1], popen.pid, output)
    finally:
        _end(popen)


def _end(popen: subprocess.Popen[bytes]) -> None:
    if popen.poll() is not None:
        return
    popen.send_signal(signal.SIGTERM)
    try:
        popen.wait(CLOSING)
    except subprocess.TimeoutExpired:
        os.killpg(popen.pid, signal.SIGKILL)
        popen.wait()


@contextmanager
def house(
    folder: Path, options: Sequence[str] = (), settings: Mapping[str, str] | None = None
) -> Iterator[RunningServer]:
    """Start a new house in `folder` by `cloche serve` with these options.

    `settings` are CLOCHE_ variables without the prefix.
    """
    folder.mkdir(parents=True, exist_ok=True)
    values = {"DATA": str(folder / "house"), **FREE, **(settings or {})}
    command = [sys.executable, "-m", "cloche", "serve", "--port", "0", *options]
    environment = {f"CLOCHE_{name}": value for name, value in values.items()}
    with served(command, folder, environment, r"open at (http://\S+)") as found:
        yield found
