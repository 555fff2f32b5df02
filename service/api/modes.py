"""The modes, that is, the games that can be played here, as data."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cards import games
from cards.games import contract
from referee import all_options
from service.operations import tables
from service.runtime import Bots
from service.web.blueprint import Blueprint
from service.web.context import house
from service.web.etags import PUBLIC

NO_BOTS = Bots()

modes = Blueprint("modes", "Modes: the games that can be played here.")


class OptionView(Schema):
    """An option of a table."""

    name = fields.String(required=True)
    kind = fields.String(required=True, metadata={"enum": ["seconds", "integer", "flag", "choice"]})
    default = fields.Raw(required=True)
    text = fields.String(
        required=True, metadata={"description": "The effect of the option, in words for people."}
    )
    low = fields.Integer(metadata={"description": "The lowest value, of seconds and integers."})
    high = fields.Integer(metadata={"description": "The highest value, of seconds and integers."})
    off = fields.Integer(metadata={"description": "A value outside the range that switches the option off."})
    choices = fields.List(fields.String(), metadata={"description": "The values to choose from, of choices."})


class SeatsView(Schema):
    """The number of players that the game is for."""

    min = fields.Integer(required=True)
    max = fields.Integer(required=True)


class ModeView(Schema):
    """A game that is played here."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    summary = fields.String(required=True)
    rules = fields.String(
        required=True,
        metadata={"description": "The version of the rules. A game keeps the one that it began with."},
    )
    seats = fields.Nested(SeatsView, required=True)
    own_decks = fields.Boolean(
        required=True, metadata={"description": "True if players bring their own decks."}
    )
    bots = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The names of the house's bots for it, the best first."},
    )
    levels = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={
            "description": "The name of the bot for each level of play: easy, medium, hard, best. A table"
            " takes a level in place of a name. Empty without bots."
        },
    )
    options = fields.List(fields.Nested(OptionView), required=True)


class ModePage(Schema):
    """All modes."""

    items = fields.List(fields.Nested(ModeView), required=True)


@modes.route("/modes")
@modes.cached(PUBLIC)
@modes.gives(ModePage)
def list_modes() -> dict[str, Any]:
    """List the games that can be played here, with the options of their tables."""
    every = [games.find(name) for name in games.names()]
    return {"items": [document(found, tables.bots_of(house(), found)) for found in every]}


def document(found: contract.Mode[Any], bots: Bots = NO_BOTS) -> dict[str, Any]:
    """A mode as `ModeView` dumps it; `bots` are the house's bots for it."""
    facts = found.facts
    low, high = facts.seats
    return {
        "name": facts.name,
        "title": facts.title,
        "summary": facts.summary,
        "rules": facts.rules,
        "seats": {"min": low, "max": high},
        "own_decks": facts.own_decks,
        "bots": [*bots.names],
        "levels": {**bots.levels},
        "options": [_option(option) for option in all_options(found)],
    }


def _option(option: contract.Option) -> dict[str, Any]:
    bounds = {
        "low": option.low,
        "high": option.high,
        "off": option.off,
        "choices": list(option.choices) or None,
    }
    known = {name: value for name, value in bounds.items() if value is not None}
    return {
        "name": option.name,
        "kind": option.kind,
        "default": option.default,
        "text": option.text,
        **known,
    }
