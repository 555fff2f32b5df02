"""Leagues of decks give the same results on any number of cores, and the base set is balanced."""

from __future__ import annotations

import pytest

from bots import league
from bots.league import Share
from tests.bots.chef_matches import STARTERS

TWO = {name: STARTERS[name] for name in ("trattoria", "night-market")}


@pytest.mark.processes
def test_a_league_is_the_same_on_any_number_of_cores() -> None:
    alone = league.run(TWO, "greedy", 24, seed=3)
    together = league.run(TWO, "greedy", 24, seed=3, cores=2)
    assert alone == together
    assert alone != league.run(TWO, "greedy", 24, seed=4)


def test_every_pair_plays_as_often_and_what_one_wins_the_other_does_not() -> None:
    three = {name: STARTERS[name] for name in ("trattoria", "diner", "taqueria")}
    told: list[int] = []
    found = league.run(three, "random", 6, told=told.append)
    assert sum(told) == found.tally().matches == 18
    for deck in three:
        for other in three:
            if deck != other:
                mine, theirs = found.against(deck, other), found.against(other, deck)
                assert mine.won + theirs.won == mine.of == theirs.of == 6
    assert sum(found.field(deck).won for deck in three) == 18
    assert found.tally(["trattoria", "diner"]).matches == 6


def test_a_deck_against_itself_under_another_name_wins_half() -> None:
    """Two matches have the same draws and exchanged seats, so the same deck wins one of them."""
    twins = {"one": STARTERS["diner"], "other": STARTERS["diner"]}
    assert league.run(twins, "greedy", 20).against("one", "other") == Share(10, 20)


@pytest.mark.parametrize(("decks", "matches"), [({}, 2), ({"a": ()}, 2), (TWO, 0), (TWO, 3)])
def test_an_impossible_league_is_refused(decks: dict[str, league.DeckCards], matches: int) -> None:
    with pytest.raises(ValueError, match="league"):
        league.run(decks, "greedy", matches)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(KeyError):
        league.run(TWO, "chefbot", 2)


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662), (10, 10, 0.7225, 1.0)],
)
def test_wilsons_interval(won: float, of: int, low: float, high: float) -> None:
    """The third is Newcombe's example (Statistics in Medicine 17, 1998, table I)."""
    assert Share(won, of).interval() == pytest.approx((low, high), abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize("matches", [20, pytest.param(40, marks=pytest.mark.long)])
def test_the_starters_are_balanced(matches: int) -> None:
    """Plays a sample of fixed matches of every pair; docs/balance.md has thousands.

    Its goal of 15 % tied courses is missed, as the page says; more than 22 % would be news.
    """
    found = league.run(STARTERS, "greedy", matches, seed=1)
    tally = found.tally()
    assert 9 <= tally.rounds / tally.matches <= 12
    assert tally.tied / tally.courses <= 0.22
    low, _ = Share(tally.barren, tally.openings).interval()
    assert low <= 0.20
    late, empty = tally.late()
    assert empty / late <= 0.15
    for deck in STARTERS:
        low, _ = found.field(deck).interval()
        assert low <= 0.58, deck
