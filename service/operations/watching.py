"""Views of games for seats and spectators, records, and lists of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from referee import Game, read_entry, read_header, view
from referee.faces import by_deal, write_faces
from referee.pictures import Shown, shown
from service.live import LiveGame
from service.models import GameEntry, GameRow, GameSeat, Table
from service.operations.games import fold_of, header_of, live_game, row_of, seat_of, standing
from service.problems import forbidden, not_found, unauthorized
from service.runtime import Runtime
from service.statements import Prepared, text_of
from service.tails import Event

MOST_ENTRIES = 200
"""The most entries in one answer."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list, with the seat of the player who asks and the names at the seats."""

    game: GameRow
    seat: int | None
    names: Sequence[str]


def visible(session: Session, game_id: str, player_id: str | None) -> tuple[GameRow, int | None]:
    """A game that the player may see, and the player's seat.

    Its players may see a running game; everybody may if its table admits spectators. Everybody who has the id
    may see a game that is over. Raises `Problem` 401 or 403, and 404 also for the running game of a private
    table without spectators, so that a stranger does not learn of it.
    """
    row = row_of(session, game_id)
    seat = None if player_id is None else seat_of(session, game_id, player_id)
    if seat is not None or row.spectators or row.ended_at is not None:
        return row, seat
    if row.private:
        raise not_found("game")
    if player_id is None:
        raise unauthorized("not_signed_in", "Only its players may see this game while it runs: sign in.")
    raise forbidden("not_your_game", "Only its players may see this game while it runs.")


def known(house: Runtime, game_id: str, player_id: str | None) -> LiveGame:
    """A game that the player may see, as this process knows it. Raises `Problem` as `visible` does.

    The database is looked at only by a process that does not hear of every commit, and before a refusal.
    """
    game = live_game(house, game_id)
    if not house.hears_all:
        with house.read() as session:
            at = standing(session, game_id)
        game = replace(game, seq=max(game.seq, at.seq), ended=at.ended, stopped=at.stopped)
    if game.seat_of(player_id) is None and not game.spectators and not game.ended:
        with house.read() as session:
            visible(session, game_id, player_id)
    return game


def seen(session: Session, game_id: str, player_id: str | None) -> dict[str, Any]:
    """The game as this player sees it."""
    row, seat = visible(session, game_id, player_id)
    game = fold_of(session, row)
    return {**view(game, seat), "spectators": row.spectators, **_deck(session, game, seat)}


def _deck(session: Session, game: Game, seat: int | None) -> dict[str, Any]:
    """The deck with which a seat sat down, and its list; None for spectators, and with the house's pack.

    The cards are kept until the game is over, and the list's id for rematches.
    """
    row = None if seat is None else session.get(GameSeat, (game.header.game, seat))
    if row is None:
        return {"deck": None, "deck_id": None}
    cards = None
    if row.cards is not None:
        cards = {game.header.cards[int(number)].slug: copies for number, copies in row.cards.items()}
    return {"deck": cards, "deck_id": row.deck_id}


def grown(house: Runtime, session: Session, game_id: str, after: int) -> bool:
    """Tell whether a game has an entry past `after`. The database is asked only where it may know more."""
    game = house.live.get(game_id) if house.hears_all else None
    if game is not None and (game.seq > after or house.database.is_sqlite):
        return game.seq > after
    return session.exec(select(GameRow.seq).where(GameRow.id == game_id)).one() > after


_ENTRIES = Prepared(
    sa.select(col(GameEntry.seq), col(GameEntry.kind), text_of(GameEntry.entry))
    .where(col(GameEntry.game_id) == sa.bindparam("game_id"), col(GameEntry.seq) > sa.bindparam("after"))
    .order_by(col(GameEntry.seq))
    .limit(sa.bindparam("most"))
)


def entries_after(house: Runtime, game_id: str, after: int, most: int) -> Sequence[Event]:
    """At most `most` entries of a record after seq `after`, in order; who may see them was checked.

    The newest come from what this process knows. Where it knows of none, it looks at the database, unless
    no other process can have written one.
    """
    game = house.live.get(game_id) if house.hears_all else None
    found = None if game is None else game.after(after)
    if found or (found is not None and house.database.is_sqlite):
        return found[:most]
    with house.read() as session:
        rows: Any = _ENTRIES.run(session, {"game_id": game_id, "after": after, "most": most})
        read = [Event(*row) for row in rows]
    if house.hears_all:
        house.live.fill(game_id, read)
    return read


