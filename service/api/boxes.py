"""The player's box: a locked file that the house keeps for the player's other devices."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields

from service.operations import boxes as operations
from service.operations.boxes import BoxContents
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.etags import OWN, unchanged
from service.web.fields import Time

boxes = Blueprint("boxes", "My box: a locked file that the house keeps for my other devices.")


class BoxBody(Schema):
    """What to put into the box."""

    example: ClassVar[dict[str, Any]] = {"file": '{"kind": "cloche-player/1", "box": "..."}'}

    file = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "maxLength": operations.LONGEST,
            "description": "The player's file, locked with a passphrase that the house never sees; null to"
            " empty the box.",
        },
    )


class BoxView(Schema):
    """What lies in the box."""

    file = fields.String(
        required=True, allow_none=True, metadata={"description": "The locked file; null if there is none."}
    )
    changed_at = Time(required=True, allow_none=True)


@boxes.route("/me/box")
@boxes.cached(OWN)
@boxes.signed_in
@boxes.gives(BoxView)
def get_box() -> BoxContents:
    """Show what lies in my box. Its ETag is what a change must name, also while the box is empty."""
    with house().read() as session:
        return operations.look(session, me().id)


@boxes.route("/me/box", "PUT")
@boxes.signed_in
@boxes.needs_if_match
@boxes.takes(BoxBody)
@boxes.gives(BoxView)
def put_box(body: dict[str, Any]) -> BoxContents:
    """Put my locked file into my box, or empty it.

    If another device has changed the box meanwhile, read it, merge both files, and put what comes of it.
    """
    return operations.put(house(), me().id, body["file"], unchanged(BoxView))
