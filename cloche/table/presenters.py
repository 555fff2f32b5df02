"""The presenters by the mode's name. A mode without one of its own gets the general one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cards.games.contract import Mode
from cloche.table.big_c import BigCPresenter
from cloche.table.chef import ChefPresenter
from cloche.table.cribbage import CribbagePresenter
from cloche.table.flip import FlipPresenter
from cloche.table.hearts import HeartsPresenter
from cloche.table.presenter import Presenter

_PRESENTERS: Mapping[str, Callable[[Mode[Any]], Presenter]] = {
    "big-c": BigCPresenter,
    "chef": ChefPresenter,
    "cribbage": CribbagePresenter,
    "flip": FlipPresenter,
    "hearts": HeartsPresenter,
}


def presenter_of(mode: Mode[Any]) -> Presenter:
    """A new presenter for one seat of a game of this mode."""
    return _PRESENTERS.get(mode.facts.name, Presenter)(mode)
