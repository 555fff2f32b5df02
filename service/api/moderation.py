"""Moderation: what admins and moderators do, and the log of it. Everybody else is refused."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.models import Player, Sanction
from service.operations import acts, rating_signals, roles, sanctions
from service.operations import moderation as operations
from service.operations.acts import ListedAct
from service.operations.moderation import HOURS, LONGEST_REASON, Profile
from service.operations.roles import RoleHolder
from service.operations.sanctions import FROZEN, SUSPENDED
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Id, OneLine, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

moderation = Blueprint("moderation", "Order in the house: roles, sanctions, and the log of acts.")


class ReasonBody(Schema):
    """The reason for an act."""

    example: ClassVar[dict[str, Any]] = {"reason": "The name insults another player."}

    reason = OneLine(LONGEST_REASON, required=True)


class SanctionBody(ReasonBody):
    """The reason for a sanction, and its length."""

    example: ClassVar[dict[str, Any]] = {"reason": "Insults in deck names, after a warning.", "hours": 72}

    hours = fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        validate=validate.Range(*HOURS),
        metadata={"description": "The hours until its end; null for one that stands until it is lifted."},
    )


class SanctionView(Schema):
    """What a player may not do for a time."""

    kind = fields.String(required=True, metadata={"enum": [*sanctions.KINDS]})
    reason = fields.String(required=True)
    since = Time(required=True)
    until = Time(required=True, allow_none=True)


class ConductView(Schema):
    """My role, and the sanctions that stand against me."""

    role = fields.String(required=True, allow_none=True, metadata={"enum": [*roles.ROLES, None]})
    sanctions = fields.List(fields.Nested(SanctionView), required=True)


class ProfileView(ConductView):
    """What a moderator sees of a player."""

    id = Id(required=True, attribute="player.id")
    handle = fields.String(required=True, attribute="player.handle")
    created_at = Time(required=True, attribute="player.created_at")
    tokens = fields.Integer(required=True, metadata={"description": "Access tokens that work."})
    running_games = fields.Integer(required=True)
    open_tables = fields.Integer(
        required=True, metadata={"description": "Tables at which the player waits for others."}
    )
    open_offers = fields.Integer(required=True)


class SignalView(Schema):
    """Something unusual in a player's rated games. It proves nothing."""

    code = fields.String(required=True, metadata={"enum": [*rating_signals.CODES]})
    opponent = fields.Function(
        lambda signal: (*signal.handles, None)[1],
        required=True,
        metadata={
            "type": ["string", "null"],
            "description": "The opponent's handle; null where it is about no single one.",
        },
    )
    games = fields.Integer(required=True)
    share = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The share of the games that is unusual, from 0 to 1."},
    )


class SignalsView(Schema):
    """What is unusual in a player's rated games."""

    items = fields.List(fields.Nested(SignalView), required=True)


class SignalsQuery(Schema):
    """The games to look at."""

    days = fields.Integer(
        load_default=30,
        validate=validate.Range(1, 90),
        metadata={"description": "The games of so many days until now."},
    )


class RenameBody(ReasonBody):
    """The new handle, and the reason for it."""

    example: ClassVar[dict[str, Any]] = {"handle": "player-17", "reason": "The old name insults others."}

    handle = fields.String(required=True)


class RenamedView(Schema):
    """The player's handle now."""

    id = Id(required=True)
    handle = fields.String(required=True)


class RoleBody(Schema):
    """The role to give."""

    example: ClassVar[dict[str, Any]] = {"role": "moderator"}

    role = fields.String(required=True, validate=validate.OneOf(roles.ROLES))


class KeeperView(Schema):
    """A player with a role."""

    handle = fields.String(required=True)
    role = fields.String(required=True, metadata={"enum": [*roles.ROLES]})
    since = Time(required=True)


class KeepersView(Schema):
    """The players with a role, admins first."""

    items = fields.List(fields.Nested(KeeperView), required=True)


class RevokedView(Schema):
    """The number of tokens that were revoked."""

    revoked = fields.Integer(required=True)


