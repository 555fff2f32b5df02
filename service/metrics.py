"""What a process of the house counts and measures, for Prometheus.

Labels are routes, kinds, codes and names from this code: never an id, a handle or anything that a
player has written, so nothing can be learned here of anybody, and the number of series stays small.
What is counted of games is counted after the commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest, multiprocess

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which several processes count as one; read when this is imported."""
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds: upper bounds of what usually takes milliseconds."""

requests = Counter("cloche_http_requests", "Requests answered.", ["method", "route", "status"])
request_seconds = Histogram(
    "cloche_http_request_seconds",
    "Time to answer; of long polls and streams, to their end.",
    ["method", "route"],
    buckets=QUICK,
)
problems = Counter("cloche_problems", "Refusals and faults, by their stable code.", ["code"])

games_begun = Counter("cloche_games_begun", "Games begun.", ["mode"])
games_over = Counter("cloche_games_over", "Games that have their result.", ["mode", "reason"])
entries = Counter("cloche_entries", "Entries of records, by kind.", ["kind"])
messages = Counter(
    "cloche_messages", "Messages taken: entered at once, or held for the others.", ["kind", "how"]
)

tasks = Counter("cloche_tasks", "Tasks done by a worker.", ["task", "outcome"])
task_seconds = Histogram("cloche_task_seconds", "Time that a task took.", ["task"], buckets=QUICK)
queue_lag = Histogram(
    "cloche_queue_lag_seconds", "From a wake-up's sending to the task's beginning.", ["task"], buckets=QUICK
)
sweeps = Counter(
    "cloche_sweeps", "Looks for due games (sweep) and for due chores (tidy).", ["what", "outcome"]
)
sweep_lag = Histogram(
    "cloche_sweep_lag_seconds", "How long a game had been due when a sweep claimed it.", buckets=QUICK
)
step_lag = Histogram(
    "cloche_step_lag_seconds", "How long a step could have been closed when it was.", buckets=QUICK
)
tidied = Counter("cloche_tidied", "Rows that were of no more use and are gone.", ["chore"])


def entered(kinds: Iterable[str]) -> None:
    """Count new entries."""
    for kind in kinds:
        entries.labels(kind).inc()


def exposition(extra: CollectorRegistry | None = None) -> bytes:
    """Everything in Prometheus' text format: of this process, or of all that count together."""
    registry = REGISTRY
    if os.environ.get(SHARED):
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    text: bytes = generate_latest(registry)
    return text + (generate_latest(extra) if extra is not None else b"")
