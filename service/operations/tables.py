"""Tables: open one, find one, join, leave, cancel; the last seat taken begins the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from cards import mode as modes
from cards.mode import Mode
from crypto.encoding import unb64
from referee import Refused, complete_options
from service.house import House
from service.models import Player, Table, TableSeat
from service.operations import decks, games
from service.operations.collection import DeckGone
from service.operations.games import SeatPlan
from service.problems import Fault, conflict, forbidden, invalid, not_found

MOST_OPEN = 5
"""Open tables that one player has at the same time."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table and who sits there, None for a free seat."""

    table: Table
    seats: Sequence[TableSeat | None]


def open_table(
    house: House,
    player: Player,
    *,
    mode: str,
    options: Mapping[str, Any],
    seats: int | None,
    deck: str | None,
    bots: Sequence[str],
) -> Listed:
    """Open a table and sit down at it, the house's bots in the next seats.

    With all seats taken the game begins at once. Raises `Problem` for a mode, an option, a number of
    seats, a bot or a deck that can't be.
    """
    rules = _mode(mode)
    count = _count(rules, seats, len(bots))
    _require_bots(house, rules, bots)
    with house.write() as session:
        # Locked, so that a player's simultaneous requests are counted one after another.
        session.exec(select(Player.id).where(Player.id == player.id).with_for_update(key_share=True)).one()
        mine = select(Table).where(Table.opened_by == player.id, Table.state == "open")
        if len(session.exec(mine).all()) >= MOST_OPEN:
            raise conflict("too_many_tables", f"A player has at most {MOST_OPEN} open tables.")
        table = Table(
            mode=mode,
            options=_options(rules, options),
            seats=count,
            opened_by=player.id,
            created_at=house.now(),
        )
        session.add(table)
        session.flush()
        _sit(house, session, table, rules, player, 0, deck)
        for number, bot in enumerate(bots, start=1):
            cards = _bot_deck(house, number) if rules.facts.own_decks else None
            session.add(
                TableSeat(table_id=table.id, seat=number, bot=bot, name=f"{bot} (house)", cards=cards)
            )
        session.flush()
        return _begin_if_full(house, session, table)


def join(house: House, player: Player, table_id: str, deck: str | None) -> Listed:
    """Take the first free seat. Raises `Problem` 404; 409 where there is none; 422 for the deck."""
    try:
        with house.write() as session:
            table = _open(session, table_id)
            seats = _seats(session, table)
            if any(seat is not None and seat.player_id == player.id for seat in seats):
                raise conflict("already_seated", "You sit at this table already.")
            free = next(number for number, seat in enumerate(seats) if seat is None)
            _sit(house, session, table, _mode(table.mode), player, free, deck)
            session.flush()
            return _begin_if_full(house, session, table)
    except DeckGone as gone:
        if gone.player_id == player.id:
            raise
        # Not this player's fault, and which cards of another's deck are missing is not theirs to know.
        with house.write() as session:
            _open(session, table_id).state = "cancelled"
        detail = "Somebody else's deck is in another match by now; the table is closed."
        raise conflict("table_cancelled", detail) from None


def leave(house: House, player: Player, table_id: str) -> Listed:
    """Leave a table that has not begun; who has opened it cancels it instead. Raises `Problem`."""
    with house.write() as session:
        table = _open(session, table_id)
        if table.opened_by == player.id:
            raise conflict("opener_stays", "You have opened this table: cancel it instead.")
        seat = next((s for s in _seats(session, table) if s is not None and s.player_id == player.id), None)
        if seat is None:
            raise conflict("not_seated", "You do not sit at this table.")
        session.delete(seat)
        session.flush()
        return Listed(table, _seats(session, table))


def cancel(house: House, player: Player, table_id: str) -> None:
    """Cancel a table that has not begun, by who has opened it. Raises `Problem`."""
    with house.write() as session:
        table = _open(session, table_id)
        if table.opened_by != player.id:
            raise forbidden("not_your_table", "Only who has opened a table cancels it.")
        table.state = "cancelled"
        session.add(table)


def find(session: Session, table_id: str) -> Listed:
    """A table. Raises `Problem` 404."""
    table = session.get(Table, table_id)
    if table is None:
        raise not_found("table")
    return Listed(table, _seats(session, table))


