"""The metrics of a process of the house, for Prometheus.

Labels are routes, kinds, codes and names from this code, and never an id, a handle or a player's own words.
So the metrics tell nothing about any player, and the number of series stays small. Games, entries and
messages are counted after the commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder in which several processes count together. It is read at the import."""
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds in seconds, for work that usually takes milliseconds."""

requests = Counter("cloche_http_requests", "Requests answered.", ["method", "route", "status"])
request_seconds = Histogram(
    "cloche_http_request_seconds",
    "Time to answer a request; for long polls and streams, until their end.",
    ["method", "route"],
    buckets=QUICK,
)
problems = Counter("cloche_problems", "Refusals and faults, by their stable code.", ["code"])

connections = Gauge(
    "cloche_connections",
    "Open connections, by what they do.",
    ["kind"],
    multiprocess_mode="livesum",
)
threads_busy = Gauge(
    "cloche_threads_busy", "Threads that answer a request now.", ["lane"], multiprocess_mode="livesum"
)
requests_queued = Gauge(
    "cloche_requests_queued", "Requests that wait for a thread.", ["lane"], multiprocess_mode="livesum"
)

password_hashes = Gauge(
    "cloche_password_hashes",
    "Requests whose passwords are hashed now, and those that wait for it.",
    ["state"],
    multiprocess_mode="livesum",
)

games_begun = Counter("cloche_games_begun", "Games begun.", ["mode"])
games_over = Counter("cloche_games_over", "Games that have ended.", ["mode", "reason"])
pairings = Counter("cloche_pairings", "Games begun from the queue.", ["mode"])
pairing_seconds = Histogram(
    "cloche_pairing_seconds",
    "Time that a player waited in the queue until a game began.",
    buckets=(1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3_600.0, 86_400.0),
)
entries = Counter("cloche_entries", "Entries of records, by kind.", ["kind"])
messages = Counter(
    "cloche_messages", "Messages accepted: entered at once, or held for the other seats.", ["kind", "how"]
)

tasks = Counter("cloche_tasks", "Tasks done by a worker.", ["task", "outcome"])
task_seconds = Histogram("cloche_task_seconds", "Time that a task took.", ["task"], buckets=QUICK)
queue_lag = Histogram(
    "cloche_queue_lag_seconds",
    "Time from sending a wake-up to the start of its task.",
    ["task"],
    buckets=QUICK,
)
sweeps = Counter(
    "cloche_sweeps",
    "Sweeps: for due games (sweep), deliveries (courier) and chores (tidy).",
    ["what", "outcome"],
)
sweep_lag = Histogram(
    "cloche_sweep_lag_seconds", "Time that a game had been due when a sweep claimed it.", buckets=QUICK
)
step_lag = Histogram(
    "cloche_step_lag_seconds", "Time from when a step could be closed until it was.", buckets=QUICK
)
pictures = Counter("cloche_pictures", "Requests to the provider of images.", ["of", "outcome"])
tidied = Counter("cloche_tidied", "Rows deleted because they were no longer needed.", ["chore"])


def entered(kinds: Iterable[str]) -> None:
    """Count new entries."""
    for kind in kinds:
        entries.labels(kind).inc()


def paired(mode: str, waits_ms: Iterable[int]) -> None:
    """Count a game from the queue. `waits_ms` says how long each of its players waited."""
    pairings.labels(mode).inc()
    for wait in waits_ms:
        pairing_seconds.observe(wait / 1000)


def exposition(extra: CollectorRegistry | None = None) -> bytes:
    """All metrics in Prometheus' text format: of this process, or of all processes that count together."""
    registry = REGISTRY
    if os.environ.get(SHARED):
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    text: bytes = generate_latest(registry)
    return text + (generate_latest(extra) if extra is not None else b"")
