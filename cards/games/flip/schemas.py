"""The JSON of Pancakes (flip), for the house's API document (docs/rules/flip.md, section 15)."""

from __future__ import annotations

from cards.games.flip.griddle import STACKS
from cards.games.flip.table import Board
from cards.games.flip.told import TOLD
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

STACK = {"type": "integer", "minimum": 1, "maximum": STACKS, "description": "The number of a Stack."}
CARD = thing("A card of a Stack.", position=POSITION, up={"type": "boolean", "description": "Face-up."})

SCHEMAS = Schemas(
    state=state_of(
        Board,
        CODE,
        griddle=None,
        stacks={**array(array(CARD)), "description": "The Stacks of the Griddle, each from its bottom."},
        lessons={**array(INTEGER), "description": "The moves that the game teaches and that were made."},
    ),
    moves=(
        move("Play a card on a Stack.", play=POSITION, card=CODE, stack=STACK),
        move("Lay the top card of one Stack on another.", transfer=POSITION, card=CODE, stack=STACK),
        move("Draw a card.", draw=TRUE),
        move("Forfeit the action.", forfeit=TRUE),
        move("Take a Serving from a Stack.", serve=STACK),
        move("Take no more Servings.", done=TRUE),
    ),
    lines=(
        line("hand", "A seat that plays alone has a new hand.", seat=SEAT, count=INTEGER),
        line("draw", "A seat has drawn cards.", seat=SEAT, count=INTEGER),
        line("pancakes", "All seats have passed, and all Stacks are flipped."),
        line(
            "score",
            "The points that a game brought a seat.",
            seat=SEAT,
            cards={**INTEGER, "description": "Cards left in hand."},
            servings=INTEGER,
            points=INTEGER,
            total={**INTEGER, "description": "The seat's points after the game."},
        ),
    ),
    told=TOLD,
    codes=frozenset(
        {
            "card_back",
            "choice_lacking",
            "does_not_fit",
            "draw_pile_empty",
            "has_play",
            "malformed",
            "must_draw",
            "must_play_drawn",
            "no_serving",
            "no_such_stack",
            "no_turn",
            "not_asked",
            "not_in_hand",
            "not_on_top",
            "not_that_card",
            "not_the_lowest",
            "same_stack",
            "unknown_card",
            "wrong_turn",
        }
    ),
)
