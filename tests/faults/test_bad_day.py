"""All of it on one day: while people and bots play at many tables, whatever can fail does.

Processes are killed, broker and database restarted, the clock is moved, a disk filled. Clients are slow or
vanish all the time. Every match ends, every record verifies, and the books are right.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psycopg
import pytest

from crypto.encoding import parse_timestamp
from tests.faults.aftermath import check_database, check_pair, timeouts
from tests.faults.day_kit import MovedClock, SmallDisk, bad_clients, sit_with_bots, small_disk
from tests.faults.people import PATIENT, Pair
from tests.faults.servers import Postgresql, Rabbitmq, Redis, Server, running
from tests.stack import Stack, need
from tests.waiting import PATIENCE, until

BROKERS: dict[str, Callable[[Path], Server]] = {"rabbitmq": Rabbitmq, "redis": Redis}
JUMPS = (90, -200, 200, 0)
"""Seconds before or after the real time, one after another. No clock of a table runs out by them."""
HEARTS = dict.fromkeys(("enter", "ready", "link", "expose", "card"), 600)
DISK_MIB = {"embedded": 48, "postgresql": 400}


@dataclass
class Day:
    """A house with servers of its own on a disk of its own, and its tables."""

    stack: Stack
    clock: MovedClock
    broker: Server | None = None
    database: Postgresql | None = None
    disk: SmallDisk | None = None
    pairs: list[Pair] = field(default_factory=list)

    def faults(self) -> list[Callable[[], None]]:
        """The faults, one after another."""
        apart = self.stack.flavour != "embedded"
        return [
            lambda: self._kill("api"),
            *(self._jump(seconds) for seconds in JUMPS[:2]),
            *([lambda: self._kill("worker"), self._restart_broker, self._restart_database] if apart else []),
            *([self._fill_the_disk] if self.disk else []),
            lambda: self._kill("house"),
            *(self._jump(seconds) for seconds in JUMPS[2:]),
        ]

    def _kill(self, which: str) -> None:
        self.stack.kill9(which)
        if which != "api":
            self.stack.start()

    def _jump(self, seconds: int) -> Callable[[], None]:
        def jump() -> None:
            self.clock.move(seconds)
            until(lambda: abs(self._ahead() - seconds) < 30, what="the house has the other time")

        return jump

    def _ahead(self) -> float:
        """Seconds by which the house's clock is before ours."""
        said = self.stack.get("/api/v1/house", timeout=PATIENCE).json()["time"]
        return parse_timestamp(said) / 1000 - time.time()

    def _restart_broker(self) -> None:
        assert self.broker is not None
        self.broker.kill()
        time.sleep(1)
        self.broker.start()

    def _restart_database(self) -> None:
        assert self.database is not None
        self.database.crash()
        time.sleep(1)
        self.database.start()

    def _fill_the_disk(self) -> None:
        assert self.disk is not None
        self.disk.fill()
        until(self._feels_it, what="the house feels that the disk is full")
        assert self._answers("/healthz") == 200, "it stays, and waits for room"
        time.sleep(2)
        self.disk.free()

    def _feels_it(self) -> bool:
        """Whether the house has met the full disk. PostgreSQL first uses up its stock of files."""
        if self.database is not None:
            with (
                contextlib.suppress(psycopg.Error),
                psycopg.connect(f"{self.database.url}/postgres", connect_timeout=5) as server,
            ):
                server.execute("SELECT pg_switch_wal()")
        return self._answers("/readyz") == 503

    def _answers(self, path: str) -> int:
        return self.stack.get(path, timeout=PATIENCE).status_code

    def ready(self) -> None:
        """Wait until the house is ready again."""

        def look() -> bool:
            if self.database is not None and not self.database.lives:
                self.database.start()  # without room for its log PostgreSQL ends, and its operator starts it
            return self._answers("/readyz") == 200

        until(look, what="the house is ready")


@pytest.fixture
def open_day(tmp_path: Path) -> Iterator[Callable[[str, bool], Day]]:
    """`open_day(flavour, full)` opens such a house; with `full` on a small disk that can be filled."""
    with ExitStack() as ends:

        def start(flavour: str, full: bool) -> Day:
            need(flavour)
            clock = MovedClock(tmp_path)
            kind = flavour.partition("+")[0]
            disk = ends.enter_context(small_disk(DISK_MIB[kind])) if full else None
            if flavour == "embedded":
                stack = Stack(flavour, disk.folder if disk else tmp_path, first=True, disk_mib=1)
                day = Day(stack, clock, disk=disk)
            else:
                database = ends.enter_context(running(Postgresql, disk.folder if disk else None))
                broker = ends.enter_context(running(BROKERS[flavour.partition("+")[2]]))
                stack = Stack(flavour, tmp_path / "house", postgresql=database.url, broker=broker.url)
                day = Day(stack, clock, broker, database, disk)
            stack.environment |= clock.environment
            ends.enter_context(stack)
            return day

        yield start


def sit_down(day: Day, folder: Path, matches: int, rng: Random, closing: threading.Event) -> list[Pair]:
    """Open so many tables: half of them of two people, the others of a person with bots, in two modes."""

    def seat(number: int) -> Pair:
        place, own = folder / str(number), Random(rng.random())
        if number % 2 == 0:
            return Pair.sit(day.stack.url, place, own, rounds=1, frail=0.02, closing=closing)
        mode, options = ("chef", PATIENT) if number % 4 == 1 else ("hearts", HEARTS)
        return sit_with_bots(day.stack.url, place, own, mode, closing, options)

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(seat, range(matches)))


@pytest.mark.processes
@pytest.mark.parametrize(
    ("flavour", "matches", "full"),
    [
        ("embedded", 4, False),
        pytest.param("postgresql+redis", 4, False, marks=pytest.mark.servers),
        pytest.param("embedded", 20, True, marks=pytest.mark.long),
        pytest.param("postgresql+redis", 20, True, marks=[pytest.mark.servers, pytest.mark.long]),
        pytest.param("postgresql+rabbitmq", 20, True, marks=[pytest.mark.servers, pytest.mark.long]),
    ],
)
@pytest.mark.timeout(1800)
def test_every_match_outlives_a_bad_day(
    open_day: Callable[[str, bool], Day], tmp_path: Path, flavour: str, matches: int, full: bool
) -> None:
    rng = Random(f"day {flavour} {matches}")
    day, closing = open_day(flavour, full), threading.Event()
    day.pairs = sit_down(day, tmp_path / "people", matches, rng, closing)
    games = [pair.game_id for pair in day.pairs]
    with ExitStack() as playing:
        threads = [thread for pair in day.pairs for thread in playing.enter_context(pair.playing())]
        with bad_clients(day.stack.url, games, rng):
            for fault in day.faults():
                time.sleep(rng.uniform(0.5, 2.0))
                fault()
                day.ready()
        assert any(thread.is_alive() for thread in threads), "nobody was there at the last fault"
        closing.set()
    for pair in day.pairs:
        assert not timeouts(check_pair(pair))
    check_database(day.stack.database, matches)
    assert not [line for line in day.stack.log() if line["event"] == "unexpected"]
