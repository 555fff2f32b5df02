"""What discards bring to the crib: the table, and how it is computed."""

from __future__ import annotations

from random import Random

import pytest

from bots.cribs import CRIBS, kept_worth, measured, ways_to_lay
from cards.games import french
from cards.games.cribbage.score import show


def places(codes: str) -> list[int]:
    return [french.place(code) for code in codes.split()]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_table_is_what_sensible_players_bring_about(seats: int) -> None:
    """A small computation agrees with the table, which the same one made from more hands."""
    for found, stored in zip(measured(seats, 150, 200, Random(7)), CRIBS[seats], strict=True):
        assert found.keys() == stored.keys()
        off = [found[ranks] - stored[ranks] for ranks in found]
        assert abs(sum(off) / len(off)) < 0.3
        assert max(map(abs, off)) < 1.8


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_dealer_throws_better_cards_into_the_crib_than_the_others(seats: int) -> None:
    """So a discard is worth more where the dealer's cards join it: in the crib of another side."""
    own, others = CRIBS[seats]
    assert sum(others.values()) > sum(own.values())


def test_kept_cards_count_the_average_over_all_other_starters() -> None:
    dealt = places("5S 5D 5C JH 9D 2D")
    rest = [code for code in french.PACK if french.place(code) not in dealt]
    exact = sum(show(["5S", "5D", "5C", "JH"], starter).total for starter in rest) / len(rest)
    assert kept_worth(dealt[:4], dealt) == pytest.approx(exact)


def test_the_crib_decides_between_hands_that_count_alike() -> None:
    """A pair of fives goes to one's own crib rather than to another's."""
    dealt = places("5S 5D AC 7H 9S KD")
    own = ways_to_lay(dealt, 2, CRIBS[2][0], 1)
    other = ways_to_lay(dealt, 2, CRIBS[2][1], -1)
    fives = tuple(dealt[:2])
    assert own.index(fives) < other.index(fives)
    assert len(own) == len({*own}) == 15
