"""Lanes: threads that are kept, turns for addresses, and pauses that grow as a crowd grows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from cloche.operate.front.bridge import lanes as lanes_of_a_process
from cloche.operate.front.lanes import LONGEST_PAUSE, Crowded, Lane, Lanes
from tests.waiting import PATIENCE


class Bench:
    """Jobs that note when they begin, and end when the test says so."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.go = threading.Event()

    def job(self, name: str) -> Callable[[], str]:
        def run() -> str:
            self.began.append(name)
            assert self.go.wait(PATIENCE)
            return name

        return run

    async def begins(self, many: int) -> None:
        """Return once so many jobs have begun."""
        async with asyncio.timeout(60):
            while len(self.began) < many:
                await asyncio.sleep(0.001)


def on_loop(test: Callable[[Bench], Awaitable[None]]) -> None:
    """Run a test on an event loop; in the end its jobs end."""
    bench = Bench()

    async def run() -> None:
        try:
            await test(bench)
        finally:
            bench.go.set()

    asyncio.run(run())


def test_threads_that_are_kept_for_a_lane_are_free_for_it_whatever_the_others_want() -> None:
    async def test(bench: Bench) -> None:
        moves, rest = Lane("moves", kept=2, queue=9), Lane("rest", kept=0, queue=99)
        lanes = Lanes(5, moves, rest)
        flood = [asyncio.ensure_future(lanes.run(rest, "x", bench.job("rest"))) for _ in range(50)]
        await bench.begins(3)
        await asyncio.sleep(0.05)
        assert bench.began == ["rest"] * 3
        sent = [asyncio.ensure_future(lanes.run(moves, "y", bench.job("move"))) for _ in range(2)]
        await bench.begins(5)
        assert bench.began[3:] == ["move"] * 2
        bench.go.set()
        assert await asyncio.gather(*sent, *flood) == ["move"] * 2 + ["rest"] * 50
        assert lanes.busy == 0

    on_loop(test)


def test_every_number_of_threads_that_may_be_set_leaves_one_for_each_lane() -> None:
    async def test(_: Bench) -> None:
        for threads in (2, 3, 4, 5, 8, 12, 256):
            lanes = lanes_of_a_process(threads)
            moves, play, rest = lanes.lanes
            assert moves.kept >= 1
            assert threads - moves.kept - play.kept >= 1
            assert rest.kept == 0

    on_loop(test)


def test_addresses_take_turns() -> None:
    async def test(bench: Bench) -> None:
        lane = Lane("moves", kept=1, queue=99)
        lanes = Lanes(1, lane)
        first = asyncio.ensure_future(lanes.run(lane, "flood", bench.job("first")))
        await bench.begins(1)
        flood = [asyncio.ensure_future(lanes.run(lane, "flood", bench.job("flood"))) for _ in range(40)]
        await asyncio.sleep(0)
        others = [asyncio.ensure_future(lanes.run(lane, name, bench.job(name))) for name in ("ann", "bob")]
        await asyncio.sleep(0)
        bench.go.set()
        await asyncio.gather(first, *flood, *others)
        assert bench.began[:5] == ["first", "flood", "ann", "bob", "flood"]

    on_loop(test)


def test_a_full_queue_loses_the_newest_of_the_address_with_the_most() -> None:
    async def test(bench: Bench) -> None:
        lane = Lane("rest", kept=0, queue=10)
        lanes = Lanes(1, lane)
        first = asyncio.ensure_future(lanes.run(lane, "flood", bench.job("first")))
        await bench.begins(1)
        flood = [asyncio.ensure_future(lanes.run(lane, "flood", bench.job("flood"))) for _ in range(10)]
        await asyncio.sleep(0)
        ann = asyncio.ensure_future(lanes.run(lane, "ann", bench.job("ann")))
        await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await flood[-1]
        assert not any(each.done() for each in (first, ann, *flood[:-1]))
        assert lane.waiting == 10
        bench.go.set()
        assert await asyncio.gather(ann, *flood[:-1]) == ["ann"] + ["flood"] * 9

    on_loop(test)


def test_the_pause_that_is_asked_for_grows_with_the_crowd() -> None:
    async def test(bench: Bench) -> None:
        lane = Lane("rest", kept=0, queue=5)
        lanes = Lanes(1, lane)
        jobs = [asyncio.ensure_future(lanes.run(lane, "x", bench.job("x"))) for _ in range(206)]
        await asyncio.sleep(0)
        await bench.begins(1)
        results = await asyncio.gather(*jobs[6:], return_exceptions=True)
        pauses = [result.seconds for result in results if isinstance(result, Crowded)]
        assert len(pauses) == 200
        assert pauses == sorted(pauses)
        assert 1 <= pauses[0] < pauses[-1] == LONGEST_PAUSE
        bench.go.set()
        await asyncio.gather(*jobs[:6])

    on_loop(test)


def test_a_job_that_has_waited_too_long_is_refused_and_the_next_one_runs() -> None:
    async def test(bench: Bench) -> None:
        lane = Lane("rest", kept=0, queue=9)
        lanes = Lanes(1, lane, patience=0.2)
        first = asyncio.ensure_future(lanes.run(lane, "x", bench.job("first")))
        await bench.begins(1)
        late = asyncio.ensure_future(lanes.run(lane, "x", bench.job("late")))
        await asyncio.sleep(0.3)
        bench.go.set()
        assert await first == "first"
        with pytest.raises(Crowded) as refused:
            await late
        assert refused.value.seconds >= 1
        assert await lanes.run(lane, "x", bench.job("fresh")) == "fresh"
        assert bench.began == ["first", "fresh"]
        assert lane.waiting == 0

    on_loop(test)


def test_a_job_whose_client_is_gone_is_left_out() -> None:
    async def test(bench: Bench) -> None:
        lane = Lane("rest", kept=0, queue=5)
        lanes = Lanes(1, lane)
        first = asyncio.ensure_future(lanes.run(lane, "x", bench.job("first")))
        await bench.begins(1)
        gone = asyncio.ensure_future(lanes.run(lane, "x", bench.job("gone")))
        last = asyncio.ensure_future(lanes.run(lane, "x", bench.job("last")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        bench.go.set()
        assert await asyncio.gather(first, last) == ["first", "last"]
        assert bench.began == ["first", "last"]

    on_loop(test)


def test_what_a_job_raises_comes_back() -> None:
    async def test(_: Bench) -> None:
        lane = Lane("rest", kept=0, queue=5)
        with pytest.raises(ZeroDivisionError):
            await Lanes(1, lane).run(lane, "x", lambda: 1 // 0)

    on_loop(test)
