"""The sweep: finds what is due, hands it on, and goes on whatever fails."""

import threading

import pytest

from tests.waiting import PATIENCE
from worker.sweep import BATCH, Publishing, Sweeper, sweep


def test_due_games_are_published() -> None:
    published: list[str] = []
    resolved: list[str] = []

    def wake(game: str) -> bool:
        published.append(game)
        return True

    assert sweep(lambda limit: ["a", "b"], wake, resolved.append) == 2
    assert (published, resolved) == (["a", "b"], [])


def test_without_a_broker_they_are_resolved_here() -> None:
    resolved: list[str] = []
    assert sweep(lambda limit: ["a", "b"], lambda game: False, resolved.append) == 2
    assert resolved == ["a", "b"]


def test_one_that_fails_does_not_hold_up_the_others() -> None:
    resolved: list[str] = []

    def resolve(game: str) -> None:
        if game == "a":
            raise RuntimeError("broken game")
        resolved.append(game)

    assert sweep(lambda limit: ["a", "b"], lambda game: False, resolve) == 2
    assert resolved == ["b"]


def test_a_full_batch_is_followed_by_the_next_at_once() -> None:
    waiting = [str(number) for number in range(2 * BATCH + 7)]
    published: list[str] = []

    def due(limit: int) -> list[str]:
        games, waiting[:limit] = waiting[:limit], []
        return games

    def wake(game: str) -> bool:
        published.append(game)
        return True

    assert sweep(due, wake, lambda game: None) == 2 * BATCH + 7
    assert len(set(published)) == 2 * BATCH + 7


def test_sweeper_survives_a_database_that_is_away_and_stops_cleanly() -> None:
    swept = threading.Event()
    calls = iter(range(1000))

    def once() -> int:
        if next(calls) < 3:
            raise OSError("the database is away")
        swept.set()
        return 0

    sweeper = Sweeper(once, 0.01)
    sweeper.start()
    assert swept.wait(PATIENCE)
    assert sweeper.stop(5)
    rounds = sweeper.rounds
    assert rounds >= 1
    assert sweeper.stop(5)
    assert sweeper.rounds == rounds


def test_sweeper_says_when_a_sweep_does_not_end() -> None:
    begun, release = threading.Event(), threading.Event()

    def once() -> int:
        begun.set()
        release.wait(PATIENCE)
        return 0

    sweeper = Sweeper(once, 0.01)
    sweeper.start()
    assert begun.wait(PATIENCE)
    assert not sweeper.stop(0.05)
    release.set()
    assert sweeper.stop(10)


def test_while_nobody_hears_wake_ups_each_game_is_done_at_once() -> None:
    # The line to the broker is dead: it takes every message, and no game comes back from there.
    published: list[str] = []
    done: list[str] = []
    wake = Publishing(lambda game: published.append(game) is None)
    for games in (["1"], ["1", "2"], ["1", "2", "3"]):
        sweep(lambda limit, games=games: games, wake, done.append)
    assert done == ["1", "2", "1", "2", "3"]  # all but the first, which nobody had reason to doubt
    assert len(published) == 6  # that it is whole again is seen by what arrives
    wake.heard()
    sweep(lambda limit: ["4"], wake, done.append)
    assert (published[-1], done[-1]) == ("4", "3")


def test_a_wake_up_that_is_late_is_no_reason_to_doubt_others() -> None:
    # Much to do, and other messages come through: this one game is done here, the rest by listeners.
    wake = Publishing(lambda game: True)
    assert wake("1")
    wake.heard()
    assert not wake("1")
    assert wake("2")


def test_a_message_that_no_broker_took_says_nothing_of_who_listens() -> None:
    taken = iter([False, True, True])
    wake = Publishing(lambda game: next(taken))
    assert [wake("1"), wake("1"), wake("2")] == [False, True, True]


def test_a_wake_up_long_ago_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.sweep.HEARD", 0.0)
    wake = Publishing(lambda game: True)
    assert [wake("game-1") for _ in range(3)] == [True] * 3
