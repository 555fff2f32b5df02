"""The counts of served dishes, counted again from the records: see `service.operations.favourites`."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, delete, select

from cards.games import find as find_mode
from cards.games import names as mode_names
from referee.pictures import draws
from service.models import GameRow, GameSeat, Player, TimesServed
from service.operations import holds, watching
from service.operations.favourites import served
from service.operations.games.rows import seats_of
from service.runtime import Runtime

AT_ONCE = 200
"""Games that are read at once."""
Counts = dict[tuple[str, str], tuple[int, int]]
"""By player and dish: how often it was served, and the end of the newest game."""


def _drawn() -> list[str]:
    """The modes that draw what was served."""
    return [name for name in mode_names() if draws(find_mode(name))]


def _count(session: Session, games: Iterable[GameRow], into: Counts) -> None:
    for row in games:
        players = {seat.seat: seat.player_id for seat in seats_of(session, row.id)}
        for key, times in served(players, watching.pictures(session, row.id)).items():
            before, at = into.get(key, (0, 0))
            into[key] = before + times, max(at, row.ended_at or 0)


def check(house: Runtime) -> dict[str, set[str]]:
    """Find the dishes whose counts are not what the records say, by player. Nothing is changed."""
    counted: Counts = {}
    last = ""
    with house.read() as session:
        while True:
            batch = session.exec(
                select(GameRow)
                .where(col(GameRow.mode).in_(_drawn()), GameRow.id > last, col(GameRow.ended_at).is_not(None))
                .order_by(col(GameRow.id))
                .limit(AT_ONCE)
            ).all()
            _count(session, (row for row in batch if not row.stopped), counted)
            if len(batch) < AT_ONCE:
                break
            last = batch[-1].id
        gone = set(session.exec(select(Player.id).where(col(Player.deleted_at).is_not(None))))
        stored = _stored(session.exec(select(TimesServed)))
    found: dict[str, set[str]] = {}
    for key in counted.keys() | stored.keys():
        if key[0] not in gone and counted.get(key) != stored.get(key):
            found.setdefault(key[0], set()).add(key[1])
    return found


def rewrite(house: Runtime) -> dict[str, set[str]]:
    """Count anew the dishes of the players whose counts are wrong; returns as `check` what was wrong."""
    found = check(house)
    for player_id in sorted(found):
        _rewrite(house, player_id)
    return found


def _rewrite(house: Runtime, player_id: str) -> None:
    """Count a player's dishes anew. The player is locked, so that no game with their cards ends meanwhile."""
    with house.write() as session:
        holds.lock_players(session, [player_id])
        mine = (
            select(GameRow)
            .join(GameSeat, col(GameSeat.game_id) == col(GameRow.id))
            .where(GameSeat.player_id == player_id, col(GameRow.ended_at).is_not(None))
        )
        mine = mine.where(col(GameRow.mode).in_(_drawn()))
        counted: Counts = {}
        _count(session, (row for row in session.exec(mine).all() if not row.stopped), counted)
        session.execute(delete(TimesServed).where(col(TimesServed.player_id) == player_id))
        session.add_all(
            TimesServed(player_id=player, dish=dish, times=times, at=at)
            for (player, dish), (times, at) in sorted(counted.items())
            if player == player_id
        )


def _stored(rows: Iterable[TimesServed]) -> Counts:
    return {(row.player_id, row.dish): (row.times, row.at) for row in rows}
