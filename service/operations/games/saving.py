"""Saving a game: its new entries, its fold, and when the house must act next, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import bindparam, insert, update
from sqlmodel import Session, col

from crypto.encoding import b64
from referee import Entry, Game, dump_game
from referee.game import Over
from referee.pictures import shown
from service import publisher
from service.live import Growth, LiveGame
from service.models import GameEntry, GameRow
from service.operations import game_log, news
from service.operations.games.deadlines import next_due
from service.operations.games.ending import finish
from service.runtime import Runtime
from service.statements import Prepared
from service.tails import Event, one_line

_ENTRY = Prepared(
    insert(GameEntry).values({name: bindparam(name) for name in ("game_id", "seq", "kind", "entry")})
)
_THIS = col(GameRow.id) == bindparam("game_id")
_DUE = Prepared(update(GameRow).where(_THIS).values(due_at=bindparam("due_at_")))
# A game that has moved on, or holds a message more, is no longer the one that a sweep has claimed.
_HELD = Prepared(update(GameRow).where(_THIS).values(due_at=bindparam("due_at_"), claimed_until=0))
_GROWN = Prepared(
    update(GameRow)
    .where(_THIS)
    .values(
        seq=bindparam("seq_"),
        head=bindparam("head_"),
        snapshot=bindparam("snapshot_"),
        due_at=bindparam("due_at_"),
        claimed_until=0,
    )
)


def save(
    house: Runtime,
    session: Session,
    live: LiveGame,
    before: Game | None,
    fold: Game,
    entries: Sequence[Entry],
) -> None:
    """Store the fold with its new entries, and when the house must act next.

    `before` is the fold without them. Without entries a message was held beside the record, of which
    nobody is told.
    """
    if not entries:
        due_at = next_due(house, session, fold, live.seats)
        _HELD.run(session, {"game_id": live.id, "due_at_": due_at})
        return
    written = tuple(Event(entry.seq, entry.kind, one_line(entry.json())) for entry in entries)
    _ENTRY.run_many(
        session,
        [{"game_id": live.id, "seq": entry.id, "kind": entry.name, "entry": entry.data} for entry in written],
    )
    grown = {
        "game_id": live.id,
        "seq_": fold.seq,
        "head_": b64(fold.digest),
        "snapshot_": json.dumps(dump_game(fold)),
        "due_at_": next_due(house, session, fold, live.seats),
    }
    _GROWN.run(session, grown)
    game_log.wrote(session, fold, entries)
    house.tell(session, live.id, Growth(live.id, fold.seq, written, fold.over, live, fold))
    if isinstance(fold.phase, Over):
        finish(house, session, fold, fold.phase.outcome)
    news.of_game(house, session, before, fold, entries, live.seats)
    # Who paints what was served is told after the commit: by then everybody may know it.
    if house.settings.picture_url and any(each.picture.dish for each in shown(fold.header, entries)):
        house.wake(session, publisher.DISHES, live.id)


def reschedule(house: Runtime, session: Session, live: LiveGame, fold: Game) -> None:
    """Store when the house must act next."""
    due_at = next_due(house, session, fold, live.seats)
    _DUE.run(session, {"game_id": live.id, "due_at_": due_at})
