"""What card sets were: their versions, the cards of each, what tells two apart, and ids that changed."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cards.catalog.cards import CardSet
from cards.catalog.changes import LEVELS, SetChange, changes, digest, greatest
from service.api.cards import CardView, document, find_set
from service.problems import not_found
from service.web.blueprint import Blueprint
from service.web.context import house
from service.web.etags import PUBLIC
from service.web.paging import PageQuery, page, page_of, read_cursor

versions = Blueprint("versions", "What card sets were before, and ids that changed.")


class VersionView(Schema):
    """A version of a card set."""

    set = fields.String(required=True, attribute="code")
    version = fields.String(required=True)
    name = fields.String(required=True)
    text = fields.String(required=True, metadata={"description": "What it brought, for people."})
    cards = fields.Function(lambda s: len(s.printings), required=True, metadata={"type": "integer"})
    starters = fields.Function(
        lambda s: [starter.slug for starter in s.starters],
        required=True,
        metadata={"type": "array", "items": {"type": "string"}},
    )
    sha256 = fields.Function(
        digest, required=True, metadata={"type": "string", "description": "Of what was published."}
    )


class VersionPage(Schema):
    """All versions of a set, the newest first."""

    items = fields.List(fields.Nested(VersionView), required=True)


class ChangeView(Schema):
    """One thing that is otherwise."""

    what = fields.String(required=True, metadata={"enum": ["card", "starter", "set"]})
    id = fields.String(
        required=True, metadata={"description": "A card's number, a starter's slug, a set's code."}
    )
    name = fields.String(required=True)
    kind = fields.String(required=True, metadata={"enum": ["added", "removed", "changed"]})
    level = fields.String(
        required=True, metadata={"enum": [*LEVELS], "description": "Which part of the version it raises."}
    )
    field = fields.String(
        required=True, allow_none=True, metadata={"description": "What changed, where something did."}
    )
    before = fields.Raw(required=True, allow_none=True, metadata={"description": "Any JSON."})
    after = fields.Raw(required=True, allow_none=True, metadata={"description": "Any JSON."})
    text = fields.Function(str, required=True, metadata={"type": "string", "description": "For people."})


class ChangesView(Schema):
    """All that tells two versions apart."""

    set = fields.String(required=True)
    since = fields.String(required=True)
    version = fields.String(required=True)
    level = fields.String(
        required=True,
        allow_none=True,
        metadata={"enum": [*LEVELS, None], "description": "The greatest of them; null without any."},
    )
    changes = fields.List(fields.Nested(ChangeView), required=True)


class ChangesQuery(Schema):
    """Since when."""

    since = fields.String(
        load_default=None,
        metadata={
            "description": "A version of the set; without it, the one before; it may be a later one too."
        },
    )


class MoveView(Schema):
    """An id that changed, for good."""

    set = fields.String(required=True, attribute="set_code")
    version = fields.String(required=True, metadata={"description": "Of the set, from which on it holds."})
    kind = fields.String(
        required=True,
        metadata={
            "enum": ["renamed", "moved", "replaced"],
            "description": "The same card under another slug; or one that was withdrawn, and which stays"
            " readable: the same in another place, or another in its stead.",
        },
    )
    old = fields.String(required=True, metadata={"description": "A slug."})
    old_name = fields.String(required=True)
    new = fields.String(required=True, metadata={"description": "A slug, which may have moved on since."})
    moved_to = fields.Function(
        lambda move: house().catalog.moved(move.old)[-1].new,
        required=True,
        metadata={"type": "string", "description": "The slug that it is today."},
    )
    reason = fields.String(required=True)


@versions.route("/sets/<code>/versions")
@versions.tagged(PUBLIC)
@versions.gives(VersionPage)
@versions.refuses(404)
def list_versions(code: str) -> dict[str, Any]:
    """All versions of a card set that were published, the newest first."""
    card_set = find_set(house().catalog, code)
    return {"items": [card_set, *card_set.earlier]}


@versions.route("/sets/<code>/versions/<version>")
@versions.tagged(PUBLIC)
@versions.gives(VersionView)
@versions.refuses(404)
def get_version(code: str, version: str) -> CardSet:
    """A card set as it was."""
    return _find(code, version)


@versions.route("/sets/<code>/versions/<version>/changes")
@versions.tagged(PUBLIC)
@versions.takes(ChangesQuery, "query")
@versions.gives(ChangesView)
@versions.refuses(404)
def get_changes(query: dict[str, Any], code: str, version: str) -> dict[str, Any]:
    """What a version changed since the one before it, or since any other."""
    newer = _find(code, version)
    older = newer if query["since"] is None else _find(code, query["since"])
    if query["since"] is None:
        every = find_set(house().catalog, code)
        known = (every, *every.earlier)
        older = known[min(known.index(newer) + 1, len(known) - 1)]
    found: tuple[SetChange, ...] = changes(older, newer)
    return {
        "set": code,
        "since": older.version,
        "version": newer.version,
        "level": greatest(found),
        "changes": found,
    }


@versions.route("/sets/<code>/versions/<version>/cards")
@versions.tagged(PUBLIC)
@versions.takes(PageQuery, "query")
@versions.gives(page_of(CardView))
@versions.refuses(404)
def list_version_cards(query: dict[str, Any], code: str, version: str) -> dict[str, Any]:
    """The cards of a version as they were, by number, a page at a time."""
    card_set = _find(code, version)
    (after,) = read_cursor(query["cursor"], int) or (0,)
    found = [printing for printing in card_set.printings if printing.card.number > after]
    shown = page(found, query["limit"], lambda printing: (printing.card.number,))
    return {**shown, "items": [document(printing, card_set) for printing in shown["items"]]}


@versions.route("/sets/<code>/versions/<version>/cards/<name>")
@versions.tagged(PUBLIC)
@versions.gives(CardView)
@versions.refuses(404)
def get_version_card(code: str, version: str, name: str) -> dict[str, Any]:
    """A card as it was, by its slug of that time or its number."""
    card_set = _find(code, version)
    for printing in card_set.printings:
        if name in (printing.card.slug, str(printing.card.number)):
            return document(printing, card_set)
    raise not_found("card")


@versions.route("/migrations")
@versions.tagged(PUBLIC)
@versions.takes(PageQuery, "query")
@versions.gives(page_of(MoveView))
def list_migrations(query: dict[str, Any]) -> dict[str, Any]:
    """All ids of cards that ever changed, oldest first in each set; what stands here is never taken back."""
    (start,) = read_cursor(query["cursor"], int) or (0,)
    numbered = [*enumerate(house().catalog.moves)][max(0, start) :]
    shown = page(numbered, query["limit"], lambda each: (each[0] + 1,))
    return {**shown, "items": [move for _, move in shown["items"]]}


def _find(code: str, version: str) -> CardSet:
    """The set in that version. Raises `Problem` 404."""
    found = find_set(house().catalog, code).at(version)
    if found is None:
        raise not_found("version")
    return found
