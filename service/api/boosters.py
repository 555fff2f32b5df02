"""Boosters: what is in them by what odds, buying them, and opening them by a fair draw."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields, validate

from cards.catalog.boosters import Booster, RarityOdds, odds
from crypto.encoding import EncodingError, b64, unb64
from crypto.fairness import LINK_BYTES
from referee.boosters import NONCE, PROTOCOL, rules_digest
from service.api.collection import CopyView
from service.models import BoosterRow
from service.operations import boosters as operations
from service.problems import Fault, invalid
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.etags import PUBLIC
from service.web.fields import Id, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

boosters = Blueprint(
    "boosters",
    "Boosters: sealed packs of cards. Their odds, buying them, opening them by a draw that nobody can steer.",
)


class OddsView(Schema):
    """The odds of one rarity in one booster."""

    rarity = fields.String(required=True)
    cards = fields.Integer(
        required=True, metadata={"description": "The number of different cards of this rarity."}
    )
    expected = fields.Float(
        required=True, metadata={"description": "The average number of such cards in a booster."}
    )
    chance = fields.Float(
        required=True, metadata={"description": "The probability of at least one such card."}
    )
    each = fields.Float(
        required=True, metadata={"description": "The probability of one given card of this rarity."}
    )
    with_pity = fields.Float(
        required=True,
        allow_none=True,
        metadata={
            "description": "The share of boosters with such a card, the pity counter included. Null"
            " where the rarity has none."
        },
    )


class RulesView(Schema):
    """The boosters of one set, as they are sold now."""

    set = fields.String(required=True)
    price = fields.Integer(required=True, metadata={"description": "The price in coins."})
    digest = fields.String(required=True, metadata={"description": "The digest of the rules, in base64url."})
    rules = fields.Dict(
        required=True,
        metadata={
            "description": "The rules by which a booster is drawn: slots with weights, the pity counter,"
            " cards by rarity (docs/boosters.md)."
        },
    )
    odds = fields.List(
        fields.Nested(OddsView),
        required=True,
        metadata={
            "description": "The odds by rarity. They follow from the weights; only `with_pity` counts"
            " the pity counter."
        },
    )


class RulesPage(Schema):
    """The boosters that are sold."""

    items = fields.List(fields.Nested(RulesView), required=True)


class BoosterView(Schema):
    """A booster of mine."""

    id = Id(required=True)
    set = fields.String(required=True, attribute="set_code", metadata={"description": "The set's code."})
    rules = fields.String(
        required=True,
        metadata={"description": "The digest of the rules by which it is opened, in base64url."},
    )
    origin = fields.String(
        required=True,
        metadata={"description": "The origin of the booster: `bought`, or `won:` and the id of a game."},
    )
    created_at = Time(required=True)
    opened_at = Time(required=True, allow_none=True)


class BoosterQuery(PageQuery):
    """The boosters of mine to list."""

    state = fields.String(load_default="closed", validate=validate.OneOf(["closed", "opened"]))


class Purchase(Schema):
    """An order of boosters to buy."""

    example: ClassVar[dict[str, Any]] = {"set": "PB"}

    set = fields.String(required=True, metadata={"description": "The set's code.", "example": "PB"})


class CommitmentView(Schema):
    """The house's signed commitment to a hash chain (docs/boosters.md, section 2)."""

    player = Id(required=True)
    chain = fields.Integer(required=True)
    anchor = fields.String(
        required=True, metadata={"description": "The end of the chain, 64 bytes in base64url."}
    )
    at = fields.String(required=True, metadata={"format": "date-time"})
    house_key = fields.String(required=True)
    signature = fields.String(required=True)


class Choice(Schema):
    """The player's share of the draw."""

    example: ClassVar[dict[str, Any]] = {"anchor": "A" * 86, "nonce": "A" * 43}

    anchor = fields.String(
        required=True,
        metadata={"description": "The anchor of the commitment that I was shown, 64 bytes in base64url."},
    )
    nonce = fields.String(
        required=True,
        metadata={"description": "32 random bytes of mine in base64url, new for each booster."},
    )


