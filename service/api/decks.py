"""Decks: deck lists that a player keeps, revises, shares, copies, likes and searches for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from cards.catalog.cards import Catalog
from cards.decks.codes import Uncodable, encode
from cards.decks.deck_lists import DeckList
from cards.decks.plain_text import write_deck
from cards.decks.search import DECKS, DeckFacts, Search
from service.operations import deck_lists
from service.operations import decks as operations
from service.operations.deck_checks import fault as deck_fault
from service.operations.decks import LONGEST_NOTE, VISIBILITIES, ListedDeck
from service.problems import Fault
from service.web.blueprint import Blueprint
from service.web.context import house, me, perhaps_me, viewer
from service.web.errors import FaultView
from service.web.etags import OWN, unchanged
from service.web.fields import CardCountsField, DeckCode, DeckText, Id, OneLine, Tags, Time
from service.web.paging import page, read_cursor
from service.web.searching import SearchQuery, SearchRequest, found_page_of, not_searched

decks = Blueprint("decks", "Decks: deck lists with a name, which I keep, share, copy and mark as favourites.")


VISIBILITY: Mapping[str, Any] = {
    "description": "The players who may see the deck. private: its owner. unlisted: everybody who has its id."
    " public: everybody."
}


class CardsBody(Schema):
    """A deck list in one of three forms: `cards`, `code` or `text`."""

    example: ClassVar[dict[str, Any]] = {"cards": {"tomato": 3, "bread": 2}}

    cards = CardCountsField()
    code = DeckCode(load_only=True)
    text = DeckText(load_only=True)

    needed: ClassVar[bool] = True
    """True if one of the forms is required."""

    @validates_schema(skip_on_field_errors=True)
    def _one_form(self, body: dict[str, Any], **_options: Any) -> None:
        given = [name for name in _FORMS if name in body]
        if not given and self.needed:
            raise ValidationError("Missing data for required field.", "cards")
        if len(given) > 1:
            raise ValidationError(
                [Fault("one_form", f"Send one form of the deck list, not {' and '.join(given)}.")], given[1]
            )

    @post_load
    def _as_counts(self, body: dict[str, Any], **_options: Any) -> dict[str, Any]:
        rest = {name: value for name, value in body.items() if name not in _FORMS}
        given = next((body[form] for form in _FORMS if form in body), None)
        return rest if given is None else {**rest, "cards": given}


_FORMS = ("cards", "code", "text")


class DeckBody(CardsBody):
    """A deck list with a name. It may be unfinished."""

    example: ClassVar[dict[str, Any]] = {"name": "Mine", "text": "3 Tomato\n2 Bread", "tags": ["quick-lunch"]}

    name = OneLine(80, required=True)
    note = OneLine(LONGEST_NOTE, 0, metadata={"description": "The reason for this revision."})
    visibility = fields.String(validate=validate.OneOf(VISIBILITIES), metadata=VISIBILITY)
    tags = Tags()


class DeckPatch(DeckBody):
    """The parts of a deck to change; the others stay."""

    example: ClassVar[dict[str, Any]] = {"cards": {"tomato": 3, "bread": 3}, "note": "More bread."}

    needed = False
    name = OneLine(80)


class CopyBody(Schema):
    """The name of the copy, and the revision to copy."""

    example: ClassVar[dict[str, Any]] = {"name": "Mine, too"}

    name = OneLine(80, metadata={"description": "The copy's name. Default: the name of the other deck."})
    revision = fields.Integer(
        strict=True,
        validate=validate.Range(1),
        metadata={"description": "The number of the revision to copy. Default: the newest."},
    )


def _origin(listed: ListedDeck) -> dict[str, Any] | None:
    who = perhaps_me()
    if listed.deck.origin_id is None or who is None or who.id != listed.deck.owner_id:
        return None
    return {"deck": listed.deck.origin_id, "revision": listed.deck.origin_revision}


class DeckView(Schema):
    """A deck at one of its revisions. Everybody who may see it sees the same, apart from `origin`."""

    id = Id(required=True, attribute="deck.id")
    owner = fields.String(required=True, metadata={"description": "The owner's handle."})
    visibility = fields.String(
        required=True, attribute="deck.visibility", metadata={**VISIBILITY, "enum": [*VISIBILITIES]}
    )
    tags = Tags(required=True)
    revision = fields.Integer(required=True, attribute="revision.number")
    name = fields.String(required=True, attribute="revision.name")
    cards = CardCountsField(required=True, attribute="revision.counts")
    size = fields.Function(
        lambda listed: sum(listed.revision.counts.values()),
        required=True,
        metadata={"type": "integer", "description": "The number of cards."},
    )
    note = fields.String(
        required=True, attribute="revision.note", metadata={"description": "The reason for this revision."}
    )
    restored_from = fields.Integer(
        required=True,
        allow_none=True,
        attribute="revision.restored_from",
        metadata={"description": "The number of the revision that this one restored, if it restored one."},
    )
    origin = fields.Function(
        _origin,
        required=True,
        metadata={
            "description": "The deck that it was copied from. Only its owner sees this.",
            "anyOf": [
                {
                    "type": "object",
                    "required": ["deck", "revision"],
                    "properties": {
                        "deck": {"type": "string", "format": "uuid"},
                        "revision": {"type": "integer"},
                    },
                },
                {"type": "null"},
            ],
        },
    )
    created_at = Time(required=True, attribute="deck.created_at")
    revised_at = Time(required=True, attribute="revision.created_at")


class FormsView(Schema):
    """A deck list in all three forms."""

    cards = CardCountsField(required=True)
    text = fields.String(required=True, metadata={"description": "One line for each card: `3 Tuna`."})
    code = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The deck code; null where the list can't be written as one."},
    )
    faults = fields.List(
        fields.Nested(FaultView),
        required=True,
        metadata={"description": "The reason why the list has no deck code."},
    )


@decks.route("/decks")
@decks.signed_in
@decks.takes(SearchQuery, "query")
@decks.gives(found_page_of(DeckView))
def list_decks(query: dict[str, Any]) -> dict[str, Any]:
    """List my decks, oldest first, or search among them."""
    return _list(deck_lists.MINE, query)


@decks.route("/decks/public")
@decks.may_be_signed_in
@decks.takes(SearchQuery, "query")
@decks.gives(found_page_of(DeckView))
def list_public_decks(query: dict[str, Any]) -> dict[str, Any]:
    """List everybody's public decks, oldest first, or search among them."""
    return _list(deck_lists.SHARED, query)


