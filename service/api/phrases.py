"""Phrases: the few things that players can say to each other at a table."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.operations import phrases as operations
from service.operations.phrases import PHRASES
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Flag

phrases = Blueprint("phrases", "Phrases: what players can say at a table. There is no free chat.")


class PhraseBody(Schema):
    """What to say."""

    example: ClassVar[dict[str, Any]] = {"phrase": "well_played"}

    phrase = fields.String(required=True, validate=validate.OneOf([*PHRASES]))


class MuteBody(Schema):
    """Whether I hear phrases."""

    example: ClassVar[dict[str, Any]] = {"muted": True}

    muted = Flag(required=True)


class PhraseView(Schema):
    """A phrase: its code, and its words in English."""

    phrase = fields.String(required=True)
    text = fields.String(required=True)


class PhrasesView(Schema):
    """The phrases of this house, and whether I hear them."""

    items = fields.List(fields.Nested(PhraseView), required=True)
    muted = fields.Boolean(required=True, metadata={"description": "True if I hear none, at no table."})


def _shown(muted: bool) -> dict[str, Any]:
    return {"items": [{"phrase": code, "text": text} for code, text in PHRASES.items()], "muted": muted}


@phrases.route("/me/phrases")
@phrases.signed_in
@phrases.gives(PhrasesView)
def get_phrases() -> dict[str, Any]:
    """List the phrases that can be said at a table, and say whether I have muted them."""
    with house().read() as session:
        return _shown(operations.muted(session, me().id))


@phrases.route("/me/phrases", "PUT")
@phrases.signed_in
@phrases.takes(MuteBody)
@phrases.gives(PhrasesView)
def mute_phrases(body: dict[str, Any]) -> dict[str, Any]:
    """Mute all phrases, or hear them again. Nobody is told."""
    return _shown(operations.mute(house(), me().id, body["muted"]))


@phrases.route("/games/<game_id>/phrases", "POST")
@phrases.signed_in
@phrases.takes(PhraseBody)
@phrases.gives(None, 204)
@phrases.refuses(403, 404, 409)
def say_phrase(body: dict[str, Any], game_id: str) -> None:
    """Say something to the other players of a game of mine, at most two things between two entries.

    They get it by their feeds (`game.said`), unless they have muted phrases. It never stands in the record.
    """
    operations.say(house(), me(), game_id, body["phrase"])
