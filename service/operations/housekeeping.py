"""Housekeeping: chores that delete rows which nobody needs any more, a few at a time.

The worker that claims a chore first does it. No chore deletes what a record, a running game or a player's
own list needs.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog
from sqlalchemy import update
from sqlmodel import col

from service import metrics
from service.db import upsert
from service.models import Chore
from service.operations import (
    accounts,
    challenges,
    feed,
    game_challenges,
    idempotency,
    naming,
    queue,
    tables,
    tokens,
    trades,
    webhooks,
)
from service.runtime import Runtime

EVERY_MS = 3_600_000
"""Milliseconds between two rounds of a chore, over all processes."""
SOONER_MS = {"offers": 60_000, "game_challenges": 60_000, "queue": 60_000}
"""Shorter intervals, by chore: players wait for what expires, or for what it holds."""

CHORES: dict[str, Callable[[Runtime, int], int]] = {
    "tokens": tokens.forget_old,
    "challenges": challenges.forget_old,
    "handles": naming.keep_up,
    "accounts": accounts.clear_late,
    "answers": idempotency.forget_old,
    "tables": tables.expire,
    "events": feed.forget_old,
    "deliveries": webhooks.forget_old,
    "offers": trades.expire,
    "game_challenges": game_challenges.expire,
    "queue": queue.forget_old,
}
"""The chores by name. Each takes the time (milliseconds since 1970) and returns how many rows it changed."""

log = structlog.get_logger(__name__)


def tidy(house: Runtime) -> int:
    """Do the chores that are due and not claimed by another process; returns how many rows they changed."""
    gone = 0
    for name in CHORES:
        if _claim(house, name):
            try:
                gone += _do(house, name)
            except Exception:  # the other chores still run; this one is due again later
                log.exception("chore_failed", chore=name)
    return gone


def tidy_now(house: Runtime) -> dict[str, int]:
    """Do every chore now; returns how many rows each has changed."""
    return {name: _do(house, name) for name in CHORES}


def _claim(house: Runtime, name: str) -> bool:
    """Claim a chore; False if it is not due or another process has just claimed it."""
    now = house.now()
    with house.read() as session:
        known = session.get(Chore, name)
    if known is not None and known.due_at > now:
        return False
    due = update(Chore).where(col(Chore.name) == name, col(Chore.due_at) <= now)
    with house.write() as session:
        session.execute(upsert(session, Chore).values(name=name, due_at=now).on_conflict_do_nothing())
        taken = session.execute(due.values(due_at=now + SOONER_MS.get(name, EVERY_MS)))
        return int(getattr(taken, "rowcount", 0)) == 1


def _do(house: Runtime, name: str) -> int:
    gone = CHORES[name](house, house.now())
    metrics.tidied.labels(name).inc(gone)
    if gone:
        log.info("tidied", chore=name, rows=gone)
    return gone
