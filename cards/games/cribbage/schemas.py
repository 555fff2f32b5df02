"""The JSON of cribbage, for the house's API document (docs/rules/cribbage.md, section 12)."""

from __future__ import annotations

from cards.games.cribbage.table import Board
from cards.games.cribbage.told import TOLD
from cards.games.schemas import (
    CODE,
    CODES,
    INTEGER,
    POSITION,
    POSITIONS,
    SEAT,
    TRUE,
    JsonSchema,
    Schemas,
    array,
    line,
    maybe,
    move,
    state_of,
    thing,
)

_POINTS: JsonSchema = {"type": "integer", "minimum": 0, "description": "Points."}
_TOTAL: JsonSchema = {"type": "integer", "description": "The points of the seat's side afterwards."}
_ITEMS = array(thing("One thing that scores.", name={"type": "string"}, points=_POINTS))


def _pegged(kind: str, description: str) -> JsonSchema:
    return line(kind, description, seat=SEAT, points=_POINTS, total=_TOTAL, items=_ITEMS)


def _shown(kind: str, description: str) -> JsonSchema:
    claim = {
        **maybe(INTEGER),
        "description": "The points that the player claimed; null where the house counts.",
    }
    more = {"cards": CODES, "starter": CODE, "claim": claim}
    return line(kind, description, seat=SEAT, points=_POINTS, total=_TOTAL, items=_ITEMS, **more)


SCHEMAS = Schemas(
    state=state_of(Board, CODE),
    moves=(
        move("Cut for the deal or for the starter.", cut={**INTEGER, "description": "Cards lifted."}),
        move("Lay cards away to the crib.", lay=POSITIONS),
        move("Play a card.", play=POSITION, card=CODE),
        move("Say go.", go=TRUE),
        move("Claim points for a hand or the crib.", claim=_POINTS),
        move("Accept a claim.", accept=TRUE),
        move("Object to a claim, and say the right points.", object=_POINTS),
    ),
    lines=(
        line("cut", "The card that a seat has cut for the deal.", seat=SEAT, card=CODE),
        line("dealer", "The dealer; null where all cut again.", seat=maybe(SEAT)),
        _pegged("heels", "The starter is a jack."),
        _pegged("play", "Points for a card played."),
        _pegged("go", "Points for the last card."),
        _pegged("muggins", "Points that another player has overlooked."),
        _shown("hand", "A hand is counted."),
        _shown("crib", "The crib is counted."),
        line("game", "A side has won a game.", seat=SEAT, points=_POINTS, total=INTEGER),
    ),
    told=TOLD,
    codes=frozenset(
        {
            "can_play",
            "card_twice",
            "choice_lacking",
            "cut_there_already",
            "malformed",
            "no_such_count",
            "no_turn",
            "not_asked",
            "not_in_hand",
            "not_that_card",
            "not_the_simplest",
            "packet_too_thin",
            "past_31",
            "same_count",
            "unknown_card",
            "wrong_cards",
            "wrong_number",
        }
    ),
)
