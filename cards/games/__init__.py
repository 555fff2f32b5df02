"""The games of the house: one contract (`contract.py`), one folder a game, and the registry.

`find` and `names` answer from the registry. It holds our own games, and those that installed packages
name as entry points of the group "cloche.modes" (docs/modes.md).
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from cards.games.contract import Mode

_modes: dict[str, dict[str, Mode[Any]]] = {}
"""The modes by name, then by rules version: a game keeps the rules that it began with."""


def register(mode: Mode[Any]) -> None:
    """Add a mode to the registry, beside older versions of its rules."""
    _modes.setdefault(mode.facts.name, {})[mode.facts.rules] = mode


@cache
def _load() -> None:
    """Register all games, once; imported here, since a game imports the contract from this package."""
    from cards.games.big_c import BigC
    from cards.games.chef import Chef
    from cards.games.cribbage import Cribbage
    from cards.games.flip import Flip
    from cards.games.hearts import Hearts

    for mode in (BigC(), Chef(), Flip(), Hearts(), Cribbage()):
        register(mode)
    for entry in entry_points(group="cloche.modes"):
        register(entry.load())


def names() -> list[str]:
    """The names of all registered modes, sorted."""
    _load()
    return sorted(_modes)


def find(name: str, rules: str | None = None) -> Mode[Any]:
    """The mode of this name and rules version (by default the newest); raises KeyError if there is none."""
    _load()
    versions = _modes[name]
    return versions[max(versions, key=_ordered) if rules is None else rules]


def versions(name: str) -> list[Mode[Any]]:
    """The mode of this name by every version of its rules, the newest last; raises KeyError."""
    _load()
    return [_modes[name][rules] for rules in sorted(_modes[name], key=_ordered)]


def _ordered(rules: str) -> tuple[int, ...]:
    return tuple(int(part) for part in rules.split("."))
