"""Bots that think choose in a process of their own; nobody waits for one that takes its time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from cards.games import find
from cards.games.contract import Move
from service.config import Settings
from service.runtime import Runtime
from tests.paths import ROOT
from tests.waiting import PATIENCE, until
from tests.worker import thinking
from worker import thinkers
from worker.app import Worker
from worker.thinkers import Question, Thinkers, thinks
from worker.work import WorkerOperations

Begin = Callable[..., Thinkers]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """`begin(answer)` starts what a worker has for bots that think."""
    begun: list[Thinkers] = []

    def start(answer: Callable[[Question], Move] = Question.answer) -> Thinkers:
        begun.append(Thinkers(answer))
        return begun[-1]

    yield start
    for one in begun:
        one.stop(0)


def asked(taken: Thinkers, question: Question, key: object = "turn") -> list[Move]:
    """The list to which the answer comes in the end."""
    found: list[Move] = []
    taken.take(key, lambda choose: found.append(choose(question)))
    return found


def patient(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(thinkers, "PATIENCE", seconds)


def test_bots_say_whether_they_think() -> None:
    assert thinks("hearts", "shrewd")
    assert not thinks("hearts", "careful")
    assert not thinks("hearts", "a bot of another version")


def test_another_process_gives_the_answer_that_this_one_would(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch, 120)
    taken, found = begin(), []
    for seed in (b"1", b"2", b"3"):
        question = thinking.question(seed=seed)
        found.append((asked(taken, question, seed), question.answer()))
    until(lambda: all(answers for answers, _ in found))
    assert [answers for answers, _ in found] == [[own] for _, own in found]
    assert not taken.busy


def test_the_quick_bot_answers_for_one_that_takes_too_long(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch, 0.1)
    found = asked(begin(thinking.hangs), thinking.question())
    until(lambda: found)
    assert found == [thinking.question().answer(quickly=True)]
    state = thinking.opening()
    assert found[0] in find("hearts").legal(state, 0)


def test_a_process_that_dies_costs_one_choice(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, 120)
    taken = begin(thinking.dies)
    found = asked(taken, thinking.question(seat=0))
    until(lambda: found)
    assert found == [thinking.question(seat=0).answer(quickly=True)]
    found = asked(taken, thinking.question(seat=1))
    until(lambda: found)
    assert found == [thinking.question(seat=1).answer()]


def test_a_turn_that_finds_no_room_is_taken_quickly_at_once(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinkers, "MOST_WAITING", 2)
    patient(monkeypatch, 60)
    taken = begin(thinking.hangs)
    waiting = [asked(taken, thinking.question(), key) for key in (1, 2)]
    assert asked(taken, thinking.question(), 3) == [thinking.question().answer(quickly=True)]
    assert waiting == [[], []]


def test_a_turn_that_is_known_is_not_taken_again(begin: Begin) -> None:
    taken, release, calls = begin(), threading.Event(), []

    def turn(_: object) -> None:
        calls.append(1)
        release.wait(PATIENCE)

    for _ in range(3):
        taken.take("turn", turn)
    release.set()
    until(lambda: not taken.busy)
    assert calls == [1]
    taken.take("turn", turn)
    until(lambda: calls == [1, 1])


def test_a_turn_that_fails_makes_room_for_the_next(begin: Begin) -> None:
    taken = begin()

    def fails(_: object) -> None:
        raise OSError("the database is away")

    taken.take("turn", fails)
    until(lambda: not taken.busy)
    assert asked(taken, thinking.question(), "other") is not None


def test_a_worker_that_stops_ends_the_process(begin: Begin, tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    taken = begin(thinking.tells)
    asked(taken, thinking.question(seed=str(noted).encode()))
    until(lambda: noted.exists() and noted.read_text())
    taken.stop(0)
    until(lambda: gone(int(noted.read_text())))
    assert asked(taken, thinking.question()) == []


def test_a_worker_that_stops_ends_a_process_that_is_just_being_started(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    starting, go, made = threading.Event(), threading.Event(), list[ProcessPoolExecutor]()

    class Slow(ProcessPoolExecutor):
        def _spawn_process(self) -> None:
            made.append(self)
            starting.set()
            assert go.wait(PATIENCE)
            super()._spawn_process()

    monkeypatch.setattr(thinkers, "ProcessPoolExecutor", Slow)
    taken = begin(thinking.hangs)
    asked(taken, thinking.question())
    assert starting.wait(PATIENCE)
    children = made[0]._processes
    stopping = threading.Thread(target=taken.stop, args=(0,))
    stopping.start()
    until(lambda: taken._process is None)
    time.sleep(0.2)  # `stop` waits for the lock of the thread that starts the child
    go.set()
    stopping.join(PATIENCE)
    assert children, "a child was started all the same"
    until(lambda: not any(child.is_alive() for child in [*children.values()]), what="it has ended")


def test_a_worker_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    worker = subprocess.Popen([sys.executable, "-m", "tests.worker.thinking", str(noted)], cwd=ROOT)
    try:
        until(lambda: noted.exists() and noted.read_text())
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait(PATIENCE)
    until(lambda: gone(int(noted.read_text())))


def gone(pid: int) -> bool:
    """Tell whether a process has ended; one that its parent has not looked after yet counts as ended."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def test_a_bot_that_hangs_delays_nobody_elses_deadline(
    begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker with one thread closes the rounds of other games while bots of many games hang."""
    patient(monkeypatch, 600)
    slow = begin(thinking.hangs)
    due, resolved = ["game-1", "game-2", "game-3"], list[str]()
    turns = list[str]()

    def claim(limit: int) -> list[str]:
        found = due[:limit] if len(turns) == thinkers.PLACES * 2 else []
        del due[: len(found)]
        return found

    def move(game: str) -> None:
        turns.append(game)
        slow.take(game, lambda choose: choose(thinking.question()))

    # The broker in memory is the whole process's: a queue of its own keeps the tasks of other tests away.
    house = Runtime.open(
        Settings(
            database=f"sqlite:///{tmp_path}/house.sqlite3", data=tmp_path, sweep_ms=20, queue=tmp_path.name
        )
    )
    worker = Worker(
        house, WorkerOperations(claim, resolved.append, move, open=int, tidy=int, thinkers=slow), threads=1
    )
    worker.start()
    try:
        assert worker.ready(60), "a task that is sent before may be lost, and here no sweep sends it again"
        for number in range(thinkers.PLACES * 2):
            house.publisher.bots(f"slow-{number}")
        until(lambda: resolved == ["game-1", "game-2", "game-3"])
        assert slow.busy
        assert worker.busy
    finally:
        slow.stop(0)
        assert worker.stop(10)
        house.close()
