"""The seats of a table: who sees it, who sits there and with which deck. The last seat begins the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from cards.decks.formats import Format
from cards.games import find as find_mode
from cards.games import names as mode_names
from cards.games.contract import Mode
from crypto.encoding import unb64
from service.models import GameRow, Player, Table, TableSeat
from service.operations import blocks, deck_checks, decks, games, holds, invitations, news, sanctions
from service.operations.games import BotPlan, PlayerPlan, SeatPlan
from service.operations.holds import DeckGone
from service.problems import Fault, Problem, conflict, invalid, not_found
from service.runtime import Runtime

MOST_OPEN = 5
"""The most open tables of one player at the same time."""
_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table as a player sees it, with its seats; None for a free seat."""

    table: Table
    seats: Sequence[TableSeat | None]
    state: str
    """The row's state, or "expired" as soon as the time of an open table is over."""
    invitation: str | None
    """The invitation code as people see it; None unless the table is private and the player sits there."""

    @property
    def opened_by(self) -> str:
        """The handle of the player who opened the table, and so sits there."""
        return next(s.name for s in self.seats if s is not None and s.player_id == self.table.opened_by)


def oldest_open(house: Runtime, now: int | None = None) -> int:
    """The time, in milliseconds since 1970, before which open tables were opened that have expired."""
    return (house.now() if now is None else now) - house.settings.table_hours * _HOUR_MS


def state_of(house: Runtime, table: Table) -> str:
    """The state of a table now, whether or not the sweep has closed it yet."""
    expired = table.state == "open" and table.created_at < oldest_open(house)
    return "expired" if expired else table.state


def listed(house: Runtime, session: Session, table: Table, player_id: str | None) -> ListedTable:
    """A table as a player sees it who may see it."""
    return listed_all(house, session, [table], player_id)[0]


def listed_all(
    house: Runtime, session: Session, tables: Sequence[Table], player_id: str | None
) -> list[ListedTable]:
    """Tables as a player sees them who may see them, in this order. It takes one query for all."""
    found: list[ListedTable] = []
    for table, seats in zip(tables, _seats(session, tables), strict=True):
        shown = sits(seats, player_id) and table.invitation is not None
        code = invitations.written(table.invitation) if shown and table.invitation else None
        found.append(ListedTable(table, seats, state_of(house, table), code))
    return found


def seats_of(session: Session, table: Table) -> list[TableSeat | None]:
    """The seats of a table in order; None for a free seat."""
    return _seats(session, [table])[0]


def _seats(session: Session, tables: Sequence[Table]) -> list[list[TableSeat | None]]:
    rows = session.exec(select(TableSeat).where(col(TableSeat.table_id).in_([table.id for table in tables])))
    taken = {(row.table_id, row.seat): row for row in rows}
    return [[taken.get((table.id, number)) for number in range(table.seats)] for table in tables]


def sits(seats: Sequence[TableSeat | None], player_id: str | None) -> bool:
    """Tell whether the player has one of these seats."""
    return player_id is not None and any(s is not None and s.player_id == player_id for s in seats)


def players_at(seats: Sequence[TableSeat | None]) -> list[str]:
    """The ids of the players who have one of these seats."""
    return [seat.player_id for seat in seats if seat is not None and seat.player_id is not None]


def kept_seat(session: Session, table: Table, player_id: str) -> int | None:
    """The seat that a rematch keeps for a player of the game; None if there is none (see `rotated`)."""
    if table.rematch_of is None:
        return None
    before = games.seat_of(session, table.rematch_of, player_id)
    return None if before is None else rotated(before, table.seats)


def rotated(seat: int, seats: int) -> int:
    """The number of a seat in the rematch: everybody moves by one, so that another player comes first."""
    return (seat - 1) % seats


def require_known(session: Session, table: Table, player_id: str, invitation: str | None = None) -> None:
    """Raise `Problem` 404 for a table that the player may not know of.

    That is a private one, unless the player has a seat, a kept seat or the code. It is also one at which
    somebody sits who has blocked the player.
    """
    seats = seats_of(session, table)
    if sits(seats, player_id):
        return
    if (
        table.private
        and kept_seat(session, table, player_id) is None
        and not invitations.opens(invitation, table.invitation_digest)
    ):
        raise not_found("table")
    if blocks.kept_away(session, player_id, players_at(seats)):
        raise not_found("table")


def locked(session: Session, table_id: str) -> Table:
    """A table, locked until the commit. Raises `Problem` 404."""
    table = session.exec(select(Table).where(Table.id == table_id).with_for_update()).first()
    if table is None:
        raise not_found("table")
    return table