class OpeningView(Schema):
    """The house's signed statement of an opening (docs/boosters.md, section 3)."""

    number = fields.Integer(required=True)
    prev = fields.String(required=True)
    player = Id(required=True)
    booster = Id(required=True)
    rules = fields.String(required=True)
    since = fields.Integer(required=True)
    chain = fields.Integer(required=True)
    k = fields.Integer(required=True)
    link = fields.String(required=True)
    nonce = fields.String(required=True)
    cards = fields.List(
        fields.Integer(), required=True, metadata={"description": "The cards' numbers, in the order drawn."}
    )
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class OpenedView(Schema):
    """An opened booster: the signed statement, and the new copies."""

    opening = fields.Nested(OpeningView, required=True)
    copies = fields.List(
        fields.Nested(CopyView), required=True, metadata={"description": "The new copies; they are mine."}
    )


class BoosterRecordView(Schema):
    """All openings of a player as a file, in its canonical bytes."""

    protocol = fields.String(required=True, metadata={"description": PROTOCOL})
    player = Id(required=True)
    rules = fields.List(fields.Dict(), required=True)
    chains = fields.List(fields.Nested(CommitmentView), required=True)
    openings = fields.List(fields.Nested(OpeningView), required=True)


def _rules(rules: Booster) -> dict[str, Any]:
    return {
        "set": rules.set,
        "price": operations.PRICE,
        "digest": b64(rules_digest(rules)),
        "rules": rules.json(),
        "odds": [_odds(rules, found) for found in odds(rules)],
    }


def _odds(rules: Booster, found: RarityOdds) -> dict[str, Any]:
    return {
        "rarity": found.rarity,
        "cards": len(rules.cards[found.rarity]),
        "expected": float(found.expected),
        "chance": float(found.chance),
        "each": float(found.each),
        "with_pity": None if found.with_pity is None else float(found.with_pity),
    }


@boosters.route("/boosters/odds")
@boosters.cached(PUBLIC)
@boosters.gives(RulesPage)
def list_odds() -> dict[str, Any]:
    """List the boosters that are sold, with their prices, rules and odds."""
    return {"items": [_rules(rules) for rules in operations.on_sale(house()).values()]}


@boosters.route("/boosters")
@boosters.signed_in
@boosters.takes(BoosterQuery, "query")
@boosters.gives(page_of(BoosterView))
def list_boosters(query: dict[str, Any]) -> dict[str, Any]:
    """List my closed or my opened boosters, in the order in which I got them."""
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
def buy_booster(body: dict[str, Any]) -> BoosterRow:
    """Buy a booster with my coins."""
    return operations.buy(house(), me().id, body["set"])


@boosters.route("/boosters/commitment", "POST")
@boosters.signed_in
@boosters.gives(CommitmentView)
def commit_to_boosters() -> dict[str, Any]:
    """Get the house's commitment for my next openings.

    Keep it, and choose the nonce of an opening only afterwards: so neither side can steer the draw.
    """
    return operations.commitment(house(), me().id)


@boosters.route("/boosters/record")
@boosters.signed_in
@boosters.gives(BoosterRecordView)
def get_opened_boosters() -> Response:
    """Download all my openings as a file, which `cloche verify FILE` verifies without the house."""
    with house().read() as session:
        data = operations.record(session, me().id)
    named = {"Content-Disposition": 'attachment; filename="cloche-boosters.json"'}
    return Response(data, mimetype="application/json", headers=named)


@boosters.route("/boosters/<booster_id>/open", "POST")
@boosters.signed_in
@boosters.takes(Choice)
@boosters.gives(OpenedView)
@boosters.refuses(404, 409)
def open_booster(body: dict[str, Any], booster_id: str) -> operations.OpenedBooster:
    """Open one of my boosters with a nonce of mine.

    The same nonce, sent again, gets the same answer.
    """
    anchor, nonce = _octets(body, "anchor", LINK_BYTES), _octets(body, "nonce", NONCE)
    return operations.open_booster(house(), me().id, booster_id, anchor, nonce)


def _octets(body: dict[str, Any], name: str, length: int) -> bytes:
    try:
        return unb64(body[name], length)
    except EncodingError as error:
        fault = Fault(f"bad_{name}", f"Must be {length} bytes in base64url: {error}.", f"/{name}")
        raise invalid(f"bad_{name}", fault.detail, [fault]) from None
