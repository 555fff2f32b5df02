"""Running games that everybody may watch."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.operations import watching
from service.web.blueprint import Blueprint
from service.web.context import house
from service.web.fields import Id, ModeName, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

live = Blueprint("live", "Running games that everybody may watch.")


class LiveGameView(Schema):
    """A running game that everybody may watch."""

    id = Id(required=True, attribute="game.id")
    mode = fields.String(required=True, attribute="game.mode")
    names = fields.List(fields.String(), required=True)
    created_at = Time(required=True, attribute="game.created_at")
    seq = fields.Integer(required=True, attribute="game.seq")


class LiveQuery(PageQuery):
    """The games to list."""

    mode = ModeName(
        load_default=None, metadata={"description": "List only games of the mode with this name."}
    )


@live.route("/live")
@live.takes(LiveQuery, "query")
@live.gives(page_of(LiveGameView))
def list_live_games(query: dict[str, Any]) -> dict[str, Any]:
    """List the running games that everybody may watch, newest first, except those of private tables.

    Watch one at /games/{game_id}, or by its stream /games/{game_id}/events.
    """
    before = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        found = watching.live(session, mode=query["mode"], before=before, limit=query["limit"] + 1)
    return page(found, query["limit"], lambda listed: (listed.game.created_at, listed.game.id))
