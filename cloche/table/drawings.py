"""The registry of drawings: by the mode's name; a mode without one of its own is drawn like any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cards.games.contract import Mode
from cloche.table.big_c import BigCDrawing
from cloche.table.chef import ChefDrawing
from cloche.table.cribbage import CribbageDrawing
from cloche.table.drawing import Drawing
from cloche.table.flip import FlipDrawing
from cloche.table.hearts import HeartsDrawing

_DRAWINGS: Mapping[str, Callable[[Mode[Any]], Drawing]] = {
    "big-c": BigCDrawing,
    "chef": ChefDrawing,
    "cribbage": CribbageDrawing,
    "flip": FlipDrawing,
    "hearts": HeartsDrawing,
}


def drawing_of(mode: Mode[Any]) -> Drawing:
    """A drawing for one seat of a game of this mode."""
    return _DRAWINGS.get(mode.facts.name, Drawing)(mode)
