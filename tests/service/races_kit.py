"""Requests that are made at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable


def at_once(jobs: list[Callable[[], object]]) -> list[object]:
    """The results (or exceptions) of all jobs, begun at the same moment."""
    gate = threading.Barrier(len(jobs))
    results: list[object] = [None] * len(jobs)

    def run(index: int) -> None:
        gate.wait()
        try:
            results[index] = jobs[index]()
        except Exception as fault:
            results[index] = fault

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
