"""Servers of a test's own, to be stopped and started at will, and a line to a server that may be cut."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
import redis
from kombu import Connection

from tests.waiting import PATIENCE, until

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/lib/rabbitmq/bin", "/usr/local/bin", "/usr/sbin", "/opt/*/bin")
"""The folders of servers that are not in PATH.

They come before PATH, where some programs are mere wrappers.
"""


def program(name: str) -> str:
    """Find a server's program; skips the test where there is none, and fails it in CI."""
    for place in PLACES:
        for found in sorted(Path("/").glob(f"{place.lstrip('/')}/{name}"), reverse=True):
            return str(found)
    if found_in_path := shutil.which(name):
        return found_in_path
    if os.environ.get("CI"):
        pytest.fail(f"CI needs {name}")
    pytest.skip(f"there is no {name} here")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Server:
    """A server process with a folder of its own. `url` stays the same over all its lives."""

    url: str
    _ready: Callable[[], object]

    def __init__(self, command: Sequence[str], folder: Path, user: str | None, **environment: str) -> None:
        self._command = list(command)
        self._folder = folder
        self._user = user
        self._environment = {**os.environ, **environment}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; returns when it answers."""
        with (self._folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                self._command,
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
                cwd=self._folder,
                env=self._environment,
                user=self._user,
                start_new_session=True,
            )
        until(self._answers, 180, f"{self._command[0]} answers")

    @property
    def lives(self) -> bool:
        """True if its process has not ended."""
        return self._process is not None and self._process.poll() is None

    def _answers(self) -> bool:
        try:
            self._ready()
        except (psycopg.OperationalError, redis.RedisError, OSError):
            return False
        return True

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End it without warning: all its processes, or by a signal to the first."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
        process.wait(PATIENCE)


class Postgresql(Server):
    """A cluster of its own."""

    def __init__(self, folder: Path) -> None:
        initdb, port, user = program("initdb"), free_port(), _nobody("postgres")
        data = folder / "data"
        if user is not None:
            shutil.chown(folder, user)
        made = [initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"]
        subprocess.run([*made, "--no-locale"], check=True, user=user, cwd=folder, capture_output=True)
        options = [f"-p{port}", f"-k{folder}", "-clisten_addresses=127.0.0.1", "-cfsync=off"]
        super().__init__([program("postgres"), "-D", str(data), *options], folder, user)
        self.url = f"postgresql://postgres@127.0.0.1:{port}"
        self._ready = lambda: psycopg.connect(f"{self.url}/postgres", connect_timeout=5).close()

    def crash(self) -> None:
        """Stop it as `pg_ctl stop -m immediate` does: connections are cut, and nothing is written any
        more.
        """
        self.kill(signal.SIGQUIT)


class Redis(Server):
    """A Redis that remembers nothing from one life to the next."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        super().__init__([program("redis-server"), *options], folder, None)
        self.url = f"redis://127.0.0.1:{port}/0"
        self._ready = lambda: redis.Redis.from_url(self.url, socket_connect_timeout=5).ping()


class Rabbitmq(Server):
    """A RabbitMQ node of its own."""

    def __init__(self, folder: Path) -> None:
        port, name = free_port(), f"cloche-test-{uuid4().hex[:8]}@localhost"
        (folder / "rabbitmq.conf").write_text(f"listeners.tcp.1 = 127.0.0.1:{port}\n")
        super().__init__(
            [program("rabbitmq-server")],
            folder,
            None,
            HOME=str(folder),
            RABBITMQ_NODENAME=name,
            RABBITMQ_DIST_PORT=str(free_port()),
            RABBITMQ_CONFIG_FILE=str(folder / "rabbitmq.conf"),
            RABBITMQ_CONF_ENV_FILE=os.devnull,
            RABBITMQ_ENABLED_PLUGINS_FILE=str(folder / "plugins"),
            RABBITMQ_MNESIA_BASE=str(folder / "mnesia"),
            RABBITMQ_LOG_BASE=str(folder / "log"),
            RABBITMQ_PID_FILE=str(folder / "pid"),
        )
        self.url = f"amqp://guest:guest@127.0.0.1:{port}//"
        self._ready = self._connect

    def _connect(self) -> None:
        with Connection(self.url, connect_timeout=5) as connection:
            connection.connect()


def _nobody(name: str) -> str | None:
    """The account for a server that refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(name).pw_name
    except KeyError:
        return "nobody"


@contextmanager
def running(kind: Callable[[Path], Server], within: Path | None = None) -> Iterator[Any]:
    """A server of a kind, with a folder that other users may enter; thrown away at the end."""
    with tempfile.TemporaryDirectory(prefix="cloche-test-", dir=within, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = kind(folder)
        try:
            server.start()
            yield server
        finally:
            server.kill()


class Line:
    """A line to a server: whole, dead (half-open: nothing comes through, nobody is told), or cut."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open = threading.Event()
        self._open.set()
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def die(self) -> None:
        """Let nothing through from now on, of old connections or new ones."""
        self._open.clear()

    def heal(self) -> None:
        """Cut all connections, as a router does that forgot them; new ones work."""
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()
        self._open.set()

    def close(self) -> None:
        """Cut all, and listen no more."""
        self._listener.close()
        self.heal()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                self._ends.append(near)
                threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        self._open.wait()
        with contextlib.suppress(OSError):
            far = socket.create_connection(self._target)
            self._ends.append(far)
            threading.Thread(target=self._pump, args=(near, far), daemon=True).start()
            self._pump(far, near)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._open.wait()
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.close()
