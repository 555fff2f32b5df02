"""Reading games: their rows, seats and folds, and the messages that wait beside a record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from crypto.encoding import b64
from referee import (
    Asking,
    Entry,
    Game,
    Keeper,
    Message,
    Refused,
    load_game,
    read_entry,
    read_header,
    read_message,
    resume,
    was_away,
)
from referee.header import Header
from service.keys import Keys
from service.live import LiveGame, Sitter
from service.models import Absence, BotNote, GameEntry, GameRow, GameSeat, Presence, Submission
from service.operations import presence
from service.operations.presence import Attendance
from service.problems import conflict, not_found
from service.runtime import Runtime
from service.statements import Prepared, text_of

LARGEST_STEP = 2**31 - 1
"""The largest step that a column holds. No game comes so far."""

_headers: dict[str, Header] = {}
"""The headers of recent games. They never change, and their card texts take long to read."""
_MOST_HEADERS = 256


@lru_cache(maxsize=128)
def keeper(keys: Keys, game_id: str) -> Keeper:
    """A generation's secrets for a game. A chain costs a thousand hashes at its first use, so it is kept."""
    return Keeper(keys.signing_key, keys.chain(game_id), keys.party_secret(game_id))


def keeper_of(house: Runtime, fold: Game) -> Keeper:
    """The house's secrets for a game, from the generation of keys that its first entry names."""
    return keeper(house.keys_of(fold.header.house_key), fold.header.game)


def header_of(session: Session, game_id: str) -> Header:
    """The header of a game that exists."""
    found = _headers.get(game_id)
    if found is None:
        found = read_header(read_entry(session.get_one(GameEntry, (game_id, 0)).entry))
        if len(_headers) >= _MOST_HEADERS:
            _headers.clear()
        _headers[game_id] = found
    return found


def row_of(session: Session, game_id: str, *, lock: bool = False) -> GameRow:
    """The row of a game, locked if `lock` is set. Raises `Problem` 404."""
    statement = select(GameRow).where(GameRow.id == game_id)
    if lock:
        statement = statement.with_for_update()
    row = session.exec(statement).first()
    if row is None:
        raise not_found("game")
    return row


def seats_of(session: Session, game_id: str) -> list[GameSeat]:
    """The seats of a game, in order."""
    statement = select(GameSeat).where(GameSeat.game_id == game_id).order_by(col(GameSeat.seat))
    return list(session.exec(statement))


def seat_of(session: Session, game_id: str, player_id: str) -> int | None:
    """The number of a player's seat; None for a player who has none."""
    statement = select(GameSeat).where(GameSeat.game_id == game_id, GameSeat.player_id == player_id)
    found = session.exec(statement).first()
    return None if found is None else found.seat


def fold_of(session: Session, row: GameRow) -> Game:
    """The game as the house knows it, loaded from the row's snapshot."""
    return load_game(row.snapshot, header_of(session, row.id))


def require_not_stopped(game: GameRow | LiveGame | GameStanding) -> None:
    """Raise `Problem` 409 for a game that has ended without a result."""
    if game.stopped:
        text = "This game was stopped without a result, because the house was restored to an earlier moment."
        raise conflict("game_stopped", text)


def note_of(session: Session, game_id: str, seat: int) -> Mapping[str, Any] | None:
    """Read what a bot has to remember at a seat; None if there is nothing."""
    found = session.get(BotNote, (game_id, seat))
    return None if found is None else found.note


# This process's knowledge of a game, and the game's state in the database

_GAME = Prepared(
    sa.select(
        col(GameRow.private),
        col(GameRow.spectators),
        col(GameRow.ended_at),
        text_of(GameRow.outcome),
        col(GameRow.seq),
        text_of(GameRow.snapshot),
    ).where(col(GameRow.id) == bindparam("game_id"))
)
_SITTERS = Prepared(
    sa.select(col(GameSeat.seat), col(GameSeat.player_id), col(GameSeat.bot))
    .where(col(GameSeat.game_id) == bindparam("game_id"))
    .order_by(col(GameSeat.seat))
)
_STANDING = (
    sa.select(
        col(GameRow.seq),
        col(GameRow.head),
        col(GameRow.ended_at),
        text_of(GameRow.outcome),
        col(Submission.digest),
        col(Submission.signature),
        col(Submission.at),
        col(Submission.seq),
        sa.select(col(Presence.at)).scalar_subquery(),
        sa.select(sa.func.max(col(Absence.ended))).scalar_subquery(),
    )
    .join(
        Submission,
        (col(Submission.game_id) == col(GameRow.id))
        & (col(Submission.step) == bindparam("step"))
        & (col(Submission.seat) == bindparam("seat"))
        & (col(Submission.kind) == bindparam("kind")),
        isouter=True,
    )
    .where(col(GameRow.id) == bindparam("game_id"))
)
_LOOK, _LOCK = Prepared(_STANDING), Prepared(_STANDING.with_for_update(of=GameRow))
_SNAPSHOT = Prepared(sa.select(text_of(GameRow.snapshot)).where(col(GameRow.id) == bindparam("game_id")))


@dataclass(frozen=True, slots=True)
class Before:
    """An earlier submission with a message's seat, step and kind."""

    digest: str
    signature: str
    at: int
    seq: int | None


@dataclass(frozen=True, slots=True)
class GameStanding:
    """The state of a game in the database, and what was submitted before in a message's place."""

    seq: int
    head: str | None
    """The digest of entry `seq`; None in a row that is older than this column."""
    stopped: bool
    ended: bool
    before: Before | None
    attendance: Attendance


