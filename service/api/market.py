"""The market: offers of players to one another, the prices that cards went for, and wishes."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields, validate

from cards.pictures.price_chart import Sale, price_chart
from service.models import Offer
from service.operations import market as operations
from service.operations import trades
from service.operations.market import OfferQuery, ShownOffer
from service.operations.trades import OfferSide
from service.problems import not_found
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import CardCountsField, Id, Time, find_number
from service.web.paging import PageQuery, page, page_of, read_cursor

market = Blueprint("market", "Trading: offers, the prices that cards went for, and my wishes.")

STATES = ["open", "accepted", "declined", "withdrawn", "expired"]
SVG = "image/svg+xml"
MOST_POINTS = 1000
"""The most sales in a chart; older ones are left out."""


def _slug(item: Any) -> str:
    card = house().catalog.cards.get(item.card)
    return card.slug if card else str(item.card)


CARD = {"type": "string", "description": "The card's slug."}


def _coins(text: str) -> fields.Integer:
    return fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, trades.MOST_COINS),
        metadata={"description": text},
    )


class GivesBody(Schema):
    """The goods that the maker gives: copies by id or by card, and coins."""

    copies = fields.List(
        fields.String(validate=validate.Length(max=36)),
        load_default=list,
        validate=validate.Length(max=trades.MOST_COPIES),
        metadata={"description": "Copies by id, as /collection/copies lists them."},
    )
    cards = CardCountsField(
        inside="/gives",
        load_default=dict,
        metadata={"description": "More copies by card: the newest of my free copies."},
    )
    coins = _coins("Coins that are set aside until the offer is closed.")


class WantsBody(Schema):
    """The goods that the maker wants: any copies of cards, and coins."""

    cards = CardCountsField(inside="/wants", load_default=dict)
    coins = _coins("The price in coins, which never changes.")


class OfferBody(Schema):
    """The terms of an offer. At most one side has coins."""

    example: ClassVar[dict[str, Any]] = {"gives": {"cards": {"tuna": 2}}, "wants": {"coins": 30}}

    gives = fields.Nested(GivesBody, required=True)
    wants = fields.Nested(WantsBody, required=True)
    to = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=24),
        metadata={"description": "The handle of the only player who may take it. Default: everybody may."},
    )
    hours = fields.Integer(
        strict=True,
        load_default=trades.USUAL_HOURS,
        validate=validate.Range(*trades.HOURS),
        metadata={"description": "The number of hours that the offer stands."},
    )


class AcceptBody(Schema):
    """The copies that I give for the offer."""

    example: ClassVar[dict[str, Any]] = {}

    copies = fields.List(
        fields.String(validate=validate.Length(max=36)),
        load_default=list,
        validate=validate.Length(max=trades.MOST_COPIES),
        metadata={"description": "Copies by id. The rest comes from the newest of my free copies."},
    )


class OfferedCopyView(Schema):
    """A copy in an offer."""

    id = Id(required=True)
    card = fields.Function(_slug, required=True, metadata=CARD)
    number = fields.Integer(required=True, attribute="card")
    serial = fields.Integer(required=True)


class GivesView(Schema):
    """The goods that the maker gives."""

    copies = fields.List(fields.Nested(OfferedCopyView), required=True, attribute="gives")
    coins = fields.Integer(required=True, attribute="offer.gives_coins")


class WantsView(Schema):
    """The goods that the maker wants."""

    cards = CardCountsField(required=True, attribute="wants")
    coins = fields.Integer(required=True, attribute="offer.wants_coins")


class OfferView(Schema):
    """An offer and its state."""

    id = Id(required=True, attribute="offer.id")
    maker = fields.String(required=True, metadata={"description": "The handle of the player who made it."})
    to = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The handle of the only player who may take it; null where everybody may."},
    )
    gives = fields.Function(lambda shown: GivesView().dump(shown), required=True)
    wants = fields.Function(lambda shown: WantsView().dump(shown), required=True)
    state = fields.String(required=True, metadata={"enum": STATES})
    created_at = Time(required=True, attribute="offer.created_at")
    expires_at = Time(required=True, attribute="offer.expires_at")
    closed_at = Time(required=True, allow_none=True, attribute="offer.closed_at")
    taker = fields.String(
        required=True, allow_none=True, metadata={"description": "The handle of the player who took it."}
    )
    got = fields.List(
        fields.Nested(OfferedCopyView),
        required=True,
        metadata={"description": "The copies that the taker gave."},
    )


class OffersQuery(PageQuery):
    """The offers to list."""

    card = fields.String(load_default=None, metadata={"description": "List only offers that give this card."})
    wants = fields.String(
        load_default=None, metadata={"description": "List only offers that want this card."}
    )
    maker = fields.String(
        load_default=None, metadata={"description": "List only offers of the player with this handle."}
    )
    mine = fields.Boolean(
        load_default=False,
        metadata={"description": "List only offers that I made, got or took; closed ones too."},
    )
    sort = fields.String(
        load_default="newest",
        validate=validate.OneOf(["newest", "cheapest"]),
        metadata={"description": "newest first, or cheapest first by the coins that they want."},
    )


class PriceView(Schema):
    """A sale: what copies of one card went for."""

    card = fields.Function(_slug, required=True, metadata=CARD)
    number = fields.Integer(required=True, attribute="card")
    at = Time(required=True)
    copies = fields.Integer(required=True)
    coins = fields.Integer(required=True, metadata={"description": "The price of all these copies in coins."})


class WishesBody(Schema):
    """The cards that I would like to own."""

    example: ClassVar[dict[str, Any]] = {"cards": {"tuna": 2}}

    cards = CardCountsField(required=True)


class LackView(Schema):
    """The present cost of the copies of a card that I lack."""

    card = fields.Function(_slug, required=True, metadata=CARD)
    number = fields.Integer(required=True, attribute="card")
    missing = fields.Integer(required=True)
    free = fields.Boolean(
        required=True, metadata={"description": "True if it is a Basic Ingredient, which is free to mint."}
    )
    coins = fields.Integer(
        required=True, metadata={"description": "The price in coins of the copies that are offered."}
    )
    unavailable = fields.Integer(
        required=True, metadata={"description": "Copies that nobody offers for coins."}
    )
    offers = fields.List(Id(), required=True, metadata={"description": "The ids of the offers to take."})
    last = fields.Nested(
        PriceView, required=True, allow_none=True, metadata={"description": "The last sale of the card."}
    )


class LackingView(Schema):
    """The present cost of the cards of a list that I lack."""

    coins = fields.Integer(required=True)
    missing = fields.Integer(
        required=True, metadata={"description": "The number of missing copies, Basic Ingredients included."}
    )
    unavailable = fields.Integer(required=True)
    cards = fields.List(fields.Nested(LackView), required=True)


def _number(name: str) -> int:
    """The number of the card with this slug or number. Raises `Problem` 404."""
    number = find_number(house().catalog, name)
    if number is None:
        raise not_found("card")
    return number


def _number_if_named(name: str | None) -> int | None:
    return None if name is None else _number(name)


def _shown(offer: Offer) -> ShownOffer:
    here = house()
    with here.read() as session:
        return operations.show(here, session, [offer])[0]


@market.route("/offers", "POST")
@market.signed_in
@market.takes(OfferBody)
@market.creates(OfferView, "/offers/{id}")
@market.refuses(404, 409, 422)
def make_offer(body: dict[str, Any]) -> ShownOffer:
    """Make an offer: copies or coins for copies or coins, to everybody or to one player.

    The house sets aside at once what the offer gives: no match and no other offer can use it until this one
    is closed. The terms never change; to change them, withdraw the offer and make another.
    """
    gives, wants = OfferSide(**body["gives"]), OfferSide(**body["wants"])
    return _shown(trades.make(house(), me(), gives=gives, wants=wants, to=body["to"], hours=body["hours"]))


@market.route("/offers")
@market.signed_in
@market.takes(OffersQuery, "query")
@market.gives(page_of(OfferView))
@market.refuses(404)
def list_offers(query: dict[str, Any]) -> dict[str, Any]:
    """List the offers that are open to everybody, or those that concern me."""
    wanted = OfferQuery(
        card=_number_if_named(query["card"]),
        wants=_number_if_named(query["wants"]),
        maker=query["maker"],
        mine=query["mine"],
        cheapest=query["sort"] == "cheapest",
    )
    after = read_cursor(query["cursor"], int, str)
    here, limit = house(), query["limit"]
    with here.read() as session:
        found = operations.offers(here, session, me().id, wanted, after, limit + 1)
    return page(found, limit, lambda shown: operations.key_of(wanted, shown))


@market.route("/offers/<offer_id>")
@market.signed_in
@market.gives(OfferView)
@market.refuses(404)
def get_offer(offer_id: str) -> ShownOffer:
    """Show an offer: one that is open to everybody, or one that concerns me."""
    here = house()
    with here.read() as session:
        return operations.find(here, session, offer_id, me().id)


@market.route("/offers/<offer_id>/accept", "POST")
@market.signed_in
@market.takes(AcceptBody)
@market.gives(OfferView)
@market.refuses(404, 409, 422)
def accept_offer(body: dict[str, Any], offer_id: str) -> ShownOffer:
    """Accept an offer. Everything changes hands at once, or nothing does."""
    return _shown(trades.accept(house(), me(), offer_id, body["copies"]))


@market.route("/offers/<offer_id>/decline", "POST")
@market.signed_in
@market.gives(OfferView)
@market.refuses(404, 409)
def decline_offer(offer_id: str) -> ShownOffer:
    """Decline an offer that was made to me alone."""
    return _shown(trades.decline(house(), me(), offer_id))


@market.route("/offers/<offer_id>/withdraw", "POST")
@market.signed_in
@market.gives(OfferView)
@market.refuses(404, 409)
def withdraw_offer(offer_id: str) -> ShownOffer:
    """Withdraw an offer of mine, and free what it gives."""
    return _shown(trades.withdraw(house(), me(), offer_id))


@market.route("/prices")
@market.takes(PageQuery, "query")
@market.gives(page_of(PriceView))
def list_prices(query: dict[str, Any]) -> dict[str, Any]:
    """List the last sale of each card, by number. Trades for coins alone count as sales."""
    (after,) = read_cursor(query["cursor"], int) or (0,)
    with house().read() as session:
        found = operations.last_prices(session, after, query["limit"] + 1)
    return page(found, query["limit"], lambda price: (price.card,))


@market.route("/prices/<name>")
@market.takes(PageQuery, "query")
@market.gives(page_of(PriceView))
@market.refuses(404)
def get_prices(query: dict[str, Any], name: str) -> dict[str, Any]:
    """List the sales of a card, newest first."""
    card = _number(name)
    after = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        found = operations.prices(session, card, after, query["limit"] + 1)
    return page(found, query["limit"], lambda price: (price.at, price.offer_id))


@market.route("/prices/<name>/chart.svg")
@market.pictures(SVG)
@market.refuses(404)
def get_price_chart(name: str) -> Response:
    """Draw the prices of a card as a chart."""
    card = _number(name)
    with house().read() as session:
        found = operations.prices(session, card, limit=MOST_POINTS)
    sales = [Sale(price.at, price.copies, price.coins) for price in reversed(found)]
    return Response(price_chart(house().catalog.cards[card].name, sales), content_type=SVG)


@market.route("/wishes")
@market.signed_in
@market.gives(WishesBody)
def get_wishes() -> dict[str, dict[int, int]]:
    """Show my wishes: the cards that I would like to own."""
    with house().read() as session:
        return {"cards": operations.wishes(session, me().id)}


@market.route("/wishes", "PUT")
@market.signed_in
@market.takes(WishesBody)
@market.gives(WishesBody)
@market.refuses(422)
def put_wishes(body: dict[str, Any]) -> dict[str, Any]:
    """Replace my wishes."""
    operations.wish(house(), me(), body["cards"])
    return body


@market.route("/wishes/cost")
@market.signed_in
@market.gives(LackingView)
def get_wishes_cost() -> dict[str, Any]:
    """Show what the cards of my wishes that I lack would cost now."""
    with house().read() as session:
        counts = operations.wishes(session, me().id)
    return _cost(counts)


@market.route("/market/cost", "POST", changes=False)
@market.signed_in
@market.takes(WishesBody)
@market.gives(LackingView)
def post_cost(body: dict[str, Any]) -> dict[str, Any]:
    """Show what the cards of a list that I lack would cost now, by the cheapest offers."""
    return _cost(body["cards"])


def _cost(counts: dict[int, int]) -> dict[str, Any]:
    here = house()
    with here.read() as session:
        found = operations.cost(here, session, me().id, counts)
    return {
        "coins": sum(cost.coins for cost in found),
        "missing": sum(cost.missing for cost in found),
        "unavailable": sum(cost.unavailable for cost in found),
        "cards": found,
    }
