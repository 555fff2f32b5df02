"""Blocks: the players whom I want to meet at no table and in no trade."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.operations import blocks as operations
from service.operations.blocks import ListedBlock
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Time

blocks = Blueprint("blocks", "Blocks: players whom I want to meet at no table and in no trade.")


class BlockView(Schema):
    """A player whom I have blocked."""

    handle = fields.String(required=True)
    created_at = Time(required=True)


class BlocksView(Schema):
    """The players whom I have blocked."""

    items = fields.List(fields.Nested(BlockView), required=True)


@blocks.route("/me/blocks")
@blocks.signed_in
@blocks.gives(BlocksView)
def list_blocks() -> dict[str, Any]:
    """List the players whom I have blocked, the newest block first. Nobody else sees this list."""
    with house().read() as session:
        return {"items": operations.of_player(session, me().id)}


@blocks.route("/me/blocks/<handle>", "PUT")
@blocks.signed_in
@blocks.gives(BlockView)
@blocks.refuses(404, 409, 422)
def block_player(handle: str) -> ListedBlock:
    """Block a player: neither of us sits down at a table of the other, or takes an offer of the other.

    The blocked player is not told: my open tables and offers are no more there for them. A game that runs
    goes on.
    """
    return operations.add(house(), me(), handle)


@blocks.route("/me/blocks/<handle>", "DELETE")
@blocks.signed_in
@blocks.gives(None, 204)
@blocks.refuses(404)
def unblock_player(handle: str) -> None:
    """Lift a block."""
    operations.remove(house(), me(), handle)
