"""Boosters: what is in them by what odds, buying them, and opening them by a fair draw."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields, validate

from cards.catalog.boosters import Booster, RarityOdds, odds
from crypto.encoding import EncodingError, b64, unb64
from referee.booster_statements import NONCE, PROTOCOL, rules_digest
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


class BoosterRulesPage(Schema):
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
        metadata={
            "description": "The origin of the booster: `bought`, `welcome`, `won:` and the id of a game, or"
            " `granted:` and the id of a grant."
        },
    )
    soulbound = fields.Boolean(
        required=True,
        metadata={"description": "True if the copies in it can never go to another player."},
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
    player_key = fields.String(
        metadata={"description": "My public key. Commitments of older versions have none."}
    )
    chain = fields.Integer(required=True)
    anchor = fields.String(
        required=True, metadata={"description": "The end of the chain, 64 bytes in base64url."}
    )
    at = fields.String(required=True, metadata={"format": "date-time"})
    house_key = fields.String(required=True)
    signature = fields.String(required=True)


class Known(Schema):
    """What I know before I ask for a commitment."""

    example: ClassVar[dict[str, Any]] = {"known": None}

    known = fields.Nested(
        CommitmentView,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The newest commitment that I have. A house that has forgotten it takes it back."
        },
    )


class OpeningBody(Schema):
    """My request for the opening of a booster (docs/boosters.md, section 3)."""

    example: ClassVar[dict[str, Any]] = {
        "anchor": "A" * 86,
        "prev": "A" * 86,
        "seal": "A" * 86,
        "asked": "A" * 86,
    }

    anchor = fields.String(
        required=True,
        metadata={"description": "The anchor of the commitment that I was shown, 64 bytes in base64url."},
    )
    prev = fields.String(
        required=True,
        metadata={"description": "The digest of my newest opening, 64 bytes in base64url; zeros for none."},
    )
    seal = fields.String(
        required=True, metadata={"description": "My commitment to a nonce, 64 bytes in base64url."}
    )
    asked = fields.String(
        required=True, metadata={"description": "My signature under the terms, 64 bytes in base64url."}
    )


class BoosterReceiptView(Schema):
    """The house's signed receipt for an opening that I have asked for (docs/boosters.md, section 3)."""

    number = fields.Integer(required=True)
    prev = fields.String(required=True)
    player = Id(required=True)
    booster = Id(required=True)
    rules = fields.String(required=True)
    since = fields.Integer(required=True)
    chain = fields.Integer(required=True)
    anchor = fields.String(required=True)
    k = fields.Integer(required=True)
    seal = fields.String(required=True)
    asked = fields.String(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class Choice(Schema):
    """The receipt that I have, and my share of the draw."""

    example: ClassVar[dict[str, Any]] = {
        "receipt": {
            "number": 1,
            "prev": "A" * 86,
            "player": "00000000-0000-4000-8000-000000000000",
            "booster": "00000000-0000-4000-8000-000000000001",
            "rules": "A" * 86,
            "since": 0,
            "chain": 1,
            "anchor": "A" * 86,
            "k": 1,
            "seal": "A" * 86,
            "asked": "A" * 86,
            "at": "2026-11-20T10:00:00.000Z",
            "signature": "A" * 86,
        },
        "nonce": "A" * 43,
    }

    receipt = fields.Nested(BoosterReceiptView, required=True)
    nonce = fields.String(
        required=True, metadata={"description": "The 32 bytes that I have sealed, in base64url."}
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
    asked = fields.String(
        metadata={"description": "My signature under the ask. Openings of older versions have none."}
    )
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class NoticeView(Schema):
    """The house's signed notice that it has given up a chain (docs/boosters.md, section 5)."""

    player = Id(required=True)
    chain = fields.Integer(required=True)
    anchor = fields.String(required=True)
    end = fields.String(
        required=True, metadata={"description": "The chain's last link, which gives all others; 64 bytes."}
    )
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class AskedBoosterView(Schema):
    """A receipt in a file, with the nonce if it is known."""

    receipt = fields.Nested(BoosterReceiptView, required=True)
    nonce = fields.String(required=True, allow_none=True)


class OpenedView(Schema):
    """An opened booster: the signed statement, and the new copies."""

    opening = fields.Nested(OpeningView, required=True)
    copies = fields.List(
        fields.Nested(CopyView), required=True, metadata={"description": "The new copies; they are mine."}
    )


class BoosterRecordView(Schema):
    """Everything that a player has asked for and opened, as a file in its canonical bytes."""

    protocol = fields.String(required=True, metadata={"description": PROTOCOL})
    player = Id(required=True)
    rules = fields.List(fields.Dict(), required=True)
    chains = fields.List(fields.Nested(CommitmentView), required=True)
    notices = fields.List(fields.Nested(NoticeView), required=True)
    asked = fields.List(fields.Nested(AskedBoosterView), required=True)
    openings = fields.List(fields.Nested(OpeningView), required=True)


def _rules(rules: Booster) -> dict[str, Any]:
    return {
        "set": rules.set,
        "price": house().settings.booster_price,
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
@boosters.gives(BoosterRulesPage)
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
@boosters.takes(Known)
@boosters.gives(CommitmentView)
@boosters.refuses(409)
def commit_to_boosters(body: dict[str, Any]) -> dict[str, Any]:
    """Get the house's commitment for my next openings.

    Keep it, and send it with the next request. A house that was restored from a backup gives up a chain that
    it has forgotten, with a notice.
    """
    return operations.commitment(house(), me().id, body["known"])


@boosters.route("/boosters/record")
@boosters.signed_in
@boosters.gives(BoosterRecordView)
def get_opened_boosters() -> Response:
    """Download all my openings as a file, which `cloche verify FILE` verifies without the house."""
    with house().read() as session:
        data = operations.record(house(), session, me().id)
    named = {"Content-Disposition": 'attachment; filename="cloche-boosters.json"'}
    return Response(data, mimetype="application/json", headers=named)


@boosters.route("/boosters/<booster_id>/ask", "POST")
@boosters.signed_in
@boosters.takes(OpeningBody)
@boosters.gives(BoosterReceiptView)
@boosters.refuses(404, 409)
def ask_for_opening(body: dict[str, Any], booster_id: str) -> dict[str, Any]:
    """Ask for the opening of one of my boosters, with a nonce of mine that the house can't read yet.

    The receipt fixes everything but link and nonce. Keep it before you show the nonce. The same ask gets the
    same receipt again.
    """
    asked = operations.BoosterAsk(*(_octets(body, name, 64) for name in ("anchor", "prev", "seal", "asked")))
    return operations.ask(house(), me().id, booster_id, asked)


@boosters.route("/boosters/<booster_id>/open", "POST")
@boosters.signed_in
@boosters.takes(Choice)
@boosters.gives(OpenedView)
@boosters.refuses(404, 409)
def open_booster(body: dict[str, Any], booster_id: str) -> operations.OpenedBooster:
    """Open one of my boosters: with the receipt that I have, and the nonce that I have sealed.

    The same nonce, sent again, gets the same answer.
    """
    nonce = _octets(body, "nonce", NONCE)
    return operations.open_booster(house(), me().id, booster_id, body["receipt"], nonce)


def _octets(body: dict[str, Any], name: str, length: int) -> bytes:
    try:
        return unb64(body[name], length)
    except EncodingError as error:
        fault = Fault(f"bad_{name}", f"Must be {length} bytes in base64url: {error}.", f"/{name}")
        raise invalid(f"bad_{name}", fault.detail, [fault]) from None
