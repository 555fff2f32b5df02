"""What the rules say of deck lists, formats, and what one lacks for a deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields

from cards.catalog.cards import RARITIES
from cards.decks.formats import Format
from cards.decks.legality import BASIC, OWNED, USUAL
from service.api.decks import CardsBody
from service.operations import deck_checks as operations
from service.operations import decks
from service.operations.deck_checks import Validation
from service.problems import Fault, not_found
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.errors import FaultView
from service.web.etags import PUBLIC

deck_checks = Blueprint("deck_checks", "Rules of deck lists, and what is missing for them.")


class Rules(fields.Field[list[str]]):
    """Names of sets of rules, parted by commas."""

    def __init__(self, **options: Any) -> None:
        described = {
            "type": "string",
            "description": f"Sets of rules, parted by commas: `{BASIC}` (the game's), `{OWNED}` (I have"
            " enough free copies), and names of formats.",
            "example": "basic,owned,home-cooking",
            "default": ",".join(USUAL),
        }
        super().__init__(metadata=described, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[str]:
        names = list(dict.fromkeys(part.strip() for part in str(value).split(",") if part.strip()))
        usual = (BASIC, OWNED)
        unknown = [name for name in names if name not in usual and name not in house().formats]
        if unknown or not names:
            choices = ", ".join((*usual, *house().formats))
            raise ValidationError(
                [Fault("unknown_rules", f'"{name[:60]}" is none of {choices}.') for name in unknown]
                or [Fault("no_rules", f"At least one of {choices}.")]
            )
        return names


class RulesQuery(Schema):
    """By which rules."""

    rules = Rules(load_default=USUAL)


class RuleSetView(Schema):
    """What one set of rules says."""

    name = fields.String(required=True)
    legal = fields.Boolean(required=True)


class ValidationView(Schema):
    """What the rules say of a deck list."""

    legal = fields.Boolean(
        required=True,
        metadata={
            "description": "None of these rules has anything against it; by the usual ones: a match may"
            " be played with it."
        },
    )
    rules = fields.List(fields.Nested(RuleSetView), required=True)
    faults = fields.List(
        fields.Nested(FaultView),
        required=True,
        metadata={"description": "Of all rules; in each, `rules` says by which it is one."},
    )
    warnings = fields.List(fields.Nested(FaultView), required=True)


class MissingCardView(Schema):
    """A card of which I have too few."""

    card = fields.String(required=True, metadata={"description": "Its slug."})
    number = fields.Integer(required=True)
    needed = fields.Integer(required=True)
    owned = fields.Integer(required=True)
    free = fields.Integer(required=True, metadata={"description": "Of them, held by no match."})
    missing = fields.Integer(required=True)
    rarity = fields.String(required=True, allow_none=True)
    mintable = fields.Boolean(
        required=True, metadata={"description": "A Basic Ingredient: POST /collection/basics gives it free."}
    )


RaritiesView = Schema.from_dict(
    {rarity: fields.Integer(required=True) for rarity in RARITIES}, name="MissingByRarity"
)


class MissingView(Schema):
    """What I lack for a deck list."""

    missing = fields.Integer(required=True, metadata={"description": "Copies in all."})
    mintable = fields.Integer(required=True, metadata={"description": "Of them, free for everybody."})
    by_rarity = fields.Nested(
        RaritiesView, required=True, metadata={"description": "Those that are not free for everybody."}
    )
    items = fields.List(fields.Nested(MissingCardView), required=True)


class RestrictionView(Schema):
    """A limit for one card."""

    card = fields.String(required=True, metadata={"description": "Its slug."})
    copies = fields.Integer(required=True, metadata={"description": "At most; 0 for a banned card."})
    reason = fields.String(required=True)


class FormatView(Schema):
    """A format: what decks may be made of, beside the rules of the game."""

    name = fields.String(required=True, attribute="slug")
    title = fields.String(required=True, attribute="name")
    version = fields.String(required=True)
    text = fields.String(required=True)
    sets = fields.List(
        fields.String(), required=True, allow_none=True, metadata={"description": "Codes; null for all."}
    )
    rarities = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Cards of a rarity in a deck, at most; those that are not named are free."},
    )
    copies = fields.Integer(
        required=True, metadata={"description": "Of a card, at most; Basic Ingredients are not meant."}
    )
    retired = fields.Boolean(required=True, metadata={"description": "Whether withdrawn cards are allowed."})
    restricted = fields.Function(
        lambda found: RestrictionView(many=True).dump(_restrictions(found)),
        required=True,
        metadata={
            "type": "array",
            "items": {
                "type": "object",
                "required": ["card", "copies", "reason"],
                "properties": {
                    "card": {"type": "string"},
                    "copies": {"type": "integer"},
                    "reason": {"type": "string"},
                },
            },
        },
    )


class FormatPage(Schema):
    """All formats."""

    items = fields.List(fields.Nested(FormatView), required=True)


def _restrictions(found: Format) -> list[dict[str, Any]]:
    cards = house().catalog.cards
    return [
        {"card": cards[number].slug, "copies": each.copies, "reason": each.reason}
        for number, each in found.restricted.items()
    ]


@deck_checks.route("/formats")
@deck_checks.tagged(PUBLIC)
@deck_checks.gives(FormatPage)
def list_formats() -> dict[str, Any]:
    """All formats that decks can be checked by."""
    return {"items": list(house().formats.values())}


@deck_checks.route("/formats/<name>")
@deck_checks.tagged(PUBLIC)
@deck_checks.gives(FormatView)
@deck_checks.refuses(404)
def get_format(name: str) -> Format:
    """A format by its name."""
    found = house().formats.get(name)
    if found is None:
        raise not_found("format")
    return found


@deck_checks.route("/decks/<deck_id>/validation")
@deck_checks.signed_in
@deck_checks.takes(RulesQuery, "query")
@deck_checks.gives(ValidationView)
@deck_checks.refuses(404)
def validate_deck(query: dict[str, Any], deck_id: str) -> Validation:
    """What several sets of rules say of a deck, every fault at once; usually whether I can play with it now.

    Owning is always about me, whosever deck it is.
    """
    with house().read() as session:
        counts = decks.visible(session, me().id, deck_id).revision.counts
        return operations.validate(house(), session, me().id, counts, query["rules"])


@deck_checks.route("/decks/validate", "POST", changes=False)
@deck_checks.signed_in
@deck_checks.takes(RulesQuery, "query")
@deck_checks.takes(CardsBody)
@deck_checks.gives(ValidationView)
def validate_cards(query: dict[str, Any], body: dict[str, Any]) -> Validation:
    """What several sets of rules say of these cards, every fault at once; nothing is kept."""
    with house().read() as session:
        return operations.validate(house(), session, me().id, body["cards"], query["rules"])


@deck_checks.route("/decks/<deck_id>/missing")
@deck_checks.signed_in
@deck_checks.gives(MissingView)
@deck_checks.refuses(404)
def deck_missing(deck_id: str) -> dict[str, Any]:
    """What I lack for a deck, mine or somebody's that I may see."""
    with house().read() as session:
        counts = decks.visible(session, me().id, deck_id).revision.counts
    return _missing(counts)


@deck_checks.route("/decks/missing", "POST", changes=False)
@deck_checks.signed_in
@deck_checks.takes(CardsBody)
@deck_checks.gives(MissingView)
def cards_missing(body: dict[str, Any]) -> dict[str, Any]:
    """What I lack for a deck list; nothing is kept."""
    return _missing(body["cards"])


def _missing(counts: Mapping[int, int]) -> dict[str, Any]:
    cards = house().catalog.cards
    with house().read() as session:
        found = operations.missing(house(), session, me().id, counts)
    by_rarity = Counter[str]()
    for each in found:
        if each.rarity is not None and not each.mintable:
            by_rarity[each.rarity] += each.missing
    return {
        "missing": sum(each.missing for each in found),
        "mintable": sum(each.missing for each in found if each.mintable),
        "by_rarity": {rarity: by_rarity[rarity] for rarity in RARITIES},
        "items": [
            {
                "card": cards[each.number].slug if each.number in cards else str(each.number),
                "number": each.number,
                "needed": each.needed,
                "owned": each.owned,
                "free": each.free,
                "missing": each.missing,
                "rarity": each.rarity,
                "mintable": each.mintable,
            }
            for each in found
        ],
    }
