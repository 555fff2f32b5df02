"""Tables: open, find, join, leave and cancel them. The last seat that is taken begins the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import exists
from sqlmodel import Session, col, or_, select

from cards.decks import formats
from cards.decks.deck_lists import DeckList
from cards.decks.formats import Format
from cards.games.contract import LONGEST_CLOCK, Mode
from referee import Refused, all_options, table_options
from referee.header import most_seats
from service.models import GameSeat, Player, Table, TableSeat
from service.operations import blocks, invitations, news, paces
from service.operations.holds import DeckGone
from service.operations.seating import (
    ListedTable,
    begin_if_full,
    close_for_want_of_a_deck,
    listed,
    listed_all,
    locked,
    mode_of,
    new_table,
    oldest_open,
    players_at,
    require_known,
    require_open,
    seat_bot,
    seats_of,
    sit_down,
    take_seat,
)
from service.problems import Fault, conflict, forbidden, invalid, not_found
from service.runtime import Bots, Runtime


def open_table(
    house: Runtime,
    player: Player,
    *,
    mode: str,
    options: Mapping[str, Any],
    pace: str = "usual",
    seats: int | None,
    deck: str | None,
    bots: Sequence[str],
    private: bool = False,
    spectators: bool | None = None,
    format: str | None = None,
    rated: bool = False,
) -> ListedTable:
    """Open a table. The player takes the first seat and the house's bots the next ones.

    If that fills the table, the game begins at once. Then nobody else waits for the player, and every clock
    that is not asked for is the longest. `pace` names the clocks (`paces.PACES`); `options` that are given
    count before it. A private table has an invitation code, and nobody may watch its game unless `spectators`
    says so. With `format` every deck must keep that format. A `rated` game is for two people or more, without
    bots. Raises `Problem` for a bad mode, option, number of seats, bot, format or deck.
    """
    rules = mode_of(mode)
    count = _count(rules, options, seats, len(bots))
    bots = _named(house, rules, bots)
    if rated:
        require_rateable(count, len(bots))
    clocks = {**({} if count > len(bots) + 1 else _patient(rules)), **paces.options_of(rules, pace)}
    complete = complete_options(rules, {**clocks, **options})
    by = format_named(house, rules, format)
    decks = _bot_decks(house, rules, by) if bots else []
    code = invitations.new_code() if private else None
    with house.write() as session:
        table = new_table(
            house,
            session,
            player,
            mode=mode,
            options=complete,
            seats=count,
            private=private,
            spectators=not private if spectators is None else spectators,
            format=format,
            rated=rated,
            invitation=code,
            invitation_digest=None if code is None else invitations.digest(code),
        )
        take_seat(house, session, table, player, 0, deck)
        for number, bot in enumerate(bots, start=1):
            seat_bot(session, table, bot, number, decks[number % len(decks)] if decks else None)
        return begin_if_full(house, session, table, player)


def join(
    house: Runtime, player: Player, table_id: str, deck: str | None, invitation: str | None = None
) -> ListedTable:
    """Take the player's kept seat, else the first free one.

    Raises `Problem` 404, also for a private table without its code; 409 if no seat is free; 422 for the
    deck.
    """
    try:
        with house.write() as session:
            table = locked(session, table_id)
            require_known(session, table, player.id, invitation)
            return sit_down(house, session, table, player, deck)
    except DeckGone as gone:
        if gone.player_id == player.id:
            raise
        raise close_for_want_of_a_deck(house, table_id) from None


def leave(house: Runtime, player: Player, table_id: str) -> ListedTable:
    """Leave a table that has not begun. Its opener cancels it instead. Raises `Problem` 404, 409."""
    with house.write() as session:
        table = locked(session, table_id)
        require_known(session, table, player.id)
        require_open(house, table)
        if table.opened_by == player.id:
            raise conflict("opener_stays", "You opened this table: cancel it instead.")
        seats = seats_of(session, table)
        seat = next((s for s in seats if s is not None and s.player_id == player.id), None)
        if seat is None:
            raise conflict("not_seated", "You do not sit at this table.")
        session.delete(seat)
        session.flush()
        news.of_table(house, session, table, "table.left", seats, seat)
        return listed(house, session, table, player.id)


def cancel(house: Runtime, player: Player, table_id: str) -> None:
    """Cancel a table that has not begun. Only its opener may. Raises `Problem` 403, 404, 409."""
    with house.write() as session:
        table = locked(session, table_id)
        require_known(session, table, player.id)
        require_open(house, table)
        if table.opened_by != player.id:
            raise forbidden("not_your_table", "Only the player who opened a table can cancel it.")
        table.state = "cancelled"
        session.add(table)
        others = [s for s in seats_of(session, table) if s is not None and s.player_id != player.id]
        news.of_table(house, session, table, "table.cancelled", others)


def expire(house: Runtime, now: int) -> int:
    """Close the open tables that have expired at `now`, in milliseconds since 1970; returns how many.

    Even before this, an expired table is refused and left out of lists.
    """
    with house.write() as session:
        late = select(Table).where(Table.state == "open", Table.created_at < oldest_open(house, now))
        rows = session.exec(late.order_by(col(Table.id)).with_for_update(skip_locked=True)).all()
        for table in rows:
            table.state = "expired"
            session.add(table)
            news.of_table(house, session, table, "table.expired", seats_of(session, table))
        return len(rows)


def find(house: Runtime, session: Session, table_id: str, player_id: str) -> ListedTable:
    """A table that this player may see. Raises `Problem` 404."""
    table = session.get(Table, table_id)
    if table is None:
        raise not_found("table")
    require_known(session, table, player_id)
    return listed(house, session, table, player_id)


def invited(house: Runtime, session: Session, code: str, player_id: str) -> ListedTable:
    """The table with this invitation code, however the code is written. Raises `Problem` 404."""
    digest = invitations.digest_of(code)
    table = session.exec(select(Table).where(Table.invitation_digest == digest)).first() if digest else None
    if table is None or blocks.kept_away(session, player_id, players_at(seats_of(session, table))):
        raise not_found("invitation")
    return listed(house, session, table, player_id)


def open_tables(
    house: Runtime,
    session: Session,
    player_id: str,
    *,
    mode: str | None,
    mine: bool,
    after: tuple[int, str] | None,
    limit: int,
) -> list[ListedTable]:
    """Public open tables, oldest first, from the first after the key (created_at, id).

    Hidden tables, and those at which somebody sits whom a block parts from the player, are left out. With
    `mine`, the open tables at which the player sits or has a kept seat, private ones too.
    """
    query = select(Table).where(Table.state == "open", Table.created_at >= oldest_open(house))
    if mine:
        here = select(TableSeat.table_id).where(TableSeat.player_id == player_id)
        played = select(GameSeat.game_id).where(GameSeat.player_id == player_id)
        query = query.where(or_(col(Table.id).in_(here), col(Table.rematch_of).in_(played)))
    else:
        taken = exists().where(col(TableSeat.table_id) == col(Table.id))
        parted = taken.where(blocks.between(col(TableSeat.player_id), player_id))
        query = query.where(col(Table.private).is_(False), col(Table.hidden).is_(False), ~parted)
    if mode is not None:
        query = query.where(Table.mode == mode)
    if after is not None:
        at, table_id = after
        query = query.where(Table.created_at >= at, (col(Table.created_at) > at) | (col(Table.id) > table_id))
    rows = session.exec(query.order_by(col(Table.created_at), col(Table.id)).limit(limit)).all()
    return listed_all(house, session, rows, player_id)


def _count(mode: Mode[Any], options: Mapping[str, Any], seats: int | None, bots: int) -> int:
    low, high = mode.facts.seats[0], most_seats(mode, options)
    count = max(low, bots + 1) if seats is None else seats
    if not max(low, bots + 1) <= count <= high:
        players = f"{low}" if low == high else f"{low} to {high}"
        detail = f"{mode.facts.title} is for {players} players."
        where = "/bots" if seats is None else "/seats"
        fault = Fault("bad_seats", detail, where, data={"at_least": low, "at_most": high})
        raise invalid("bad_seats", detail, [fault])
    return count


def require_rateable(seats: int, bots: int) -> None:
    """Raise `Problem` 422 unless the game is among two people or more: no other game can be rated."""
    if bots or seats < 2:
        detail = "A rated game is for two people or more, without bots."
        raise invalid("not_rateable", detail, [Fault("not_rateable", detail, "/rated")])


def complete_options(mode: Mode[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a table, with defaults for those that are not given. Raises `Problem` 422."""
    try:
        return table_options(mode, given)
    except Refused as refused:
        fault = Fault(refused.code, refused.text, f"/options{refused.pointer}")
        raise invalid(refused.code, f"An option is not valid: {refused.text}.", [fault]) from None


