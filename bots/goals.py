"""What the bots are meant to reach, as data: docs/bots.md holds each goal against what was measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Goal:
    """A share of games that a bot should win against others, at least or at most."""

    mode: str
    seats: int
    bot: str
    """The bot at one seat."""
    against: str
    """The bot at all other seats."""
    share: float
    """In parts of 1."""
    at_least: bool = True
    """False if the bot should win less than the share: an exploiter."""
    why: str = ""
    """Why it is missed, if it is."""

    def verdict(self, low: float, high: float) -> str:
        """Say what an interval of the measured share means: met, open (the goal lies within) or missed."""
        if low <= self.share <= high:
            return "open"
        return "met" if (low > self.share) == self.at_least else "missed"


def _tamed(mode: str, seats: int, exploiter: str, bot: str, why: str = "") -> Goal:
    return Goal(mode, seats, exploiter, bot, 1 / seats, at_least=False, why=why)


_SUN = "`careful` ducks whoever leads high, and lets one player take every trick: a sun is worth thousands"

GOALS = (
    Goal("chef", 2, "gourmet", "greedy", 0.5),
    Goal("hearts", 3, "shrewd", "careful", 0.6),
    Goal("hearts", 4, "shrewd", "careful", 0.5),
    *(_tamed("hearts", seats, name, "shrewd") for seats in (3, 4, 5, 6) for name in ("highest", "random")),
    *(_tamed("hearts", seats, "highest", "careful") for seats in (3, 4, 5)),
    _tamed("hearts", 6, "highest", "careful", _SUN),
    Goal("big-c", 2, "crafty", "thrifty", 0.5),
    _tamed("big-c", 4, "never-passes", "thrifty"),
    _tamed("big-c", 4, "random", "thrifty"),
    Goal("flip", 2, "deft", "nimble", 0.5),
    *(Goal("cribbage", seats, "pegger", "counter", 1 / seats) for seats in (2, 3, 4)),
    _tamed("cribbage", 2, "highest", "counter"),
    _tamed("cribbage", 3, "highest", "counter"),
    _tamed("cribbage", 4, "highest", "counter"),
)