@decks.route("/decks/favourites")
@decks.signed_in
@decks.takes(SearchQuery, "query")
@decks.gives(found_page_of(DeckView))
def list_favourites(query: dict[str, Any]) -> dict[str, Any]:
    """List my favourite decks, oldest first, or search among them.

    A favourite that I may not see any more is left out.
    """
    return _list(deck_lists.LIKED, query)


def _list(which: str, query: dict[str, Any]) -> dict[str, Any]:
    if query["q"] is not None:
        return _search(which, query)
    after = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        found = deck_lists.page(session, which, viewer(), after, query["limit"] + 1)
    return not_searched(page(found, query["limit"], lambda listed: (listed.deck.created_at, listed.deck.id)))


def _search(which: str, query: dict[str, Any]) -> dict[str, Any]:
    """The decks of a list that a query finds."""
    asked = SearchRequest(query["q"], DECKS, "" if which == deck_lists.MINE else which)
    search: Search[DeckFacts] = asked.search()
    after = asked.after(query["cursor"], search.kinds((int, str)))
    with house().read() as session:
        facts = deck_lists.facts(session, house().catalog, which, viewer())
        shown = asked.page(search.page(facts, after, query["limit"] + 1), query["limit"], search.key)
        return {**shown, "items": deck_lists.by_ids(session, [fact.id for fact in shown["items"]], viewer())}


@decks.route("/decks", "POST")
@decks.signed_in
@decks.takes(DeckBody)
@decks.creates(DeckView, "/decks/{id}", tagged=True)
@decks.refuses(409)
def create_deck(body: dict[str, Any]) -> ListedDeck:
    """Create a deck of mine.

    Its cards must exist. /decks/{deck_id}/validation checks whether I may play with it.
    """
    return operations.create(house(), me().id, **body)


