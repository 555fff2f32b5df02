"""The account of a game of Pancakes (flip): draws, flips of all Stacks, ends (docs/rules/flip.md)."""

from __future__ import annotations

from cards.games.contract import Line
from cards.games.flip.griddle import SERVING
from cards.games.flip.table import Board


def account(before: Board, after: Board) -> tuple[Line, ...] | None:
    """The lines of the account between two boards; None if there is nothing to tell."""
    lines = [*_drawn(before, after), *_called(before, after), *_over(before, after)]
    return tuple(lines) or None


def _drawn(before: Board, after: Board) -> list[Line]:
    """The number of cards drawn, up to one that fits (6), or for a new hand of a lone player (13)."""
    count, seat = after.pile - before.pile, before.mover
    if before.game != after.game or not count:
        return []
    cards = "a card" if count == 1 else f"{count} cards"
    if before.phase != "draw":
        text = f"Seat {seat} has completed hand {after.completed} and draws {cards}"
        return [{"kind": "hand", "seat": seat, "count": count, "text": text}]
    none = ", and none fits" if after.drawn is None else ""
    return [{"kind": "draw", "seat": seat, "count": count, "text": f"Seat {seat} draws {cards}{none}"}]


def _called(before: Board, after: Board) -> list[Line]:
    """All have passed (10)."""
    if after.called and not before.called:
        return [{"kind": "pancakes", "text": "Pancakes! All have passed, and all Stacks are flipped"}]
    return []


def _over(before: Board, after: Board) -> list[Line]:
    """The cards that each seat has left, and its points (11, 13)."""
    if not after.last or before.last:
        return []
    found = []
    for seat, points in enumerate(after.last):
        left, served = len(after.hands[seat]), len(after.trays[seat]) // SERVING
        cards = "1 card" if left == 1 else f"{left} cards"
        dishes = "1 Serving" if served == 1 else f"{served} Servings"
        alone = f"{after.completed} hands completed, " if after.seats == 1 else ""
        found.append(
            {
                "kind": "score",
                "seat": seat,
                "cards": left,
                "servings": served,
                "points": points,
                "total": after.totals[seat],
                "text": f"Seat {seat}: {alone}{cards} left, {dishes}: {points:+d}",
            }
        )
    return found