class ActView(Schema):
    """An act of the log."""

    seq = fields.Integer(required=True, attribute="act.seq", metadata={"description": "Counts acts from 1."})
    at = Time(required=True, attribute="act.at")
    by = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": 'The handle of the player who acted, or "operator"; null for a player who is gone.'
        },
    )
    kind = fields.String(required=True, attribute="act.kind", metadata={"enum": [*acts.KINDS]})
    subject = fields.String(required=True, attribute="act.subject", metadata={"enum": [*acts.SUBJECTS]})
    subject_id = Id("The id of the thing.", required=True, attribute="act.subject_id")
    handle = fields.String(
        required=True,
        allow_none=True,
        attribute="about",
        metadata={"description": "The handle of the player who was acted upon."},
    )
    details = fields.Dict(required=True, attribute="act.details")
    digest = fields.String(
        required=True,
        attribute="act.digest",
        metadata={"description": "It covers this act and the digest of the act before."},
    )


class ActsQuery(PageQuery):
    """The acts to list."""

    subject = fields.UUID(
        load_default=None, metadata={"description": "List only acts upon the thing with this id."}
    )


@moderation.route("/me/standing")
@moderation.signed_in
@moderation.gives(ConductView)
def get_standing() -> dict[str, Any]:
    """Show my role, and the sanctions that stand against me, each with its reason and its end."""
    here, player = house(), me().id
    with here.read() as session:
        return {
            "role": roles.role_of(session, player),
            "sanctions": sanctions.of_player(session, player, here.now()),
        }


@moderation.route("/moderation/players/<handle>")
@moderation.signed_in
@moderation.gives(ProfileView)
@moderation.refuses(403, 404)
def get_profile(handle: str) -> Profile:
    """Show what matters of a player for order: role, sanctions, and how much they have open."""
    here = house()
    with here.read() as session:
        return operations.profile(session, me(), handle, here.now())


@moderation.route("/moderation/players/<handle>/signals")
@moderation.signed_in
@moderation.takes(SignalsQuery, "query")
@moderation.gives(SignalsView)
@moderation.refuses(403, 404)
def list_signals(query: dict[str, int], handle: str) -> dict[str, Any]:
    """List what is unusual in a player's rated games, for people to judge. It proves nothing."""
    here = house()
    with here.read() as session:
        now = here.now()
        player = operations.profile(session, me(), handle, now).player
        return {"items": rating_signals.signals(session, now, query["days"], player.id)}


@moderation.route("/moderation/players/<handle>/suspension", "PUT")
@moderation.signed_in
@moderation.takes(SanctionBody)
@moderation.gives(SanctionView)
@moderation.refuses(403, 404, 422)
def suspend_player(body: dict[str, Any], handle: str) -> Sanction:
    """Suspend a player, who may then open and join no table and make and take no offer.

    The player leaves the tables that have not begun. Games that run go on, so that nobody loses a turn.
    """
    return operations.impose(house(), me(), handle, SUSPENDED, **body)


@moderation.route("/moderation/players/<handle>/suspension", "DELETE")
@moderation.signed_in
@moderation.gives(None, 204)
@moderation.refuses(403, 404)
def lift_suspension(handle: str) -> None:
    """Lift a suspension before its end."""
    operations.lift(house(), me(), handle, SUSPENDED)


@moderation.route("/moderation/players/<handle>/freeze", "PUT")
@moderation.signed_in
@moderation.takes(SanctionBody)
@moderation.gives(SanctionView)
@moderation.refuses(403, 404, 422)
def freeze_trades(body: dict[str, Any], handle: str) -> Sanction:
    """Freeze the trades of a player, who may then make and take no offer. Their open offers can't be taken.

    The player may still withdraw and decline offers.
    """
    return operations.impose(house(), me(), handle, FROZEN, **body)


@moderation.route("/moderation/players/<handle>/freeze", "DELETE")
@moderation.signed_in
@moderation.gives(None, 204)
@moderation.refuses(403, 404)
def thaw_trades(handle: str) -> None:
    """Let a player trade again."""
    operations.lift(house(), me(), handle, FROZEN)


@moderation.route("/moderation/players/<handle>/revoke-tokens", "POST")
@moderation.signed_in
@moderation.takes(ReasonBody)
@moderation.gives(RevokedView)
@moderation.refuses(403, 404, 422)
def revoke_tokens_of_player(body: dict[str, Any], handle: str) -> dict[str, int]:
    """Revoke all access tokens of a player, who must sign in anew."""
    return {"revoked": operations.revoke_tokens(house(), me(), handle, body["reason"])}


