"""The JSON of Big C, for the house's API document (docs/rules/big-c.md, section 11)."""

from __future__ import annotations

from cards.games.big_c.table import Board
from cards.games.big_c.told import TOLD
from cards.games.schemas import (
    CODE,
    CODES,
    INTEGER,
    POSITION,
    POSITIONS,
    SEAT,
    TRUE,
    Schemas,
    array,
    line,
    move,
    state_of,
)

SCHEMAS = Schemas(
    state=state_of(Board, CODE),
    moves=(
        move("Present a card, to decide the order of play.", present=POSITION, card=CODE),
        move("Play a hand.", play=POSITIONS, cards=CODES),
        move("Pass.", **{"pass": TRUE}),
    ),
    lines=(
        line("order", "The order of play.", order=array(SEAT)),
        line(
            "footstool",
            "A hand that costs the seat below it cards.",
            footstool={"type": "string", "description": "The kind of footstool: full or half."},
            seat=SEAT,
            under={**SEAT, "description": "The seat that draws cards."},
            cards=INTEGER,
        ),
    ),
    told=TOLD,
    codes=frozenset(
        {
            "choice_lacking",
            "malformed",
            "must_lead",
            "no_hand",
            "not_asked",
            "not_comparable",
            "not_higher",
            "not_in_hand",
            "not_that_card",
            "not_the_simplest",
            "other_size",
            "presented_before",
            "same_card",
            "unknown_card",
            "wrong_size",
        }
    ),
)
