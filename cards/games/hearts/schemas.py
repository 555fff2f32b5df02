"""The JSON of Chinese Hearts, for the house's API document (docs/rules/hearts.md, section 10)."""

from __future__ import annotations

from cards.games.hearts.table import Board
from cards.games.hearts.told import TOLD
from cards.games.schemas import (
    CODE,
    INTEGER,
    POSITION,
    SEAT,
    TRUE,
    Schemas,
    array,
    line,
    move,
    state_of,
    thing,
)

SCHEMAS = Schemas(
    state=state_of(Board, CODE),
    moves=(
        move("Expose a card.", expose=POSITION, card=CODE),
        move("Expose no more cards.", done=TRUE),
        move("Play a card.", play=POSITION, card=CODE),
    ),
    lines=(
        line(
            None,
            "The points that a round brought a seat.",
            seat=SEAT,
            points=INTEGER,
            values=array(thing("The points that a card counts.", card=CODE, value=INTEGER)),
            factor={**INTEGER, "description": "The number that the ten of clubs multiplies the points by."},
            ten={**INTEGER, "description": "The points that the ten of clubs counts alone."},
            moon={"type": "boolean", "description": "True if the seat has all hearts."},
            sun={"type": "boolean", "description": "True if it has all cards that count."},
            total={**INTEGER, "description": "The seat's points after the round."},
        ),
    ),
    told=TOLD,
    codes=frozenset(
        {
            "choice_lacking",
            "hand_leads",
            "malformed",
            "must_follow",
            "no_turn",
            "not_asked",
            "not_exposable",
            "not_held",
            "not_in_hand",
            "not_that_card",
            "not_the_fourth",
            "not_the_lowest",
            "one_at_a_time",
            "unknown_card",
        }
    ),
)
