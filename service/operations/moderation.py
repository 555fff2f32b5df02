"""Moderation: what admins, moderators and the operator do about players, decks and tables.

Each act stands in the log (`acts`), with its author and the reason. Nobody acts upon a player of the same
or a higher role. `by` is the player who acts, or None for the operator at the command line.

Locks are taken in one order: tables by id, players, the end of the log.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, or_, select

from crypto.encoding import timestamp
from service.models import DeckRow, GameRow, GameSeat, Offer, Player, Sanction, Table, TableSeat
from service.operations import acts, feed, naming, news, players, roles, sanctions, seating, tokens
from service.operations.roles import Officer
from service.operations.sanctions import FROZEN, SUSPENDED
from service.problems import Fault, conflict, invalid, not_found
from service.runtime import Runtime

LONGEST_REASON = 300
HOURS = (1, 10 * 366 * 24)
"""The fewest and the most hours of a sanction with an end."""
_HOUR_MS = 3_600_000
_IMPOSED = {SUSPENDED: "suspended", FROZEN: "trades_frozen"}
_LIFTED = {SUSPENDED: "suspension_lifted", FROZEN: "trades_thawed"}


class _SatDownMeanwhile(Exception):
    """The player has taken a seat after the tables were locked."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a moderator needs to know of a player."""

    player: Player
    role: str | None
    sanctions: list[Sanction]
    tokens: int
    """Access tokens that work."""
    running_games: int
    open_tables: int
    """Tables at which the player waits for others."""
    open_offers: int


def acting(session: Session, by: Player | None) -> Officer:
    """The one who acts. Raises `Problem` 403 for a player without a role."""
    return roles.OPERATOR if by is None else roles.officer(session, by)


def profile(session: Session, by: Player | None, handle: str, now: int) -> Profile:
    """What the house knows of a player that matters for order. Raises `Problem` 403, 404."""
    acting(session, by)
    player = players.find(session, handle, now)
    running = (
        select(func.count())
        .select_from(GameSeat)
        .join(GameRow, col(GameRow.id) == col(GameSeat.game_id))
        .where(GameSeat.player_id == player.id, col(GameRow.ended_at).is_(None))
    )
    offers = select(func.count()).select_from(Offer).where(Offer.maker_id == player.id, Offer.state == "open")
    return Profile(
        player=player,
        role=roles.role_of(session, player.id),
        sanctions=sanctions.of_player(session, player.id, now),
        tokens=len(tokens.of_player(session, player.id, now)),
        running_games=session.exec(running).one(),
        open_tables=len(_open_tables(session, player.id)),
        open_offers=session.exec(offers).one(),
    )


def impose(
    house: Runtime, by: Player | None, handle: str, kind: str, *, reason: str, hours: int | None
) -> Sanction:
    """Suspend a player, or freeze their trades, for so many hours or until it is lifted.

    A sanction of the same kind is replaced. A suspended player loses the seats at tables that have not begun;
    tables that they opened are cancelled. Raises `Problem` 403, 404; 422 for the reason or the hours.
    """
    _require_reason(reason)
    if hours is not None and not HOURS[0] <= hours <= HOURS[1]:
        text = f"A sanction stands from {HOURS[0]} to {HOURS[1]} hours."
        raise invalid("bad_hours", text, [Fault("bad_hours", text, "/hours")])
    while True:
        try:
            return _impose(house, by, handle, kind, reason, hours)
        except _SatDownMeanwhile:  # another table must be locked before the player
            continue


def _impose(
    house: Runtime, by: Player | None, handle: str, kind: str, reason: str, hours: int | None
) -> Sanction:
    with house.write() as session:
        who, player = acting(session, by), players.find(session, handle, house.now())
        tables = _open_tables(session, player.id, lock=True) if kind == SUSPENDED else []
        roles.below(session, who, handle, house.now())  # locks the player
        if kind == SUSPENDED and len(_open_tables(session, player.id)) > len(tables):
            raise _SatDownMeanwhile
        now = house.now()
        until = None if hours is None else now + hours * _HOUR_MS
        row = session.get(Sanction, (player.id, kind))
        if row is None:
            row = Sanction(player_id=player.id, kind=kind, reason=reason, since=now, until=until)
            session.add(row)
        else:
            row.reason, row.since, row.until = reason, now, until
        for table in tables:
            _clear(house, session, table, player.id)
        end = None if until is None else timestamp(until)
        acts.enter(session, who.id, _IMPOSED[kind], ("player", player.id), now, reason=reason, until=end)
        feed.add(house, session, [player.id], "sanction.imposed", kind=kind, reason=reason, until=end)
        return row


