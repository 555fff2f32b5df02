"""The versions of card sets: their cards, the changes between two, and cards whose slugs changed."""

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

versions = Blueprint("versions", "Versions of card sets, the changes between them, and slugs that changed.")


class VersionView(Schema):
    """A version of a card set."""

    set = fields.String(required=True, attribute="code")
    version = fields.String(required=True)
    name = fields.String(required=True)
    text = fields.String(
        required=True, metadata={"description": "The news of the version, in words for people."}
    )
    cards = fields.Function(lambda s: len(s.printings), required=True, metadata={"type": "integer"})
    starters = fields.Function(
        lambda s: [starter.slug for starter in s.starters],
        required=True,
        metadata={"type": "array", "items": {"type": "string"}},
    )
    sha256 = fields.Function(
        digest,
        required=True,
        metadata={"type": "string", "description": "The SHA-256 of what was published."},
    )


class VersionPage(Schema):
    """All versions of a set, newest first."""

    items = fields.List(fields.Nested(VersionView), required=True)


class ChangeView(Schema):
    """One change."""

    what = fields.String(required=True, metadata={"enum": ["card", "starter", "set"]})
    id = fields.String(
        required=True,
        metadata={"description": "The number of a card, the slug of a starter deck, or the code of a set."},
    )
    name = fields.String(required=True)
    kind = fields.String(required=True, metadata={"enum": ["added", "removed", "changed"]})
    level = fields.String(
        required=True,
        metadata={"enum": [*LEVELS], "description": "The part of the version that this change raises."},
    )
    field = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The field that changed; null where the whole thing came or went."},
    )
    before = fields.Raw(
        required=True, allow_none=True, metadata={"description": "The value before, any JSON."}
    )
    after = fields.Raw(required=True, allow_none=True, metadata={"description": "The value after, any JSON."})
    text = fields.Function(
        str, required=True, metadata={"type": "string", "description": "The change, for people."}
    )


class ChangesView(Schema):
    """The changes between two versions."""

    set = fields.String(required=True)
    since = fields.String(required=True)
    version = fields.String(required=True)
    level = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": [*LEVELS, None],
            "description": "The greatest level of the changes; null where there are none.",
        },
    )
    changes = fields.List(fields.Nested(ChangeView), required=True)


class ChangesQuery(Schema):
    """The version to compare with."""

    since = fields.String(
        load_default=None,
        metadata={"description": "Another version of the set, earlier or later. Default: the one before."},
    )


class MoveView(Schema):
    """A slug that changed for good."""

    set = fields.String(required=True, attribute="set_code")
    version = fields.String(
        required=True, metadata={"description": "The version of the set that began with the change."}
    )
    kind = fields.String(
        required=True,
        metadata={
            "enum": ["renamed", "moved", "replaced"],
            "description": "renamed: the same card has another slug. moved, replaced: the card is withdrawn"
            " but stays readable; the new one is the same in another set, or another card.",
        },
    )
    old = fields.String(required=True, metadata={"description": "The slug before."})
    old_name = fields.String(required=True)
    new = fields.String(
        required=True, metadata={"description": "The slug after, which may have changed again since."}
    )
    moved_to = fields.Function(
        lambda move: house().catalog.moved(move.old)[-1].new,
        required=True,
        metadata={"type": "string", "description": "The slug today."},
    )
    reason = fields.String(required=True)


@versions.route("/sets/<code>/versions")
@versions.cached(PUBLIC)
@versions.gives(VersionPage)
@versions.refuses(404)
def list_versions(code: str) -> dict[str, Any]:
    """List the published versions of a card set, newest first."""
    card_set = find_set(house().catalog, code)
    return {"items": [card_set, *card_set.earlier]}


@versions.route("/sets/<code>/versions/<version>")
@versions.cached(PUBLIC)
@versions.gives(VersionView)
@versions.refuses(404)
def get_version(code: str, version: str) -> CardSet:
    """Show a version of a card set."""
    return _find(code, version)


@versions.route("/sets/<code>/versions/<version>/changes")
@versions.cached(PUBLIC)
@versions.takes(ChangesQuery, "query")
@versions.gives(ChangesView)
@versions.refuses(404)
def get_changes(query: dict[str, Any], code: str, version: str) -> dict[str, Any]:
    """List the changes of a version since the one before, or since another."""
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
@versions.cached(PUBLIC)
@versions.takes(PageQuery, "query")
@versions.gives(page_of(CardView))
@versions.refuses(404)
def list_version_cards(query: dict[str, Any], code: str, version: str) -> dict[str, Any]:
    """List the cards of a version of a card set, by number."""
    card_set = _find(code, version)
    (after,) = read_cursor(query["cursor"], int) or (0,)
    found = [printing for printing in card_set.printings if printing.card.number > after]
    shown = page(found, query["limit"], lambda printing: (printing.card.number,))
    return {**shown, "items": [document(printing, card_set) for printing in shown["items"]]}


@versions.route("/sets/<code>/versions/<version>/cards/<name>")
@versions.cached(PUBLIC)
@versions.gives(CardView)
@versions.refuses(404)
def get_version_card(code: str, version: str, name: str) -> dict[str, Any]:
    """Show a card in a version of a card set, named by its slug in that version or its number."""
    card_set = _find(code, version)
    for printing in card_set.printings:
        if name in (printing.card.slug, str(printing.card.number)):
            return document(printing, card_set)
    raise not_found("card")


@versions.route("/migrations")
@versions.cached(PUBLIC)
@versions.takes(PageQuery, "query")
@versions.gives(page_of(MoveView))
def list_migrations(query: dict[str, Any]) -> dict[str, Any]:
    """List all slugs of cards that ever changed, oldest first in each set. No entry is ever taken back."""
    (start,) = read_cursor(query["cursor"], int) or (0,)
    numbered = [*enumerate(house().catalog.moves)][max(0, start) :]
    shown = page(numbered, query["limit"], lambda each: (each[0] + 1,))
    return {**shown, "items": [move for _, move in shown["items"]]}


def _find(code: str, version: str) -> CardSet:
    """A version of a set. Raises `Problem` 404."""
    found = find_set(house().catalog, code).at(version)
    if found is None:
        raise not_found("version")
    return found
