"""Ratings: how strong a player probably is in a mode, from the results of rated games. docs/ratings.md.

The model is Plackett and Luce's in the form of Weng and Lin (JMLR 12, 2011), as openskill computes it. A
player's strength is a normal distribution with mean `mu` and deviation `sigma`. Nothing here knows a mode, a
clock or a database. Figures are kept in whole thousandths of a point, so they are the same in every database.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import isqrt

from openskill.models import PlackettLuce

POINT = 1000
"""The units of a point."""
START, SPREAD = 1500 * POINT, 500 * POINT
"""The mean and the deviation of a player who has no rated game yet."""
SETTLED_GAMES = 10
"""Rated games of a mode before a rating may be more than provisional."""
SETTLED_SIGMA = 400 * POINT
"""A rating with a larger deviation is provisional."""
DAY_MS = 86_400_000
VARIANCE_A_DAY = 250
"""Points squared by which the variance grows with each day away: from 300 to 400 points in 280 days."""
RESULTS = ("won", "drew", "lost")

_SCALE = SPREAD / POINT
_MODEL = PlackettLuce(mu=START / POINT, sigma=_SCALE, beta=_SCALE / 2, tau=_SCALE / 100)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in a mode; `mu` and `sigma` in thousandths of a point."""

    mu: int = START
    sigma: int = SPREAD
    games: int = 0
    """Rated games that count."""
    at: int | None = None
    """The end of the newest of them, in milliseconds since 1970."""

    @property
    def points(self) -> int:
        """The mean in points, as people see it."""
        return _points(self.mu)

    @property
    def deviation(self) -> int:
        """The deviation in points, as people see it."""
        return _points(self.sigma)

    @property
    def cautious(self) -> int:
        """Two deviations below the mean, in thousandths: very probably the player is stronger."""
        return self.mu - 2 * self.sigma

    @property
    def provisional(self) -> bool:
        """Tell whether too little is known yet, or not any more."""
        return self.games < SETTLED_GAMES or self.sigma > SETTLED_SIGMA


def aged(rating: Rating, now: int) -> Rating:
    """The rating at `now`: time away makes it less certain, and never more so than a newcomer's."""
    if rating.at is None or now <= rating.at:
        return rating
    grown = VARIANCE_A_DAY * POINT**2 * (now - rating.at) // DAY_MS
    return replace(rating, sigma=min(SPREAD, isqrt(rating.sigma**2 + grown)))


def after_game(ratings: Sequence[Rating], winners: Collection[int], at: int) -> list[Rating]:
    """The ratings by seat after a game that ended at `at`.

    The winners share the first place and the others the second. All may win: that is a draw. Raises
    `ValueError` unless there are two seats or more and a winner.
    """
    if len(ratings) < 2 or not winners:
        raise ValueError("a rated game has two seats or more, and a winner")
    before = [aged(rating, at) for rating in ratings]
    teams = [[_MODEL.rating(mu=each.mu / POINT, sigma=each.sigma / POINT)] for each in before]
    ranks = [1.0 if seat in winners else 2.0 for seat in range(len(ratings))]
    found = _MODEL.rate(teams, ranks=ranks)
    return [
        Rating(round(new.mu * POINT), round(new.sigma * POINT), old.games + 1, at)
        for old, (new,) in zip(before, found, strict=True)
    ]


def result_of(seat: int, winners: Collection[int], seats: int) -> str:
    """The result of a seat, one of `RESULTS`."""
    if seat not in winners:
        return "lost"
    return "drew" if len(winners) == seats else "won"


def season_of(at: int) -> str:
    """The season of a time in milliseconds since 1970: a quarter of a year of UTC, "2026-Q4"."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    return f"{when.year:04d}-Q{(when.month + 2) // 3}"


def season_span(season: str) -> tuple[int, int]:
    """The first millisecond of a season and of the one after it. Raises `ValueError` for another text."""
    year, _, quarter = season.partition("-Q")
    if len(season) != 7 or not (year.isascii() and year.isdecimal()) or quarter not in ("1", "2", "3", "4"):
        raise ValueError(f"{season!r} is no season")
    number = int(year) * 4 + int(quarter) - 1
    return _quarter(number), _quarter(number + 1)


def _quarter(number: int) -> int:
    """The first millisecond of a quarter; quarters are counted from the year 0."""
    return round(datetime(number // 4, number % 4 * 3 + 1, 1, tzinfo=UTC).timestamp()) * 1000


def _points(units: int) -> int:
    return (units + POINT // 2) // POINT
