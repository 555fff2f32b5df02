"""Standings and prizes: worked examples of every tie-break, and sums that come out even."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.tournaments import ELIMINATION, ROUND_ROBIN, SWISS
from service.tournaments.prizes import shared
from service.tournaments.standings import (
    BYE,
    DRAWN,
    FIRST,
    NEITHER,
    REST,
    SECOND,
    DecidedMatch,
    Standing,
    standings,
)


def _table(found: list[Standing]) -> list[tuple[str, int, float, float, float, int]]:
    """The rows as people read them: player, place, points, Buchholz, Sonneborn-Berger, wins."""
    return [(s.player, s.place, s.points / 2, s.buchholz / 2, s.sonneborn / 4, s.wins) for s in found]


def test_tie_breaks_of_a_swiss_tournament() -> None:
    """Ann and Bob have a point and a half each. Ann has met the stronger opponents."""
    boards = [
        DecidedMatch(1, "ann", "cat", FIRST),
        DecidedMatch(1, "bob", "dan", FIRST),
        DecidedMatch(2, "bob", "ann", DRAWN),
        DecidedMatch(2, "dan", "cat", SECOND),
    ]
    assert _table(standings(SWISS, ["bob", "ann", "cat", "dan"], boards, 2)) == [
        ("ann", 1, 1.5, 2.5, 1.75, 1),
        ("bob", 2, 1.5, 1.5, 0.75, 1),
        ("cat", 3, 1.0, 1.5, 0.0, 1),
        ("dan", 4, 0.0, 2.5, 0.0, 0),
    ]


def test_rounds_without_a_game() -> None:
    """Cat has a bye: it counts like a win over somebody with Cat's two points.

    Bob has gone after round 1: for Ann, who has beaten him, his round 2 counts as drawn.
    """
    boards = [
        DecidedMatch(1, "ann", "bob", FIRST),
        DecidedMatch(1, "cat", None, BYE, played=False),
        DecidedMatch(2, "ann", "cat", SECOND),
    ]
    assert _table(standings(SWISS, ["ann", "bob", "cat"], boards, 2)) == [
        ("cat", 1, 2.0, 3.0, 3.0, 1),
        ("ann", 2, 1.0, 2.5, 0.5, 1),
        ("bob", 3, 0.0, 1.0, 0.0, 0),
    ]


def test_a_win_without_a_game_counts_like_a_bye() -> None:
    """Bob does not come. Ann's opponent is one with Ann's own points, not Bob."""
    found = standings(SWISS, ["ann", "bob"], [DecidedMatch(1, "ann", "bob", FIRST, played=False)], 1)
    assert _table(found) == [("ann", 1, 1.0, 1.0, 1.0, 0), ("bob", 2, 0.0, 0.0, 0.0, 0)]


def test_who_comes_late_has_no_points_for_the_rounds_before() -> None:
    boards = [
        DecidedMatch(1, "ann", "bob", DRAWN),
        DecidedMatch(2, "ann", "late", SECOND),
        DecidedMatch(2, "bob", None, BYE, False),
    ]
    found = {each.player: each for each in standings(SWISS, ["ann", "bob", "late"], boards, 2)}
    assert (found["late"].points, found["late"].buchholz) == (
        2,
        2 + 1,
    )  # a round with their own point, and Ann
    assert found["ann"].buchholz == 3 + 2


def test_a_round_robin_parts_by_sonneborn_berger() -> None:
    """All beat one and lose to one, and Ann rests once: nothing parts them."""
    boards = [
        DecidedMatch(1, "ann", None, REST, False),
        DecidedMatch(1, "bob", "cat", FIRST),
        DecidedMatch(2, "ann", "bob", FIRST),
        DecidedMatch(3, "cat", "ann", FIRST),
    ]
    found = standings(ROUND_ROBIN, ["ann", "bob", "cat"], boards, 3)
    assert [(s.player, s.place, s.points, s.sonneborn) for s in found] == [
        ("ann", 1, 2, 4),
        ("bob", 1, 2, 4),
        ("cat", 1, 2, 4),
    ]


def test_in_a_round_robin_a_forfeited_game_counts_like_any_other() -> None:
    boards = [DecidedMatch(1, "ann", "bob", FIRST, played=False), DecidedMatch(2, "bob", "ann", FIRST)]
    found = {each.player: each for each in standings(ROUND_ROBIN, ["ann", "bob"], boards, 2)}
    assert (found["ann"].sonneborn, found["bob"].sonneborn) == (4, 4)
    assert (found["ann"].wins, found["bob"].wins) == (0, 1)


def test_in_an_elimination_who_loses_later_stands_higher() -> None:
    boards = [
        DecidedMatch(1, "a", "d", FIRST),
        DecidedMatch(1, "b", "c", SECOND),
        DecidedMatch(2, "a", "c", SECOND),
    ]
    found = standings(ELIMINATION, ["a", "b", "c", "d"], boards, 2)
    assert [(s.player, s.place) for s in found] == [("c", 1), ("a", 2), ("b", 3), ("d", 3)]


def test_a_final_that_neither_wins_has_two_second_winners() -> None:
    found = standings(ELIMINATION, ["a", "b"], [DecidedMatch(1, "a", "b", NEITHER)], 1)
    assert [(s.player, s.place) for s in found] == [("a", 1), ("b", 1)]


places = st.lists(st.integers(0, 3), min_size=1, max_size=12).map(
    lambda steps: [
        1 + max((k for k, s in enumerate(steps[: n + 1]) if s), default=0) for n in range(len(steps))
    ]
)


@given(
    st.integers(0, 10**9),
    st.lists(st.integers(1, 100), min_size=1, max_size=8).map(lambda each: sorted(each, reverse=True)),
    places,
)
def test_prizes_are_paid_whole(coins: int, percents: list[int], ranks: list[int]) -> None:
    found = shared(coins, percents, ranks)
    assert sum(found) == coins
    assert len(found) == len(ranks)
    for k, place in enumerate(ranks):
        if k and ranks[k - 1] == place:
            assert found[k - 1] - found[k] in (0, 1)


def test_prizes_by_hand() -> None:
    assert shared(100, [60, 30, 10], [1, 2, 3, 4]) == [60, 30, 10, 0]
    assert shared(101, [50, 50], [1, 1]) == [51, 50]
    assert shared(90, [60, 30, 10], [1, 2]) == [60, 30]
    assert shared(0, [100], [1, 2]) == [0, 0]
    assert shared(7, [100], [1, 1, 1]) == [3, 2, 2]
