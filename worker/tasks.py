"""The tasks: each calls one operation, and may run twice or late without harm.

A task that fails is acknowledged all the same: what it left undone is still
due in the database, and the sweep asks for it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from celery import Celery

from service import wake
from worker.work import Work

_log = structlog.get_logger(__name__)


def register(app: Celery, work: Work, sweep: Callable[[], int]) -> None:
    """Give `app` its tasks. All of them must be there before a worker starts on it."""
    bodies: dict[str, Callable[..., object]] = {
        wake.RESOLVE: work.resolve,
        wake.BOTS: work.bots,
        wake.SWEEP: sweep,
    }
    for name, body in bodies.items():
        app.task(name=name, shared=False, lazy=False)(_logged(name, body))


def _logged(name: str, body: Callable[..., object]) -> Callable[..., None]:
    def task(*args: Any) -> None:
        try:
            body(*args)
        except Exception:
            _log.exception("task_failed", task=name, args=args)

    return task
