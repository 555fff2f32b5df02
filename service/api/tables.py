"""Tables: where players meet before a game."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.operations import rematches
from service.operations import tables as operations
from service.operations.seating import Listed
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Flag, ModeName, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

tables = Blueprint("tables", "Where players meet before a game.")

DECK = {"description": "One of my decks, by its id; only where a mode is played with decks of one's own."}


class TableBody(Schema):
    """What is to be played."""

    example: ClassVar[dict[str, Any]] = {"mode": "hearts", "bots": ["careful", "careful"]}

    mode = fields.String(required=True)
    options = fields.Dict(
        load_default=dict, metadata={"description": "What differs from the defaults; see /modes."}
    )
    seats = fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        metadata={"description": "As few as can be, if left out."},
    )
    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)
    bots = fields.List(
        fields.String(),
        load_default=list,
        validate=validate.Length(max=11),
        metadata={"description": "The house's bots that sit down with me, by name; see /modes."},
    )
    private = Flag(
        load_default=False,
        metadata={"description": "Listed nowhere; others need its invitation code."},
    )
    spectators = Flag(
        load_default=None,
        allow_none=True,
        metadata={"description": "Whether everybody may watch; if left out, unless the table is private."},
    )
    format = fields.String(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The name of a format (/formats) that every deck brought here must keep; only"
            " where a mode is played with decks of one's own."
        },
    )


class JoinBody(Schema):
    """With which deck, and on whose invitation."""

    example: ClassVar[dict[str, Any]] = {}

    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)
    invitation = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The code of a private table; capitals, hyphens and spaces do not matter."},
    )


class RematchBody(Schema):
    """With which deck."""

    example: ClassVar[dict[str, Any]] = {}

    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)


class TableSeatView(Schema):
    """Who sits here."""

    name = fields.String(required=True)
    bot = fields.String(required=True, allow_none=True)


class TableView(Schema):
    """A table, and who sits at it."""

    id = fields.String(required=True, attribute="table.id")
    mode = fields.String(required=True, attribute="table.mode")
    options = fields.Dict(required=True, attribute="table.options")
    seats = fields.List(
        fields.Nested(TableSeatView, allow_none=True),
        required=True,
        metadata={"description": "In order; null where nobody sits yet."},
    )
    state = fields.String(required=True, metadata={"enum": ["open", "playing", "cancelled", "expired"]})
    game = fields.String(
        required=True,
        allow_none=True,
        attribute="table.game_id",
        metadata={"description": "Once all seats are taken."},
    )
    created_at = Time(required=True, attribute="table.created_at")
    opened_by = fields.String(required=True, metadata={"description": "A handle."})
    private = fields.Boolean(required=True, attribute="table.private")
    spectators = fields.Boolean(
        required=True,
        attribute="table.spectators",
        metadata={"description": "Whether everybody may watch the game while it runs."},
    )
    invitation = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The code that others need, of a private table; only for who sits there."},
    )
    format = fields.String(
        required=True,
        allow_none=True,
        attribute="table.format",
        metadata={"description": "The format that every deck brought here must keep; null for any deck."},
    )
    rematch_of = fields.String(
        required=True,
        allow_none=True,
        attribute="table.rematch_of",
        metadata={"description": "The game whose players have their seats kept here."},
    )


class TablesQuery(PageQuery):
    """Which tables."""

    mode = ModeName(load_default=None, metadata={"description": "Only of this mode, by name."})
    mine = fields.Boolean(
        load_default=False,
        metadata={"description": "Those where I sit or have a seat kept, private ones too."},
    )


@tables.route("/tables", "POST")
@tables.signed_in
@tables.takes(TableBody)
@tables.gives(TableView, 201)
@tables.refuses(404, 409, 422)
def open_table(body: dict[str, Any]) -> Listed:
    """Open a table and sit down; with bots in all the other seats the game begins at once.

    A table that does not fill expires after a day, or what the house has set.
    """
    return operations.open_table(house(), me(), **body)


@tables.route("/tables")
@tables.signed_in
@tables.takes(TablesQuery, "query")
@tables.gives(page_of(TableView))
def list_tables(query: dict[str, Any]) -> dict[str, Any]:
    """Tables with a free seat, oldest first; no private ones but mine."""
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
def get_table(table_id: str) -> Listed:
    """A table; once the game has begun it names the game. A private one is only for who belongs there."""
    here = house()
    with here.read() as session:
        return operations.find(here, session, table_id, me().id)


@tables.route("/invitations/<code>")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(404)
def get_invitation(code: str) -> Listed:
    """The table that an invitation code is for; capitals, hyphens and spaces do not matter."""
    here = house()
    with here.read() as session:
        return operations.invited(here, session, code, me().id)


@tables.route("/tables/<table_id>/join", "POST")
@tables.signed_in
@tables.takes(JoinBody)
@tables.gives(TableView)
@tables.refuses(404, 409, 422)
def join_table(body: dict[str, Any], table_id: str) -> Listed:
    """Take the first free seat; the last one begins the game, and holds the decks' copies until its end.

    A deck that is not legal, not mine or not of the table's format is refused with 422 `deck_illegal` and
    every fault, whose `rules` names the format.

    A private table needs its invitation: without it, or with a wrong one, there is no such table.
    """
    return operations.join(house(), me(), table_id, body["deck"], body["invitation"])


@tables.route("/tables/<table_id>/leave", "POST")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(404, 409)
def leave_table(table_id: str) -> Listed:
    """Leave a table that has not begun."""
    return operations.leave(house(), me(), table_id)


@tables.route("/tables/<table_id>", "DELETE")
@tables.signed_in
@tables.gives(None, 204)
@tables.refuses(403, 404, 409)
def cancel_table(table_id: str) -> None:
    """Cancel a table of mine that has not begun."""
    operations.cancel(house(), me(), table_id)


@tables.route("/games/<game_id>/rematch", "POST")
@tables.signed_in
@tables.takes(RematchBody)
@tables.gives(TableView, 201)
@tables.refuses(403, 404, 409, 422)
def ask_for_rematch(body: dict[str, Any], game_id: str) -> Listed:
    """Open the rematch of a game of mine that is over, or sit down at the one that another has opened.

    It is played as before, with everybody moved up one seat. The seats are kept for the same players, and
    nobody else sees the table. A game has one rematch: asked again, this answers with the same table, unless
    that was cancelled or has expired.
    """
    return rematches.rematch(house(), me(), game_id, body["deck"])


@tables.route("/games/<game_id>/rematch")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(403, 404)
def get_rematch(game_id: str) -> Listed:
    """The rematch of a game of mine, once somebody has asked for it."""
    here = house()
    with here.read() as session:
        return rematches.find(here, session, game_id, me().id)
