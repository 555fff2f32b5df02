"""The workers' tasks. Each calls one operation, and may run twice or late without harm.

A task that fails is acknowledged like any other. Its work is still due in the database, and the sweep asks
for it again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from celery import Celery, Task

from service import metrics, publisher
from worker.work import WorkerOperations

_log = structlog.get_logger(__name__)


def register(
    app: Celery, work: WorkerOperations, sweep: Callable[[], int], heard: Callable[[], object] = lambda: None
) -> None:
    """Register the tasks with `app`; each calls `heard` first. Do so before a worker of the app starts."""
    bodies: dict[str, Callable[..., object]] = {
        publisher.RESOLVE: work.resolve,
        publisher.BOTS: work.bots,
        publisher.OPEN: work.open,
        publisher.PAINT: work.paint,
        publisher.DISHES: work.dishes,
        publisher.PAIR: work.pair,
        publisher.ROUND: work.advance,
        publisher.SWEEP: sweep,
    }
    for name, body in bodies.items():
        app.task(name=name, bind=True, shared=False, lazy=False)(_observed(name, body, heard))


def _observed(name: str, body: Callable[..., object], heard: Callable[[], object]) -> Callable[..., None]:
    """The task with its log and its metrics. Each line of the log names the request that the task follows."""

    def task(self: Task, *args: Any) -> None:
        heard()
        headers: Mapping[str, Any] = self.request.headers or {}
        sent, begun = headers.get(publisher.SENT), time.time()
        if isinstance(sent, int):
            metrics.queue_lag.labels(name).observe(max(begun - sent / 1000, 0.0))
        request = headers.get(publisher.REQUEST)
        with structlog.contextvars.bound_contextvars(
            task=name, **({"request_id": request} if isinstance(request, str) else {})
        ):
            try:
                body(*args)
                outcome = "done"
            except Exception:
                outcome = "failed"
                _log.exception("task_failed", args=args)
        metrics.tasks.labels(name, outcome).inc()
        metrics.task_seconds.labels(name).observe(time.time() - begun)

    return task
