"""Bots against each other: every two bots of a mode at every number of seats, on all cores.

One bot sits at one seat, the other at all the rest. Exploiters (`bots.exploiters`) sit at one seat against
the mode's own bots. Chance is seeded by mode, seats, pair and number, so a contest has the same result on any
number of cores. As many games in a row as there are seats share a seed: the bot takes every seat of the same
deal once. Every bot has a random stream of its own (`bots.simulate`), so these games have equal cards.

A paired comparison (`paired`) plays two bots so, and looks at what a bot won of each deal as a whole. Good
cards then help both bots alike, and most luck cancels out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import sqrt
from multiprocessing import get_context
from random import Random
from typing import Any

from bots import bots_for
from bots.exploiters import earlier_for, exploiters_for
from bots.league import Told, WinShare
from bots.simulate import play
from cards.catalog import card_sets
from cards.catalog.cards import Card
from cards.decks.deck_lists import DeckList
from cards.games import find
from cards.games.contract import Mode
from player.bot import Bot

CHUNK = 12
"""Games that a core plays before it reports, in whole deals."""
THINKING = 5
"""A pair whose one bot thinks plays a game where other pairs play so many."""
ALL_THINKING = 15
"""The same where the bot at all other seats thinks."""

Matchup = tuple[str, str]
"""A bot at one seat, and the one at all others."""


@dataclass(frozen=True, slots=True)
class Field:
    """A mode at one number of seats, as it is played in a contest."""

    mode: str
    seats: int
    bots: tuple[str, ...]
    """The best first."""
    exploiters: tuple[str, ...] = ()
    only: str | None = None
    """The bot whose pairs alone play; None for all pairs."""

    @classmethod
    def all_of(cls, mode: Mode[Any]) -> tuple[Field, ...]:
        """The fields of a mode, the fewest seats first, each with the bots that are for so many.

        It has none if it is for one player, has one bot, or lacks starter decks.
        """
        low, high = mode.facts.seats
        bots = bots_for(mode.facts.name)
        if len(bots) < 2 or (mode.facts.own_decks and not card_sets.load().starters):
            return ()
        against = tuple(exploiters_for(mode.facts.name))
        return tuple(
            cls(mode.facts.name, seats, tuple(bot for bot in bots if for_seats(bots[bot], seats)), against)
            for seats in range(max(2, low), high + 1)
        )

    @property
    def pairs(self) -> list[Matchup]:
        """The pairs that play; with two seats, each pair of bots needs one order only."""
        bots = [*(combinations if self.seats == 2 else permutations)(self.bots, 2)]
        bots += [(one, bot) for one in self.exploiters for bot in self.bots if bot != "random"]
        return [pair for pair in bots if self.only is None or self.only in pair]

    def games(self, pair: Matchup, games: int) -> int:
        """The games that a pair plays if `games` are asked for: fewer with a bot that thinks.

        Each deal is played from every seat, so the number is a multiple of the seats.
        """
        known = bots_for(self.mode)
        one, others = (getattr(known.get(name), "thinks", False) for name in pair)
        least = -(-games // (ALL_THINKING if others else THINKING if one else 1))
        return -(-least // self.seats) * self.seats


def for_seats(bot: Bot, seats: int) -> bool:
    """Tell whether a bot differs from its quick one at so many seats."""
    return seats <= getattr(bot, "most_seats", seats)


Key = tuple[str, int, Matchup]
"""A mode, its seats, and a pair."""


@dataclass(frozen=True, slots=True)
class Deals:
    """What a bot won of deals, each played once from every seat. `a + b` has the deals of both."""

    of: int = 0
    won: float = 0.0
    """The sum, over the deals, of the share of its games that the bot won."""
    squares: float = 0.0
    """The sum of the squares of these shares."""

    @property
    def value(self) -> float:
        """The average share, in parts of 1."""
        return self.won / self.of

    def interval(self, z: float = 1.96) -> tuple[float, float]:
        """The normal interval of the average over deals, by default of 95 %; all of 0 to 1 for one deal."""
        if self.of < 2:
            return 0.0, 1.0
        variance = max(0.0, self.squares - self.of * self.value**2) / (self.of - 1)
        spread = z * sqrt(variance / self.of)
        return max(0.0, self.value - spread), min(1.0, self.value + spread)

    def __add__(self, other: Deals) -> Deals:
        return Deals(self.of + other.of, self.won + other.won, self.squares + other.squares)


@dataclass(slots=True)
class Contest:
    """The results of a contest."""

    fields: tuple[Field, ...]
    won: dict[Key, WinShare] = field(default_factory=dict)
    """The share that the first bot of a pair won; several winners share a game."""

    def against(self, played: Field, bot: str, other: str) -> WinShare:
        """Return the share that a bot won against another; KeyError if they did not play."""
        key = (played.mode, played.seats, (bot, other))
        if key in self.won or played.seats != 2:
            return self.won[key]
        share = self.won[played.mode, played.seats, (other, bot)]
        return WinShare(share.of - share.won, share.of)


def fields(modes: Sequence[str]) -> tuple[Field, ...]:
    """The fields of the named modes that a contest can play; KeyError for an unknown name."""
    return tuple(one for name in modes for one in Field.all_of(find(name)))


def run(
    chosen: Sequence[Field],
    games: int,
    seed: int = 0,
    cores: int = 1,
    told: Told = lambda done: None,
) -> Contest:
    """Play `games` between every two bots of every field (see `Field.games`)."""
    contest = Contest(tuple(chosen))
    work = [
        piece
        for one in chosen
        for pair in one.pairs
        for piece in _pieces(one, pair, one.games(pair, games), seed)
    ]
    for key, _, share in _played(work, cores):
        contest.won[key] = contest.won.get(key, WinShare(0, 0)) + share
        told(share.of)
    return contest


def paired(
    played: Field, pair: Matchup, games: int, seed: int = 0, cores: int = 1, told: Told = lambda done: None
) -> Deals:
    """What the first bot of a pair won, deal by deal, of all `games`, rounded up to whole deals.

    The pair may name exploiters and earlier bots too. KeyError for an unknown bot.
    """
    for name in pair:
        players(played.mode)[name]
    whole = -(-games // played.seats) * played.seats
    found = Deals()
    for _, deals, share in _played(_pieces(played, pair, whole, seed), cores):
        found += deals
        told(share.of)
    return found


def players(mode: str) -> Mapping[str, Bot]:
    """Everybody who can be measured in a mode, by name: its bots, exploiters and earlier bots."""
    return {**exploiters_for(mode), **earlier_for(mode), **bots_for(mode)}


def _pieces(played: Field, pair: Matchup, games: int, seed: int) -> list[_Work]:
    """Games of a pair in chunks of whole deals; `games` is a multiple of the seats."""
    step = max(1, CHUNK // played.seats) * played.seats
    return [(played, pair, first, min(step, games - first), seed) for first in range(0, games, step)]


_Work = tuple[Field, Matchup, int, int, int]
_Done = tuple[Key, Deals, WinShare]


def _played(work: Sequence[_Work], cores: int) -> Iterator[_Done]:
    if cores == 1:
        yield from (_chunk(*piece) for piece in work)
        return
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(_chunk, *piece) for piece in work]):
            yield future.result()


def _chunk(played: Field, pair: Matchup, first: int, games: int, seed: int) -> _Done:
    """Some games of a pair, from the number `first` on, in whole deals."""
    mode, seats, known = find(played.mode), played.seats, players(played.mode)
    deals, total = Deals(), 0.0
    for deal in range(first // seats, (first + games) // seats):
        won = 0.0
        for seat in range(seats):
            rng = Random(f"{seed}/{played.mode}/{seats}/{'/'.join(pair)}/{deal}")
            bots = [known[pair[0] if s == seat else pair[1]] for s in range(seats)]
            winners = play(mode, bots, rng, decks=_decks(mode, seats, rng)).outcome.winners
            won += 1 / len(winners) if seat in winners else 0
        total += won
        deals += Deals(1, won / seats, (won / seats) ** 2)
    return (played.mode, seats, pair), deals, WinShare(total, games)


def _decks(mode: Mode[Any], seats: int, rng: Random) -> list[tuple[Card, ...]]:
    """A random starter deck for each seat, in a mode with own decks."""
    if not mode.facts.own_decks:
        return []
    catalog = card_sets.load()
    starters: Mapping[str, Any] = catalog.starters
    chosen = [starters[rng.choice(sorted(starters))] for _ in range(seats)]
    return [DeckList(starter.counts).cards(catalog) for starter in chosen]
