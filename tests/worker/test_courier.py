"""The courier: as many at once as it has places, one after another without a pause, and a clean end."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from service.config import Settings
from service.runtime import Runtime
from tests.waiting import PATIENCE, until
from worker.app import Worker
from worker.courier import Courier
from worker.sweep import Sweeper
from worker.work import WorkerOperations


class Endpoint:
    """Takes letters one at a time, as the house claims them; those of `waiting` are due.

    Each takes it `seconds`, or less once it has `ended`.
    """

    def __init__(self, letters: Sequence[str], seconds: float = 0.0) -> None:
        self.waiting = list(letters)
        self.carried: list[str] = []
        self.seconds = seconds
        self.ended = threading.Event()
        self._busy = False

    def due(self, limit: int) -> list[str]:
        if self._busy or not self.waiting or limit <= 0:
            return []
        self._busy = True
        return [self.waiting.pop(0)]

    def carry(self, letter: str) -> None:
        self.ended.wait(self.seconds)
        self.carried.append(letter)
        self._busy = False


def test_the_next_letter_to_an_endpoint_waits_for_no_sweep() -> None:
    letters = [str(number) for number in range(50)]
    endpoint = Endpoint(letters)
    assert Courier(endpoint.due, endpoint.carry).sweep() == 1
    until(lambda: endpoint.carried == letters)


def test_it_never_carries_more_than_it_has_places_for() -> None:
    gate, lock = threading.Event(), threading.Lock()
    claimed: list[int] = []

    def due(limit: int) -> list[str]:
        time.sleep(0.01)
        with lock:
            claimed.append(limit)
        return ["letter"] * limit

    courier = Courier(due, lambda _: gate.wait(PATIENCE), places=3)
    threads = [threading.Thread(target=courier.sweep) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(claimed) == 3
    assert not courier.stop(0)
    gate.set()
    assert courier.stop(PATIENCE)


def test_a_database_that_is_away_and_a_thread_that_does_not_start_cost_no_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(_: int) -> list[str]:
        raise OSError("the database is away")

    with pytest.raises(OSError, match="away"):
        (courier := Courier(away, print)).sweep()
    assert courier.stop(0)

    def no_thread(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with pytest.raises(RuntimeError):
        (courier := Courier(lambda limit: ["letter"] * limit, print)).sweep()
    assert courier.stop(0)


@pytest.fixture
def work_with(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """`work_with(endpoint)`: a worker in this process that carries its letters."""
    database = f"sqlite:///{tmp_path}/house.sqlite3"
    house = Runtime.open(Settings(database=database, data=tmp_path, sweep_ms=20))

    def start(endpoint: Endpoint, tidy: Callable[[], object] = int) -> Worker:
        work = WorkerOperations(
            lambda _: (), print, print, print, tidy, deliveries=endpoint.due, deliver=endpoint.carry
        )
        worker = Worker(house, work, threads=1)
        worker.start()
        return worker

    yield start
    house.close()


def test_a_letter_in_hand_is_carried_before_the_house_closes(work_with: Callable[..., Worker]) -> None:
    endpoint = Endpoint(["1", "2"], seconds=0.8)
    worker = work_with(endpoint)
    until(lambda: len(endpoint.waiting) == 1)
    assert worker.stop(10)
    assert (endpoint.carried, endpoint.waiting) == (["1"], ["2"])


def test_an_endpoint_that_hangs_does_not_keep_the_house_open(
    work_with: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.app.GRACE", 0.2)
    endpoint = Endpoint(["1"], seconds=12.0)
    worker = work_with(endpoint)
    until(lambda: not endpoint.waiting)
    assert worker.stop(10)
    assert endpoint.carried == []  # the endpoint hangs still
    assert worker.busy  # so a process that ends does not wait for its thread
    endpoint.ended.set()  # or the tests' own process would wait for it


def test_sweeps_that_do_not_end_share_the_time_there_is(
    work_with: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.app.CHORES_EVERY", 0.02)
    hanging, free = [], threading.Event()

    def hang(*_: object) -> Sequence[str]:
        hanging.append(1)
        free.wait(PATIENCE)
        return ()

    endpoint = Endpoint([])
    endpoint.due = hang
    spent, stop = [], Sweeper.stop

    def noted(sweeper: Sweeper, timeout: float) -> bool:
        stopped = stop(sweeper, timeout)
        if not stopped:
            spent.append(timeout)
        return stopped

    monkeypatch.setattr(Sweeper, "stop", noted)
    worker = work_with(endpoint, tidy=hang)
    until(lambda: len(hanging) == 2)
    assert not worker.stop(2)
    assert len(spent) == 2
    assert sum(spent) < 2.1, "each waited two seconds"
    free.set()
