"""Deck lists: build, revise, share, copy, like, find."""

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
from service.operations.decks import LONGEST_NOTE, VISIBILITIES, Listed
from service.problems import Fault
from service.web.blueprint import Blueprint
from service.web.context import house, me, perhaps_me
from service.web.errors import FaultView
from service.web.etags import OWN, unchanged
from service.web.fields import CardCounts, DeckCode, DeckText, Line, Tags, Time
from service.web.paging import page, read_cursor
from service.web.searching import Asked, SearchQuery, found_page_of, unasked

decks = Blueprint("decks", "Deck lists.")


VISIBILITY: Mapping[str, Any] = {
    "description": "private: the owner's alone; unlisted: for whoever has the id; public: listed for all."
}


class CardsBody(Schema):
    """A deck list in one of its three forms: cards, code or text."""

    example: ClassVar[dict[str, Any]] = {"cards": {"tomato": 3, "bread": 2}}

    cards = CardCounts()
    code = DeckCode(load_only=True)
    text = DeckText(load_only=True)

    needed: ClassVar[bool] = True
    """Whether there must be one."""

    @validates_schema(skip_on_field_errors=True)
    def _one_form(self, body: dict[str, Any], **_options: Any) -> None:
        given = [name for name in _FORMS if name in body]
        if not given and self.needed:
            raise ValidationError("Missing data for required field.", "cards")
        if len(given) > 1:
            raise ValidationError([Fault("one_form", f"One of them, not {' and '.join(given)}.")], given[1])

    @post_load
    def _as_counts(self, body: dict[str, Any], **_options: Any) -> dict[str, Any]:
        rest = {name: value for name, value in body.items() if name not in _FORMS}
        given = next((body[form] for form in _FORMS if form in body), None)
        return rest if given is None else {**rest, "cards": given}


_FORMS = ("cards", "code", "text")


class DeckBody(CardsBody):
    """A deck list with a name, in one of its three forms; it may be unfinished."""

    example: ClassVar[dict[str, Any]] = {"name": "Mine", "text": "3 Tomato\n2 Bread", "tags": ["quick-lunch"]}

    name = Line(80, required=True)
    note = Line(LONGEST_NOTE, 0, metadata={"description": "Why this revision is written."})
    visibility = fields.String(validate=validate.OneOf(VISIBILITIES), metadata=VISIBILITY)
    tags = Tags()


class DeckPatch(DeckBody):
    """What changes of a deck; the rest stays."""

    example: ClassVar[dict[str, Any]] = {"cards": {"tomato": 3, "bread": 3}, "note": "More bread."}

    needed = False
    name = Line(80)


class CopyBody(Schema):
    """Under which name, and of which revision."""

    example: ClassVar[dict[str, Any]] = {"name": "Mine, too"}

    name = Line(80, metadata={"description": "Without one, that of the other deck."})
    revision = fields.Integer(
        strict=True, validate=validate.Range(1), metadata={"description": "Without one, the newest."}
    )


def _origin(listed: Listed) -> dict[str, Any] | None:
    who = perhaps_me()
    if listed.deck.origin_id is None or who is None or who.id != listed.deck.owner_id:
        return None
    return {"deck": listed.deck.origin_id, "revision": listed.deck.origin_revision}


class DeckView(Schema):
    """A deck list at one of its revisions. It is the same for everybody who may see it, but for `origin`."""

    id = fields.String(required=True, attribute="deck.id")
    owner = fields.String(required=True, metadata={"description": "A handle."})
    visibility = fields.String(
        required=True, attribute="deck.visibility", metadata={**VISIBILITY, "enum": [*VISIBILITIES]}
    )
    tags = Tags(required=True)
    revision = fields.Integer(required=True, attribute="revision.number")
    name = fields.String(required=True, attribute="revision.name")
    cards = CardCounts(required=True, attribute="revision.counts")
    size = fields.Function(
        lambda listed: sum(listed.revision.counts.values()),
        required=True,
        metadata={"type": "integer", "description": "Cards in all."},
    )
    note = fields.String(
        required=True, attribute="revision.note", metadata={"description": "Why this revision was written."}
    )
    restored_from = fields.Integer(
        required=True,
        allow_none=True,
        attribute="revision.restored_from",
        metadata={"description": "The number of the revision that this one brought back."},
    )
    origin = fields.Function(
        _origin,
        required=True,
        metadata={
            "description": "What it was copied from; only its owner is told.",
            "anyOf": [
                {
                    "type": "object",
                    "required": ["deck", "revision"],
                    "properties": {"deck": {"type": "string"}, "revision": {"type": "integer"}},
                },
                {"type": "null"},
            ],
        },
    )
    created_at = Time(required=True, attribute="deck.created_at")
    revised_at = Time(required=True, attribute="revision.created_at")


class FormsView(Schema):
    """A deck list in all its forms."""

    cards = CardCounts(required=True)
    text = fields.String(required=True, metadata={"description": "A line a card: `3 Tuna`."})
    code = fields.String(
        required=True, allow_none=True, metadata={"description": "Its deck code; null if none can say it."}
    )
    faults = fields.List(
        fields.Nested(FaultView), required=True, metadata={"description": "Why it has no deck code."}
    )


@decks.route("/decks")
@decks.signed_in
@decks.takes(SearchQuery, "query")
@decks.gives(found_page_of(DeckView))
def list_decks(query: dict[str, Any]) -> dict[str, Any]:
    """My decks, oldest first, or what a query finds in its order."""
    return _list(deck_lists.MINE, query)


