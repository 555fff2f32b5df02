"""Counts of matches from their accounts: empty courses, repeats, redraws and the lead, by round."""

from __future__ import annotations

from typing import Any

from cards.games.chef import Tally


def dish(seat: int, course: int, yum: int, *ingredients: str) -> dict[str, Any]:
    recipe = "toast"
    return {
        "kind": "dish",
        "seat": seat,
        "course": course,
        "yum": yum,
        "recipe": recipe,
        "ingredients": [*ingredients],
    }


def course(number: int, winner: int | None, points: int) -> dict[str, Any]:
    return {"kind": "course", "course": number, "winner": winner, "points": points}


def round_(number: int, *lines: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"kind": "round", "round": number}, *lines]


def test_a_match_is_counted_by_round() -> None:
    tally = Tally()
    tally.add(
        [
            [{"kind": "redraw", "seat": 0, "points": 1}],
            round_(1, dish(0, 1, 2, "bread"), course(1, 0, 2), course(2, None, 0)),
            round_(2, dish(1, 2, 2, "pita"), dish(0, 2, 2, "bread"), course(2, None, 0)),
            round_(3, dish(1, 2, 4, "pita", "rice"), dish(1, 1, 2, "pita"), course(1, 1, 2), course(2, 1, 3)),
        ]
    )
    assert (tally.matches, tally.rounds, tally.redraws, tally.dishes) == (1, 3, 1, 5)
    assert dict(tally.offered) == {1: 4, 2: 2, 3: 4}
    assert [tally.empty[number] for number in (1, 2, 3)] == [3, 0, 2]
    assert (tally.courses, tally.both, tally.tied) == (5, 1, 1)
    assert [tally.worth[number] for number in (1, 2, 3)] == [2, 4, 6]
    # Seat 0 served the toast with bread again in round 2, seat 1 that with pita in round 3.
    assert [tally.repeated[number] for number in (1, 2, 3)] == [0, 1, 1]
    # Seat 0 leads 2 to 1 after rounds 1 and 2, seat 1 by 6 to 2 after round 3.
    assert [tally.leads[number] for number in (1, 2, 3)] == [0, 0, 1]
    twice = tally + tally
    assert (twice.matches, twice.leads[3], twice.empty[1]) == (2, 2, 6)


def test_points_of_redraws_lead_nobody_before_a_round() -> None:
    """The lead is counted after rounds, so a point for a redraw makes no change of it by itself."""
    tally = Tally()
    tally.add(
        [[{"kind": "redraw", "seat": 0, "points": 1}], round_(1, dish(0, 1, 2, "bread"), course(1, 0, 2))]
    )
    assert tally.leads.total() == 0
