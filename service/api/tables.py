"""Tables: where players meet before a game."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from service.api.blueprint import Blueprint
from service.api.context import house, me
from service.api.fields import Time
from service.api.paging import PageQuery, page, page_of, read_cursor
from service.operations import tables as operations
from service.operations.tables import Listed

tables = Blueprint("tables", "Where players meet before a game.")

DECK = {"description": "One of my decks, by its id; only where a mode is played with decks of one's own."}


class TableBody(Schema):
    """What is to be played."""

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


class JoinBody(Schema):
    """With which deck."""

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
    state = fields.String(
        required=True, attribute="table.state", metadata={"enum": ["open", "playing", "cancelled"]}
    )
    game = fields.String(
        required=True,
        allow_none=True,
        attribute="table.game_id",
        metadata={"description": "Once all seats are taken."},
    )
    created_at = Time(required=True, attribute="table.created_at")


class TablesQuery(PageQuery):
    """Which tables."""

    mode = fields.String(load_default=None)


@tables.route("/tables", "POST")
@tables.signed_in
@tables.takes(TableBody)
@tables.gives(TableView, 201)
@tables.refuses(404, 409, 422)
def open_table(body: dict[str, Any]) -> Listed:
    """Open a table and sit down; with bots in all the other seats the game begins at once."""
    return operations.open_table(house(), me(), **body)


@tables.route("/tables")
@tables.signed_in
@tables.takes(TablesQuery, "query")
@tables.gives(page_of(TableView))
def list_tables(query: dict[str, Any]) -> dict[str, Any]:
    """Tables with a free seat, oldest first."""
    after = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        found = operations.open_tables(session, query["mode"], after, query["limit"] + 1)
    return page(found, query["limit"], lambda listed: (listed.table.created_at, listed.table.id))


@tables.route("/tables/<table_id>")
@tables.signed_in
@tables.gives(TableView)
@tables.refuses(404)
def get_table(table_id: str) -> Listed:
    """A table; once the game has begun it names the game."""
    with house().read() as session:
        return operations.find(session, table_id)


@tables.route("/tables/<table_id>/join", "POST")
@tables.signed_in
@tables.takes(JoinBody)
@tables.gives(TableView)
@tables.refuses(404, 409, 422)
def join_table(body: dict[str, Any], table_id: str) -> Listed:
    """Take the first free seat; the last one begins the game, and holds the decks' copies until its end."""
    return operations.join(house(), me(), table_id, body["deck"])


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
