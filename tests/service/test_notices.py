"""Signals: who waits hears of a commit, of this process's or another's, and never before it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from sqlalchemy import text

from service.notices import QUICK_RELOOK, RELOOK, Notices, Places, of_game
from service.runtime import Runtime
from service.tails import BATCH, KEPT, Event, Tail
from tests.waiting import PATIENCE, until

TOPIC = of_game("g")
LISTENERS = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize(
    "kind", [pytest.param("postgresql", marks=pytest.mark.servers)], indirect=True
)


class Waiter:
    """Somebody who waits for a signal in a thread of their own."""

    def __init__(self, notices: Notices, topic: str = TOPIC) -> None:
        self.heard = threading.Event()
        self._notices, self._topic = notices, topic
        self._waits = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._waits.wait(PATIENCE)

    def _run(self) -> None:
        with self._notices.signal(self._topic) as signal:
            mark = signal.mark(1000)
            self._waits.set()
            while signal.mark(1000)[0] == mark[0]:
                signal.wait(mark, 2 * PATIENCE)
        self.heard.set()


@pytest.fixture
def other(house: Runtime) -> Iterator[Runtime]:
    """The same house in another process, as far as its notices go."""
    opened = replace(Runtime.open(house.settings), notices=Notices())
    yield opened
    opened.close()


def tell(house: Runtime, game: str = "g", fail: bool = False) -> None:
    """A transaction with news of a game."""
    with house.write() as session:
        house.tell(session, game)
        if fail:
            raise ZeroDivisionError


def test_who_waits_hears_of_the_commit_and_not_before(house: Runtime) -> None:
    waiter = Waiter(house.notices)
    with house.write() as session:
        house.tell(session, "g")
        session.execute(text("SELECT 1"))
        assert not waiter.heard.wait(0.1)
    assert waiter.heard.wait(PATIENCE)


@ON_SQLITE
def test_what_was_undone_is_not_told(house: Runtime) -> None:
    waiter, another = Waiter(house.notices), Waiter(house.notices, of_game("other"))
    with pytest.raises(ZeroDivisionError):
        tell(house, fail=True)
    tell(house, "other")
    assert another.heard.wait(PATIENCE)
    assert not waiter.heard.is_set()
    tell(house)
    assert waiter.heard.wait(PATIENCE)


@ON_SQLITE
def test_nobody_is_woken_for_another_game(house: Runtime) -> None:
    with house.notices.signal(TOPIC) as mine, house.notices.signal(of_game("other")) as other:
        before = other.mark(1000)
        house.notices.give(TOPIC)
        assert other.mark(1000)[0] == before[0]
        assert mine.mark(1000)[0] == 1
    assert house.notices.waiters(TOPIC) == 0


@ON_SQLITE
def test_a_ring_between_the_look_and_the_wait_is_not_lost(house: Runtime) -> None:
    with house.notices.signal(TOPIC) as signal:
        mark = signal.mark(1000)
        tell(house)
        began = time.monotonic()
        signal.wait(mark, 30)
        assert time.monotonic() - began < 10


@ON_POSTGRESQL
def test_other_processes_hear_of_it_at_the_commit(house: Runtime, other: Runtime) -> None:
    assert other.relook == QUICK_RELOOK
    other.listen()
    until(lambda: other.notices.hears_others)
    assert other.relook == RELOOK
    waiter = Waiter(other.notices)
    with pytest.raises(ZeroDivisionError):
        tell(house, fail=True)
    with house.write() as session:
        house.tell(session, "g")
        for player in range(150):
            house.tell_player(session, f"a player with rather a long id, number {player:03}")
        session.execute(text("SELECT 1"))
        assert not waiter.heard.wait(0.2)
    assert waiter.heard.wait(PATIENCE)


@ON_POSTGRESQL
def test_a_lost_connection_is_made_again_and_all_look_meanwhile(house: Runtime, other: Runtime) -> None:
    other.listen()
    until(lambda: other.notices.hears_others)
    waiter = Waiter(other.notices)
    with house.write() as session:
        session.execute(text(f"SELECT pg_terminate_backend(pid) {LISTENERS}"))
    assert waiter.heard.wait(PATIENCE)  # rung though nobody told anything: something may have been missed
    until(lambda: other.notices.hears_others)
    last = Waiter(other.notices)
    tell(house)
    assert last.heard.wait(PATIENCE)


@ON_POSTGRESQL
def test_a_house_that_closes_leaves_no_connection_behind(house: Runtime, other: Runtime) -> None:
    other.listen()
    until(lambda: other.notices.hears_others)
    other.close()

    def listeners() -> int:
        with house.read() as session:
            return int(session.execute(text(f"SELECT count(*) {LISTENERS}")).scalar_one())

    until(lambda: listeners() == 0)


# Places


def test_places_are_limited_and_free_again() -> None:
    places = Places(3, share=2)
    assert [places.take("ann"), places.take("ann"), places.take("ann")] == [True, True, False]
    assert [places.take("bob"), places.take("bob")] == [True, False]
    places.give_back("ann")
    assert places.taken == 2
    assert places.take("bob")
    assert not places.take("cleo")


# Tails


class Table:
    """Events as a database has them, and how often it was asked."""

    def __init__(self, many: int) -> None:
        self.many = many
        self.asked = 0

    def read(self, last: int) -> list[Event]:
        self.asked += 1
        return [Event(n, "e", "{}") for n in range(last + 1, min(self.many, last + 1 + BATCH))]


def ids(events: object) -> list[int]:
    return [event.id for event in events]  # type: ignore[attr-defined]


def test_all_who_listen_share_one_reading() -> None:
    table, tail = Table(7), Tail()
    assert ids(tail.after(-1, (0, 0.0), table.read)) == list(range(7))
    assert [ids(tail.after(4, (0, 0.0), table.read)) for _ in range(50)] == [[5, 6]] * 50
    assert table.asked == 1
    table.many = 9
    assert ids(tail.after(6, (0, 0.0), table.read)) == []
    assert [ids(tail.after(6, (1, 0.0), table.read)) for _ in range(50)] == [[7, 8]] * 50
    assert table.asked == 2
    table.many = 10  # and nobody rang
    assert [ids(tail.after(8, (1, 5.0), table.read)) for _ in range(50)] == [[9]] * 50
    assert table.asked == 3


def test_who_is_far_behind_misses_nothing() -> None:
    table, tail = Table(5 * KEPT + 3), Tail()
    head = table.many - 2
    assert ids(tail.after(head, (0, 0.0), table.read)) == [head + 1]
    slow: list[int] = []
    for _ in range(5 * KEPT):
        found = ids(tail.after(slow[-1] if slow else -1, (0, 0.0), table.read))
        if not found:
            break
        slow += found
        table.many += 1  # the record grows meanwhile, and the quick one reads it
        tail.after(table.many - 2, (len(slow), 0.0), table.read)
    assert slow == list(range(len(slow)))
    assert len(slow) > 5 * KEPT


def test_topics_look_again_at_moments_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 1_000_000.0)
    notices = Notices(8, 8)
    with ExitStack() as held:
        signals = [held.enter_context(notices.signal(of_game(str(number)))) for number in range(200)]
        marks = {signal.mark(RELOOK)[1] for signal in signals}
    assert len(marks) > 100
    assert all(1_000_000.0 - RELOOK <= mark <= 1_000_000.0 for mark in marks)
