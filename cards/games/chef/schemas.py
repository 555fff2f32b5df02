"""The JSON of Pancake (chef), for the house's API document (docs/rules/chef.md; protocol section 9)."""

from __future__ import annotations

from cards.games.chef.board import Board
from cards.games.chef.told import TOLD
from cards.games.schemas import INTEGER, SEAT, JsonSchema, Schemas, array, line, maybe, move, state_of

_INDEX: JsonSchema = {
    "type": "integer",
    "minimum": 0,
    "maximum": 39,
    "description": "A card of the seat's deck.",
}
_COURSE: JsonSchema = {"type": "integer", "enum": [1, 2, 3], "description": "Appetizer, entree, dessert."}
_NUMBER: JsonSchema = {"type": "integer", "minimum": 1, "description": "A card's number in the catalog."}
_SLUG: JsonSchema = {"type": "string", "description": "A card's slug."}
_DISH = move("A dish.", course=_COURSE, recipe=maybe(_INDEX), ingredients=array(_INDEX))
_REASON: JsonSchema = {
    "type": "object",
    "description": "One reason for yum.",
    "required": ["kind", "points", "text"],
    "properties": {
        "kind": {"enum": ["units", "match", "word", "bonus"]},
        "points": INTEGER,
        "text": {"type": "string"},
        "card": {**_SLUG, "description": "The slug of the ingredient."},
        "what": {"type": "string", "description": "The entry of the list, or the word of the name."},
    },
}

SCHEMAS = Schemas(
    state=state_of(Board, _NUMBER),
    moves=(
        move("Keep the first hand, or draw another.", choice={"enum": ["keep", "redraw"]}),
        move("A meal, as a reveal opens it.", dishes=array(_DISH)),
    ),
    lines=(
        line("redraw", "A seat draws another hand.", seat=SEAT, redraws=INTEGER, points=INTEGER),
        line("round", "The round that the next lines are about.", round=INTEGER, final=INTEGER),
        line(
            "dish",
            "The dish that a seat serves as a course.",
            seat=SEAT,
            course=_COURSE,
            recipe=maybe(_SLUG),
            ingredients=array(_SLUG),
            yum=maybe(INTEGER),
            items=array(_REASON),
        ),
        line("missed", "A seat was silent.", seat=SEAT, missed={"type": "string"}),
        line("course", "The seat that wins a course.", course=_COURSE, winner=maybe(SEAT), points=INTEGER),
        line("forfeit", "A seat wins all courses, since the other was silent.", seat=SEAT, points=INTEGER),
        line("discard", "One-time cards leave a hand.", seat=SEAT, cards=array(_SLUG)),
    ),
    told=TOLD,
    codes=frozenset(
        {
            "card_twice",
            "costs_not_met",
            "course_order",
            "ingredient_order",
            "malformed",
            "no_such_choice",
            "not_a_recipe",
            "not_an_ingredient",
            "not_asked",
            "not_in_hand",
            "not_missed_so",
            "not_opened",
            "nothing_owed",
            "unknown_course",
        }
    ),
)
