"""The arithmetic of the benchmarks: order, median, quartiles, and whether a ratio is within its bound."""

from __future__ import annotations

import gc
import time
from types import SimpleNamespace

import pytest

from benchmarks import measure
from benchmarks.measure import (
    Figure,
    Spread,
    Took,
    Work,
    WorkFailed,
    WorkPair,
    alternate,
    order,
    run,
    seconds,
    spread,
    summary,
    times_of,
)


def figure(
    bound: float | None = 1.5, most: int | None = None, contest: WorkPair | None = None, fold: int = 1
) -> Figure:
    def prepare() -> WorkPair:
        assert contest is not None
        return contest

    return Figure("one", "One", "a", "b", bound, "so", prepare, most, fold)


def noted(log: list[str], name: str) -> Work:
    """Work that takes a moment of elapsed and of processor time."""

    def work() -> bool:
        log.append(name)
        until = time.process_time() + 0.001
        while time.process_time() < until:
            pass
        return True

    return work


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([2.0], Spread(2.0, 2.0, 2.0, 2.0, 2.0)),
        ([1.0, 3.0], Spread(1.0, 1.5, 2.0, 2.5, 3.0)),
        ([5.0, 1.0, 4.0, 2.0, 3.0], Spread(1.0, 2.0, 3.0, 4.0, 5.0)),
        ([1.0, 2.0, 3.0, 100.0], Spread(1.0, 1.75, 2.5, 27.25, 100.0)),
    ],
)
def test_spread_has_median_and_quartiles(values: list[float], expected: Spread) -> None:
    assert spread(values) == expected


def test_sides_take_turns_in_going_first() -> None:
    assert [order(i) for i in range(4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]


def test_each_alternation_has_new_inputs_after_one_that_does_not_count() -> None:
    log: list[str] = []
    made = iter(range(100))

    def fresh() -> tuple[Work, Work]:
        n = next(made)
        return noted(log, f"A{n}"), noted(log, f"B{n}")

    told: list[int] = []
    found = alternate(WorkPair(fresh), 3, lambda: told.append(1))
    assert log == ["A0", "B0", "A1", "B1", "B2", "A2", "A3", "B3"]
    assert len(found) == len(told) == 3


def test_times_stay_with_their_side_whichever_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def takes(seconds: float) -> Work:
        def work() -> bool:
            now[0] += seconds
            return True

        return work

    monkeypatch.setattr(
        measure, "time", SimpleNamespace(perf_counter=lambda: now[0], process_time=lambda: now[0])
    )
    found = alternate(WorkPair(lambda: (takes(4.0), takes(1.0))), 4)
    assert found == [(Took(4.0, 4.0), Took(1.0, 1.0))] * 4


def test_work_that_fails_is_no_measurement() -> None:
    with pytest.raises(WorkFailed):
        seconds(lambda: False)


def test_the_collector_stays_on() -> None:
    found: list[bool] = []

    def work() -> bool:
        found.append(gc.isenabled())
        return True

    seconds(work)
    assert found == [True]


def test_a_figure_is_the_median_of_the_ratios_not_the_ratio_of_medians() -> None:
    pairs = [
        (Took(1.0, 2.0), Took(2.0, 1.0)),
        (Took(9.0, 1.0), Took(3.0, 1.0)),
        (Took(8.0, 3.0), Took(4.0, 1.0)),
    ]
    found = summary(figure(2.0), WorkPair(lambda: (bool, bool)), pairs)
    assert found.ratio.median == 2.0
    assert found.cpu_ratio.median == 2.0
    assert found.a_ms.median == 8000.0
    assert found.within is True
    assert summary(figure(1.9), WorkPair(lambda: (bool, bool)), pairs).within is False
    assert summary(figure(None), WorkPair(lambda: (bool, bool)), pairs).within is None


def test_what_is_timed_in_part_counts_as_the_whole() -> None:
    pairs = [(Took(1.0, 1.0), Took(0.5, 0.25))]
    found = summary(figure(), WorkPair(lambda: (bool, bool), counts=8), pairs)
    assert (found.ratio.median, found.cpu_ratio.median, found.b_ms.median) == (0.25, 0.5, 4000.0)


def test_slow_figures_get_fewer_alternations_and_short_ones_more() -> None:
    assert [times_of(figure(most=most), 15) for most in (None, 5, 30)] == [15, 5, 15]
    assert times_of(figure(fold=3), 15) == 45
    calls: list[str] = []
    contest = WorkPair(lambda: (noted(calls, "A"), noted(calls, "B")))
    assert run(figure(most=2, contest=contest), 15).alternations == 2
    assert len(calls) == 2 * (2 + 1)