def open_tables(
    session: Session, mode: str | None, after: tuple[int, str] | None, limit: int
) -> list[Listed]:
    """Tables that can be joined, oldest first, from the first after the key (created_at, id)."""
    query = select(Table).where(Table.state == "open")
    if mode is not None:
        query = query.where(Table.mode == mode)
    if after is not None:
        at, table_id = after
        later = (col(Table.created_at) > at) | ((col(Table.created_at) == at) & (col(Table.id) > table_id))
        query = query.where(later)
    rows = session.exec(query.order_by(col(Table.created_at), col(Table.id)).limit(limit))
    return [Listed(table, _seats(session, table)) for table in rows]


def _open(session: Session, table_id: str) -> Table:
    """An open table, locked."""
    table = session.exec(select(Table).where(Table.id == table_id).with_for_update()).first()
    if table is None:
        raise not_found("table")
    if table.state != "open":
        raise conflict("table_closed", f"This table is {table.state}.", state=table.state)
    return table


def _seats(session: Session, table: Table) -> list[TableSeat | None]:
    rows = session.exec(select(TableSeat).where(TableSeat.table_id == table.id))
    taken = {row.seat: row for row in rows}
    return [taken.get(number) for number in range(table.seats)]


def _mode(name: str) -> Mode[Any]:
    try:
        return modes.find(name)
    except KeyError:
        names = ", ".join(modes.names())
        fault = Fault("unknown_mode", f"Modes are {names}.", "/mode")
        raise invalid("unknown_mode", "There is no such mode.", [fault]) from None


def _count(mode: Mode[Any], seats: int | None, bots: int) -> int:
    low, high = mode.facts.seats
    count = max(low, bots + 1) if seats is None else seats
    if not max(low, bots + 1) <= count <= high:
        detail = f"{mode.facts.title} is for {low} to {high} players."
        fault = Fault("bad_seats", detail, "/seats", data={"at_least": low, "at_most": high})
        raise invalid("bad_seats", detail, [fault])
    return count


def _options(mode: Mode[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return complete_options(mode, given)
    except Refused as refused:
        fault = Fault(refused.code, refused.text, f"/options{refused.pointer}")
        raise invalid(refused.code, f"An option can't be so: it {refused.text}.", [fault]) from None


def _require_bots(house: House, mode: Mode[Any], bots: Sequence[str]) -> None:
    known = house.bots.get(mode.facts.name, ())
    names = ", ".join(known) or "not to be had here"
    faults = [
        Fault("unknown_bot", f"Bots for {mode.facts.title} are {names}.", f"/bots/{i}")
        for i, bot in enumerate(bots)
        if bot not in known
    ]
    if faults:
        raise invalid("unknown_bot", "There is no such bot.", faults)


def _sit(
    house: House,
    session: Session,
    table: Table,
    mode: Mode[Any],
    player: Player,
    number: int,
    deck_id: str | None,
) -> None:
    """Seat a player, with a deck that is legal and owned where the mode wants one."""
    cards: dict[str, int] | None = None
    if mode.facts.own_decks:
        if deck_id is None:
            fault = Fault("deck_missing", "Name one of your decks.", "/deck")
            raise invalid("deck_missing", "This mode is played with a deck of one's own.", [fault])
        counts = decks.find(session, player.id, deck_id).revision.counts
        decks.require_playable(session, house.catalog, player.id, counts)
        cards = {str(card): count for card, count in sorted(counts.items())}
    session.add(
        TableSeat(table_id=table.id, seat=number, player_id=player.id, name=player.handle, cards=cards)
    )


def _bot_deck(house: House, number: int) -> dict[str, int]:
    starters = list(house.catalog.starters.values())
    counts = starters[number % len(starters)].counts
    return {str(card): count for card, count in sorted(counts.items())}


def _begin_if_full(house: House, session: Session, table: Table) -> Listed:
    """Begin the game when nobody is missing."""
    seats = _seats(session, table)
    session.add(table)
    if any(seat is None for seat in seats):
        return Listed(table, seats)
    plans = [_plan(house, session, seat) for seat in seats if seat is not None]
    table.game_id = games.begin(house, session, table.mode, table.options, plans)
    table.state = "playing"
    session.add(table)
    return Listed(table, seats)


def _plan(house: House, session: Session, seat: TableSeat) -> SeatPlan:
    cards = None if seat.cards is None else {int(card): count for card, count in seat.cards.items()}
    if seat.bot is not None:
        return games.bot_plan(house, seat.bot, seat.seat, cards)
    player = session.get_one(Player, seat.player_id)
    return SeatPlan(player.handle, unb64(player.key), player_id=player.id, cards=cards)