@decks.route("/decks/<deck_id>")
@decks.cached(OWN)
@decks.may_be_signed_in
@decks.gives(DeckView)
@decks.refuses(404)
def get_deck(deck_id: str) -> ListedDeck:
    """Show a deck: mine, or somebody's unlisted or public one."""
    with house().read() as session:
        return operations.visible(session, viewer(), deck_id)


@decks.route("/decks/<deck_id>", "PUT")
@decks.signed_in
@decks.needs_if_match
@decks.takes(DeckBody)
@decks.gives(DeckView)
@decks.refuses(404)
def put_deck(body: dict[str, Any], deck_id: str) -> ListedDeck:
    """Replace one of my decks. Another name or other cards make a new revision.

    Visibility and tags stay as they are where the body has none. A note belongs to the new revision; without
    one it is dropped.
    """
    return operations.revise(house(), me().id, deck_id, unchanged(DeckView), **body)


@decks.route("/decks/<deck_id>", "PATCH")
@decks.signed_in
@decks.needs_if_match
@decks.takes(DeckPatch)
@decks.gives(DeckView)
@decks.refuses(404)
def patch_deck(body: dict[str, Any], deck_id: str) -> ListedDeck:
    """Change parts of one of my decks: name, cards, visibility or tags.

    A changed part is replaced as a whole; another name or other cards make a new revision.
    """
    return operations.revise(house(), me().id, deck_id, unchanged(DeckView), **body)


@decks.route("/decks/<deck_id>", "DELETE")
@decks.signed_in
@decks.needs_if_match
@decks.gives(None, 204)
@decks.refuses(404)
def delete_deck(deck_id: str) -> None:
    """Delete one of my decks."""
    operations.delete(house(), me().id, deck_id, unchanged(DeckView))


@decks.route("/decks/<deck_id>/copy", "POST")
@decks.signed_in
@decks.takes(CopyBody)
@decks.creates(DeckView, "/decks/{id}", tagged=True)
@decks.refuses(404, 409)
def copy_deck(body: dict[str, Any], deck_id: str) -> ListedDeck:
    """Copy a deck that I may see into a new private deck of mine, which names its origin."""
    return operations.copy(house(), me().id, deck_id, name=body.get("name"), number=body.get("revision"))


@decks.route("/decks/<deck_id>/favourite", "PUT")
@decks.signed_in
@decks.gives(None, 204)
@decks.refuses(404, 409)
def like_deck(deck_id: str) -> None:
    """Add a deck that I may see to my favourites. Its owner is not told."""
    deck_lists.like(house(), me().id, deck_id)


@decks.route("/decks/<deck_id>/favourite", "DELETE")
@decks.signed_in
@decks.gives(None, 204)
@decks.refuses(404)
def unlike_deck(deck_id: str) -> None:
    """Remove a deck from my favourites."""
    deck_lists.unlike(house(), me().id, deck_id)


@decks.route("/decks/<deck_id>/export")
@decks.may_be_signed_in
@decks.gives(FormsView)
@decks.refuses(404)
def export_deck(deck_id: str) -> dict[str, Any]:
    """Export a deck in all three forms: by card, as text, as a deck code."""
    with house().read() as session:
        counts = operations.visible(session, viewer(), deck_id).revision.counts
    return forms(house().catalog, counts)


@decks.route("/decks/convert", "POST", changes=False)
@decks.signed_in
@decks.takes(CardsBody)
@decks.gives(FormsView)
def convert_cards(body: dict[str, Any]) -> dict[str, Any]:
    """Convert a deck list in the request into all three forms, without keeping it."""
    return forms(house().catalog, body["cards"])


def forms(catalog: Catalog, counts: dict[int, int]) -> dict[str, Any]:
    """A deck list as `FormsView` dumps it."""
    slugs = {number: card.slug for number, card in catalog.cards.items()}
    listed = {slugs.get(number, str(number)): n for number, n in sorted(counts.items())}
    faults: tuple[Fault, ...] = ()
    try:
        code = encode(DeckList(counts))
    except Uncodable as error:
        code = None
        faults = tuple(deck_fault(catalog, fault) for fault in error.faults)
    text = write_deck(listed, (card.text() for card in catalog.cards.values()))
    return {"cards": counts, "text": text, "code": code, "faults": faults}
