"""A house whose processes are restarted one by one, as systemd does it, and clients that take no excuse."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from httpx_sse import connect_sse

from service import migrations
from tests.paths import ROOT
from tests.stack import NOBODY
from tests.waiting import PATIENCE

ROOMS = (
    "bots",
    "cards",
    "client",
    "cloche",
    "crypto",
    "data",
    "player",
    "referee",
    "service",
    "vectors",
    "worker",
)
NEWER = "9999"
"""The revision that the newer version adds."""
_MIGRATION = '''"""What a next version may add while this one serves."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("newer", sa.String(20), server_default="x", nullable=False))
        batch.create_index("ix_game_newer", ["newer"])
    with op.batch_alter_table("game_entry") as batch:
        batch.add_column(sa.Column("newer", sa.Integer(), nullable=True))
    with op.batch_alter_table("player") as batch:
        batch.add_column(sa.Column("newer", sa.Integer(), nullable=True))
        batch.create_check_constraint("ck_player_newer", "newer > 0")
    op.create_table("newer", sa.Column("id", sa.Integer(), primary_key=True))


def downgrade() -> None:
    raise NotImplementedError
'''
OPEN: Any = {"verify": NOBODY, "timeout": PATIENCE}
"""How a client of httpx asks a house over plain HTTP."""
PAUSE = 0.03
"""Seconds between two requests of a client: four clients ask some hundred times a second."""
_AS_SYSTEMD = (
    "import os, sys\n"
    "if sys.argv[1] != '-':\n"
    "    os.dup2(int(sys.argv[1]), 3)\n"
    "    os.environ |= {'LISTEN_PID': str(os.getpid()), 'LISTEN_FDS': '1'}\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'cloche', *sys.argv[2:]])\n"
)
"""Starts a command with a socket handed over as file 3. Only the process itself knows its process id."""


def newer_version(folder: Path) -> Path:
    """A copy of this version with a migration more.

    It has the bytecode too, but for what is being written. Else its first process would compile all of it.
    """
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("*.pyc.*"))
    text = _MIGRATION.format(revision=NEWER, head=migrations.head())
    (folder / "service" / "migrations" / "versions" / f"{NEWER}_newer.py").write_text(text)
    return folder


@dataclass
class Unit:
    """A process that is restarted like a service of systemd with `Type=notify`."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    listener: socket.socket | None = None
    _popen: subprocess.Popen[bytes] | None = None

    @property
    def output(self) -> str:
        """The text that it has printed, over all its lives."""
        return (self.folder / f"{self.name}.out").read_text(errors="replace")

    def start(self, version: Path) -> None:
        """Start it; returns when the process has said that it is ready."""
        file = -1 if self.listener is None else self.listener.fileno()
        notify = self.folder / f"{self.name}.notify"
        notify.unlink(missing_ok=True)
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
            (self.folder / f"{self.name}.out").open("ab") as output,
        ):
            manager.bind(str(notify))
            self._popen = subprocess.Popen(
                [sys.executable, "-c", _AS_SYSTEMD, str(file) if file >= 0 else "-", *self.arguments],
                env={**self.environment, "NOTIFY_SOCKET": str(notify), "PYTHONPATH": str(version)},
                cwd=version,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=(file,) if file >= 0 else (),
                start_new_session=True,
            )
            manager.settimeout(1)
            for _ in range(120):
                assert self._popen.poll() is None, self.output
                try:
                    assert manager.recv(100) == b"READY=1"
                    return
                except TimeoutError:
                    continue
            raise AssertionError(f"{self.name} is not ready:\n{self.output}")

    def stop(self) -> None:
        """Ask it to end, and wait for a good end."""
        assert self._popen is not None
        self._popen.send_signal(signal.SIGTERM)
        assert self._popen.wait(PATIENCE) == 0, self.output

    def kill(self) -> None:
        """End it and its children at once."""
        if self._popen is not None and self._popen.poll() is None:
            os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait(PATIENCE)


@dataclass
class Strict:
    """Clients that try nothing twice: each request takes a new connection, and must be answered well."""

    url: str
    events_url: str
    token: str
    game: str
    answered: int = 0
    entries: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """They ask all the time during the block; after it nothing may have gone wrong."""
        threads = [
            *(threading.Thread(target=self._ask, args=(number,), daemon=True) for number in range(4)),
            threading.Thread(target=self._listen, daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join(PATIENCE)
        assert not self.faults, self.faults
        assert not [thread for thread in threads if thread.is_alive()]

    def _ask(self, number: int) -> None:
        header = {"Authorization": f"Bearer {self.token}", "Connection": "close"}
        turn = 0
        while not self._over.is_set():
            turn += 1
            try:
                if (turn + number) % 2:
                    answer = httpx.get(f"{self.url}/api/v1/games/{self.game}", headers=header, **OPEN)
                    good = answer.status_code == 200
                else:
                    answer = httpx.post(f"{self.url}/api/v1/decks", headers=header, json={"name": 1}, **OPEN)
                    good = answer.status_code == 422
                if not good:
                    self.faults.append(f"{answer.status_code} {answer.text[:200]}")
                self.answered += 1
            except httpx.HTTPError as fault:
                self.faults.append(f"{type(fault).__name__}: {fault}")
            self._over.wait(PAUSE)

    def _listen(self) -> None:
        """Follow the game by its events. The house may end a stream, and must take the listener again."""
        path = f"{self.events_url}/api/v1/games/{self.game}/events"
        header = {"Authorization": f"Bearer {self.token}"}
        with httpx.Client(**OPEN) as client:
            while not self._over.is_set():
                last = {"Last-Event-ID": str(self.entries[-1])} if self.entries else {}
                answered = False
                try:
                    with connect_sse(client, "GET", path, headers=header | last) as stream:
                        answered = True
                        if stream.response.status_code == 204:
                            return
                        if stream.response.status_code != 200:
                            self.faults.append(f"events: {stream.response.status_code}")
                            return
                        for event in stream.iter_sse():
                            if event.event != "message":
                                self.entries.append(int(event.id))
                except (httpx.RemoteProtocolError, httpx.ReadError) as fault:
                    if not answered:
                        self.faults.append(f"events: {fault}")
                except httpx.HTTPError as fault:
                    self.faults.append(f"events: {type(fault).__name__}: {fault}")
