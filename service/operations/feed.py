"""A player's feed: what concerns them over all games and tables, numbered without gaps.

Events are written in the transaction of what they tell of, and last of all. So the counters of the players
are locked after everything else and in one order, and no two transactions wait for each other in a circle;
and whoever holds a counter is about to commit, so that numbers are given in the order of the commits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from crypto.encoding import timestamp
from service.db import before_commit, upsert
from service.models import PlayerEvent, PlayerFeed
from service.operations.outbox import News, enqueue
from service.runtime import Runtime
from service.tails import BATCH, Event, one_line

MOST_POLLED = 100
"""Events in one answer."""
RESET = "reset"
"""The event that says: what you have is not where this goes on, so look at everything anew."""
NAMES = (
    "table.joined",
    "table.left",
    "table.cancelled",
    "table.expired",
    "game.begun",
    "game.asked",
    "game.timed_out",
    "game.account",
    "game.draw_offered",
    "game.over",
    "game.rematch",
    "reward.won",
    "webhook.disabled",
    "offer.made",
    "offer.accepted",
    "offer.declined",
    "offer.withdrawn",
    "offer.expired",
)
"""All other names; they are never changed and never given a second meaning."""
_DAY_MS = 86_400_000
_AT_ONCE = 100
"""Players whose old events are forgotten in one transaction."""
_PENDING = "cloche_feed"


def add(house: Runtime, session: Session, players: Iterable[str], event: str, /, **data: Any) -> None:
    """Tell these players (by id) of something, once the session's transaction is committed.

    `data` is for each of them to know: never a secret, nothing that waits beside a record.
    """
    assert event in NAMES, "names are listed"
    pending: list[tuple[str, str, dict[str, Any]]] = session.info.setdefault(_PENDING, [])
    for player_id in players:
        if not pending:
            before_commit(session, lambda: _write(house, session))
        pending.append((player_id, event, data))
        house.tell_player(session, player_id)


def _write(house: Runtime, session: Session) -> None:
    found: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for player_id, name, data in session.info.pop(_PENDING):
        found.setdefault(player_id, []).append((name, data))
    now = house.now()
    numbered: dict[str, News] = {}
    for player_id, news in sorted(found.items()):
        first = _count(session, player_id, len(news)) - len(news) + 1
        for seq, (name, data) in enumerate(news, first):
            session.add(PlayerEvent(player_id=player_id, seq=seq, at=now, name=name, data=data))
        numbered[player_id] = [(seq, name, data) for seq, (name, data) in enumerate(news, first)]
    enqueue(session, numbered, now)
    session.flush()


def _count(session: Session, player_id: str, more: int) -> int:
    """Lock a player's counter and count so many more; the last of them."""
    row = upsert(session, PlayerFeed).values(player_id=player_id, last=more)
    counted = row.on_conflict_do_update(
        index_elements=[col(PlayerFeed.player_id)], set_={"last": col(PlayerFeed.last) + more}
    ).returning(col(PlayerFeed.last))
    return int(session.execute(counted).scalar_one())


def newest(session: Session, player_id: str) -> int:
    """The number of a player's newest event, 0 before the first."""
    return session.exec(select(PlayerFeed.last).where(PlayerFeed.player_id == player_id)).first() or 0


def after(session: Session, player_id: str, last: int | None, limit: int = BATCH) -> list[Event]:
    """The events after number `last`, in order; None begins with the oldest that is kept.

    Where those after `last` are forgotten already, or the feed has never come so far, the first is a `reset`
    that says from where it goes on.
    """
    end = newest(session, player_id)  # before the rows, of which there may be more by then, never less
    statement = (
        select(PlayerEvent)
        .where(PlayerEvent.player_id == player_id, PlayerEvent.seq > (last or 0))
        .order_by(col(PlayerEvent.seq))
        .limit(limit)
    )
    rows = list(session.exec(statement))
    found = [Event(row.seq, row.name, one_line({"at": timestamp(row.at), **row.data})) for row in rows]
    goes_on = rows[0].seq - 1 if rows else end
    if last is None or last == goes_on:
        return found
    return [Event(goes_on, RESET, one_line({"after": last})), *found]


def forget_old(house: Runtime, now: int) -> int:
    """Delete the events that are older than the house keeps them, at `now`; returns how many.

    Of each player all up to the newest such one, so that what is left has no hole.
    """
    limit, gone = now - house.settings.events_days * _DAY_MS, 0
    while True:
        old = (
            select(PlayerEvent.player_id, func.max(col(PlayerEvent.seq)))
            .where(PlayerEvent.at < limit)
            .group_by(col(PlayerEvent.player_id))
            .order_by(col(PlayerEvent.player_id))
            .limit(_AT_ONCE)
        )
        with house.write() as session:
            cuts = session.exec(old).all()
            for player_id, seq in cuts:
                rows = delete(PlayerEvent).where(
                    col(PlayerEvent.player_id) == player_id, col(PlayerEvent.seq) <= seq
                )
                gone += int(getattr(session.execute(rows), "rowcount", 0))
        if len(cuts) < _AT_ONCE:
            return gone
