"""One operation is one transaction, and others hear of it only after the commit."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import select

from service import notices
from service.db import Database, UnitOfWork, after_commit, before_commit
from service.models import CardSerial
from service.runtime import Runtime
from tests.waiting import PATIENCE


def _serials(house: Runtime) -> list[int]:
    with house.read() as session:
        return sorted(session.exec(select(CardSerial.card)))


def test_a_write_is_committed_at_its_end(house: Runtime) -> None:
    with house.write() as session:
        session.add(CardSerial(card=1, last=1))
    assert _serials(house) == [1]


def test_an_exception_undoes_everything(house: Runtime) -> None:
    def fail() -> None:
        with house.write() as session:
            session.add(CardSerial(card=1, last=1))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert _serials(house) == []


def test_a_read_writes_nothing(house: Runtime) -> None:
    with house.read() as session:
        session.add(CardSerial(card=1, last=1))
    assert _serials(house) == []


def test_hooks_run_after_the_commit_in_order(house: Runtime) -> None:
    seen: list[object] = []
    with house.write() as session:
        after_commit(session, lambda: seen.append(_serials(house)))
        after_commit(session, lambda: seen.append("second"))
        session.add(CardSerial(card=1, last=1))
        session.flush()
        assert seen == []
    assert seen == [[1], "second"]


def test_a_hook_that_takes_long_keeps_no_other_write_waiting(house: Runtime) -> None:
    begun, free = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        assert free.wait(PATIENCE)

    def first() -> None:
        with house.write() as session:
            after_commit(session, slow)
            session.add(CardSerial(card=1, last=1))

    with ThreadPoolExecutor(1) as other:
        writing = other.submit(first)
        assert begun.wait(PATIENCE)
        with house.write() as session:
            session.add(CardSerial(card=2, last=1))
        assert _serials(house) == [1, 2]
        free.set()
        writing.result(PATIENCE)


def test_who_waits_for_news_does_not_wait_for_the_broker(
    house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    monkeypatch.setattr(type(house.publisher), "send", lambda *_: order.append("sent") or True)
    monkeypatch.setattr(type(house.notices), "give", lambda _, topic: order.append(topic))
    with house.write() as session:
        house.wake(session, "cloche.resolve", "1")
        house.tell(session, "1")
    assert order == [notices.of_game("1"), "sent"]


def test_hooks_do_not_run_when_nothing_was_committed(house: Runtime) -> None:
    seen: list[str] = []

    def fail() -> None:
        with house.write() as session:
            after_commit(session, lambda: seen.append("told"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with house.write() as session:
        session.add(CardSerial(card=1, last=1))
    assert seen == []


def test_a_hook_that_fails_harms_nobody(house: Runtime) -> None:
    seen: list[str] = []
    with house.write() as session:
        session.add(CardSerial(card=1, last=1))
        after_commit(session, lambda: 1 // 0)
        after_commit(session, lambda: seen.append("told"))
    assert seen == ["told"]
    assert _serials(house) == [1]


def test_a_transaction_inside_a_transaction_is_refused(house: Runtime) -> None:
    with house.write(), pytest.raises(RuntimeError), house.read():
        pass
    with house.read(), pytest.raises(RuntimeError), house.write():
        pass
    with house.write():
        pass


def test_rows_stay_readable_after_the_commit(house: Runtime) -> None:
    row = CardSerial(card=7, last=3)
    with house.write() as session:
        session.add(row)
    assert (row.card, row.last) == (7, 3)


def test_sqlite_is_set_up_to_survive(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/house.sqlite3")
    with database.read() as session:
        pragmas = {
            name: session.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    database.dispose()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_writers_wait_for_each_other_and_lose_nothing(house: Runtime) -> None:
    with house.write() as session:
        session.add(CardSerial(card=1, last=0))

    def count() -> None:
        for _ in range(10):
            with house.write() as session:
                row = session.exec(select(CardSerial).with_for_update()).one()
                row.last += 1

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with house.read() as session:
        assert session.exec(select(CardSerial.last)).one() == 80


def test_after_a_fork_the_database_is_there_again(house: Runtime) -> None:
    with house.write() as session:
        session.add(CardSerial(card=1, last=1))
    house.after_fork()
    assert _serials(house) == [1]


def test_a_unit_of_work_commits_a_write_with_what_is_added_to_it(house: Runtime) -> None:
    seen: list[object] = []
    with UnitOfWork(house.database) as unit:
        bound = house.within(unit)
        assert not unit.written
        with bound.write() as session:
            session.add(CardSerial(card=1, last=1))
            before_commit(session, lambda: seen.append("last"))
            after_commit(session, lambda: seen.append(_serials(house)))
        assert unit.written
        assert seen == []
        assert _serials(bound) == [1]  # the same request sees what it wrote
        with unit.finish() as session:
            session.add(CardSerial(card=2, last=1))
            assert seen == []
    assert seen == ["last", [1, 2]]
    with house.write() as session:
        session.add(CardSerial(card=3, last=1))
    assert _serials(house) == [1, 2, 3]


def test_a_unit_of_work_that_is_not_finished_is_rolled_back(house: Runtime) -> None:
    seen: list[str] = []

    with UnitOfWork(house.database) as unit, unit.write() as session:
        after_commit(session, lambda: seen.append("told"))
        session.add(CardSerial(card=1, last=1))
    assert _serials(house) == []
    with UnitOfWork(house.database) as unit:
        with unit.write() as session:
            session.add(CardSerial(card=1, last=1))
        with pytest.raises(ZeroDivisionError), unit.finish():
            raise ZeroDivisionError
    assert _serials(house) == []
    assert seen == []


def test_a_unit_of_work_has_one_write(house: Runtime) -> None:
    with UnitOfWork(house.database) as unit:
        with pytest.raises(ZeroDivisionError), unit.write():
            raise ZeroDivisionError  # it was rolled back, so another may follow
        with unit.write() as session:
            session.add(CardSerial(card=2, last=1))
        with pytest.raises(RuntimeError), unit.write():
            pass
        # Anything that is no part of the unit would wait for its lock for ever.
        with pytest.raises(RuntimeError), house.write():
            pass
        with pytest.raises(RuntimeError), house.read():
            pass
        with unit.finish():
            pass
    assert _serials(house) == [2]


def test_a_unit_of_work_without_a_write_ends_with_a_write_of_its_own(house: Runtime) -> None:
    with UnitOfWork(house.database) as unit:
        assert _serials(house.within(unit)) == []
        with unit.finish() as session:
            session.add(CardSerial(card=1, last=1))
    assert _serials(house) == [1]


def test_a_runtime_within_a_unit_of_work_shares_what_is_read_from_files(house: Runtime) -> None:
    with UnitOfWork(house.database) as unit:
        bound = house.within(unit)
        assert bound.formats is house.formats
        assert bound.key_generations is house.key_generations


def test_who_opens_a_file_without_a_log_while_another_writes_waits(tmp_path: Path) -> None:
    """SQLite's own time-out does not hold for the change to a write-ahead log."""
    other = sqlite3.connect(tmp_path / "house.sqlite3", isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE card (number)")
    other.execute("BEGIN IMMEDIATE")
    done = threading.Timer(0.2, other.execute, ["ROLLBACK"])
    done.start()
    database = Database(f"sqlite:///{tmp_path / 'house.sqlite3'}")
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    done.join()
    database.dispose()
    other.close()
