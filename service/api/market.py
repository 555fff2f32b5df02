"""The market: offers, prices, wishes."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields, validate

from cards.pictures.price_chart import Sale, price_chart
from service.models import Offer
from service.operations import market as operations
from service.operations import trades
from service.operations.market import Query, Shown
from service.operations.trades import Terms
from service.problems import not_found
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import CardCounts, Time, find_number
from service.web.paging import PageQuery, page, page_of, read_cursor

market = Blueprint("market", "Trading: offers, what cards went for, wishes.")

STATES = ["open", "accepted", "declined", "withdrawn", "expired"]
SVG = "image/svg+xml"
MOST_POINTS = 1000
"""Sales in a chart: the newest."""


def _slug(item: Any) -> str:
    card = house().catalog.cards.get(item.card)
    return card.slug if card else str(item.card)


CARD = {"type": "string", "description": "Its slug."}


def _coins(text: str) -> fields.Integer:
    return fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, trades.MOST_COINS),
        metadata={"description": text},
    )


class GivesBody(Schema):
    """What one gives: copies by id, or so many of a card, and coins."""

    copies = fields.List(
        fields.String(validate=validate.Length(max=36)),
        load_default=list,
        validate=validate.Length(max=trades.MOST_COPIES),
        metadata={"description": "Copies by id; see /collection/copies."},
    )
    cards = CardCounts(
        inside="/gives",
        load_default=dict,
        metadata={"description": "So many more of a card, by slug: of one's free copies the newest."},
    )
    coins = _coins("Coins, set aside until the offer is closed.")


class WantsBody(Schema):
    """What one wants for it: so many copies of a card, whichever, and coins."""

    cards = CardCounts(inside="/wants", load_default=dict)
    coins = _coins("Coins; this is the price, and it never changes.")


class OfferBody(Schema):
    """An offer. Coins are on one side of it at most."""

    example: ClassVar[dict[str, Any]] = {"gives": {"cards": {"tuna": 2}}, "wants": {"coins": 30}}

    gives = fields.Nested(GivesBody, required=True)
    wants = fields.Nested(WantsBody, required=True)
    to = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=24),
        metadata={"description": "The handle of who alone may take it; everybody, if left out."},
    )
    hours = fields.Integer(
        strict=True,
        load_default=trades.USUAL_HOURS,
        validate=validate.Range(*trades.HOURS),
        metadata={"description": "How long it stands."},
    )


class AcceptBody(Schema):
    """Which copies one gives for it."""

    example: ClassVar[dict[str, Any]] = {}

    copies = fields.List(
        fields.String(validate=validate.Length(max=36)),
        load_default=list,
        validate=validate.Length(max=trades.MOST_COPIES),
        metadata={"description": "Copies by id; for what they leave open, one's newest free copies."},
    )


class OfferedCopyView(Schema):
    """A copy of an offer."""

    id = fields.String(required=True)
    card = fields.Function(_slug, required=True, metadata=CARD)
    number = fields.Integer(required=True, attribute="card")
    serial = fields.Integer(required=True)


class GivesView(Schema):
    """What the maker gives."""

    copies = fields.List(fields.Nested(OfferedCopyView), required=True, attribute="gives")
    coins = fields.Integer(required=True, attribute="offer.gives_coins")


class WantsView(Schema):
    """What the maker wants."""

    cards = CardCounts(required=True, attribute="wants")
    coins = fields.Integer(required=True, attribute="offer.wants_coins")


class OfferView(Schema):
    """An offer, and how it stands."""

    id = fields.String(required=True, attribute="offer.id")
    maker = fields.String(required=True, metadata={"description": "A handle."})
    to = fields.String(
        required=True, allow_none=True, metadata={"description": "Who alone may take it; null for everybody."}
    )
    gives = fields.Function(lambda shown: GivesView().dump(shown), required=True)
    wants = fields.Function(lambda shown: WantsView().dump(shown), required=True)
    state = fields.String(required=True, metadata={"enum": STATES})
    created_at = Time(required=True, attribute="offer.created_at")
    expires_at = Time(required=True, attribute="offer.expires_at")
    closed_at = Time(required=True, allow_none=True, attribute="offer.closed_at")
    taker = fields.String(required=True, allow_none=True, metadata={"description": "Who has taken it."})
    got = fields.List(
        fields.Nested(OfferedCopyView),
        required=True,
        metadata={"description": "The copies that the taker gave."},
    )


class OffersQuery(PageQuery):
    """Which offers: those open to everybody, or mine."""

    card = fields.String(load_default=None, metadata={"description": "That give this card."})
    wants = fields.String(load_default=None, metadata={"description": "That want this card."})
    maker = fields.String(load_default=None, metadata={"description": "Of this player, by handle."})
    mine = fields.Boolean(
        load_default=False,
        metadata={
            "description": "In which I have a part: made by me, made to me, taken by me; closed ones too."
        },
    )
    sort = fields.String(
        load_default="newest",
        validate=validate.OneOf(["newest", "cheapest"]),
        metadata={"description": "cheapest: by the coins that they want."},
    )


class PriceView(Schema):
    """What copies of one card went for."""

    card = fields.Function(_slug, required=True, metadata=CARD)
    number = fields.Integer(required=True, attribute="card")
    at = Time(required=True)
    copies = fields.Integer(required=True)
    coins = fields.Integer(required=True, metadata={"description": "For all of them."})


class WishesBody(Schema):
    """What one would like to own."""

    example: ClassVar[dict[str, Any]] = {"cards": {"tuna": 2}}

    cards = CardCounts(required=True)


class LackView(Schema):
    """What the missing copies of a card would cost now."""

    card = fields.Function(_slug, required=True, metadata=CARD)
    number = fields.Integer(required=True, attribute="card")
    missing = fields.Integer(required=True)
    free = fields.Boolean(required=True, metadata={"description": "A Basic Ingredient, minted for nothing."})
    coins = fields.Integer(required=True, metadata={"description": "For those that are offered."})
    unavailable = fields.Integer(
        required=True, metadata={"description": "Copies that nobody offers for coins."}
    )
    offers = fields.List(
        fields.String(), required=True, metadata={"description": "The offers to be taken, by id."}
    )
    last = fields.Nested(
        PriceView, required=True, allow_none=True, metadata={"description": "What it went for last."}
    )


class LackingView(Schema):
    """What a list of cards would cost beside what one owns."""

    coins = fields.Integer(required=True)
    missing = fields.Integer(required=True, metadata={"description": "Copies, Basic Ingredients too."})
    unavailable = fields.Integer(required=True)
    cards = fields.List(fields.Nested(LackView), required=True)


def _number(name: str | None) -> int | None:
    """The card of that name. Raises `Problem` 404."""
    number = None if name is None else find_number(house().catalog, name)
    if name is not None and number is None:
        raise not_found("card")
    return number


def _shown(offer: Offer) -> Shown:
    here = house()
    with here.read() as session:
        return operations.show(here, session, [offer])[0]


@market.route("/offers", "POST")
@market.signed_in
@market.takes(OfferBody)
@market.gives(OfferView, 201)
@market.refuses(404, 409, 422)
def make_offer(body: dict[str, Any]) -> Shown:
    """Offer copies or coins for copies or coins, to everybody or to one player.

    What it gives is set aside at once: no match and no other offer can have it until this one is closed. The
    terms never change; withdraw the offer and make another instead.
    """
    gives, wants = Terms(**body["gives"]), Terms(**body["wants"])
    return _shown(trades.make(house(), me(), gives=gives, wants=wants, to=body["to"], hours=body["hours"]))


@market.route("/offers")
@market.signed_in
@market.takes(OffersQuery, "query")
@market.gives(page_of(OfferView))
@market.refuses(404)
def list_offers(query: dict[str, Any]) -> dict[str, Any]:
    """Offers that are open to everybody, or those in which I have a part."""
    wanted = Query(
        card=_number(query["card"]),
        wants=_number(query["wants"]),
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
def get_offer(offer_id: str) -> Shown:
    """An offer: an open one that is for everybody, or one in which I have a part."""
    here = house()
    with here.read() as session:
        return operations.find(here, session, offer_id, me().id)


@market.route("/offers/<offer_id>/accept", "POST")
@market.signed_in
@market.takes(AcceptBody)
@market.gives(OfferView)
@market.refuses(404, 409, 422)
def accept_offer(body: dict[str, Any], offer_id: str) -> Shown:
    """Take an offer: everything goes to its new owner at once, or nothing does."""
    return _shown(trades.accept(house(), me(), offer_id, body["copies"]))


@market.route("/offers/<offer_id>/decline", "POST")
@market.signed_in
@market.gives(OfferView)
@market.refuses(404, 409)
def decline_offer(offer_id: str) -> Shown:
    """Refuse an offer that was made to me alone."""
    return _shown(trades.decline(house(), me(), offer_id))


@market.route("/offers/<offer_id>/withdraw", "POST")
@market.signed_in
@market.gives(OfferView)
@market.refuses(404, 409)
def withdraw_offer(offer_id: str) -> Shown:
    """Take back an offer of mine; what it gives is free again."""
    return _shown(trades.withdraw(house(), me(), offer_id))


@market.route("/prices")
@market.takes(PageQuery, "query")
@market.gives(page_of(PriceView))
def list_prices(query: dict[str, Any]) -> dict[str, Any]:
    """What each card went for last, by number: in trades that took place, for coins alone."""
    (after,) = read_cursor(query["cursor"], int) or (0,)
    with house().read() as session:
        found = operations.last_prices(session, after, query["limit"] + 1)
    return page(found, query["limit"], lambda price: (price.card,))


@market.route("/prices/<name>")
@market.takes(PageQuery, "query")
@market.gives(page_of(PriceView))
@market.refuses(404)
def get_prices(query: dict[str, Any], name: str) -> dict[str, Any]:
    """What a card went for, the newest first."""
    card = _number(name)
    assert card is not None, "a name has a number, or is refused"
    after = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        found = operations.prices(session, card, after, query["limit"] + 1)
    return page(found, query["limit"], lambda price: (price.at, price.offer_id))


@market.route("/prices/<name>/chart.svg")
@market.pictures(SVG)
@market.refuses(404)
def get_price_chart(name: str) -> Response:
    """The same as a picture."""
    card = _number(name)
    assert card is not None, "a name has a number, or is refused"
    with house().read() as session:
        found = operations.prices(session, card, limit=MOST_POINTS)
    sales = [Sale(price.at, price.copies, price.coins) for price in reversed(found)]
    return Response(price_chart(house().catalog.cards[card].name, sales), content_type=SVG)


@market.route("/wishes")
@market.signed_in
@market.gives(WishesBody)
def get_wishes() -> dict[str, dict[int, int]]:
    """What I would like to own."""
    with house().read() as session:
        return {"cards": operations.wishes(session, me().id)}


@market.route("/wishes", "PUT")
@market.signed_in
@market.takes(WishesBody)
@market.gives(WishesBody)
@market.refuses(422)
def put_wishes(body: dict[str, Any]) -> dict[str, Any]:
    """Write the list of my wishes anew."""
    operations.wish(house(), me(), body["cards"])
    return body


@market.route("/wishes/cost")
@market.signed_in
@market.gives(LackingView)
def get_wishes_cost() -> dict[str, Any]:
    """What those of my wishes that I do not own yet would cost now."""
    with house().read() as session:
        counts = operations.wishes(session, me().id)
    return _cost(counts)


@market.route("/market/cost", "POST", changes=False)
@market.signed_in
@market.takes(WishesBody)
@market.gives(LackingView)
def post_cost(body: dict[str, Any]) -> dict[str, Any]:
    """What it would cost me now to own these cards: for those that I lack, the offers that cost least."""
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