@decks.route("/decks/public")
@decks.may_be_signed_in
@decks.takes(SearchQuery, "query")
@decks.gives(found_page_of(DeckView))
def list_public_decks(query: dict[str, Any]) -> dict[str, Any]:
    """Everybody's public decks, oldest first, or what a query finds in its order."""
    return _list(deck_lists.SHARED, query)


@decks.route("/decks/favourites")
@decks.signed_in
@decks.takes(SearchQuery, "query")
@decks.gives(found_page_of(DeckView))
def list_favourites(query: dict[str, Any]) -> dict[str, Any]:
    """My favourites among the decks that I may see, oldest first, or what a query finds in its order."""
    return _list(deck_lists.LIKED, query)


def _list(which: str, query: dict[str, Any]) -> dict[str, Any]:
    if query["q"] is not None:
        return _search(which, query)
    after = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        found = deck_lists.page(session, which, viewer(), after, query["limit"] + 1)
    return unasked(page(found, query["limit"], lambda listed: (listed.deck.created_at, listed.deck.id)))


def _search(which: str, query: dict[str, Any]) -> dict[str, Any]:
    """What a query finds among the decks of a list."""
    asked = Asked(query["q"], DECKS, "" if which == deck_lists.MINE else which)
    search: Search[DeckFacts] = asked.search()
    after = asked.after(query["cursor"], search.kinds((int, str)))
    with house().read() as session:
        facts = deck_lists.facts(session, house().catalog, which, viewer())
        shown = asked.page(search.page(facts, after, query["limit"] + 1), query["limit"], search.key)
        return {**shown, "items": deck_lists.by_ids(session, [fact.id for fact in shown["items"]])}


def viewer() -> str | None:
    """The id of who is signed in, if anybody is: by whom it goes which decks may be seen."""
    who = perhaps_me()
    return None if who is None else who.id


@decks.route("/decks", "POST")
@decks.signed_in
@decks.takes(DeckBody)
@decks.gives(DeckView, 201)
@decks.refuses(409)
def create_deck(body: dict[str, Any]) -> Listed:
    """Build a deck list of known cards; whether it is legal and owned is asked at /validation."""
    return operations.create(house(), me().id, **body)


@decks.route("/decks/<deck_id>")
@decks.tagged(OWN)
@decks.may_be_signed_in
@decks.gives(DeckView)
@decks.refuses(404)
def get_deck(deck_id: str) -> Listed:
    """One of my decks, or somebody's that is unlisted or public."""
    with house().read() as session:
        return operations.visible(session, viewer(), deck_id)


@decks.route("/decks/<deck_id>", "PUT")
@decks.signed_in
@decks.guarded
@decks.takes(DeckBody)
@decks.gives(DeckView)
@decks.refuses(404)
def put_deck(body: dict[str, Any], deck_id: str) -> Listed:
    """Write one of my decks anew. Another name or other cards make its next revision.

    Visibility and tags stay where the body has none; a note is dropped where there is no new revision.
    """
    return operations.revise(house(), me().id, deck_id, unchanged(DeckView), **body)


@decks.route("/decks/<deck_id>", "PATCH")
@decks.signed_in
@decks.guarded
@decks.takes(DeckPatch)
@decks.gives(DeckView)
@decks.refuses(404)
def patch_deck(body: dict[str, Any], deck_id: str) -> Listed:
    """Change something of one of my decks: its name, its cards (all of them), its visibility, its tags."""
    return operations.revise(house(), me().id, deck_id, unchanged(DeckView), **body)


@decks.route("/decks/<deck_id>", "DELETE")
@decks.signed_in
@decks.guarded
@decks.gives(None, 204)
@decks.refuses(404)
def delete_deck(deck_id: str) -> None:
    """Delete one of my decks."""
    operations.delete(house(), me().id, deck_id, unchanged(DeckView))


@decks.route("/decks/<deck_id>/copy", "POST")
@decks.signed_in
@decks.takes(CopyBody)
@decks.gives(DeckView, 201)
@decks.refuses(404, 409)
def copy_deck(body: dict[str, Any], deck_id: str) -> Listed:
    """A new private deck of mine from one that I may see; it remembers where it comes from."""
    return operations.copy(house(), me().id, deck_id, name=body.get("name"), number=body.get("revision"))


@decks.route("/decks/<deck_id>/favourite", "PUT")
@decks.signed_in
@decks.gives(None, 204)
@decks.refuses(404, 409)
def like_deck(deck_id: str) -> None:
    """Make a deck that I may see one of my favourites; its owner is not told."""
    deck_lists.like(house(), me().id, deck_id)


@decks.route("/decks/<deck_id>/favourite", "DELETE")
@decks.signed_in
@decks.gives(None, 204)
@decks.refuses(404)
def unlike_deck(deck_id: str) -> None:
    """Make it none any more."""
    deck_lists.unlike(house(), me().id, deck_id)


@decks.route("/decks/<deck_id>/export")
@decks.may_be_signed_in
@decks.gives(FormsView)
@decks.refuses(404)
def export_deck(deck_id: str) -> dict[str, Any]:
    """A deck in all its forms: by card, as text, as a deck code."""
    with house().read() as session:
        counts = operations.visible(session, viewer(), deck_id).revision.counts
    return forms(house().catalog, counts)


@decks.route("/decks/convert", "POST", changes=False)
@decks.signed_in
@decks.takes(CardsBody)
@decks.gives(FormsView)
def convert_cards(body: dict[str, Any]) -> dict[str, Any]:
    """A deck list in one form, given in all of them; nothing is kept."""
    return forms(house().catalog, body["cards"])


def forms(catalog: Catalog, counts: dict[int, int]) -> dict[str, Any]:
    """A deck list as `FormsView` shows it."""
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
