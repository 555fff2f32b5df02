"""Boosters: their odds, one's own, and opening one so that nobody steers what comes out."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields, validate

from cards.catalog.boosters import Booster as Rules
from cards.catalog.boosters import RarityOdds, odds
from crypto.encoding import EncodingError, b64, unb64
from crypto.fairness import LINK_BYTES
from referee.boosters import NONCE, PROTOCOL, rules_digest
from service.api.collection import CopyView
from service.models import Booster
from service.operations import boosters as operations
from service.problems import Fault, invalid
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.etags import PUBLIC
from service.web.fields import Time
from service.web.paging import PageQuery, page, page_of, read_cursor

boosters = Blueprint("boosters", "Boosters: what they hold, one's own, how they are opened.")


class OddsView(Schema):
    """What can be expected of a rarity in one booster."""

    rarity = fields.String(required=True)
    cards = fields.Integer(required=True, metadata={"description": "How many different ones can come."})
    expected = fields.Float(required=True, metadata={"description": "How many a booster brings on average."})
    chance = fields.Float(required=True, metadata={"description": "That it has one at least."})
    each = fields.Float(required=True, metadata={"description": "That it has one given card."})
    with_pity = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The share of boosters that have one, with the pity counter; null without."},
    )


class RulesView(Schema):
    """The boosters of a set that can be had now."""

    set = fields.String(required=True)
    price = fields.Integer(required=True, metadata={"description": "In coins."})
    digest = fields.String(required=True, metadata={"description": "Of the rules, base64url."})
    rules = fields.Dict(
        required=True,
        metadata={
            "description": "Slots with their weights, pity counter, cards by rarity: docs/boosters.md."
        },
    )
    odds = fields.List(
        fields.Nested(OddsView), required=True, metadata={"description": "By the weights alone, if not said."}
    )


class RulesPage(Schema):
    """All boosters that can be had."""

    items = fields.List(fields.Nested(RulesView), required=True)


class BoosterView(Schema):
    """A booster of mine."""

    id = fields.String(required=True)
    set = fields.String(required=True, attribute="set_code")
    rules = fields.String(
        required=True, metadata={"description": "The digest of the rules by which it is opened, base64url."}
    )
    origin = fields.String(required=True, metadata={"description": "bought, or won:GAME."})
    created_at = Time(required=True)
    opened_at = Time(required=True, allow_none=True)


class BoosterQuery(PageQuery):
    """Which of mine."""

    state = fields.String(load_default="closed", validate=validate.OneOf(["closed", "opened"]))


class Purchase(Schema):
    """What is bought."""

    example: ClassVar[dict[str, Any]] = {"set": "PB"}

    set = fields.String(required=True, metadata={"description": "The set's code.", "example": "PB"})


class CommitmentView(Schema):
    """The house's signed word for a chain (docs/boosters.md, section 2)."""

    player = fields.String(required=True)
    chain = fields.Integer(required=True)
    anchor = fields.String(required=True, metadata={"description": "64 bytes, base64url."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    house_key = fields.String(required=True)
    signature = fields.String(required=True)


class Choice(Schema):
    """The player's half."""

    example: ClassVar[dict[str, Any]] = {"anchor": "A" * 86, "nonce": "A" * 43}

    anchor = fields.String(
        required=True, metadata={"description": "Of the commitment that I was shown, 64 bytes in base64url."}
    )
    nonce = fields.String(
        required=True,
        metadata={"description": "32 bytes of my own choice in base64url, fresh for each booster."},
    )


class OpeningView(Schema):
    """The house's signed word for what came out (docs/boosters.md, section 3)."""

    number = fields.Integer(required=True)
    prev = fields.String(required=True)
    player = fields.String(required=True)
    booster = fields.String(required=True)
    rules = fields.String(required=True)
    since = fields.Integer(required=True)
    chain = fields.Integer(required=True)
    k = fields.Integer(required=True)
    link = fields.String(required=True)
    nonce = fields.String(required=True)
    cards = fields.List(fields.Integer(), required=True, metadata={"description": "In the order drawn."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class OpenedView(Schema):
    """What came out."""

    opening = fields.Nested(OpeningView, required=True)
    copies = fields.List(fields.Nested(CopyView), required=True, metadata={"description": "Mine now."})


class BoosterRecordView(Schema):
    """A file of all that a player has opened, in its canonical bytes."""

    protocol = fields.String(required=True, metadata={"description": PROTOCOL})
    player = fields.String(required=True)
    rules = fields.List(fields.Dict(), required=True)
    chains = fields.List(fields.Nested(CommitmentView), required=True)
    openings = fields.List(fields.Nested(OpeningView), required=True)


def _rules(rules: Rules) -> dict[str, Any]:
    return {
        "set": rules.set,
        "price": operations.PRICE,
        "digest": b64(rules_digest(rules)),
        "rules": rules.json(),
        "odds": [_odds(rules, found) for found in odds(rules)],
    }


def _odds(rules: Rules, found: RarityOdds) -> dict[str, Any]:
    return {
        "rarity": found.rarity,
        "cards": len(rules.cards[found.rarity]),
        "expected": float(found.expected),
        "chance": float(found.chance),
        "each": float(found.each),
        "with_pity": None if found.with_pity is None else float(found.with_pity),
    }


@boosters.route("/boosters/odds")
@boosters.tagged(PUBLIC)
@boosters.gives(RulesPage)
def list_odds() -> dict[str, Any]:
    """The boosters that can be had, what they cost, by what rules they are opened, and the odds."""
    return {"items": [_rules(rules) for rules in operations.on_sale(house()).values()]}


@boosters.route("/boosters")
@boosters.signed_in
@boosters.takes(BoosterQuery, "query")
@boosters.gives(page_of(BoosterView))
def list_boosters(query: dict[str, Any]) -> dict[str, Any]:
    """My boosters, those that are not opened yet or those that are, by the time I got them."""
    after = read_cursor(query["cursor"], int, str) or (0, "")
    opened = query["state"] == "opened"
    with house().read() as session:
        found = operations.of_player(session, me().id, after, query["limit"] + 1, opened=opened)
    return page(found, query["limit"], lambda booster: (booster.created_at, booster.id))


@boosters.route("/boosters", "POST")
@boosters.signed_in
@boosters.takes(Purchase)
@boosters.gives(BoosterView, 201)
@boosters.refuses(409)
def buy_booster(body: dict[str, Any]) -> Booster:
    """Buy a booster with coins."""
    return operations.buy(house(), me().id, body["set"])


@boosters.route("/boosters/commitment", "POST")
@boosters.signed_in
@boosters.gives(CommitmentView)
def commit_to_boosters() -> dict[str, Any]:
    """The house's commitment for my next openings; keep it, and choose a nonce only then."""
    return operations.commitment(house(), me().id)


@boosters.route("/boosters/record")
@boosters.signed_in
@boosters.gives(BoosterRecordView)
def get_opened_boosters() -> Response:
    """All that I have opened as a file, to be verified offline: `cloche verify FILE`."""
    with house().read() as session:
        data = operations.record(session, me().id)
    named = {"Content-Disposition": 'attachment; filename="cloche-boosters.json"'}
    return Response(data, mimetype="application/json", headers=named)


@boosters.route("/boosters/<booster_id>/open", "POST")
@boosters.signed_in
@boosters.takes(Choice)
@boosters.gives(OpenedView)
@boosters.refuses(404, 409)
def open_booster(body: dict[str, Any], booster_id: str) -> operations.Opened:
    """Open a booster of mine by my nonce. The same nonce again gets the same answer again."""
    anchor, nonce = _octets(body, "anchor", LINK_BYTES), _octets(body, "nonce", NONCE)
    return operations.open_booster(house(), me().id, booster_id, anchor, nonce)


def _octets(body: dict[str, Any], name: str, length: int) -> bytes:
    try:
        return unb64(body[name], length)
    except EncodingError as error:
        fault = Fault(f"bad_{name}", f"Must be {length} bytes in base64url: {error}.", f"/{name}")
        raise invalid(f"bad_{name}", fault.detail, [fault]) from None
