"""A player's feed: the events of all their games and tables, numbered without gaps.

Events are written in the transaction of the change that they report, as its last step. So the players'
counters are locked after everything else and in one order, and no two transactions deadlock. A transaction
that holds a counter is about to commit, so numbers follow the order of the commits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, literal_column
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from crypto.encoding import timestamp
from service.db import before_commit
from service.models import PlayerEvent, PlayerFeed
from service.operations.outbox import News, enqueue
from service.runtime import Runtime
from service.statements import Prepared
from service.tails import BATCH, Event, one_line

MOST_POLLED = 100
"""The most events in one answer."""
RESET = "reset"
"""The event that tells a client: the feed does not go on from your last event, so read everything anew."""
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
    "game.annulled",
    "game.over",
    "game.rematch",
    "game.said",
    "reward.won",
    "rating.changed",
    "challenge.made",
    "challenge.accepted",
    "challenge.declined",
    "challenge.withdrawn",
    "challenge.expired",
    "queue.paired",
    "queue.bot_offered",
    "queue.left",
    "tournament.paired",
    "tournament.bye",
    "tournament.ruled",
    "tournament.out",
    "tournament.restored",
    "tournament.over",
    "tournament.cancelled",
    "grant.received",
    "webhook.disabled",
    "offer.made",
    "offer.accepted",
    "offer.declined",
    "offer.withdrawn",
    "offer.expired",
    "player.renamed",
    "report.closed",
    "role.given",
    "role.taken",
    "sanction.imposed",
    "sanction.lifted",
)
"""All other names. They never change and never get a second meaning."""
_DAY_MS = 86_400_000
_AT_ONCE = 100
"""The number of players whose old events one transaction deletes."""
_PENDING = "cloche_feed"


def add(house: Runtime, session: Session, players: Iterable[str], event: str, /, **data: Any) -> None:
    """Add an event to the feeds of these players (by id), in the session's transaction.

    Each of them may read `data`, so it holds no secret and nothing that waits beside a record. Raises
    `ValueError` for a name that is not in `NAMES`.
    """
    if event not in NAMES:
        raise ValueError(f"there is no event {event!r}")
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
    session.flush()  # a counter refers to its player, who may be new
    now = house.now()
    rows: list[dict[str, Any]] = []
    wanted: dict[str, News] = {}
    for player_id, last, has_webhooks in _count(session, {one: len(news) for one, news in found.items()}):
        news = found[player_id]
        numbered = [(seq, name, data) for seq, (name, data) in enumerate(news, last + 1 - len(news))]
        for seq, name, data in numbered:
            event = {"player_id": player_id, "seq": seq, "at": now, "name": name}
            rows.append({**event, "data": one_line(data)})
        if has_webhooks:
            wanted[player_id] = numbered
    _EVENT.run_many(session, rows)
    if wanted:
        enqueue(session, wanted, now)
        session.flush()


_EVENT = Prepared(
    insert(PlayerEvent).values({name: bindparam(name) for name in ("player_id", "seq", "at", "name", "data")})
)


def _count(session: Session, more: Mapping[str, int]) -> list[tuple[str, int, bool]]:
    """Lock the players' counters, in one order, and add `more` to each.

    Returns each player with the counter's new value, and whether they have a webhook.
    """
    values: dict[str, Any] = {}
    for number, player_id in enumerate(sorted(more)):
        values |= {f"player_{number}": player_id, f"more_{number}": more[player_id]}
    rows: Any = _counting(session.get_bind().dialect.name, len(more)).run(session, values)
    return [(player_id, last, bool(has)) for player_id, last, has in rows]


# A text, because SQLAlchemy relates no subquery of RETURNING to the table of the statement.
_HAS_WEBHOOK: Any = literal_column(
    "EXISTS (SELECT 1 FROM webhook WHERE webhook.player_id = player_feed.player_id)"
)


@cache
def _counting(dialect: str, players: int) -> Prepared:
    """The statement that counts for so many players at once."""
    table: Any = postgresql if dialect == "postgresql" else sqlite
    row = table.insert(PlayerFeed).values(
        [
            {"player_id": bindparam(f"player_{number}"), "last": bindparam(f"more_{number}")}
            for number in range(players)
        ]
    )
    return Prepared(
        row.on_conflict_do_update(
            index_elements=[col(PlayerFeed.player_id)],
            set_={"last": col(PlayerFeed.last) + row.excluded.last},
        ).returning(col(PlayerFeed.player_id), col(PlayerFeed.last), _HAS_WEBHOOK)
    )


def newest(session: Session, player_id: str) -> int:
    """The number of a player's newest event, 0 before the first."""
    return session.exec(select(PlayerFeed.last).where(PlayerFeed.player_id == player_id)).first() or 0


def after(session: Session, player_id: str, last: int | None, limit: int = BATCH) -> list[Event]:
    """The events after number `last`, in order; with None from the oldest stored one on.

    If the next events after `last` are already deleted, or the feed has not reached `last`, the first event
    is a `reset`. Its id is the number after which the feed goes on.
    """
    end = newest(session, player_id)  # read before the rows, so that the rows reach at least this number
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
    """Delete the events that at `now` are older than the settings allow; returns how many.

    All events of a player up to the newest old one go, so that the rest has no gap.
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
