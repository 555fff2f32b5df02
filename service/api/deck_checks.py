"""Checking deck lists by the rules and by formats, and the cards that a player lacks for a deck."""

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

deck_checks = Blueprint(
    "deck_checks", "Checks of deck lists: the rules, the formats, and the cards that I lack for a deck."
)


class Rules(fields.Field[list[str]]):
    """Names of sets of rules, separated by commas."""

    def __init__(self, **options: Any) -> None:
        described = {
            "type": "string",
            "description": f"Sets of rules, separated by commas: `{BASIC}` (the game's rules),"
            f" `{OWNED}` (I own"
            " enough copies that no open offer gives), and names of formats.",
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
                [Fault("unknown_rules", f'"{name[:60]}" must be one of {choices}.') for name in unknown]
                or [Fault("no_rules", f"Name at least one of {choices}.")]
            )
        return names


class RulesQuery(Schema):
    """The rules to check by."""

    rules = Rules(load_default=USUAL)


class RuleSetView(Schema):
    """The result by one set of rules."""

    name = fields.String(required=True)
    legal = fields.Boolean(required=True)


class ValidationView(Schema):
    """The result of a check."""

    legal = fields.Boolean(
        required=True,
        metadata={
            "description": "True if the deck list keeps all these rules. If they are the usual ones, I may"
            " play a match with it."
        },
    )
    rules = fields.List(fields.Nested(RuleSetView), required=True)
    faults = fields.List(
        fields.Nested(FaultView),
        required=True,
        metadata={"description": "The faults by all rules. `rules` in each names the rules that it breaks."},
    )
    warnings = fields.List(fields.Nested(FaultView), required=True)


class MissingCardView(Schema):
    """A card of which I own too few copies."""

    card = fields.String(required=True, metadata={"description": "The card's slug."})
    number = fields.Integer(required=True)
    needed = fields.Integer(required=True)
    owned = fields.Integer(required=True)
    playable = fields.Integer(
        required=True, metadata={"description": "The number of them that no open offer gives."}
    )
    missing = fields.Integer(required=True)
    rarity = fields.String(required=True, allow_none=True)
    mintable = fields.Boolean(
        required=True,
        metadata={
            "description": "True if it is a Basic Ingredient, which POST /collection/basics makes free"
            " of charge."
        },
    )


RaritiesView = Schema.from_dict(
    {rarity: fields.Integer(required=True) for rarity in RARITIES}, name="MissingByRarity"
)


class MissingView(Schema):
    """The cards that I lack for a deck list."""

    missing = fields.Integer(required=True, metadata={"description": "The number of missing copies."})
    mintable = fields.Integer(
        required=True, metadata={"description": "The number of them that I can make free of charge."}
    )
    by_rarity = fields.Nested(RaritiesView, required=True, metadata={"description": "The others, by rarity."})
    items = fields.List(fields.Nested(MissingCardView), required=True)


class RestrictionView(Schema):
    """A format's limit for one card."""

    card = fields.String(required=True, metadata={"description": "The card's slug."})
    copies = fields.Integer(
        required=True, metadata={"description": "The most copies that a deck may have; 0 for a banned card."}
    )
    reason = fields.String(required=True)


class FormatView(Schema):
    """A format: rules for decks beside the rules of the game."""

    name = fields.String(required=True, attribute="slug")
    title = fields.String(required=True, attribute="name")
    version = fields.String(required=True)
    text = fields.String(required=True)
    sets = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "The codes of the sets whose cards are allowed; null for all sets."},
    )
    rarities = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={
            "description": "The most cards of a rarity in a deck. A rarity that is not named has no limit."
        },
    )
    copies = fields.Integer(
        required=True,
        metadata={"description": "The most copies of a card in a deck; Basic Ingredients have no limit."},
    )
    retired = fields.Boolean(required=True, metadata={"description": "True if withdrawn cards are allowed."})
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
@deck_checks.cached(PUBLIC)
@deck_checks.gives(FormatPage)
def list_formats() -> dict[str, Any]:
    """List the formats that decks can be checked by."""
    return {"items": list(house().formats.values())}


@deck_checks.route("/formats/<name>")
@deck_checks.cached(PUBLIC)
@deck_checks.gives(FormatView)
@deck_checks.refuses(404)
def get_format(name: str) -> Format:
    """Show a format."""
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
    """Check a deck by sets of rules, and list every fault.

    By default the check says whether I can play a match with the deck now. `owned` is always about my own
    copies, also where the deck belongs to somebody else.
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
    """Check a deck list in the request by sets of rules, without keeping it."""
    with house().read() as session:
        return operations.validate(house(), session, me().id, body["cards"], query["rules"])


@deck_checks.route("/decks/<deck_id>/missing")
@deck_checks.signed_in
@deck_checks.gives(MissingView)
@deck_checks.refuses(404)
def deck_missing(deck_id: str) -> dict[str, Any]:
    """List the cards that I lack for a deck, mine or another that I may see."""
    with house().read() as session:
        counts = decks.visible(session, me().id, deck_id).revision.counts
    return _missing(counts)


@deck_checks.route("/decks/missing", "POST", changes=False)
@deck_checks.signed_in
@deck_checks.takes(CardsBody)
@deck_checks.gives(MissingView)
def cards_missing(body: dict[str, Any]) -> dict[str, Any]:
    """List the cards that I lack for a deck list in the request, without keeping it."""
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
                "playable": each.playable,
                "missing": each.missing,
                "rarity": each.rarity,
                "mintable": each.mintable,
            }
            for each in found
        ],
    }
