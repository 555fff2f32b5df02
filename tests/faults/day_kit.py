"""The faults of a bad day: a clock that is moved, a disk that is full, clients that are slow or gone."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from bots import bots_for
from client.http import LONGEST_WAIT
from client.match import MatchDriver
from client.vault import FILE, Vault
from player.bot import by_bot
from player.house import ApiProblem, Unreachable
from player.session import SendResult, Session
from referee import Entry, Game
from tests.client.guests import PASSPHRASE, Guest, sit
from tests.faults.people import Pair, Person
from tests.faults.servers import program
from tests.waiting import PATIENCE

_SITE = """
import mmap, os, struct, time

with open(os.environ["MOVED_CLOCK"], "rb") as file:
    shared = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)
real = time.time_ns

def time_ns():
    return real() + struct.unpack("q", shared)[0]

time.time_ns = time_ns
time.time = lambda: time_ns() / 1e9
"""
_BLOCK = bytes(1 << 16)


class MovedClock:
    """A clock of the house's processes that can be moved while they run.

    Python imports `sitecustomize` before anything else. Here it puts an offset on `time.time`, by which every
    part of a process reads the time of day. The clock that only runs forward is left alone, as it is when an
    operator sets a machine's time. (libfaketime 0.9.10 can't leave it alone: `time.sleep` fails with it.)
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "clock"
        self._folder.mkdir()
        (self._folder / "sitecustomize.py").write_text(_SITE)
        self._file = self._folder / "offset"
        self._file.write_bytes(struct.pack("q", 0))

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment that gives a process this clock."""
        return {"PYTHONPATH": str(self._folder), "MOVED_CLOCK": str(self._file)}

    def move(self, seconds: int) -> None:
        """Set it so many seconds before or after the real time, at once."""
        with self._file.open("r+b") as file:
            file.write(struct.pack("q", seconds * 1_000_000_000))


class SmallDisk:
    """A disk of its own for a test, which can be filled and freed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave not a byte."""
        with contextlib.suppress(OSError), self._ballast.open("ab", buffering=0) as file:
            while file.write(_BLOCK):
                pass

    def free(self) -> None:
        """Make room again."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(mib: int) -> Iterator[SmallDisk]:
    """A disk of so many MiB, at a place where other users may enter. Needs the right to mount."""
    folder = Path(tempfile.mkdtemp(prefix="cloche-test-"))
    options = f"size={mib}m,mode=755"
    mount = [program("mount"), "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False)
        if mounted.returncode:
            if os.environ.get("CI"):
                pytest.fail(f"CI needs the right to mount: {mounted.stderr.decode()}")
            pytest.skip("only who may mount a disk can fill one")
        try:
            yield SmallDisk(folder)
        finally:
            subprocess.run([program("umount"), "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()


@contextmanager
def bad_clients(url: str, games: list[str], rng: Random) -> Iterator[None]:
    """Clients that send a byte now and then, read nothing of what they asked for, or are gone at once."""
    over = threading.Event()
    at = urlsplit(url)
    place = (at.hostname or "", at.port or 0)

    def ask(game: str) -> bytes:
        return f"GET /api/v1/games/{game}/record HTTP/1.1\r\nHost: house\r\n\r\n".encode()

    def slow() -> None:
        text = (
            b"POST /api/v1/tables HTTP/1.1\r\nHost: house\r\nContent-Length: 40000\r\n\r\n" + _BLOCK[:40_000]
        )
        with _line(place) as line:
            for byte in text:
                if over.wait(0.4):
                    return
                line.sendall(bytes([byte]))

    def deaf() -> None:
        with _line(place) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(ask(rng.choice(games)) * 50)
            over.wait(5)

    def gone() -> None:
        with _line(place) as line:
            line.sendall(ask(rng.choice(games))[: rng.randrange(80)])
        over.wait(0.2)

    def again(client: Any) -> None:
        while not over.is_set():
            with contextlib.suppress(OSError):
                client()
            over.wait(0.1)  # the house may be closed for a moment

    threads = [threading.Thread(target=again, args=(kind,)) for kind in [slow] * 8 + [deaf] * 4 + [gone] * 2]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE)


def _line(place: tuple[str, int]) -> socket.socket:
    return socket.create_connection(place, 10)


class Leave(Exception):
    """The person has played enough and resigns."""


@dataclass
class Lone(Person):
    """Somebody at a table whose other seats are the house's bots. They never agree on a draw."""

    mode: str = "chef"

    def play(self, game_id: str, rounds: int) -> None:
        """Play until it is over, or until the day is; starting again from the vault after every fault."""
        deck = self.guest.deck.cards if self.mode == "chef" else {}
        known = bots_for(self.mode)["random"]
        while True:
            vault = Vault.open(self.guest.folder / FILE, PASSPHRASE)
            match = MatchDriver(self.notebook, vault, game_id, deck, watch=self._until_the_end)
            try:
                match.run(lambda seat: by_bot(known, seat, self.rng))
                return
            except Leave:
                break
            except Unreachable:
                continue
            except ApiProblem as problem:
                if problem.status != 503:
                    raise
        session = Session(self.notebook, vault, game_id, deck)
        session.start()
        while session.game.outcome is None and session.resign() is not SendResult.SENT:
            session.catch_up(LONGEST_WAIT)  # the game has gone on meanwhile
        while not session.game.over:
            session.catch_up(LONGEST_WAIT)

    def _until_the_end(self, _before: Game | None, _entry: Entry, after: Game) -> None:
        may_resign = after.deals > 0 and after.outcome is None  # on a slow machine the day ends before a deal
        if self.closing is not None and self.closing.is_set() and may_resign:
            raise Leave


def sit_with_bots(
    url: str, folder: Path, rng: Random, mode: str, closing: threading.Event, options: dict[str, int]
) -> Pair:
    """A new person sits down at a table of a mode with bots."""
    guest = Guest.register(url, folder, 0)
    seats = {"chef": 2, "hearts": 3}[mode]
    bots = ["random"] * (seats - 1)
    how: dict[str, Any] = {"bots": bots, "options": options, **({"seats": seats} if seats > 2 else {})}
    game_id, _ = sit([guest], mode, **how)
    return Pair([Lone(guest, Random(rng.random()), closing=closing, mode=mode)], game_id, 1)
