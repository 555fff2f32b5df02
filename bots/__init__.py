"""Bots: programs that choose moves, for the house's tables, for demos, for measuring.

`bots_for(mode)` lists them by name. `default_bot(mode)` is the one that a house seats if no other is named.
A mode without bots of its own has "random", which plays any legal move. `levels_of(mode)` names a bot for
each level of play.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bots.big_c import Thrifty
from bots.big_c_worlds import BigCWorlds
from bots.bot import RandomBot
from bots.chef import Gourmet, Greedy
from bots.cribbage import Counter, Pegger
from bots.flip import Nimble, Tutor
from bots.flip_worlds import FlipWorlds
from bots.hearts import Careful
from bots.hearts_worlds import HeartsWorlds
from bots.levels import Level, by_level
from bots.worlds import Sampled, Shortlisted
from cards.games.big_c.rules import BigC
from cards.games.flip.rules import Flip
from player.bot import Bot, by_bot

__all__ = ["Bot", "RandomBot", "bots_for", "by_bot", "default_bot", "default_name", "levels_of", "teacher_of"]

_RANDOM: Mapping[str, Bot] = {"random": RandomBot()}

_CRAFTY = Shortlisted(
    BigCWorlds(BigC(), Thrifty(), asks=60), Thrifty(), Level.HARD, tries=40, most=8, most_seats=2
)

_DEFT = Shortlisted(
    FlipWorlds(Flip(), Nimble(), asks=80), Nimble(), Level.HARD, tries=24, most=6, most_seats=2
)

_BOTS: Mapping[str, Mapping[str, Bot]] = {
    "big-c": MappingProxyType({"crafty": _CRAFTY, "thrifty": Thrifty(), **_RANDOM}),
    "chef": MappingProxyType({"gourmet": Gourmet(), "greedy": Greedy(), **_RANDOM}),
    "cribbage": MappingProxyType({"pegger": Pegger(), "counter": Counter(), **_RANDOM}),
    "flip": MappingProxyType({"deft": _DEFT, "nimble": Nimble(), "tutor": Tutor(), **_RANDOM}),
    "hearts": MappingProxyType(
        {
            "shrewd": Sampled(HeartsWorlds(), quick=Careful(), level=Level.HARD, tries=20),
            "careful": Careful(),
            **_RANDOM,
        }
    ),
}
"""The bots by mode, the best first."""


def bots_for(mode: str) -> Mapping[str, Bot]:
    """The bots that can play a mode, by name, the best first."""
    return _BOTS.get(mode, _RANDOM)


def default_name(mode: str) -> str:
    """The name of a mode's best bot."""
    return next(iter(bots_for(mode)))


def levels_of(mode: str) -> Mapping[str, str]:
    """The name of a mode's bot for each level: easy, medium, hard, best."""
    return by_level(bots_for(mode))


def teacher_of(mode: str) -> str | None:
    """The name of a bot that plays to teach a mode; None where there is none."""
    return next((name for name, bot in bots_for(mode).items() if getattr(bot, "teaches", False)), None)


def default_bot(mode: str) -> Bot:
    """A mode's best bot."""
    return bots_for(mode)[default_name(mode)]
