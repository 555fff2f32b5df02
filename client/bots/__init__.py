"""Bots: players without a mind of their own, for the house's table, for demos, for measuring.

`bots_for(mode)` names them, `default_bot(mode)` is the one a house seats unasked. A
mode without bots of its own has "random", which plays any legal move.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from client.bots.bot import Bot, RandomBot
from client.bots.chef import Gourmet, Greedy
from client.bots.hearts import Careful

__all__ = ["Bot", "RandomBot", "bots_for", "default_bot", "default_name"]

_RANDOM: Mapping[str, Bot] = {"random": RandomBot()}

_BOTS: Mapping[str, Mapping[str, Bot]] = {
    "chef": MappingProxyType({"gourmet": Gourmet(), "greedy": Greedy(), **_RANDOM}),
    "hearts": MappingProxyType({"careful": Careful(), **_RANDOM}),
}
"""By mode, the best first."""


def bots_for(mode: str) -> Mapping[str, Bot]:
    """The bots that can play a mode, by name, the best first."""
    return _BOTS.get(mode, _RANDOM)


def default_name(mode: str) -> str:
    """The name of a mode's best bot."""
    return next(iter(bots_for(mode)))


def default_bot(mode: str) -> Bot:
    """A mode's best bot."""
    return bots_for(mode)[default_name(mode)]
