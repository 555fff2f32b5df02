"""The history of decks: their revisions, the differences between two, and restoring one."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from cards.decks.deck_lists import DeckList
from cards.decks.differences import FigurePair, difference
from service.api.decks import DeckView
from service.operations import decks as operations
from service.operations.decks import LONGEST_NOTE, ListedDeck
from service.web.blueprint import Blueprint
from service.web.context import house, me, viewer
from service.web.etags import OWN, unchanged
from service.web.fields import CardCountsField, Id, OneLine
from service.web.paging import PageQuery, page, page_of, read_cursor

deck_revisions = Blueprint(
    "deck_revisions", "Earlier revisions of decks, and the differences between deck lists."
)


class RestoreBody(Schema):
    """The reason why the revision is restored."""

    example: ClassVar[dict[str, Any]] = {"note": "It was better before."}

    note = OneLine(
        LONGEST_NOTE, 0, load_default="", metadata={"description": "The reason why it is restored."}
    )


def _number(text: str) -> Any:
    return fields.Integer(load_default=None, validate=validate.Range(1), metadata={"description": text})


RevisionsQuery = Schema.from_dict(
    {
        "from": _number(
            "A revision of the first deck. Default: of two decks its newest, of one the one before."
        ),
        "to": _number("A revision of the second deck. Default: its newest."),
    },
    name="RevisionsQuery",
)

FromToView = Schema.from_dict(
    {"from": fields.Integer(required=True), "to": fields.Integer(required=True)}, name="Change"
)


class SideView(Schema):
    """A deck at a revision."""

    deck = Id(required=True, attribute="deck.id")
    revision = fields.Integer(required=True, attribute="revision.number")
    name = fields.String(required=True, attribute="revision.name")


class ChangedView(Schema):
    """A card that both have, in different numbers."""

    card = fields.String(required=True, metadata={"description": "The card's slug."})
    change = fields.Nested(FromToView, required=True)


class CurveView(Schema):
    """A column of the cost curve."""

    cost = fields.Integer(required=True, metadata={"description": "The cost in units."})
    recipes = fields.Nested(FromToView, required=True)


class SupplyView(Schema):
    """The units of one category."""

    category = fields.String(required=True)
    provided = fields.Nested(FromToView, required=True)
    needed = fields.Nested(
        FromToView,
        required=True,
        metadata={"description": "To serve every recipe once, with every special ingredient."},
    )


class DifferenceView(Schema):
    """The differences between two deck lists, from the first to the second."""

    first = fields.Nested(SideView, required=True)
    second = fields.Nested(SideView, required=True)
    added = CardCountsField(required=True, metadata={"description": "Cards that only the second has."})
    removed = CardCountsField(required=True, metadata={"description": "Cards that only the first has."})
    changed = fields.List(fields.Nested(ChangedView), required=True)
    size = fields.Nested(FromToView, required=True, metadata={"description": "The number of cards."})
    recipes = fields.Nested(FromToView, required=True)
    ingredients = fields.Nested(FromToView, required=True)
    costs = fields.List(fields.Nested(CurveView), required=True)
    units = fields.List(fields.Nested(SupplyView), required=True)


@deck_revisions.route("/decks/<deck_id>/revisions")
@deck_revisions.may_be_signed_in
@deck_revisions.takes(PageQuery, "query")
@deck_revisions.gives(page_of(DeckView))
@deck_revisions.refuses(404)
def list_revisions(query: dict[str, Any], deck_id: str) -> dict[str, Any]:
    """List the revisions of a deck, newest first.

    Everybody who may see the deck may see all its revisions.
    """
    (below,) = read_cursor(query["cursor"], int) or (None,)
    with house().read() as session:
        found = operations.revisions(session, viewer(), deck_id, below, query["limit"] + 1)
    return page(found, query["limit"], lambda listed: (listed.revision.number,))


@deck_revisions.route("/decks/<deck_id>/revisions/<int:number>")
@deck_revisions.cached(OWN)
@deck_revisions.may_be_signed_in
@deck_revisions.gives(DeckView)
@deck_revisions.refuses(404)
def get_revision(deck_id: str, number: int) -> ListedDeck:
    """Show a revision of a deck."""
    with house().read() as session:
        return operations.visible(session, viewer(), deck_id, number)


@deck_revisions.route("/decks/<deck_id>/revisions/<int:number>/restore", "POST")
@deck_revisions.signed_in
@deck_revisions.needs_if_match
@deck_revisions.takes(RestoreBody)
@deck_revisions.gives(DeckView)
@deck_revisions.refuses(404)
def restore_revision(body: dict[str, Any], deck_id: str, number: int) -> ListedDeck:
    """Restore name and cards of an earlier revision of one of my decks, as its next revision.

    If-Match names the deck as it is now. If the newest revision has that name and those cards already, there
    is no new one.
    """
    return operations.restore(house(), me().id, deck_id, number, unchanged(DeckView), note=body["note"])


@deck_revisions.route("/decks/<deck_id>/differences")
@deck_revisions.may_be_signed_in
@deck_revisions.takes(RevisionsQuery, "query")
@deck_revisions.gives(DifferenceView)
@deck_revisions.refuses(404)
def deck_differences(query: dict[str, Any], deck_id: str) -> dict[str, Any]:
    """Compare two revisions of a deck, by default the newest and the one before."""
    with house().read() as session:
        second = operations.visible(session, viewer(), deck_id, query["to"])
        before = query["from"] or max(1, second.revision.number - 1)
        first = operations.visible(session, viewer(), deck_id, before)
    return _difference(first, second)


@deck_revisions.route("/decks/<deck_id>/compare/<other_id>")
@deck_revisions.may_be_signed_in
@deck_revisions.takes(RevisionsQuery, "query")
@deck_revisions.gives(DifferenceView)
@deck_revisions.refuses(404)
def compare_decks(query: dict[str, Any], deck_id: str, other_id: str) -> dict[str, Any]:
    """Compare two decks that I may see."""
    with house().read() as session:
        first = operations.visible(session, viewer(), deck_id, query["from"])
        second = operations.visible(session, viewer(), other_id, query["to"])
    return _difference(first, second)


def _difference(first: ListedDeck, second: ListedDeck) -> dict[str, Any]:
    catalog = house().catalog
    found = difference(DeckList(first.revision.counts), DeckList(second.revision.counts), catalog)
    return {
        "first": first,
        "second": second,
        "added": found.added,
        "removed": found.removed,
        "changed": [
            {"card": catalog.cards[n].slug if n in catalog.cards else str(n), "change": _change(pair)}
            for n, pair in found.changed.items()
        ],
        "size": _change(found.size),
        "recipes": _change(found.recipes),
        "ingredients": _change(found.ingredients),
        "costs": [{"cost": cost, "recipes": _change(pair)} for cost, pair in found.costs.items()],
        "units": [
            {"category": name, "provided": _change(pair), "needed": _change(found.needed[name])}
            for name, pair in found.provided.items()
        ],
    }


def _change(pair: FigurePair) -> dict[str, int]:
    return {"from": pair[0], "to": pair[1]}
