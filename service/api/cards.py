"""What the house's card sets hold: sets, cards, starter decks. Anybody may look."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cards.catalog import CATEGORIES, CardSet, Catalog, Printing, Starter
from service.api.blueprint import Blueprint
from service.api.context import house
from service.api.fields import CardCounts, find_number
from service.api.paging import PageQuery, page, page_of, read_cursor
from service.problems import not_found

cards = Blueprint("cards", "Card sets, cards, starter decks.")


class SetView(Schema):
    """A card set."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    version = fields.String(
        required=True, metadata={"description": "Semantic: a rule, a card, a text changed."}
    )
    index = fields.Integer(required=True)
    cards = fields.Function(lambda card_set: len(card_set.printings), metadata={"type": "integer"})


class StarterView(Schema):
    """A starter deck."""

    slug = fields.String(required=True)
    name = fields.String(required=True)
    text = fields.String(required=True)
    cards = CardCounts(required=True, attribute="counts")


class SetPage(Schema):
    """All card sets."""

    items = fields.List(fields.Nested(SetView), required=True)


class StarterPage(Schema):
    """All starter decks."""

    items = fields.List(fields.Nested(StarterView), required=True)


Units = Schema.from_dict({name: fields.Integer() for name in CATEGORIES}, name="Units")


class CardView(Schema):
    """A card: what the rules know of it, and what collectors do."""

    number = fields.Integer(required=True, metadata={"description": "For ever this card's."})
    slug = fields.String(required=True, metadata={"description": "For ever this card's."})
    name = fields.String(required=True)
    type = fields.String(required=True, metadata={"enum": ["ingredient", "recipe"]})
    provides = fields.Nested(Units, required=True)
    costs = fields.Nested(Units, required=True)
    kinds = fields.List(fields.String(), required=True)
    list = fields.List(fields.String(), required=True, metadata={"description": "What a recipe names."})
    bonus = fields.Integer(required=True)
    one_time = fields.Boolean(required=True)
    set = fields.String(required=True)
    number_in_set = fields.Integer(required=True)
    rarity = fields.String(required=True)
    basic = fields.Boolean(required=True, metadata={"description": "Free to mint."})
    flavour = fields.String(required=True)
    retired = fields.Boolean(required=True)


class CardQuery(PageQuery):
    """Which cards."""

    set = fields.String(load_default=None, metadata={"description": "Only of the set with this code."})


@cards.route("/sets")
@cards.gives(SetPage)
def list_sets() -> dict[str, Any]:
    """All card sets."""
    return {"items": house().catalog.sets}


@cards.route("/sets/<code>")
@cards.gives(SetView)
@cards.refuses(404)
def get_set(code: str) -> CardSet:
    """A card set by its code."""
    return find_set(house().catalog, code)


@cards.route("/cards")
@cards.takes(CardQuery, "query")
@cards.gives(page_of(CardView))
@cards.refuses(404)
def list_cards(query: dict[str, Any]) -> dict[str, Any]:
    """Cards by number, a page at a time."""
    (after,) = read_cursor(query["cursor"], int) or (0,)
    catalog, limit = house().catalog, query["limit"]
    code = query["set"]
    every = catalog.printings.values() if code is None else find_set(catalog, code).printings
    found = [printing for printing in every if printing.card.number > after]
    shown = page(found, limit, lambda printing: (printing.card.number,))
    return {**shown, "items": [document(printing) for printing in shown["items"]]}


@cards.route("/cards/<name>")
@cards.gives(CardView)
@cards.refuses(404)
def get_card(name: str) -> dict[str, Any]:
    """A card by its slug or its number."""
    catalog = house().catalog
    number = find_number(catalog, name)
    if number is None:
        raise not_found("card")
    return document(catalog.printings[number])


@cards.route("/starters")
@cards.gives(StarterPage)
def list_starters() -> dict[str, list[Starter]]:
    """The starter decks, one of which comes with a registration."""
    return {"items": list(house().catalog.starters.values())}


def document(printing: Printing) -> dict[str, Any]:
    """A card as `CardView` shows it."""
    return {
        **printing.card.text(),
        "set": printing.set_code,
        "number_in_set": printing.number_in_set,
        "rarity": printing.rarity,
        "basic": printing.basic,
        "flavour": printing.flavour,
        "retired": printing.retired,
    }


def find_set(catalog: Catalog, code: str) -> CardSet:
    """The set of that code. Raises `Problem` 404."""
    for card_set in catalog.sets:
        if card_set.code == code:
            return card_set
    raise not_found("card set")
