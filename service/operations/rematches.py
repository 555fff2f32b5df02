"""Rematches: a game that is over has one rematch, with kept seats for the same players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlmodel import Session, select
from sqlmodel.sql.expression import SelectOfScalar

from cards.games import find as find_mode
from referee import Refused, table_options
from service.models import GameRow, GameSeat, Player, Table
from service.operations import blocks, deck_checks, news
from service.operations.games import row_of, seats_of
from service.operations.holds import DeckGone
from service.operations.seating import (
    ListedTable,
    begin_if_full,
    close_for_want_of_a_deck,
    listed,
    new_table,
    rotated,
    seat_bot,
    sit_down,
    state_of,
    take_seat,
)
from service.operations.seating import seats_of as table_seats
from service.operations.watching import visible
from service.problems import Problem, conflict, forbidden, not_found
from service.runtime import Bots, Runtime


def rematch(house: Runtime, player: Player, game_id: str, deck: str | None) -> ListedTable:
    """Open the rematch of a game that is over, or sit down at the one that another has opened.

    Mode, options, format, number of seats, spectators, rating and the house's bots are as before, and
    everybody moves by one seat. The table is for the same players alone: nobody else sees it, and no code
    opens it. A second request gets the same table, even after its game has begun. Only after a cancelled or
    expired table does it get a new one. Raises `Problem` 403, 404; 409 while the game runs; 422 for the deck.
    """
    try:
        with house.write() as session:
            # The lock makes one of several simultaneous requests open the table, and the others find it.
            row = row_of(session, game_id, lock=True)
            seats = _require_played(session, row, player.id)
            table = _standing(house, session.exec(_rematches(game_id).with_for_update()))
            if table is None:
                return _open(house, session, row, seats, player, deck)
            shown = listed(house, session, table, player.id)
            if table.state == "playing" or any(s and s.player_id == player.id for s in shown.seats):
                return shown
            return sit_down(house, session, table, player, deck)
    except DeckGone as gone:
        if gone.player_id == player.id:
            raise
        raise _close(house, game_id) from None


def find(house: Runtime, session: Session, game_id: str, player_id: str) -> ListedTable:
    """The rematch of a game, for its players. Raises `Problem` 404 if nobody has asked for one."""
    _require_played(session, row_of(session, game_id), player_id, over=False)
    table = _standing(house, session.exec(_rematches(game_id)))
    if table is None:
        raise not_found("rematch")
    return listed(house, session, table, player_id)


def _require_played(session: Session, row: GameRow, player_id: str, over: bool = True) -> Sequence[GameSeat]:
    """The seats of a game that this player has played in. Raises `Problem` 403, 404, 409."""
    visible(session, row.id, player_id)
    seats = seats_of(session, row.id)
    if all(seat.player_id != player_id for seat in seats):
        raise forbidden("not_your_game", "Only the players of a game can have its rematch.")
    if over and row.ended_at is None:
        raise conflict("game_running", "The game is still running: a rematch comes after it.")
    return seats


def _rematches(game_id: str) -> SelectOfScalar[Table]:
    return select(Table).where(Table.rematch_of == game_id)


def _standing(house: Runtime, tables: Iterable[Table]) -> Table | None:
    """The rematch among these tables that is open or has begun; None if there is none."""
    return next((table for table in tables if state_of(house, table) in ("open", "playing")), None)


def _open(
    house: Runtime,
    session: Session,
    row: GameRow,
    seats: Sequence[GameSeat],
    player: Player,
    deck: str | None,
) -> ListedTable:
    before = session.exec(select(Table).where(Table.game_id == row.id)).first()
    changed = conflict("no_rematch", "This game can't be played again here as it was; open a new table.")
    people = [seat.player_id for seat in seats if seat.player_id is not None]
    blocks.require_willing(session, player.id, people)
    if blocks.apart(session, people):  # they could not sit down together
        raise changed
    if before is None or any(s.bot and s.bot not in house.bots.get(row.mode, Bots()).names for s in seats):
        raise changed
    # The decks of the house's bots: the game no longer stores its decks, but the table does.
    decks = [None if seat is None else seat.cards for seat in table_seats(session, before)]
    try:
        options = table_options(find_mode(row.mode), before.options)
        by = None if before.format is None else house.formats[before.format]
        for cards in decks:
            if cards is not None:
                counts = {int(number): n for number, n in cards.items()}
                deck_checks.require_still_legal(house.catalog, None, counts, by)
    except (KeyError, Refused, DeckGone):
        raise changed from None
    table = new_table(
        house,
        session,
        player,
        mode=row.mode,
        options=options,
        seats=len(seats),
        private=True,
        spectators=row.spectators,
        format=before.format,
        rematch_of=row.id,
        rated=row.rated,
    )
    for seat in seats:
        number = rotated(seat.seat, len(seats))
        if seat.bot is not None:
            seat_bot(session, table, seat.bot, number, decks[seat.seat])
        elif seat.player_id == player.id:
            take_seat(house, session, table, player, number, deck)
    news.of_rematch(house, session, table, seats, player.id, player.handle)
    return begin_if_full(house, session, table, player)


def _close(house: Runtime, game_id: str) -> Problem:
    with house.read() as session:
        table = _standing(house, session.exec(_rematches(game_id)))
    if table is None:
        return conflict("table_closed", "This table is cancelled.", state="cancelled")
    return close_for_want_of_a_deck(house, table.id)