def standing(
    session: Session, game_id: str, message: Message | None = None, *, lock: bool = False
) -> GameStanding:
    """Read where a game stands, and lock its row if `lock` is set. Raises `Problem` 404."""
    place = {"game_id": game_id, "step": -1, "seat": -1, "kind": ""}
    if message is not None:
        step = min(message.step, LARGEST_STEP)
        place = {"game_id": game_id, "step": step, "seat": message.seat, "kind": message.kind}
    row: Any = (_LOCK if lock else _LOOK).run(session, place).first()
    if row is None:
        raise not_found("game")
    seq, head, ended_at, outcome, digest, signature, at, entered, beat, back = row
    before = None if digest is None else Before(digest, signature, at, entered)
    stopped = ended_at is not None and _none(outcome)
    return GameStanding(seq, head, stopped, ended_at is not None, before, Attendance(beat, back))


def returned(house: Runtime, session: Session, fold: Game, at: GameStanding) -> tuple[Game, list[Entry]]:
    """The game after the absences of the house since its newest entry, and the entries that say so."""
    entries: list[Entry] = []
    if at.attendance.back is not None and at.attendance.back > fold.at:
        for began, ended in presence.since(session, fold.at):
            fold, more = was_away(keeper_of(house, fold), fold, began, ended, ended)
            entries += more
    return fold, entries


def _none(text: str | None) -> bool:
    """True if a JSON column holds nothing, which it may say in two ways."""
    return text in (None, "null")


def live_game(house: Runtime, game_id: str) -> LiveGame:
    """Return what this process knows of a game, with the fold. Raises `Problem` 404.

    The seats and the permissions never change. The rest may lack what other processes have just written,
    and where this process does not hear of them, what they have written since it was read.
    """
    found = house.live.get(game_id)
    if found is None:
        ticket = house.live.ticket()
        with house.read() as session:
            found = _load(session, game_id)
        house.live.put(found, ticket)
    return found


def current(house: Runtime, session: Session, game_id: str) -> Game:
    """The game as it stands in the database, which is loaded only if this process knows another one.

    Raises `Problem` 404.
    """
    live, ticket = house.live.get(game_id), house.live.ticket()
    if live is None:
        live = _load(session, game_id)
        house.live.put(live, ticket)
    return brought_up(house, session, live, standing(session, game_id))[1]


def _load(session: Session, game_id: str) -> LiveGame:
    row: Any = _GAME.run(session, {"game_id": game_id}).first()
    if row is None:
        raise not_found("game")
    private, spectators, ended_at, outcome, seq, snapshot = row
    seats: Any = _SITTERS.run(session, {"game_id": game_id})
    return LiveGame(
        id=game_id,
        seats=tuple(Sitter(*seat) for seat in seats),
        private=bool(private),
        spectators=bool(spectators),
        seq=seq,
        ended=ended_at is not None,
        stopped=ended_at is not None and _none(outcome),
        fold=load_game(json.loads(snapshot), header_of(session, game_id)),
    )


def brought_up(house: Runtime, session: Session, live: LiveGame, at: GameStanding) -> tuple[LiveGame, Game]:
    """The game where it stands in the database, and its fold: as known, caught up, or loaded anew."""
    fold = live.fold
    if (fold.seq, live.seq, b64(fold.digest)) == (at.seq, at.seq, at.head):
        return live, fold
    known = house.live.get(live.id)
    caught_up = None if known is None else _caught_up(house, known, at)
    if known is not None and caught_up is not None:
        return replace(known, fold=caught_up), caught_up
    if known is not None and known.seq >= at.seq:
        house.live.forget(live.id)  # the database was put back to an earlier moment
    (snapshot,) = _SNAPSHOT.run(session, {"game_id": live.id}).one()
    fold = load_game(json.loads(snapshot), header_of(session, live.id))
    return replace(live, seq=at.seq, fold=fold, entries=()), fold


def _caught_up(house: Runtime, known: LiveGame, at: GameStanding) -> Game | None:
    """The fold that this process knows, with the entries that others have told it since."""
    fold = known.fold
    told = known.after(fold.seq) if known.seq == at.seq else None
    if told is None:
        return None
    entries = [read_entry(json.loads(entry.data)) for entry in told]
    try:
        fold = resume(keeper_of(house, fold), fold, entries)
    except Refused:
        return None
    return fold if b64(fold.digest) == at.head else None


# Messages that wait beside a record

_WAITING = sa.select(col(Submission.seat)).where(
    col(Submission.game_id) == bindparam("game_id"),
    col(Submission.step) == bindparam("step"),
    col(Submission.kind) == bindparam("kind"),
    text_of(Submission.waiting) != "null",
)
_WAITING_SEATS = Prepared(_WAITING)
_WAITING_MESSAGES = Prepared(_WAITING.add_columns(text_of(Submission.waiting)))


def waiting_seats(session: Session, fold: Game) -> Set[int]:
    """The seats whose messages wait beside the record until the running step closes."""
    if fold.asking is None or not fold.asking.held:
        return frozenset()
    return frozenset(seat for (seat,) in _WAITING_SEATS.run(session, _place(fold, fold.asking)))


def waiting_of(session: Session, fold: Game) -> dict[int, Message]:
    """The messages that wait beside the record until the running step closes, by seat."""
    if fold.asking is None or not fold.asking.held:
        return {}
    rows: Any = _WAITING_MESSAGES.run(session, _place(fold, fold.asking))
    return {seat: read_message(fold.header.game, json.loads(text)) for seat, text in rows}


def _place(fold: Game, asking: Asking) -> dict[str, Any]:
    return {"game_id": fold.header.game, "step": asking.step, "kind": asking.kind}
