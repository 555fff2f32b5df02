"""The house of a rehearsed evening: opened as it ships, with workers that are killed on the way."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

import redis

from benchmarks.load.served import FREE, RunningServer, house, served
from benchmarks.turns.scratch import databases
from service.config import Settings
from service.operations import grants
from service.publisher import celery
from service.runtime import Runtime

BACK = 90.0
"""Seconds within which a house must answer again after its worker was killed."""
WORKERS = 2
"""Workers of a house with a broker."""


class EveningFailed(RuntimeError):
    """An evening that can't go on: the house does not come back, or the games don't end."""


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of a house whose workers are processes of their own."""

    database: str
    """The URL of a PostgreSQL server, where a new database is made and dropped at the end."""
    broker: str
    """The URL of a RabbitMQ or a Redis."""


@dataclass(frozen=True, slots=True)
class Venue:
    """A house that is open."""

    serve: RunningServer
    settings: Mapping[str, str]
    """The CLOCHE_ variables of its processes, without the prefix."""
    folder: Path
    ending: ExitStack
    """Ends the processes when the evening is over."""
    workers: list[RunningServer] = field(default_factory=list)
    """Workers in processes of their own, the oldest first; none where the house has the worker inside."""

    @property
    def url(self) -> str:
        """Its address."""
        return self.serve.url

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a command that looks after this house."""
        return {f"CLOCHE_{name}": value for name, value in self.settings.items()}

    def grant(self, handles: Iterable[str], coins: int) -> None:
        """Give each of these players coins, as `cloche admin grant` does."""
        runtime = Runtime.open(Settings.from_environment(self.environment))
        try:
            for handle in handles:
                grants.give(runtime, handle, grants.Gift(coins=coins))
        finally:
            runtime.close()

    def add_worker(self, number: int) -> None:
        """Start a worker in a process of its own. Raises `NotOpen`."""
        command = [sys.executable, "-m", "cloche", "worker"]
        file = f"worker-{number}.out"
        worker = served(command, self.folder, self.environment, r"A worker for (\S+)", file)
        self.workers.append(self.ending.enter_context(worker))

    def kill_worker(self) -> float:
        """Kill the oldest worker by SIGKILL, and wait until the house has as many as before.

        Where the worker is inside the process that answers, that process is killed, and the house starts it
        again by itself. Otherwise another worker takes the place. Returns the seconds until it works.
        Raises `EveningFailed` if none does, and `NotOpen`.
        """
        began = time.monotonic()
        if self.workers:
            os.kill(self.workers.pop(0).pid, signal.SIGKILL)
            self.add_worker(time.monotonic_ns())
            return time.monotonic() - began
        used = self.serve.cpu()
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
def venue(folder: Path, servers: Servers | None = None) -> Iterator[Venue]:
    """Open a new house in `folder`: on SQLite, or on these servers with two workers.

    Raises `NotOpen` and `NoServer`.
    """
    settings = {**FREE, "DATA": str(folder / "house")}
    with ExitStack() as stack:
        if servers is not None:
            [database] = stack.enter_context(databases(1, servers.database))
            queue = stack.enter_context(_queue(servers.broker))
            settings |= {"DATABASE": database, "BROKER": servers.broker, "QUEUE": queue}
        serve = stack.enter_context(house(folder, settings=settings))
        found = Venue(serve, settings, folder, stack)
        for number in range(WORKERS if servers is not None else 0):
            found.add_worker(number)
        yield found


@contextmanager
def _queue(broker: str) -> Iterator[str]:
    """The name of a queue of our own, of which nothing is left on the broker at the end."""
    name = f"cloche-evening-{secrets.token_hex(6)}"
    try:
        yield name
    finally:
        if broker.startswith("redis"):
            with redis.Redis.from_url(broker) as client:
                for key in client.scan_iter(f"{name}:*"):
                    client.delete(key)
        else:
            with celery(broker, name).connection_for_write() as connection:
                connection.default_channel.queue_delete(name)
                connection.default_channel.exchange_delete(name)