def whole_record(session: Session, game_id: str) -> list[dict[str, Any]]:
    """All entries of a record."""
    statement = select(GameEntry).where(GameEntry.game_id == game_id).order_by(col(GameEntry.seq))
    return [row.entry for row in session.exec(statement)]


def rounds(session: Session, game_id: str) -> list[dict[str, Any]]:
    """The accounts of a game in order: the result of every round, line by line and in the mode's sections."""
    header = header_of(session, game_id)

    def told(body: dict[str, Any]) -> dict[str, Any]:
        sections = header.mode.sections(body["lines"], header.cards)
        return {**body, "sections": [section.json() for section in sections]}

    statement = (
        select(GameEntry)
        .where(GameEntry.game_id == game_id, GameEntry.kind == "account")
        .order_by(col(GameEntry.seq))
    )
    return [
        {**{name: row.entry[name] for name in ("seq", "at", "step")}, **told(row.entry["body"])}
        for row in session.exec(statement)
    ]


def pictures(session: Session, game_id: str) -> list[Shown]:
    """The contents of the accounts of a game, ready to draw; see `referee.pictures`."""
    kinds = ("open", "account")
    statement = (
        select(GameEntry)
        .where(GameEntry.game_id == game_id, col(GameEntry.kind).in_(kinds))
        .order_by(col(GameEntry.seq))
    )
    first, *accounts = [read_entry(row.entry) for row in session.exec(statement)]
    return list(shown(read_header(first), accounts))


def faces(house: Runtime, session: Session, game_id: str, player_id: str) -> list[dict[str, Any]]:
    """A seat's own cards of the deals that are still secret, signed by the house (protocol section 7).

    There is one statement for each such deal that gave the seat a card.
    """
    row, seat = visible(session, game_id, player_id)
    fold: Game = fold_of(session, row)
    if seat is None or not fold.unshown:
        return []
    own = fold.rules.sees(fold.state, seat) - fold.rules.sees(fold.state, None)
    known = {position: fold.state.faces[position] for position in own}
    private = house.keys_of(fold.header.house_key).signing_key
    return [write_faces(private, game_id, deal, seat, told) for deal, told in by_deal(fold, known).items()]


def games_of(
    session: Session, player_id: str, *, over: bool | None, before: tuple[int, str] | None, limit: int
) -> list[ListedGame]:
    """A player's running, ended or all games, newest first, from the first before (created_at, id)."""
    statement = (
        select(GameRow, GameSeat)
        .where(col(GameSeat.game_id) == col(GameRow.id), GameSeat.player_id == player_id)
        .order_by(col(GameRow.created_at).desc(), col(GameRow.id).desc())
        .limit(limit)
    )
    if over is not None:
        ended = col(GameRow.ended_at)
        statement = statement.where(ended.is_not(None) if over else ended.is_(None))
    if before is not None:
        statement = statement.where(_older(before))
    found = list(session.exec(statement))
    names = _names(session, [row.id for row, _ in found])
    return [ListedGame(row, seat.seat, names[row.id]) for row, seat in found]


def live(
    session: Session, *, mode: str | None, before: tuple[int, str] | None, limit: int
) -> list[ListedGame]:
    """Running games that everybody may watch, newest first, from the first before (created_at, id).

    Games of private and of hidden tables are left out: whoever may watch one has its id from its players.
    """
    statement = select(GameRow).where(
        col(GameRow.spectators).is_(True),
        col(GameRow.private).is_(False),
        col(GameRow.ended_at).is_(None),
        ~sa.exists().where(col(Table.game_id) == col(GameRow.id), col(Table.hidden)),
    )
    statement = statement.order_by(col(GameRow.created_at).desc(), col(GameRow.id).desc()).limit(limit)
    if mode is not None:
        statement = statement.where(GameRow.mode == mode)
    if before is not None:
        statement = statement.where(_older(before))
    found = list(session.exec(statement))
    names = _names(session, [row.id for row in found])
    return [ListedGame(row, None, names[row.id]) for row in found]


def _older(before: tuple[int, str]) -> ColumnElement[bool]:
    at, game_id = before
    return (col(GameRow.created_at) < at) | ((col(GameRow.created_at) == at) & (col(GameRow.id) < game_id))


def _names(session: Session, game_ids: Sequence[str]) -> dict[str, list[str]]:
    """The names at the seats of these games, in order."""
    names: dict[str, list[str]] = {game_id: [] for game_id in game_ids}
    seats = select(GameSeat).where(col(GameSeat.game_id).in_(names)).order_by(col(GameSeat.seat))
    for seat in session.exec(seats):
        names[seat.game_id].append(seat.name)
    return names
