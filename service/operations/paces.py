"""Paces: how long a choice may take, by one name for all clocks of a mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cards.games.contract import Mode
from referee import all_options

DAY = 86_400
PACES: Mapping[str, int | None] = {
    "usual": None,
    "quick": 30,
    "1-day": DAY,
    "2-days": 2 * DAY,
    "3-days": 3 * DAY,
    "4-days": 4 * DAY,
    "5-days": 5 * DAY,
    "6-days": 6 * DAY,
    "7-days": 7 * DAY,
}
"""Seconds for each step, by name; None for the mode's own. A name never gets a second meaning."""


def options_of(mode: Mode[Any], pace: str) -> dict[str, Any]:
    """The clocks of a pace, as options of a table. A quick one leaves the clocks of all modes alone."""
    seconds = PACES[pace]
    if seconds is None:
        return {}
    own = {option.name for option in mode.facts.options}
    clocks = [option for option in all_options(mode) if option.kind == "seconds" and option.off is None]
    return {clock.name: seconds for clock in clocks if seconds >= DAY or clock.name in own}


def by_correspondence(pace: str) -> bool:
    """Tell whether a choice has a day or more, so that nobody needs to be there."""
    return (PACES[pace] or 0) >= DAY
