"""My whole account: its export, and its deletion."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields

from service.api.tokens import AnswerBody
from service.operations import accounts as operations
from service.operations import credentials
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Flag

ARCHIVE = "application/zip"

account = Blueprint("account", "My whole account: what the house keeps about me, and leaving.")


class DeletionBody(Schema):
    """What shows that the account is mine: the present password, or an answer."""

    example: ClassVar[dict[str, Any]] = {"current": "a long password", "abandon": False}

    current = fields.String(
        load_default=None, load_only=True, metadata={"format": "password", "description": "My password."}
    )
    answer = fields.Nested(
        AnswerBody,
        load_default=None,
        metadata={"description": "An answer to a challenge with the purpose `deletion`."},
    )
    abandon = Flag(
        load_default=False,
        metadata={"description": "True leaves my running games to the clock, which loses them."},
    )


@account.route("/me/export", "POST", changes=False)
@account.signed_in
@account.files(ARCHIVE)
def export_me() -> Response:
    """Download everything that the house keeps about me, as one ZIP archive.

    It has a JSON file for each table of the database, with my rows and the records of my games. Hashes of
    passwords and tokens are left out.
    """
    found = operations.export(house(), me().id)
    answer = Response(found, mimetype=ARCHIVE, direct_passthrough=True)
    answer.headers["Content-Disposition"] = 'attachment; filename="account.zip"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


@account.route("/me/deletion", "POST", changes=False)
@account.signed_in
@account.takes(DeletionBody)
@account.gives(None, 204)
@account.refuses(403, 409, 503)
def delete_me(body: dict[str, Any]) -> None:
    """Delete my account for ever.

    My handle, password, tokens, decks, wishes, events, webhooks, blocks and box go. My open offers close, and
    I leave open tables. Signed records keep my key and the name under which I played; the books and the
    history of copies keep an id. While games run the answer is 409 games_running: resign from them first
    with signed messages, or abandon them.
    """
    proof = credentials.one_proof(body["current"], body["answer"])
    operations.delete(house(), me(), proof, abandon=body["abandon"])
