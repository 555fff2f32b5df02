"""Accounts of games: what every round brought, and why."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.operations import watching
from service.web.blueprint import Blueprint
from service.web.context import house, viewer
from service.web.fields import Stored

accounts = Blueprint("accounts", "Accounts of games: what every round brought, and why.")


class ToldView(Schema):
    """One thing that an account tells (docs/modes.md lists the codes)."""

    code = fields.String(
        required=True, metadata={"description": "A stable code: `values` fill its sentence."}
    )
    values = fields.Dict(required=True)
    text = fields.String(required=True, metadata={"description": "The sentence in English."})
    reasons = fields.List(
        fields.Nested(lambda: ToldView()),
        required=True,
        metadata={"description": "The parts of which the points are made."},
    )


class SectionView(Schema):
    """A part of an account: a course, a round, or what needs no heading."""

    heading = fields.Nested(ToldView, required=True, allow_none=True)
    lines = fields.List(fields.Nested(ToldView), required=True)
    winners = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata={
            "description": "The seats that win it, empty if nobody does; null if there is nothing to win."
        },
    )


class RoundView(Schema):
    """The account of a round: everybody's points so far, and what happened.

    `lines` stand in the record. `sections` tell the same in order, and may grow with any release.
    """

    seq = fields.Integer(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    step = fields.Integer(required=True)
    points = fields.List(fields.Integer(), required=True)
    lines = fields.List(Stored("Line"), required=True)
    sections = fields.List(fields.Nested(SectionView), required=True)


class RoundsView(Schema):
    """The accounts of a game, in order."""

    rounds = fields.List(fields.Nested(RoundView), required=True)


@accounts.route("/games/<game_id>/rounds")
@accounts.may_be_signed_in
@accounts.gives(RoundsView)
@accounts.refuses(403, 404)
def list_rounds(game_id: str) -> dict[str, Any]:
    """List the accounts of a game: the points of every round, and the reasons."""
    with house().read() as session:
        watching.visible(session, game_id, viewer())
        return {"rounds": watching.rounds(session, game_id)}
