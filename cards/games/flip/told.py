"""The account of a game of Pancakes (flip): draws, flips of all Stacks, ends (docs/rules/flip.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cards.games.accounts import Section, Told, told_of
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


TOLD = frozenset({"draw", "draw_none", "game_over", "hand", "pancakes", "score"})
"""The codes of what `sections` tells."""


def sections(lines: Sequence[Line]) -> tuple[Section, ...]:
    """What was drawn and flipped; where a game is over, a heading and a line for each seat."""
    told = tuple(_told(line) for line in lines if line["kind"] != "score")
    scores = tuple(_told(line) for line in lines if line["kind"] == "score")
    over = Told("game_over", {}, "The game is over")
    return (
        *([Section(None, told)] if told else []),
        *([Section(over, scores)] if scores else []),
    )


def _told(line: Line) -> Told:
    """A line; what the record tells in words alone is read from them."""
    text = str(line["text"])
    if line["kind"] == "draw" and text.endswith("none fits"):
        return told_of(line, "draw_none")
    completed = re.search(r"completed hand (\d+)|(\d+) hands completed", text)
    return told_of(line) if completed is None else told_of(line, hands=int(completed[1] or completed[2]))
