"""What a mode's own drawing needs beside the common view: `ChefTable` and `PackTable` of page/desk.

This module and its functions by mode are the only lines of the desk that know one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cards.catalog.cards import NONE, Card, Units
from cards.games.chef import COURSES, taste
from cards.games.chef.dish import balance
from cards.games.contract import own
from player.due import Wanted
from referee import Game

CHEF = "chef"
"""The mode whose table data are of its own. Every other mode has the hand of a `PackTable`."""


def table_of(game: Game, seat: int | None, wanted: Wanted | None, sealed: Mapping[str, Any] | None) -> Any:
    """The table data of a mode for a seat; None for a spectator."""
    if seat is None:
        return None
    if game.rules.facts.name == CHEF:
        return _chef(game, seat, sealed)
    return _pack(game, seat, wanted)


def tried(game: Game, seat: int, move: Any) -> Any:
    """What the mode's drawing shows of a move that is not made yet; None if nothing."""
    if game.rules.facts.name != CHEF or not isinstance(move, dict) or "dishes" not in move:
        return None
    hand = _hand(game, seat)
    try:
        plates = [_plate(hand, dish) for dish in move["dishes"]]
    except (KeyError, TypeError, AttributeError):
        return None  # the rules say what is wrong with its form
    return {"plates": plates, "yum": sum(plate["yum"] or 0 for plate in plates)}


def _hand(game: Game, seat: int) -> dict[int, Card]:
    """The known cards of a chef's hand, by their index in the deck."""
    faces, held = game.state.faces, game.state.board.hands[seat]
    return {index: faces[own(seat, index)] for index in held if own(seat, index) in faces}


def _chef(game: Game, seat: int, sealed: Mapping[str, Any] | None) -> dict[str, Any]:
    board, faces = game.state.board, game.state.faces
    hand = _hand(game, seat)
    shown = sorted(hand.items(), key=lambda pair: (not pair[1].is_recipe, _category(pair[1]), pair[1].name))
    served = [
        [faces[own(chef, index)].slug for index in board.discards[chef] if own(chef, index) in faces]
        for chef in range(2)
    ]
    return {
        "hand": [{"index": index, "slug": card.slug} for index, card in shown],
        "courses": [
            {"number": course.number, "name": course.name, "points": course.points}
            for course in COURSES
            if course in board.courses
        ],
        "sealed": None if sealed is None else dict(sealed),
        "phase": board.phase,
        "final": board.final,
        "piles": [len(pile) for pile in board.piles],
        "hands": [len(held) for held in board.hands],
        "served": served,
    }


def _category(card: Card) -> tuple[int, ...]:
    """Where a card stands among its like: by the first category that it gives or asks for."""
    units = card.costs if card.is_recipe or card.is_special else card.provides
    return tuple(-n for n in units)


def _plate(hand: Mapping[int, Card], dish: Mapping[str, Any]) -> dict[str, Any]:
    recipe = None if dish["recipe"] is None else hand[dish["recipe"]]
    ingredients = [hand[index] for index in dish["ingredients"]]
    asking = [card for card in ingredients if card.is_special] + ([] if recipe is None else [recipe])
    left = balance(recipe, ingredients)
    cooked = None if recipe is None or not recipe.is_recipe else taste(recipe, ingredients)
    return {
        "course": dish["course"],
        "balance": list(left),
        "needs": _sum([card.costs for card in asking]),
        "gives": _sum([card.provides for card in ingredients]),
        "paid": left == NONE,
        "yum": None if cooked is None else cooked.yum,
        "items": [] if cooked is None else [item.line() for item in cooked.items],
    }


def _sum(units: Sequence[Units]) -> list[int]:
    return [sum(each[i] for each in units) for i in range(5)]


def _pack(game: Game, seat: int, wanted: Wanted | None) -> dict[str, Any]:
    """Our hand of a mode with a house pack: the positions of its place, with their faces."""
    state = game.state
    places = game.rules.places(state)
    held = places.get(f"hand {seat}", ())
    known = {position: str(state.faces[position]) for position in held if position in state.faces}
    playable: frozenset[str] | None = None
    if wanted is not None and wanted[1] == "move":
        playable = frozenset(_codes(list(game.rules.legal(state, seat)), frozenset(known.values())))
    cards = sorted(known.items(), key=lambda pair: pair[0])
    return {
        "hand": [
            {"position": position, "face": face, "playable": playable is None or face in playable}
            for position, face in cards
        ]
    }


def _codes(value: Any, held: frozenset[str]) -> set[str]:
    """The codes of held cards that stand anywhere in some moves."""
    if isinstance(value, str):
        return {value} & held
    if isinstance(value, dict):
        return set().union(*(_codes(each, held) for each in value.values()), _codes(list(value), held))
    if isinstance(value, list):
        return set().union(*(_codes(each, held) for each in value)) if value else set()
    return set()