def require_open(house: Runtime, table: Table) -> None:
    """Raise `Problem` 409 for a table that has begun, was cancelled or has expired."""
    state = state_of(house, table)
    if state != "open":
        raise conflict("table_closed", f"This table is {state}.", state=state)


def mode_of(name: str) -> Mode[Any]:
    """The rules of a mode. Raises `Problem` 422."""
    try:
        return find_mode(name)
    except KeyError:
        names = ", ".join(mode_names())
        fault = Fault("unknown_mode", f"The modes are {names}.", "/mode")
        raise invalid("unknown_mode", "There is no such mode.", [fault]) from None


def format_of(house: Runtime, table: Table) -> Format | None:
    """The format that a table asks for. Raises `Problem` 409 if the house no longer has it."""
    return format_kept(house, table.format)


def format_kept(house: Runtime, name: str | None) -> Format | None:
    """The format that was asked for by name some time ago. Raises `Problem` 409 if it is gone."""
    if name is None:
        return None
    found = house.formats.get(name)
    if found is None:
        detail = f"Decks of the format {name} are asked for, which the house no longer has."
        raise conflict("format_gone", detail)
    return found


def new_table(house: Runtime, session: Session, player: Player, **columns: Any) -> Table:
    """Open a table for a player, who does not sit yet. Raises `Problem` 409 for too many tables."""
    # Locked, so that a player's simultaneous requests are counted one after another.
    session.exec(select(Player.id).where(Player.id == player.id).with_for_update(key_share=True)).one()
    mine = select(Table).where(Table.opened_by == player.id, Table.state == "open")
    mine = mine.where(Table.created_at >= oldest_open(house))
    if len(session.exec(mine).all()) >= MOST_OPEN:
        raise conflict("too_many_tables", f"A player has at most {MOST_OPEN} open tables.")
    table = Table(opened_by=player.id, created_at=house.now(), **columns)
    session.add(table)
    session.flush()
    return table


def take_seat(
    house: Runtime, session: Session, table: Table, player: Player, number: int, deck_id: str | None
) -> TableSeat:
    """Seat a player. In a mode with own decks, the deck must be legal, owned and of the table's format.

    The caller has locked the player's row. Raises `Problem` 403 for a suspended player, 404, 409, 422.
    """
    sanctions.require_none(session, player.id, house.now())
    cards = playable_deck(house, session, player.id, table.mode, deck_id, format_of(house, table))
    seat = TableSeat(
        table_id=table.id,
        seat=number,
        player_id=player.id,
        name=player.handle,
        cards=cards,
        deck_id=None if cards is None else deck_id,
    )
    session.add(seat)
    return seat


def playable_deck(
    house: Runtime, session: Session, player_id: str, mode: str, deck_id: str | None, by: Format | None
) -> dict[str, int] | None:
    """The cards of a player's deck, copies by card number in decimal; None in a mode without own decks.

    Raises `Problem` 404 for an unknown deck, 409 and 422 for one that can't be played.
    """
    if not mode_of(mode).facts.own_decks:
        return None
    if deck_id is None:
        fault = Fault("deck_missing", "Name one of your decks.", "/deck")
        raise invalid("deck_missing", "Players of this mode need a deck of their own.", [fault])
    counts = decks.find(session, player_id, deck_id).revision.counts
    deck_checks.require_playable(session, house.catalog, player_id, counts, by)
    return {str(card): count for card, count in sorted(counts.items())}


def begin_together(
    house: Runtime, session: Session, people: Sequence[tuple[Player, str | None]], **columns: Any
) -> Table:
    """Open a table at which these players sit down at once, each with a deck (by id), and begin its game.

    The caller has locked the players. Raises `DeckGone` if a deck can't be played any more.
    """
    opener = people[0][0]
    table = Table(opened_by=opener.id, created_at=house.now(), seats=len(people), **columns)
    session.add(table)
    session.flush()
    for number, (player, deck_id) in enumerate(people):
        try:
            take_seat(house, session, table, player, number, deck_id)
        except Problem as problem:
            raise DeckGone(player.id, problem) from None
    begin_if_full(house, session, table, opener)
    return table


@dataclass(frozen=True, slots=True)
class PreparedPlayer:
    """A player who sits down with the cards of a deck as they were some time ago."""

    player: Player
    cards: Mapping[str, int] | None
    """Copies by card number in decimal; None in a mode without own decks."""
    deck_id: str | None
    """The deck list from which they were taken."""


