"""Matches of chef between bots, counted: for the tests of balance and of the bots' strength."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random

from cards.card_sets import load
from cards.catalog import Card
from cards.decklist import DeckList
from cards.mode import find
from client.bots import Bot
from client.simulate import Played, play

CHEF = find("chef")


def starter(slug: str) -> tuple[Card, ...]:
    catalog = load()
    return DeckList(catalog.starters[slug].counts).cards(catalog)


@dataclass
class Tally:
    """What a number of matches came to."""

    matches: int = 0
    rounds: int = 0
    courses: int = 0
    """Courses offered, in all rounds."""
    both: int = 0
    """Of these: both seats served a dish."""
    tied: int = 0
    """Of these: of equal yum."""
    late: int = 0
    """Courses offered after round 3, once for each seat."""
    empty: int = 0
    """Of these: the seat served nothing."""

    def add(self, played: Played) -> None:
        """Count a match, by its accounts."""
        self.matches += 1
        for account in played.accounts:
            head = account[0]
            if head["kind"] != "round":
                continue
            self.rounds += 1
            served = {
                (line["course"], line["seat"]): line["yum"] for line in account if line["kind"] == "dish"
            }
            for course in [line["course"] for line in account if line["kind"] == "course"]:
                yums = [served.get((course, seat)) for seat in (0, 1)]
                self.courses += 1
                self.both += None not in yums
                self.tied += None not in yums and yums[0] == yums[1]
                if head["round"] > 3:
                    self.late += 2
                    self.empty += yums.count(None)


def wins(mine: Bot, other: Bot, matches: int, seed: int) -> float:
    """The share of matches that `mine` wins, a draw being half a win.

    The starter decks are exchanged after every match and the seats after every second,
    so that neither deck nor seat favours a bot. A multiple of four makes it even.
    """
    decks = [starter(slug) for slug in load().starters]
    won = 0.0
    for i in range(matches):
        seat = i // 2 % 2
        bots = [mine, other] if seat == 0 else [other, mine]
        played = play(CHEF, bots, Random(f"{seed}/{i // 4}/{i % 4}"), decks=decks if i % 2 else decks[::-1])
        winners = played.outcome.winners
        won += 1 / len(winners) if seat in winners else 0
    return won / matches


def interval(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    middle = share + z * z / (2 * n)
    spread = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)