@moderation.route("/moderation/players/<handle>/rename", "POST")
@moderation.signed_in
@moderation.takes(RenameBody)
@moderation.gives(RenamedView)
@moderation.refuses(403, 404, 409, 422)
def rename_player_by_moderator(body: dict[str, Any], handle: str) -> Player:
    """Give a player another handle. The former one is shown nowhere; records keep the name of their game."""
    return operations.rename(house(), me(), handle, body["handle"], body["reason"])


@moderation.route("/moderation/players/<handle>/role", "PUT")
@moderation.signed_in
@moderation.takes(RoleBody)
@moderation.gives(KeeperView)
@moderation.refuses(403, 404, 422)
def give_role(body: dict[str, Any], handle: str) -> RoleHolder:
    """Give a player a role below mine. Only the operator of the house makes admins (`cloche admin role`)."""
    return roles.give(house(), me(), handle, body["role"])


@moderation.route("/moderation/players/<handle>/role", "DELETE")
@moderation.signed_in
@moderation.gives(None, 204)
@moderation.refuses(403, 404)
def take_role(handle: str) -> None:
    """Take a player's role, which must be below mine; an admin may also give up their own."""
    roles.take(house(), me(), handle)


@moderation.route("/moderation/roles")
@moderation.signed_in
@moderation.gives(KeepersView)
@moderation.refuses(403)
def list_roles() -> dict[str, list[RoleHolder]]:
    """List the players with a role."""
    with house().read() as session:
        operations.acting(session, me())
        return {"items": roles.keepers(session)}


@moderation.route("/moderation/decks/<deck_id>/hidden", "PUT")
@moderation.signed_in
@moderation.takes(ReasonBody)
@moderation.gives(None, 204)
@moderation.refuses(403, 404, 422)
def hide_deck(body: dict[str, Any], deck_id: str) -> None:
    """Hide a deck's name, notes and tags from everybody but its owner."""
    operations.hide_deck(house(), me(), deck_id, True, body["reason"])


@moderation.route("/moderation/decks/<deck_id>/shown", "PUT")
@moderation.signed_in
@moderation.takes(ReasonBody)
@moderation.gives(None, 204)
@moderation.refuses(403, 404, 422)
def show_deck(body: dict[str, Any], deck_id: str) -> None:
    """Show a deck's name, notes and tags again."""
    operations.hide_deck(house(), me(), deck_id, False, body["reason"])


@moderation.route("/moderation/tables/<table_id>/hidden", "PUT")
@moderation.signed_in
@moderation.takes(ReasonBody)
@moderation.gives(None, 204)
@moderation.refuses(403, 404, 422)
def hide_table(body: dict[str, Any], table_id: str) -> None:
    """Take a table, and its game, out of the lists for everybody. Its players go on."""
    operations.hide_table(house(), me(), table_id, True, body["reason"])


@moderation.route("/moderation/tables/<table_id>/shown", "PUT")
@moderation.signed_in
@moderation.takes(ReasonBody)
@moderation.gives(None, 204)
@moderation.refuses(403, 404, 422)
def show_table(body: dict[str, Any], table_id: str) -> None:
    """Put a table, and its game, back into the lists."""
    operations.hide_table(house(), me(), table_id, False, body["reason"])


@moderation.route("/moderation/acts")
@moderation.signed_in
@moderation.takes(ActsQuery, "query")
@moderation.gives(page_of(ActView))
@moderation.refuses(403)
def list_acts(query: dict[str, Any]) -> dict[str, Any]:
    """List the acts of admins, moderators and the operator, newest first. Nobody can change the log."""
    below, limit = read_cursor(query["cursor"], int), query["limit"]
    subject = None if query["subject"] is None else str(query["subject"])
    with house().read() as session:
        operations.acting(session, me())
        found: list[ListedAct] = acts.newest(
            session, subject_id=subject, below=below[0] if below else None, limit=limit + 1
        )
    return page(found, limit, lambda listed: (listed.act.seq,))
