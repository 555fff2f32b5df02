"""The house of a rehearsed evening: opened as it ships, with a worker that is killed on the way."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from benchmarks.load.served import FREE, RunningServer, house

BACK = 90.0
"""Seconds within which a house must answer again after its worker was killed."""


class EveningFailed(RuntimeError):
    """An evening that can't go on: the house does not come back, or the games don't end."""


@dataclass(frozen=True, slots=True)
class Venue:
    """A house that is open, with its worker inside the process that answers."""

    serve: RunningServer
    settings: Mapping[str, str]
    """The CLOCHE_ variables of its processes, without the prefix."""

    @property
    def url(self) -> str:
        """Its address."""
        return self.serve.url

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a command that looks after this house."""
        return {f"CLOCHE_{name}": value for name, value in self.settings.items()}

    def kill_worker(self) -> float:
        """Kill the process that answers and has the worker inside, by SIGKILL.

        The house starts it again by itself. Returns the seconds until another one answers. Raises
        `EveningFailed` if none does.
        """
        began, used = time.monotonic(), self.serve.cpu()
        # The parent only starts the process that answers, and starts it again.
        killed = max((pid for pid in used if pid != self.serve.pid), key=used.__getitem__)
        os.kill(killed, signal.SIGKILL)
        while not (answers(self.url) and killed not in self.serve.cpu()):
            if time.monotonic() > began + BACK:
                raise EveningFailed(f"The house does not answer {BACK:g} s after its process was killed.")
            time.sleep(0.05)
        return time.monotonic() - began


def answers(url: str) -> bool:
    """Tell whether a house is ready."""
    try:
        with urlopen(f"{url}/readyz", timeout=5) as response:  # noqa: S310 - a house that we have opened
            return bool(response.status == 200)
    except OSError:
        return False


@contextmanager
def venue(folder: Path) -> Iterator[Venue]:
    """Open a new house in `folder`, on SQLite. Raises `NotOpen`."""
    settings = {**FREE, "DATA": str(folder / "house")}
    with house(folder, settings=settings) as serve:
        yield Venue(serve, settings)
