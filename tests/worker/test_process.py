"""Celery for real: wake-ups reach the operations by every broker, and one that is away stops nothing."""

import dataclasses
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from urllib.parse import urlsplit

import pytest

from service import publisher
from service.config import Settings
from service.publisher import Publisher
from service.runtime import Runtime
from tests import stack
from tests.chance import unique
from tests.faults.servers import Line
from tests.waiting import PATIENCE
from worker.app import Worker
from worker.work import WorkerOperations

BROKERS = {"embedded": "memory://", "postgresql+rabbitmq": stack.RABBITMQ, "postgresql+redis": stack.REDIS}


class Calls:
    """Operations that write down that they were called."""

    def __init__(self) -> None:
        self.made: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self.due: list[str] = []
        self.away = False

    def claim(self, limit: int) -> list[str]:
        if self.away:
            raise OSError("the database is away")
        games, self.due = self.due[:limit], self.due[limit:]
        return games

    def resolve(self, game: str) -> None:
        self.made.put(("resolve", game))
        if game == "broken":
            raise RuntimeError("a broken game")

    def bots(self, game: str) -> None:
        self.made.put(("bots", game))

    def next(self, seconds: float = PATIENCE) -> tuple[str, str]:
        return self.made.get(timeout=seconds)


Begin = Callable[..., tuple[Worker, Runtime, Calls]]


@pytest.fixture(params=[pytest.param(f, marks=pytest.mark.servers) if "+" in f else f for f in BROKERS])
def broker(request: pytest.FixtureRequest) -> str:
    stack.need(request.param)
    return BROKERS[request.param]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """`begin(broker)` starts a worker in this process, on a queue of its own."""
    with ExitStack() as ends:

        def start(broker: str, **settings: object) -> tuple[Worker, Runtime, Calls]:
            values = {"queue": f"cloche-test-{unique()}", "sweep_ms": 50, **settings}
            given = dataclasses.replace(
                Settings(database=f"sqlite:///{tmp_path}/house.sqlite3", data=tmp_path, broker=broker),
                **values,
            )
            house, calls = Runtime.open(given), Calls()
            worker = Worker(
                house, WorkerOperations(calls.claim, calls.resolve, calls.bots, open=int, tidy=int), threads=2
            )
            ends.callback(stack.forget, broker, given.queue)
            ends.callback(house.close)
            ends.callback(worker.stop, 10)
            worker.start()
            return worker, house, calls

        yield start


def test_a_wake_up_calls_its_operation(begin: Begin, broker: str) -> None:
    worker, house, calls = begin(broker)
    assert worker.ready(15)
    assert house.publisher.resolve("game-1")
    assert calls.next() == ("resolve", "game-1")
    assert house.publisher.bots("game-2")
    assert calls.next() == ("bots", "game-2")
    calls.due = ["game-3", "game-4"]
    assert house.publisher.sweep()
    assert {calls.next(), calls.next()} == {("resolve", "game-3"), ("resolve", "game-4")}
    began = time.monotonic()
    assert worker.stop(30)
    assert time.monotonic() - began < 15


def test_one_that_fails_does_not_stop_the_next(begin: Begin, broker: str) -> None:
    worker, house, calls = begin(broker)
    assert worker.ready(15)
    house.publisher.resolve("broken")
    house.publisher.resolve("whole")
    assert {calls.next(), calls.next()} == {("resolve", "broken"), ("resolve", "whole")}
    with pytest.raises(Empty):
        calls.next(0.5)  # and it is not delivered again: the sweep asks when it is still due


def test_two_houses_on_one_broker_do_not_hear_each_other(begin: Begin, broker: str) -> None:
    worker, _, calls = begin(broker)
    assert worker.ready(15)
    queue = f"cloche-test-{unique()}"
    other = Publisher(broker, queue)
    assert other.resolve("theirs")
    with pytest.raises(Empty):
        calls.next(0.5)
    other.close()
    stack.forget(broker, queue)


def test_the_sweep_needs_no_message(begin: Begin) -> None:
    _, _, calls = begin("memory://")
    calls.due = ["game-1"]
    assert calls.next() == ("resolve", "game-1")


