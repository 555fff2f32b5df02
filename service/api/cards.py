"""The house's card sets: sets, cards and starter decks, public to everybody."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, url_for
from marshmallow import Schema, fields

from cards.catalog.cards import CATEGORIES, CardSet, Catalog, Printing, Starter
from cards.catalog.downloads import card_fields
from cards.decks.search import CARDS, card_facts
from service.problems import not_found
from service.web.blueprint import Blueprint
from service.web.context import house
from service.web.etags import PUBLIC
from service.web.fields import CardCountsField, find_number
from service.web.paging import page, read_cursor
from service.web.searching import SearchQuery, SearchRequest, found_page_of, not_searched

cards = Blueprint("cards", "Card sets, their cards, and the starter decks.")


class SetView(Schema):
    """A card set."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    version = fields.String(
        required=True, metadata={"description": "MAJOR.MINOR.PATCH: changes of rules, of cards, of texts."}
    )
    index = fields.Integer(required=True)
    cards = fields.Function(lambda card_set: len(card_set.printings), metadata={"type": "integer"})


class StarterView(Schema):
    """A starter deck."""

    slug = fields.String(required=True)
    name = fields.String(required=True)
    text = fields.String(required=True)
    cards = CardCountsField(required=True, attribute="counts")


class SetPage(Schema):
    """All card sets."""

    items = fields.List(fields.Nested(SetView), required=True)


class StarterPage(Schema):
    """All starter decks."""

    items = fields.List(fields.Nested(StarterView), required=True)


UnitCounts = Schema.from_dict({name: fields.Integer() for name in CATEGORIES}, name="Units")


class CardView(Schema):
    """A card: what the rules need of it, and what collectors want to know."""

    number = fields.Integer(
        required=True, metadata={"description": "The card's number, which never changes."}
    )
    slug = fields.String(
        required=True,
        metadata={
            "description": "The card's name in URLs. No other card ever gets it; a former slug"
            " redirects here (308)."
        },
    )
    name = fields.String(required=True)
    type = fields.String(required=True, metadata={"enum": ["ingredient", "recipe"]})
    provides = fields.Nested(UnitCounts, required=True)
    costs = fields.Nested(UnitCounts, required=True)
    kinds = fields.List(fields.String(), required=True)
    list = fields.List(
        fields.String(), required=True, metadata={"description": "The words that a recipe names."}
    )
    bonus = fields.Integer(required=True)
    one_time = fields.Boolean(required=True)
    set = fields.String(required=True)
    number_in_set = fields.Integer(required=True)
    rarity = fields.String(required=True)
    basic = fields.Boolean(
        required=True, metadata={"description": "True if it is a Basic Ingredient, which is free to mint."}
    )
    flavour = fields.String(required=True)
    retired = fields.Boolean(
        required=True,
        metadata={
            "description": "True if it is withdrawn: it can be read and played, but no more copies are made."
        },
    )
    version = fields.String(
        required=True, metadata={"description": "The version of its set that this text is from."}
    )
    moved_to = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The slug of the card that replaces a withdrawn one, if there is one."},
    )


class MovedView(Schema):
    """The new slug of a card that had another one."""

    code = fields.String(required=True, metadata={"enum": ["card_moved"]})
    detail = fields.String(required=True, metadata={"description": "For people."})
    moved_to = fields.String(required=True, metadata={"description": "The card's slug today."})


class CardQuery(SearchQuery):
    """The cards to list."""

    set = fields.String(
        load_default=None, metadata={"description": "List only cards of the set with this code."}
    )


@cards.route("/sets")
@cards.cached(PUBLIC)
@cards.gives(SetPage)
def list_sets() -> dict[str, Any]:
    """List all card sets."""
    return {"items": house().catalog.sets}


@cards.route("/sets/<code>")
@cards.cached(PUBLIC)
@cards.gives(SetView)
@cards.refuses(404)
def get_set(code: str) -> CardSet:
    """Show a card set."""
    return find_set(house().catalog, code)


@cards.route("/cards")
@cards.cached(PUBLIC)
@cards.may_be_signed_in
@cards.takes(CardQuery, "query")
@cards.gives(found_page_of(CardView))
@cards.refuses(404)
def list_cards(query: dict[str, Any]) -> dict[str, Any]:
    """List cards by number, or search for cards.

    A search gives the cards in the order of its query (docs/search.md).
    """
    catalog, limit, code = house().catalog, query["limit"], query["set"]
    every = catalog.printings.values() if code is None else find_set(catalog, code).printings
    if query["q"] is not None:
        shown = _search(query, {printing.card.number for printing in every})
    else:
        (after,) = read_cursor(query["cursor"], int) or (0,)
        found = [printing for printing in every if printing.card.number > after]
        shown = not_searched(page(found, limit, lambda printing: (printing.card.number,)))
    return {**shown, "items": [document(printing) for printing in shown["items"]]}


def _search(query: dict[str, Any], numbers: set[int]) -> dict[str, Any]:
    """The cards with these numbers that a query finds."""
    asked = SearchRequest(query["q"], CARDS, query["set"] or "")
    search = asked.search()
    after = asked.after(query["cursor"], search.kinds((int,)))
    catalog = house().catalog
    facts = [fact for fact in card_facts(catalog) if fact.number in numbers]
    shown = asked.page(search.page(facts, after, query["limit"] + 1), query["limit"], search.key)
    return {**shown, "items": [catalog.printings[fact.number] for fact in shown["items"]]}


@cards.route("/cards/<name>")
@cards.cached(PUBLIC)
@cards.gives(CardView)
@cards.redirects(MovedView, "The card has another slug now.")
@cards.refuses(404)
def get_card(name: str) -> dict[str, Any] | Response:
    """Show a card, named by its slug or its number.

    A former slug is answered with a redirection to the slug of today.
    """
    catalog = house().catalog
    number = find_number(catalog, name)
    if number is None:
        raise not_found("card")
    card = catalog.cards[number]
    if name != card.slug and (moves := catalog.moved(name)):
        told = {"code": "card_moved", "detail": " ".join(map(str, moves)), "moved_to": card.slug}
        answer = jsonify(MovedView().dump(told))
        answer.status_code, answer.location = 308, url_for("cards.get_card", name=card.slug)
        return answer
    return document(catalog.printings[number])


@cards.route("/starters")
@cards.cached(PUBLIC)
@cards.gives(StarterPage)
def list_starters() -> dict[str, list[Starter]]:
    """List the starter decks, one of which a player chooses when registering."""
    return {"items": list(house().catalog.starters.values())}


def document(printing: Printing, card_set: CardSet | None = None) -> dict[str, Any]:
    """A card as `CardView` dumps it, from a version of its set; by default from today's."""
    catalog, card = house().catalog, printing.card
    shown = card_set or find_set(catalog, printing.set_code)
    moves = catalog.moved(card.slug) if printing.retired else ()
    return {
        **card_fields(printing, shown),
        "moved_to": moves[-1].new if moves else None,
    }


def find_set(catalog: Catalog, code: str) -> CardSet:
    """The set with this code. Raises `Problem` 404."""
    for card_set in catalog.sets:
        if card_set.code == code:
            return card_set
    raise not_found("card set")