def lift(house: Runtime, by: Player | None, handle: str, kind: str) -> None:
    """Lift a sanction before its end. Idempotent. Raises `Problem` 403, 404."""
    with house.write() as session:
        who = acting(session, by)
        player = roles.below(session, who, handle, house.now())
        row = session.get(Sanction, (player.id, kind))
        if row is None:
            return
        now = house.now()
        if row.until is None or row.until > now:
            acts.enter(session, who.id, _LIFTED[kind], ("player", player.id), now)
            feed.add(house, session, [player.id], "sanction.lifted", kind=kind)
        session.delete(row)


def revoke_tokens(house: Runtime, by: Player | None, handle: str, reason: str) -> int:
    """Revoke all access tokens of a player, who must sign in anew; returns how many.

    Raises `Problem` 403, 404; 422 for the reason.
    """
    _require_reason(reason)
    with house.write() as session:
        who = acting(session, by)
        player = roles.below(session, who, handle, house.now())
        gone = tokens.end_all(house, session, player.id)
        acts.enter(
            session,
            who.id,
            "tokens_revoked",
            ("player", player.id),
            house.now(),
            reason=reason,
            tokens=gone,
        )
        return gone


def rename(house: Runtime, by: Player | None, handle: str, new: str, reason: str) -> Player:
    """Give a player another handle, whenever the last change was. The former one is shown nowhere.

    Games keep the name under which they began. Raises `Problem` 403, 404, 409; 422 for the handle or the
    reason.
    """
    _require_reason(reason)
    naming.require_good(new)
    try:
        with house.write() as session:
            who = acting(session, by)
            player = roles.below(session, who, handle, house.now())
            former, now = player.handle, house.now()
            naming.impose(house, session, player, new)
            tables = [table.id for table in _open_tables(session, player.id)]
            seats = (col(TableSeat.player_id) == player.id, col(TableSeat.table_id).in_(tables))
            session.execute(update(TableSeat).where(*seats).values(name=new))
            said = {"reason": reason, "former": former, "handle": new}
            acts.enter(session, who.id, "renamed", ("player", player.id), now, **said)
            feed.add(house, session, [player.id], "player.renamed", handle=new, reason=reason)
            return player
    except IntegrityError:  # another request was quicker
        raise conflict("handle_taken", "Another player has that handle.") from None


def hide_deck(house: Runtime, by: Player | None, deck_id: str, hidden: bool, reason: str) -> None:
    """Hide a deck's name, notes and tags from everybody but its owner, or show them again. Idempotent.

    Raises `Problem` 403, 404; 422 for the reason.
    """
    _require_reason(reason)
    with house.write() as session:
        who = acting(session, by)
        deck = session.exec(select(DeckRow).where(DeckRow.id == deck_id).with_for_update()).first()
        if deck is None or deck.deleted_at is not None:
            raise not_found("deck")
        roles.require_below(session, who, deck.owner_id)
        if deck.name_hidden != hidden:
            deck.name_hidden = hidden
            kind = "deck_hidden" if hidden else "deck_shown"
            acts.enter(session, who.id, kind, ("deck", deck_id), house.now(), reason=reason)


def hide_table(house: Runtime, by: Player | None, table_id: str, hidden: bool, reason: str) -> None:
    """Take a table, and its game, out of the lists for everybody, or put it back. Idempotent.

    Raises `Problem` 403, 404; 422 for the reason.
    """
    _require_reason(reason)
    with house.write() as session:
        who = acting(session, by)
        table = seating.locked(session, table_id)
        roles.require_below(session, who, table.opened_by)
        if table.hidden != hidden:
            table.hidden = hidden
            kind = "table_hidden" if hidden else "table_shown"
            acts.enter(session, who.id, kind, ("table", table_id), house.now(), reason=reason)


def _require_reason(reason: str) -> None:
    if not (1 <= len(reason) <= LONGEST_REASON and reason.isprintable()):
        text = f"A reason has 1 to {LONGEST_REASON} visible characters."
        raise invalid("bad_reason", text, [Fault("bad_reason", text, "/reason")])


def _open_tables(session: Session, player_id: str, *, lock: bool = False) -> list[Table]:
    """The open tables at which a player sits, by id; locked if asked for."""
    here = select(TableSeat.table_id).where(TableSeat.player_id == player_id)
    mine = or_(col(Table.id).in_(here), col(Table.opened_by) == player_id)
    query = select(Table).where(Table.state == "open", mine).order_by(col(Table.id))
    return list(session.exec(query.with_for_update() if lock else query))


def _clear(house: Runtime, session: Session, table: Table, player_id: str) -> None:
    """Take a player from an open table, and close it if they have opened it."""
    seats = seating.seats_of(session, table)
    if table.opened_by == player_id:
        table.state = "cancelled"
        news.of_table(house, session, table, "table.cancelled", seats)
        return
    for seat in seats:
        if seat is not None and seat.player_id == player_id:
            session.delete(seat)
            news.of_table(house, session, table, "table.left", seats, seat)
