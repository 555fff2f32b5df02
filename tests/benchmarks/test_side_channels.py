"""Side channels: the arithmetic is right, every case runs, and docs/security.md has their table."""

from __future__ import annotations

import math
import statistics
from itertools import pairwise, product
from random import Random

import pytest

pytest.importorskip("py_arkworks_bls12381")

from benchmarks import machine, side_channels
from benchmarks.side_channel_cases import CASES, Case, Make, SecretWork
from benchmarks.side_channels import (
    BEGIN,
    END,
    ClassTimes,
    cliffs_delta,
    compare,
    section,
    table,
    welch_t,
    written,
)
from tests.paths import DOCS

PAGE = DOCS / "security.md"


def test_cliffs_delta_counts_pairs() -> None:
    assert cliffs_delta([1, 2], [3, 4]) == -1
    assert cliffs_delta([3, 4], [1, 2]) == 1
    assert cliffs_delta([1, 2], [1, 2]) == 0
    assert cliffs_delta([5], [5, 5, 6]) == pytest.approx(-1 / 3)
    rng = Random(3)
    ones, others = ([rng.randrange(9) for _ in range(n)] for n in (40, 25))
    pairs = sum((a > b) - (a < b) for a, b in product(ones, others))
    assert cliffs_delta(ones, others) == pairs / 1000


def test_welch_s_t_without_the_slowest_tenth() -> None:
    ones, others = [10.0 + i for i in range(10)], [12.0 + i for i in range(10)]
    # The slowest two of twenty are 20 and 21; the means of the rest are 14.5 and 15.5.
    kept = others[:-2]
    spread = math.sqrt(statistics.variance(ones) / 10 + statistics.variance(kept) / 8)
    assert welch_t(ones, others) == pytest.approx(-1 / spread)
    assert welch_t(others, ones) == pytest.approx(1 / spread)
    assert welch_t(ones, ones) == 0
    assert welch_t([1.0] * 20, [9.0] * 2) == -math.inf
    assert welch_t([9.0] * 2, [1.0] * 20) == math.inf
    assert welch_t([1.0] * 5, [1.0] * 5) == 0
    assert welch_t([1.0] * 50, [2.0] * 50) == -math.inf


def case(make: Make) -> Case:
    return Case("made-up", "something", "one", "other", 10, lambda: make)


def test_runs_of_both_classes_come_in_random_order_and_are_kept_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[int] = []

    def make(side: int) -> SecretWork:
        return lambda: order.append(side)

    def took(work: SecretWork) -> float:
        work()
        return 10.0 + 5 * order[-1] + len(order) % 3

    monkeypatch.setattr(side_channels, "took", took)
    found = compare(case(make), 60)
    assert order[:2] == [0, 1]
    measured = order[2:]
    assert measured.count(0) == measured.count(1) == 60
    assert 30 < sum(a != b for a, b in pairwise(measured)) < 90
    assert (found.delta, found.size) == (-1, "large")
    assert (found.one, found.other) == (11, 16)
    assert found.share == pytest.approx(5 / 11)
    assert found.t < -30


@pytest.mark.parametrize(
    ("delta", "size"),
    [
        (0.0, "negligible"),
        (-0.14, "negligible"),
        (0.15, "small"),
        (-0.4, "medium"),
        (0.48, "large"),
        (-1, "large"),
    ],
)
def test_effects_have_names(delta: float, size: str) -> None:
    assert ClassTimes(CASES[0], 1, 1, 1, delta, 0).size == size


@pytest.mark.parametrize("item", CASES, ids=lambda item: item.name)
def test_every_case_runs_in_both_classes(item: Case) -> None:
    make = item.prepare()
    for side in (0, 1):
        assert make(side)() is not None


def test_names_are_different() -> None:
    assert len({item.name for item in CASES}) == len(CASES)


def test_the_page_has_the_table_of_all_cases() -> None:
    _, begin, rest = PAGE.read_text().partition(BEGIN)
    rows, end, _ = rest.partition(END)
    assert begin
    assert end
    lines = [line.split(" | ") for line in rows.splitlines() if line.startswith("| ")]
    assert [(line[0][2:], *line[1:3]) for line in lines[1:]] == [(i.what, i.first, i.second) for i in CASES]
    assert "Measured on 20" in rows


def test_a_section_is_replaced_and_nothing_else() -> None:
    found = [ClassTimes(item, 7, 1234.5, 1235.6, -0.01, 0.3) for item in CASES[:2]]
    text = section(found, machine.describe())
    assert table(found) in text
    page = f"before\n{BEGIN}old\n{END}after\n"
    assert written(page, text) == f"before\n{text}after\n"
    assert written(written(page, text), text) == written(page, text)
    for bad in ("", BEGIN, END, "no marks"):
        with pytest.raises(ValueError, match="no marks"):
            written(bad, text)
