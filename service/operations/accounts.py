"""A whole account: the export of what the house keeps about a player, and its deletion.

What stays after a deletion is what others rest on: signed records with the player's key and the name of that
time, the books, the provenance of copies. `service.operations.personal` says it column by column.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from tempfile import SpooledTemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import delete as delete_rows
from sqlalchemy import select as select_columns
from sqlalchemy import update
from sqlmodel import Session, SQLModel, col, select

from service.models import (
    DeckRow,
    GameRow,
    GameSeat,
    HandleRow,
    Offer,
    Player,
    PlayerReport,
    RatingChange,
    Submission,
    Table,
    TableSeat,
    TournamentEntry,
    Webhook,
)
from service.models.base import metadata
from service.operations import credentials, tables, tokens, tournaments, trades
from service.operations.credentials import Proof
from service.operations.personal import TABLES, About
from service.problems import Problem, conflict
from service.runtime import Runtime

GONE = "~deleted"
"""The handle of every deleted account. Nobody can register it."""
_DAY_MS = 86_400_000
SWEPT_DAYS = 90
"""Days for which a deleted account is looked at again: a game may end, or a request arrive, after it."""
_IN_MEMORY = 4 * 1024 * 1024
_AT_ONCE = 500


def export(house: Runtime, player_id: str) -> IO[bytes]:
    """Everything that the house keeps about a player, as a ZIP archive: a JSON file for each table.

    Left out are the secrets' hashes, and what the house keeps beside a game for itself.
    """
    found = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - whoever sends it closes it
    with ZipFile(found, "w", ZIP_DEFLATED) as archive, house.read() as session:
        about = {"player": player_id, "made_at": datetime.fromtimestamp(house.now() / 1000, UTC).isoformat()}
        archive.writestr("about.json", json.dumps(about, indent=1))
        for model, what in TABLES.items():
            if what.mine is not None:
                with archive.open(f"{model.__tablename__}.json", "w") as file:
                    for part in _listed(session, model, what, player_id):
                        file.write(part.encode())
    found.seek(0)
    return found


def _listed(session: Session, model: type[SQLModel], what: About, player_id: str) -> Iterator[str]:
    """The rows of a table as a JSON array, a row a line."""
    if what.mine is None:
        return
    table = metadata.tables[str(model.__tablename__)]
    left_out = {*what.withheld.split(), *what.house.split()}
    shown = [table.c[name] for name in what.columns if name not in left_out]
    rows = session.execute(
        select_columns(*shown).where(what.mine(player_id)).order_by(*table.primary_key.columns)
    )
    yield "["
    for number, row in enumerate(rows.yield_per(_AT_ONCE)):
        yield (",\n" if number else "\n") + json.dumps(dict(row._mapping), ensure_ascii=False)
    yield "\n]\n"


def delete(house: Runtime, player: Player, proof: Proof, *, abandon: bool = False) -> None:
    """Delete an account for ever.

    The house can't resign for a player, since a resignation is signed. So running games are refused with
    409, and the player's own program resigns first; with `abandon` they go on, and the player loses them by
    the clock. Raises `Problem` 401, 403 and 429 for a bad proof.
    """
    confirm = credentials.check(house, player, "deletion", proof)
    with house.write() as session:
        row = confirm(session)
        running = running_games(session, player.id)
        if running and not abandon:
            text = "Resign from your running games first, or abandon them: then you lose them by the clock."
            raise conflict("games_running", text, games=running)
        tokens.end_all(house, session, row.id)
        row.handle, row.folded, row.password = GONE, f"~{row.id[:23]}", ""
        row.deleted_at = house.now()
        session.add(row)
    clear(house, row)


def running_games(session: Session, player_id: str) -> list[str]:
    """The ids of the games that run and from which the player has not resigned, the oldest first."""
    at = (Submission.game_id == GameSeat.game_id, Submission.seat == GameSeat.seat)
    resigned = select(Submission.seat).where(*at, Submission.kind == "resign").exists()
    query = (
        select(GameRow.id)
        .join(GameSeat, col(GameSeat.game_id) == col(GameRow.id))
        .where(GameSeat.player_id == player_id, col(GameRow.ended_at).is_(None), ~resigned)
        .order_by(col(GameRow.created_at), col(GameRow.id))
    )
    return list(session.exec(query))


def clear(house: Runtime, player: Player) -> None:
    """Close what a deleted account has open, and delete its rows. It does no harm to do it again."""
    _close_offers(house, player)
    _leave_tables(house, player)
    tournaments.leave_all(house, player)
    with house.write() as session:
        # As removing a webhook does: an event for one is either committed before, or finds it gone.
        mine = select(Webhook.id).where(Webhook.player_id == player.id).order_by(col(Webhook.id))
        session.exec(mine.with_for_update()).all()
        decks = select(DeckRow.id).where(DeckRow.owner_id == player.id)
        others = update(DeckRow).where(col(DeckRow.origin_id).in_(decks))
        session.execute(others.values(origin_id=None, origin_revision=None))
        told = update(PlayerReport).where(col(PlayerReport.deck_id).in_(decks))
        session.execute(told.values(deck_id=None))
        session.execute(
            update(HandleRow)
            .where(col(HandleRow.player_id) == player.id)
            .values(handle=None, left_at=player.deleted_at)
        )
        for noted in (TableSeat, GameSeat, TournamentEntry, RatingChange):  # the deck lists go, too
            session.execute(update(noted).where(col(noted.player_id) == player.id).values(deck_id=None))
        models = {str(model.__tablename__): model for model in TABLES}
        for table in reversed(metadata.sorted_tables):  # rows before what they refer to
            what = TABLES[models[table.name]]
            if what.goes and what.mine is not None:
                session.execute(delete_rows(models[table.name]).where(what.mine(player.id)))


def clear_late(house: Runtime, now: int) -> int:
    """Clear the accounts again that were deleted in the last `SWEPT_DAYS` days; returns how many."""
    lately = (col(Player.deleted_at).is_not(None), col(Player.deleted_at) > now - SWEPT_DAYS * _DAY_MS)
    with house.read() as session:
        left = session.exec(select(Player).where(*lately).order_by(col(Player.deleted_at))).all()
    for player in left:
        clear(house, player)
    return len(left)


def _close_offers(house: Runtime, player: Player) -> None:
    """Withdraw the player's open offers, and decline those to the player alone."""
    with house.read() as session:
        query = select(Offer.id, Offer.maker_id).where(Offer.state == "open").order_by(col(Offer.id))
        mine = list(session.exec(query.where(Offer.maker_id == player.id)))
        to_me = list(session.exec(query.where(Offer.for_id == player.id)))
    for close, offers in ((trades.withdraw, mine), (trades.decline, to_me)):
        for offer_id, _ in offers:
            try:
                close(house, player, offer_id)
            except Problem as problem:  # it was accepted meanwhile, or has expired
                if problem.status not in (404, 409):
                    raise


def _leave_tables(house: Runtime, player: Player) -> None:
    """Cancel the open tables that the player has opened, and leave the others."""
    with house.read() as session:
        seats = select(TableSeat.table_id).where(TableSeat.player_id == player.id)
        query = select(Table.id, Table.opened_by).where(Table.state == "open", col(Table.id).in_(seats))
        found = list(session.exec(query.order_by(col(Table.id))))
    for table_id, opener in found:
        try:
            (tables.cancel if opener == player.id else tables.leave)(house, player, table_id)
        except Problem as problem:  # its game has begun meanwhile, or somebody has cancelled it
            if problem.status not in (403, 404, 409):
                raise
