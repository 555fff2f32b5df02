"""Tables, where players meet before a game."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.api.challenges import PACE
from service.operations import rematches
from service.operations import tables as operations
from service.operations.paces import PACES
from service.operations.seating import ListedTable
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Flag, Id, ModeName, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

tables = Blueprint("tables", "Tables, where players meet before a game, and rematches.")

DECK = {"description": "The id of one of my decks; only in modes that are played with own decks."}


class TableBody(Schema):
    """The game to play, and the players to play with."""

    example: ClassVar[dict[str, Any]] = {"mode": "hearts", "bots": ["careful", "careful"]}

    mode = fields.String(required=True)
    options = fields.Dict(
        load_default=dict,
        metadata={"description": "The options that differ from their defaults; /modes lists them."},
    )
    pace = fields.String(
        load_default="usual",
        validate=validate.OneOf([*PACES]),
        metadata={"description": f"{PACE} Options that are given count before it."},
    )
    seats = fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        metadata={"description": "The number of seats. Default: as few as the game is for."},
    )
    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)
    bots = fields.List(
        fields.String(),
        load_default=list,
        validate=validate.Length(max=11),
        metadata={
            "description": "The house's bots that sit down with me, by name or by level; /modes lists both."
        },
    )
    private = Flag(
        load_default=False,
        metadata={
            "description": "True if the table is listed nowhere, so that others need its invitation code."
        },
    )
    spectators = Flag(
        load_default=None,
        allow_none=True,
        metadata={"description": "True if everybody may watch. Default: yes, unless the table is private."},
    )
    rated = Flag(
        load_default=False,
        metadata={
            "description": "True if the game changes its players' ratings. It is for two people or more,"
            " without bots."
        },
    )
    format = fields.String(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The name of a format (/formats) that every deck must keep; only in modes that"
            " are played with own decks."
        },
    )


class JoinBody(Schema):
    """The deck to play with, and the invitation code of a private table."""

    example: ClassVar[dict[str, Any]] = {}

    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)
    invitation = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The code of a private table. Capitals, hyphens and spaces do not matter."},
    )


class RematchBody(Schema):
    """The deck to play with."""

    example: ClassVar[dict[str, Any]] = {}

    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)


class TableSeatView(Schema):
    """A taken seat: the player's handle, or the bot's name."""

    name = fields.String(required=True)
    bot = fields.String(required=True, allow_none=True)


class TableView(Schema):
    """A table, and who sits at it."""

    id = Id(required=True, attribute="table.id")
    mode = fields.String(required=True, attribute="table.mode")
    options = fields.Dict(
        required=True,
        attribute="table.options",
        metadata={"description": "All options of the table, those with their default values too."},
    )
    seats = fields.List(
        fields.Nested(TableSeatView, allow_none=True),
        required=True,
        metadata={"description": "The seats in order; null where nobody sits yet."},
    )
    state = fields.String(required=True, metadata={"enum": ["open", "playing", "cancelled", "expired"]})
    game = Id(
        "The id of the game, once all seats are taken.",
        required=True,
        allow_none=True,
        attribute="table.game_id",
    )
    created_at = Time(required=True, attribute="table.created_at")
    opened_by = fields.String(
        required=True, metadata={"description": "The handle of the player who opened it."}
    )
    private = fields.Boolean(required=True, attribute="table.private")
    spectators = fields.Boolean(
        required=True,
        attribute="table.spectators",
        metadata={"description": "True if everybody may watch the game while it runs."},
    )
    invitation = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The invitation code of a private table. Only the players at the table see it."
        },
    )
    format = fields.String(
        required=True,
        allow_none=True,
        attribute="table.format",
        metadata={"description": "The format that every deck must keep; null where there is none."},
    )
    rated = fields.Boolean(
        required=True,
        attribute="table.rated",
        metadata={"description": "True if the game changes its players' ratings."},
    )
    rematch_of = Id(
        "The id of the game that this is the rematch of. The seats are kept for its players.",
        required=True,
        allow_none=True,
        attribute="table.rematch_of",
    )


class TablesQuery(PageQuery):
    """The tables to list."""

    mode = ModeName(
        load_default=None, metadata={"description": "List only tables of the mode with this name."}
    )
    mine = fields.Boolean(
        load_default=False,
        metadata={
            "description": "List only tables where I sit or where a seat is kept for me, private ones too."
        },
    )


@tables.route("/tables", "POST")
@tables.signed_in
@tables.takes(TableBody)
@tables.creates(TableView, "/tables/{id}")
@tables.refuses(404, 409, 422)
def open_table(body: dict[str, Any]) -> ListedTable:
    """Open a table and sit down at it. With bots in all other seats the game begins at once.

    Where I play alone or against bots, each clock that I leave out is seven days, the longest there is.

    A table that does not fill expires: after a day, unless the house has another setting.
    """
    return operations.open_table(house(), me(), **body)


@tables.route("/tables")
@tables.signed_in
@tables.takes(TablesQuery, "query")
@tables.gives(page_of(TableView))
def list_tables(query: dict[str, Any]) -> dict[str, Any]:
    """List the tables with a free seat, oldest first. Private tables are listed only with `mine`."""
    after = read_cursor(query["cursor"], int, str)
    here, limit = house(), query["limit"]
    with here.read() as session:
        found = operations.open_tables(
            here, session, me().id, mode=query["mode"], mine=query["mine"], after=after, limit=limit + 1
        )
    return page(found, limit, lambda listed: (listed.table.created_at, listed.table.id))


@tables.route("/tables/<table_id>")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(404)
def get_table(table_id: str) -> ListedTable:
    """Show a table. Strangers get 404 for a private one."""
    here = house()
    with here.read() as session:
        return operations.find(here, session, table_id, me().id)


@tables.route("/invitations/<code>")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(404)
def get_invitation(code: str) -> ListedTable:
    """Show the table that an invitation code is for. Capitals, hyphens and spaces do not matter."""
    here = house()
    with here.read() as session:
        return operations.invited(here, session, code, me().id)


@tables.route("/tables/<table_id>/join", "POST")
@tables.signed_in
@tables.takes(JoinBody)
@tables.gives(TableView)
@tables.refuses(404, 409, 422)
def join_table(body: dict[str, Any], table_id: str) -> ListedTable:
    """Take the first free seat of a table. When the last seat is taken, the game begins.

    The copies of the decks are held until the game is over. A deck that breaks the rules or the table's
    format, or that I do not own, is refused with 422 `deck_illegal` and every fault.

    A private table needs its invitation code. Without it, or with a wrong one, the answer is 404.
    """
    return operations.join(house(), me(), table_id, body["deck"], body["invitation"])


@tables.route("/tables/<table_id>/leave", "POST")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(404, 409)
def leave_table(table_id: str) -> ListedTable:
    """Leave a table whose game has not begun."""
    return operations.leave(house(), me(), table_id)


@tables.route("/tables/<table_id>", "DELETE")
@tables.signed_in
@tables.gives(None, 204)
@tables.refuses(403, 404, 409)
def cancel_table(table_id: str) -> None:
    """Cancel a table that I opened and whose game has not begun."""
    operations.cancel(house(), me(), table_id)


@tables.route("/games/<game_id>/rematch", "POST")
@tables.signed_in
@tables.takes(RematchBody)
@tables.creates(TableView, "/tables/{id}")
@tables.refuses(403, 404, 409, 422)
def ask_for_rematch(body: dict[str, Any], game_id: str) -> ListedTable:
    """Ask for a rematch of a game of mine that is over, or sit down at the one that another player opened.

    It has the same options, and everybody moves up one seat. The seats are kept for the same players, and
    nobody else sees the table. A game has one rematch: the same request again answers with the same table,
    unless it was cancelled or has expired.
    """
    return rematches.rematch(house(), me(), game_id, body["deck"])


@tables.route("/games/<game_id>/rematch")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(403, 404)
def get_rematch(game_id: str) -> ListedTable:
    """Show the table of the rematch of a game of mine, once somebody has asked for it."""
    here = house()
    with here.read() as session:
        return rematches.find(here, session, game_id, me().id)
