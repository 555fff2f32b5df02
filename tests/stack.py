"""A real house for a test: its own processes, folder, database and queue, thrown away afterwards.

Three flavours: "embedded" (one `cloche serve`: SQLite, messages in memory),
"postgresql+rabbitmq" and "postgresql+redis" (`cloche serve` and `cloche worker`
as processes of their own). Tests that run side by side share servers, never
a database or a queue.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psycopg
import pytest
import redis
from kombu import Connection

from client.transport import Transport
from service.config import UNLIMITED
from tests import fork_server, tables
from tests.chance import unique
from tests.waiting import PATIENCE, until

POSTGRESQL = os.environ.get("CLOCHE_TEST_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432")
RABBITMQ = os.environ.get("CLOCHE_TEST_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672//")
REDIS = os.environ.get("CLOCHE_TEST_REDIS", "redis://127.0.0.1:6379/0")

FLAVOURS = ("embedded", "postgresql+rabbitmq", "postgresql+redis")
STOP = 60.0
NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""A context that trusts nobody. For plain HTTP the public authorities would be read in vain."""

T = TypeVar("T")


class Process:
    """One `cloche` command that runs until it is stopped; its output is kept in a file."""

    def __init__(self, arguments: list[str], environment: dict[str, str], output: Path) -> None:
        self.output = output
        self._skip = output.stat().st_size if output.exists() else 0
        self.popen: subprocess.Popen[bytes] | fork_server.Forked
        output.touch()
        if fork_server.fits(arguments, environment):
            self.popen = fork_server.fork_server().start(arguments, environment, output)
            return
        with output.open("ab") as file:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", "cloche", *arguments],
                env=environment,
                stdout=file,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                cwd=Path(__file__).parents[1],
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.popen.pid

    def text(self) -> str:
        """The text that it has printed so far."""
        return self.output.read_bytes()[self._skip :].decode()

    def says(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        """Wait until it prints something that matches."""

        def look() -> re.Match[str] | None:
            if found := re.search(pattern, self.text()):
                return found
            if self.popen.poll() is not None:
                pytest.fail(f"ended with {self.popen.returncode}:\n{self.text()}")
            return None

        return until(look, seconds, f"{pattern!r} in:\n{self.text()}")

    def children(self) -> list[int]:
        """The process ids of its children."""
        found = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True, check=False)
        return [int(word) for word in found.stdout.split()]

    def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = STOP) -> int:
        """Send a signal and wait for the end; returns the exit status."""
        if self.popen.poll() is None:
            self.popen.send_signal(number)
        return self.popen.wait(seconds)

    def kill(self) -> None:
        """End it and its children at once, whatever they are doing."""
        for pid in [self.pid, *self.children()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.popen.wait(STOP)


class Stack:
    """A house of one flavour. `settings` are CLOCHE_ variables by their names without the prefix.

    `postgresql` and `broker` are for servers of a test's own; what is left on those is theirs to forget. With
    `first`, the house opens for the first time and makes its tables; else it finds them, and they are empty.
    """

    transport: Transport | None = None
    """Requests to it go over the network."""

    def __init__(
        self,
        flavour: str,
        folder: Path,
        *,
        postgresql: str = POSTGRESQL,
        broker: str | None = None,
        first: bool = False,
        **settings: object,
    ) -> None:
        self.flavour = flavour
        self.data = folder / "var"
        self.data.mkdir(parents=True, exist_ok=True)
        self.url = ""
        self.serve: Process | None = None
        self.worker: Process | None = None
        self.events: Process | None = None
        self.events_url = ""
        self.queue = f"cloche-test-{unique()}"
        self.database = f"sqlite:///{self.data}/cloche.sqlite3"
        self.broker = broker or "memory://"
        copied = not first and postgresql == POSTGRESQL
        if flavour == "embedded":
            file = self.data / "cloche.sqlite3"
            if copied and not file.exists():
                tables.copy_to_file(file)
        else:
            self.broker = broker or (RABBITMQ if flavour.endswith("rabbitmq") else REDIS)
            name = f"cloche_test_{unique()}"
            self.database = f"{postgresql}/{name}"
            (tables.copy_to_server if copied else tables.empty_on_server)(postgresql, name)
        values = {
            "data": self.data,
            "database": self.database,
            "broker": self.broker,
            "queue": self.queue,
            # Cheap passwords and no limits: tests register many players from one address.
            "password_passes": 1,
            "password_kib": 64,
            "password_queue": 1000,
            **UNLIMITED,
            **settings,
        }
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("CLOCHE_")
        }
        if engine := os.environ.get("CLOCHE_ENGINE"):
            self.environment["CLOCHE_ENGINE"] = engine
        self.environment |= {f"CLOCHE_{name.upper()}": str(value) for name, value in values.items()}

    def start(self) -> Stack:
        """Start whatever is not running; returns when requests are answered and tasks taken."""
        if self.serve is None:
            port = self.url.rpartition(":")[2] or "0"  # the same again after a stop
            self.serve = self.run("serve", "--port", port)
            self.url = self.serve.says(r"open at (https?://\S+)")[1]
        if self.worker is None and self.flavour != "embedded":
            self.worker = self.run("worker")
            self.worker.says("A worker for")
        until(lambda: self.get("/readyz").status_code == 200, what="the house is ready")
        return self

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Send the house a GET request over the network. `options` are those of `httpx.get`."""
        return httpx.get(self.url + path, verify=self.trusted(), **options)

    @property
    def authority(self) -> Path:
        """The file of the house's own authority, where it speaks TLS."""
        return self.data / "tls" / "authority.crt"

    def trusted(self) -> ssl.SSLContext:
        """What a client of httpx must trust to reach the house: its authority, and nobody over plain HTTP."""
        tls = self.url.startswith("https://")
        return ssl.create_default_context(cafile=self.authority) if tls else NOBODY

    def start_events(self) -> Process:
        """Start `cloche events`; not with "embedded". It waits for the house, and `listen_there` for it."""
        self.events = self.run("events", "--port", "0")
        return self.events

    def listen_there(self) -> str:
        """Wait until `cloche events` answers; its address."""
        assert self.events is not None
        self.events_url = self.events.says(r"Events for .* at (http://\S+)")[1]
        return self.events_url

    def run(self, *arguments: str) -> Process:
        """Start another `cloche` command in this house's surroundings."""
        return Process(list(arguments), self.environment, self.data / f"{arguments[0]}.out")

    def stop(self) -> None:
        """Close the house as its owner would; fails when a process does not end well."""
        for process in (self.events, self.worker, self.serve):
            if process is not None:
                status = process.stop()
                assert status == 0, f"ended with {status}:\n{process.text()}"
        self.serve = self.worker = self.events = None

    def restart(self) -> Stack:
        """Close it and open it again at the same address."""
        self.stop()
        return self.start()

    def kill9(self, which: str) -> None:
        """Kill without warning: "api" (what answers; it comes back by itself), "worker", "house" (all)."""
        if which == "api":
            assert self.serve is not None
            [pid] = until(self.serve.children, what="a process that answers")
            os.kill(pid, signal.SIGKILL)
        elif which == "worker":
            assert self.worker is not None, "the embedded worker dies with the api"
            self.worker.kill()
            self.worker = None
        else:
            for process in (self.serve, self.worker, self.events):
                if process is not None:
                    process.kill()
            self.serve = self.worker = self.events = None

    def ban(self, banned: bool) -> None:
        """Have PostgreSQL drop this house's connections and take no others; or take them again."""
        name = self.database.rpartition("/")[2]
        with tables.connected(POSTGRESQL) as server:
            server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {"false" if banned else "true"}')
            if banned:
                server.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
                )

    def log(self, name: str = "serve") -> list[dict[str, Any]]:
        """The lines of a log: "serve" or "worker"."""
        file = self.data / "log" / f"{name}.log"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def __enter__(self) -> Stack:
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End everything and leave nothing behind on the servers."""
        self.kill9("house")
        if self.flavour == "embedded":
            return
        server_url, _, name = self.database.rpartition("/")
        if server_url == POSTGRESQL:
            tables.drop(server_url, name)
        forget(self.broker, self.queue)


def forget(broker: str, queue: str) -> None:
    """Delete what a house has left on a broker of ours."""
    if broker == RABBITMQ:
        with Connection(broker) as connection:
            connection.default_channel.queue_delete(queue)
            connection.default_channel.exchange_delete(queue)
    elif broker == REDIS:
        with redis.Redis.from_url(broker) as client:
            if names := list(client.scan_iter(f"{queue}:*")):
                client.delete(*names)


def need(flavour: str) -> None:
    """Skip the test where a server of this flavour is missing; in CI, fail it."""
    if flavour == "embedded":
        return
    try:
        with tables.connected(POSTGRESQL):
            pass
        if flavour.endswith("rabbitmq"):
            with Connection(RABBITMQ, connect_timeout=5) as connection:
                connection.connect()
        else:
            with redis.Redis.from_url(REDIS, socket_connect_timeout=5) as client:
                client.ping()
    except (psycopg.OperationalError, redis.RedisError, OSError) as fault:
        if os.environ.get("CI"):
            pytest.fail(f"no server for {flavour}: {fault}")
        pytest.skip(f"no server for {flavour}: {fault}")
