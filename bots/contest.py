"""Bots against each other: every two bots of a mode, in all registered modes, on all cores.

One bot sits at one seat, the other at all the rest. Chance is seeded by mode, pair and number, so a contest
has the same result on any number of cores. As many games in a row as there are seats share a seed: the bot
takes every seat of the same deal once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import combinations, permutations
from multiprocessing import get_context
from random import Random
from typing import Any

from bots import bots_for
from bots.league import Share, Told
from bots.simulate import play
from cards.catalog import card_sets
from cards.catalog.cards import Card
from cards.decks.deck_lists import DeckList
from cards.games import find
from cards.games.contract import Mode

CHUNK = 12
"""Games that a core plays before it reports; a multiple of 2, 3 and 4 seats."""

Matchup = tuple[str, str]
"""A bot at one seat, and the one at all others."""


@dataclass(frozen=True, slots=True)
class Field:
    """A mode, as it is played in a contest."""

    mode: str
    seats: int
    """The fewest seats of the mode, but at least two."""
    bots: tuple[str, ...]
    """The best first."""

    @classmethod
    def of(cls, mode: Mode[Any]) -> Field | None:
        """The field of a mode; None if it is for one player, has one bot, or lacks starter decks."""
        low, high = mode.facts.seats
        bots = tuple(bots_for(mode.facts.name))
        played = high >= 2 and len(bots) > 1 and (not mode.facts.own_decks or card_sets.load().starters)
        return cls(mode.facts.name, max(2, low), bots) if played else None

    @property
    def pairs(self) -> list[Matchup]:
        """The pairs that play; with two seats, each pair needs one order only."""
        return [*(combinations if self.seats == 2 else permutations)(self.bots, 2)]


@dataclass(slots=True)
class Contest:
    """The results of a contest."""

    fields: tuple[Field, ...]
    won: dict[tuple[str, Matchup], Share] = field(default_factory=dict)
    """The share that the first bot of a pair won, by mode and pair; several winners share a game."""

    def against(self, played: Field, bot: str, other: str) -> Share:
        """Return the share that a bot won against another."""
        if (played.mode, (bot, other)) in self.won:
            return self.won[played.mode, (bot, other)]
        share = self.won[played.mode, (other, bot)]
        return Share(share.of - share.won, share.of)


def fields(modes: Sequence[str]) -> tuple[Field, ...]:
    """The fields of the named modes that a contest can play; KeyError for an unknown name."""
    found = [Field.of(find(name)) for name in modes]
    return tuple(one for one in found if one is not None)


def run(
    chosen: Sequence[Field],
    games: int,
    seed: int = 0,
    cores: int = 1,
    told: Told = lambda done: None,
) -> Contest:
    """Play `games` between every two bots of every mode."""
    contest = Contest(tuple(chosen))
    work = [
        (one, pair, first, min(CHUNK, games - first), seed)
        for one in chosen
        for pair in one.pairs
        for first in range(0, games, CHUNK)
    ]
    for mode, pair, share in _played(work, cores):
        contest.won[mode, pair] = contest.won.get((mode, pair), Share(0, 0)) + share
        told(share.of)
    return contest


_Work = tuple[Field, Matchup, int, int, int]


def _played(work: Sequence[_Work], cores: int) -> Iterator[tuple[str, Matchup, Share]]:
    if cores == 1:
        yield from (_chunk(*piece) for piece in work)
        return
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(_chunk, *piece) for piece in work]):
            yield future.result()


def _chunk(played: Field, pair: Matchup, first: int, games: int, seed: int) -> tuple[str, Matchup, Share]:
    """Some games of a pair, from the number `first` on."""
    mode, known = find(played.mode), bots_for(played.mode)
    won = 0.0
    for i in range(first, first + games):
        seat, rng = i % played.seats, Random(f"{seed}/{played.mode}/{'/'.join(pair)}/{i // played.seats}")
        bots = [known[pair[0] if s == seat else pair[1]] for s in range(played.seats)]
        winners = play(mode, bots, rng, decks=_decks(mode, played.seats, rng)).outcome.winners
        won += 1 / len(winners) if seat in winners else 0
    return played.mode, pair, Share(won, games)


def _decks(mode: Mode[Any], seats: int, rng: Random) -> list[tuple[Card, ...]]:
    """A random starter deck for each seat, in a mode with own decks."""
    if not mode.facts.own_decks:
        return []
    catalog = card_sets.load()
    starters: Mapping[str, Any] = catalog.starters
    chosen = [starters[rng.choice(sorted(starters))] for _ in range(seats)]
    return [DeckList(starter.counts).cards(catalog) for starter in chosen]