def _patient(mode: Mode[Any]) -> dict[str, Any]:
    """The longest clock for every step. A time bank, which can be off, is no such clock."""
    clocks = [option for option in all_options(mode) if option.kind == "seconds" and option.off is None]
    return {clock.name: LONGEST_CLOCK for clock in clocks}


def bots_of(house: Runtime, mode: Mode[Any]) -> Bots:
    """The house's bots for a mode. Where bots need own decks, they play with starter decks."""
    if mode.facts.own_decks and not house.catalog.starters:
        return Bots()
    return house.bots.get(mode.facts.name, Bots())


def _named(house: Runtime, mode: Mode[Any], bots: Sequence[str]) -> list[str]:
    """The names of the bots that were asked for by name or by level. Raises `Problem` 422."""
    known = bots_of(house, mode)
    names, levels = ", ".join(known.names) or "not available here", ", ".join(known.levels) or "none"
    faults = [
        Fault(
            "unknown_bot", f"The bots for {mode.facts.title} are {names}; the levels: {levels}.", f"/bots/{i}"
        )
        for i, bot in enumerate(bots)
        if bot not in known.names and bot not in known.levels
    ]
    if faults:
        raise invalid("unknown_bot", "There is no such bot.", faults)
    return [bot if bot in known.names else known.levels[bot] for bot in bots]


def format_named(house: Runtime, mode: Mode[Any], name: str | None) -> Format | None:
    """The format with this name, for a table of this mode. Raises `Problem` 422."""
    if name is None:
        return None
    if not mode.facts.own_decks:
        detail = f"{mode.facts.title} is played without decks of the players' own, so it has no formats."
        raise invalid("no_own_deck", detail, [Fault("no_own_deck", detail, "/format")])
    if name not in house.formats:
        detail = f"The formats are {', '.join(house.formats)}."
        raise invalid(
            "unknown_format", "There is no such format.", [Fault("unknown_format", detail, "/format")]
        )
    return house.formats[name]


def _bot_decks(house: Runtime, mode: Mode[Any], by: Format | None) -> list[dict[str, int]]:
    """The starter decks for the house's bots that keep the format; [] in a mode without own decks."""
    if not mode.facts.own_decks:
        return []
    starters = [DeckList(starter.counts) for starter in house.catalog.starters.values()]
    fitting = [deck for deck in starters if by is None or not formats.faults(deck, house.catalog, by)]
    if by is not None and not fitting:
        detail = f"The house's bots play with starter decks, and no starter deck keeps the format {by.name}."
        raise invalid("no_bot_deck", detail, [Fault("no_bot_deck", detail, "/format")])
    return [deck.to_json() for deck in fitting]
