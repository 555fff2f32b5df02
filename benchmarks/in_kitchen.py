"""Times of the page's kitchen, measured inside it. This module runs in a browser, beside the rooms."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable

from benchmarks.provers import BenchmarkChef
from referee import verify_record


def measure(times: int, records: Iterable[bytes]) -> str:
    """Prove meals and match decks so many times, and verify each record once.

    Returns a JSON object: milliseconds by name. Raises ValueError for a record that does not hold.
    """
    chef = BenchmarkChef(0)
    return json.dumps(
        {
            "meal_ms": [_took(chef.meal()) for _ in range(times)],
            "deck_ms": [_took(chef.deck()) for _ in range(times)],
            "record_ms": [_verified(data) for data in records],
        }
    )


def _took(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return round((time.perf_counter() - began) * 1000, 1)


def _verified(data: bytes) -> float:
    reports = []
    took = _took(lambda: reports.append(verify_record(data)))
    if not reports[0].valid:
        raise ValueError("a record does not hold")
    return took