def begin_with_decks(
    house: Runtime, session: Session, people: Sequence[PreparedPlayer], **columns: Any
) -> Table:
    """Open a table at which these players sit down at once, and begin its game.

    The caller has locked the players. Raises `DeckGone`, which names the player, if one is suspended or their
    deck can't be played.
    """
    opener = people[0].player
    table = Table(opened_by=opener.id, created_at=house.now(), seats=len(people), **columns)
    session.add(table)
    session.flush()
    for number, each in enumerate(people):
        try:
            sanctions.require_none(session, each.player.id, house.now())
        except Problem as problem:
            raise DeckGone(each.player.id, problem) from None
        session.add(
            TableSeat(
                table_id=table.id,
                seat=number,
                player_id=each.player.id,
                name=each.player.handle,
                cards=None if each.cards is None else dict(each.cards),
                deck_id=each.deck_id,
            )
        )
    begin_if_full(house, session, table, opener)
    return table


def seat_bot(session: Session, table: Table, bot: str, number: int, cards: Mapping[str, int] | None) -> None:
    """Seat one of the house's bots."""
    held = None if cards is None else dict(cards)
    session.add(TableSeat(table_id=table.id, seat=number, bot=bot, name=f"{bot} (house)", cards=held))


def sit_down(
    house: Runtime, session: Session, table: Table, player: Player, deck_id: str | None
) -> ListedTable:
    """Take the player's kept seat, else the first free one. The last seat begins the game.

    Raises `Problem` 404 where a block keeps the player away, and 409 where it is their own.
    """
    require_open(house, table)
    seats = seats_of(session, table)
    if sits(seats, player.id):
        raise conflict("already_seated", "You already sit at this table.")
    require_peace(session, player.id, players_at(seats))
    kept = kept_seat(session, table, player.id)
    free = next(number for number, seat in enumerate(seats) if seat is None) if kept is None else kept
    taken = take_seat(house, session, table, player, free, deck_id)
    news.of_table(house, session, table, "table.joined", seats, taken)
    return begin_if_full(house, session, table, player)


def require_peace(session: Session, player_id: str, others: Sequence[str]) -> None:
    """Lock a player and those whom they join. Raises `Problem` 404, 409 where a block parts them."""
    holds.lock_players(session, [player_id, *others])
    blocks.require_willing(session, player_id, others)
    if blocks.kept_away(session, player_id, others):
        raise not_found("table")


def begin_if_full(house: Runtime, session: Session, table: Table, player: Player) -> ListedTable:
    """Begin the game if every seat is taken; returns the table as the player sees it.

    Raises `DeckGone` if a deck at the table can no longer be played.
    """
    session.flush()
    seats = seats_of(session, table)
    if all(seats):
        plans = [_plan(session, seat) for seat in seats if seat is not None]
        by = format_of(house, table)
        for plan in plans:
            if plan.cards is not None:
                deck_checks.require_still_legal(house.catalog, plan.player_id, plan.cards, by)
        table.game_id = games.begin(
            house,
            session,
            table.mode,
            table.options,
            plans,
            private=_plays_in_private(session, table),
            spectators=table.spectators,
            rated=table.rated,
        )
        table.state = "playing"
        session.add(table)
        for seat in seats:
            # From now on the game stores a player's deck, until its end. A bot's deck stays for rematches.
            if seat is not None and seat.bot is None:
                seat.cards = None
                session.add(seat)
    return listed(house, session, table, player.id)


def _plays_in_private(session: Session, table: Table) -> bool:
    """Tell whether strangers are not told of a table's game.

    The table of a rematch is private because its seats are kept; its game is as the one before.
    """
    if table.rematch_of is None:
        return table.private
    return session.get_one(GameRow, table.rematch_of).private


def _plan(session: Session, seat: TableSeat) -> SeatPlan:
    cards = None if seat.cards is None else {int(card): count for card, count in seat.cards.items()}
    if seat.bot is not None:
        return BotPlan(seat.bot, cards)
    player = session.get_one(Player, seat.player_id)
    return PlayerPlan(
        player.handle, unb64(player.key), player_id=player.id, cards=cards, deck_id=seat.deck_id
    )


def close_for_want_of_a_deck(house: Runtime, table_id: str) -> Problem:
    """Cancel a table at which a deck can no longer be played; returns the problem for the player who joined.

    It does not say which cards are missing, because the deck is another player's.
    """
    with house.write() as session:
        table = locked(session, table_id)
        require_open(house, table)
        table.state = "cancelled"
        session.add(table)
        news.of_table(house, session, table, "table.cancelled", seats_of(session, table))
    detail = "Another player's deck can't be played any more. The table is cancelled."
    return conflict("table_cancelled", detail)