def test_the_sweep_outlives_a_database_that_is_away(begin: Begin) -> None:
    _, _, calls = begin("memory://", sweep_ms=20)
    calls.away = True
    calls.due = ["game-1"]
    with pytest.raises(Empty):
        calls.next(0.3)
    calls.away = False
    assert calls.next() == ("resolve", "game-1")


def test_a_worker_can_follow_another_in_one_process(begin: Begin) -> None:
    first, _, _ = begin("memory://")
    assert first.ready(15)
    assert first.stop(10)
    second, house, calls = begin("memory://")
    assert second.ready(15)
    house.publisher.resolve("game-1")
    assert calls.next() == ("resolve", "game-1")


@pytest.mark.parametrize("scheme", ["amqp://guest:guest@", "redis://"])
def test_a_broker_that_is_away_stops_nothing(begin: Begin, scheme: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    worker, house, calls = begin(f"{scheme}127.0.0.1:{port}")
    began = time.monotonic()
    assert not house.publisher.resolve("game-1")
    for _ in range(50):
        assert not house.publisher.resolve("game-1")
    assert time.monotonic() - began < 15  # each that asked the broker would wait for seconds
    calls.due = ["game-2"]
    assert [calls.next(), calls.next()] == [("resolve", "game-2"), ("bots", "game-2")]  # by the sweep itself
    began = time.monotonic()
    assert worker.stop(30)
    assert time.monotonic() - began < 20


@pytest.mark.servers
@pytest.mark.parametrize("flavour", ["postgresql+rabbitmq", "postgresql+redis"])
def test_a_dead_line_to_the_broker_holds_up_one_request_and_no_more(
    flavour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Half-open: nobody is told that nothing arrives any more, and what is written is taken.
    stack.need(flavour)
    monkeypatch.setattr(publisher, "ANSWER", 0.5)
    monkeypatch.setattr(publisher, "PAUSE", 0.2)
    broker, queue = BROKERS[flavour], f"cloche-test-{unique()}"
    target = urlsplit(broker)
    line = Line(str(target.hostname), int(target.port or 0))
    waking = Publisher(broker.replace(f":{target.port}", f":{line.port}"), queue)
    stack.until(lambda: waking.resolve("game-1"))
    line.die()
    began = time.monotonic()
    assert not waking.resolve("game-1")
    assert time.monotonic() - began < 10
    began = time.monotonic()
    for _ in range(50):
        assert not waking.resolve("game-1")
    assert time.monotonic() - began < 10  # fifty that waited would take 25 seconds
    line.heal()
    stack.until(lambda: waking.resolve("game-1"), what="it is found again")
    waking.close()
    line.close()
    stack.forget(broker, queue)


def test_a_controller_that_dies_is_replaced(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    from worker import app

    real, tried = app._controller, threading.Event()

    def first_fails(*args: object) -> object:
        if not tried.is_set():
            tried.set()
            raise RuntimeError("no controller")
        return real(*args)

    monkeypatch.setattr(app, "_controller", first_fails)
    monkeypatch.setattr(app, "RESTART_AFTER", 0.05)
    second, house, calls = begin("memory://")
    assert second.ready(15)
    house.publisher.resolve("game-1")
    assert calls.next() == ("resolve", "game-1")


@pytest.mark.servers
@pytest.mark.parametrize(
    ("flavour", "number"),
    [
        ("postgresql+rabbitmq", signal.SIGINT),
        ("postgresql+redis", signal.SIGTERM),
        pytest.param("postgresql+rabbitmq", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("postgresql+redis", signal.SIGINT, marks=pytest.mark.long),
    ],
)
def test_a_worker_of_its_own_stops_cleanly_and_comes_back_after_kill_9(
    open_stack, flavour: str, number: signal.Signals
) -> None:
    house = open_stack(flavour)
    house.kill9("worker")
    house.start()
    began = time.monotonic()
    assert house.worker.stop(number) == 0
    assert time.monotonic() - began < 20
    assert "The worker has stopped." in house.worker.text()
    house.worker = None
    house.start()
    house.stop()
