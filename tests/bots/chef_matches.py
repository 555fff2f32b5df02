"""Counts of matches of Pancake between bots, for the tests of the bots' strength."""

from __future__ import annotations

from itertools import combinations
from random import Random

from bots import Bot
from bots.league import Share
from bots.simulate import play
from cards.catalog.card_sets import load
from cards.catalog.cards import Card
from cards.decks.deck_lists import DeckList
from cards.games import find

CHEF = find("chef")


def starter(slug: str) -> tuple[Card, ...]:
    catalog = load()
    return DeckList(catalog.starters[slug].counts).cards(catalog)


STARTERS = {slug: starter(slug) for slug in load().starters}
PAIRS = list(combinations(STARTERS.values(), 2))


def wins(mine: Bot, other: Bot, matches: int, seed: int) -> Share:
    """The share of matches that `mine` wins, a draw being half a win.

    Pairs of starter decks take turns; of four matches, two have the decks exchanged and two the seats,
    so that neither deck nor seat favours a bot. A multiple of 40 makes it even.
    """
    won = 0.0
    for i in range(matches):
        seat = i // 2 % 2
        bots = [mine, other] if seat == 0 else [other, mine]
        decks = PAIRS[i // 4 % len(PAIRS)]
        played = play(CHEF, bots, Random(f"{seed}/{i // 4}/{i % 4}"), decks=decks if i % 2 else decks[::-1])
        winners = played.outcome.winners
        won += 1 / len(winners) if seat in winners else 0
    return Share(won, matches)
