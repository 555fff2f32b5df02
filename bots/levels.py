"""How well bots play: the words by which people ask for a bot without knowing its name.

A level is data of a bot: an attribute `level`. A bot without one is given to nobody who asks for a level.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from player.bot import Bot


class Level(IntEnum):
    """The strength of a bot among those of its mode."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


BEST = "best"
"""The word for a mode's strongest bot, whatever its level."""


def by_level(bots: Mapping[str, Bot]) -> dict[str, str]:
    """The name of the bot for each level, easy first; `bots` are a mode's, the best first.

    A level that no bot has gets the strongest bot below it; if there is none, the weakest above it.
    """
    known = {name: getattr(bot, "level", None) for name, bot in bots.items()}
    levels: dict[str, Level] = {name: level for name, level in known.items() if level is not None}
    if not levels:
        return {}
    found = {}
    for level in Level:
        below = [name for name, has in levels.items() if has <= level]
        found[level.name.lower()] = max(below, key=levels.__getitem__) if below else [*levels][-1]
    return {**found, BEST: next(iter(levels))}
