"""The mathematics of ratings: what every game does to figures, and how time away makes them less certain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.ratings import (
    DAY_MS,
    SETTLED_GAMES,
    SPREAD,
    START,
    Rating,
    after_game,
    aged,
    result_of,
    season_of,
    season_span,
)

AT = 1_790_000_000_000
RATINGS = st.builds(
    Rating,
    st.integers(0, 3_000_000),
    st.integers(60_000, SPREAD),
    st.integers(0, 500),
    st.integers(AT - 400 * DAY_MS, AT),
)


@given(st.lists(RATINGS, min_size=2, max_size=6), st.data())
def test_winners_gain_losers_lose_and_seats_make_no_difference(
    ratings: list[Rating], data: st.DataObject
) -> None:
    seats = len(ratings)
    winners = data.draw(st.sets(st.integers(0, seats - 1), min_size=1, max_size=1))
    after = after_game(ratings, winners, AT)
    for seat, (old, new) in enumerate(zip(ratings, after, strict=True)):
        # Losers are level with each other: a weak one among strong ones has done well.
        assert seat not in winners or new.mu >= old.mu
        assert seats > 2 or seat in winners or new.mu <= old.mu
        assert (new.games, new.at) == (old.games + 1, AT)
        assert 0 < new.sigma <= SPREAD * 1.01
    order = data.draw(st.permutations(range(seats)))
    moved = after_game([ratings[seat] for seat in order], {order.index(seat) for seat in winners}, AT)
    for place, seat in enumerate(order):
        assert abs(moved[place].mu - after[seat].mu) <= 1, "only the last digit may depend on the order"


def test_a_newcomers_first_game_is_worked_through() -> None:
    """Two newcomers; the figures are those of docs/ratings.md's model, to a thousandth of a point."""
    won, lost = after_game([Rating(), Rating()], [0], AT)
    assert (won.mu - START, lost.mu - START) == (158_123, -158_123)
    assert won.sigma == lost.sigma < SPREAD
    drew, also = after_game([Rating(), Rating()], [0, 1], AT)
    assert drew == also
    assert drew.mu == START


def test_many_games_find_out_who_is_stronger() -> None:
    strong, weak = Rating(), Rating()
    for game in range(40):
        strong, weak = after_game([strong, weak], [0 if game % 4 else 1], AT)
    assert strong.points > weak.points + 150
    assert not strong.provisional
    assert Rating(games=SETTLED_GAMES - 1, sigma=100_000).provisional
    assert not Rating(games=SETTLED_GAMES, sigma=100_000).provisional


@given(RATINGS, st.integers(0, 2_000), st.integers(0, 2_000))
def test_time_away_makes_a_rating_less_certain_and_nothing_else(rating: Rating, some: int, more: int) -> None:
    assert rating.at is not None
    near, far = (aged(rating, rating.at + days * DAY_MS) for days in (some, some + more))
    assert rating.sigma <= near.sigma <= far.sigma <= SPREAD
    assert (far.mu, far.games, far.at) == (rating.mu, rating.games, rating.at)
    assert aged(rating, rating.at - 1) == rating, "a clock that was put back changes nothing"


def test_a_rating_is_worked_through_away_for_280_days() -> None:
    assert aged(Rating(START, 300_000, 20, AT), AT + 280 * DAY_MS).sigma == 400_000


@pytest.mark.parametrize(
    ("winners", "results"),
    [([0], ["won", "lost"]), ([0, 1], ["drew", "drew"]), ([1], ["lost", "won"])],
)
def test_the_result_of_a_seat(winners: list[int], results: list[str]) -> None:
    assert [result_of(seat, winners, 2) for seat in range(2)] == results


@pytest.mark.parametrize(("seats", "winners"), [(1, [0]), (2, [])])
def test_a_game_without_a_winner_or_an_opponent_has_no_ratings(seats: int, winners: list[int]) -> None:
    with pytest.raises(ValueError, match="two seats"):
        after_game([Rating()] * seats, winners, AT)


@given(st.integers(0, 4_000_000_000_000))
def test_every_moment_lies_in_its_season_of_three_months(at: int) -> None:
    first, following = season_span(season_of(at))
    assert first <= at < following
    assert season_of(following) != season_of(following - 1) == season_of(at)
    assert 90 <= (following - first) / DAY_MS <= 92


@pytest.mark.parametrize(
    "text", ["", "2026", "2026-Q0", "2026-Q5", "0000-Q1", "26-Q1", "2026-q4", "9999-Q4", "²026-Q1"]
)
def test_other_texts_are_no_seasons(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        season_span(text)
