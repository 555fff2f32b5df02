"""The game log: log lines and metrics about games. They hold ids, kinds and codes, never a message's content.

All of it waits for the commit, so the log never reports what did not happen.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from sqlmodel import Session

from referee import Entry, Game, Message
from service import metrics
from service.db import after_commit

log = structlog.get_logger(__name__)


def wrote(session: Session, fold: Game, entries: Sequence[Entry]) -> None:
    """Log a game's new entries; `fold` is the game after them."""
    if entries:
        after_commit(session, lambda: _wrote(fold, entries))


def _wrote(fold: Game, entries: Sequence[Entry]) -> None:
    game, mode = fold.header.game, fold.rules.facts.name
    metrics.entered(entry.kind for entry in entries)
    for entry in entries:
        if entry.kind == "open":
            metrics.games_begun.labels(mode).inc()
            log.info("game_begun", game=game, mode=mode, seats=len(fold.seats))
        elif entry.kind == "timeout":
            missed = {"seat": entry.body["seat"], "kind": entry.body["kind"]}
            log.info("timeout", game=game, step=entry.step, seq=entry.seq, **missed)
        elif entry.kind == "annul":
            log.info("deal_annulled", game=game, seq=entry.seq, **entry.body)
        elif entry.kind == "result" and fold.outcome is not None:
            metrics.games_over.labels(mode, fold.outcome.reason).inc()
            log.info("game_over", game=game, mode=mode, reason=fold.outcome.reason, seq=entry.seq)


def taken(session: Session, message: Message, seq: int | None) -> None:
    """Log an accepted message. It became entry `seq`, or waits for the others if `seq` is None."""
    after_commit(session, lambda: _taken(message, seq))


def _taken(message: Message, seq: int | None) -> None:
    metrics.messages.labels(message.kind, "held" if seq is None else "entered").inc()
    where = {"game": message.game, "step": message.step, "seat": message.seat}
    log.info("message_taken", kind=message.kind, seq=seq, **where)


def closed(session: Session, fold: Game, late_ms: int, count: int) -> None:
    """Log that a step was closed, `late_ms` milliseconds after it was due; `fold` is the game before."""
    after_commit(session, lambda: _closed(fold, late_ms, count))


def _closed(fold: Game, late_ms: int, count: int) -> None:
    metrics.step_lag.observe(late_ms / 1000)
    log.info("step_closed", game=fold.header.game, step=fold.step, entries=count, late_ms=late_ms)
