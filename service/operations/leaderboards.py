"""Reading ratings: a player's, their history, what a game changed, and the leaderboards of seasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import case, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from service.models import (
    DeckRevision,
    DeckRow,
    GameSeat,
    Player,
    RatedGame,
    RatingChange,
    RatingRow,
    SeasonStanding,
    Tournament,
    TournamentEntry,
)
from service.operations import decks, watching
from service.operations.decks import ListedDeck
from service.operations.ratings import rating_of
from service.problems import conflict, not_found
from service.ratings import POINT, RESULTS, Rating, aged, season_of, season_span
from service.runtime import Runtime

MOST_MET = 200
"""The most opponents in a list."""
MOST_DECKS = 100
"""The most decks in a list."""


@dataclass(frozen=True, slots=True)
class ListedRating:
    """A player's rating in a mode, as certain as it is now."""

    mode: str
    rating: Rating
    wins: int
    draws: int

    @property
    def losses(self) -> int:
        """The games that were lost."""
        return self.rating.games - self.wins - self.draws


@dataclass(frozen=True, slots=True)
class ListedChange:
    """What a rated game did to the rating at a seat, in points."""

    seat: int
    name: str
    result: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class GameRating:
    """What a game that is over did to its players' ratings."""

    rated: bool
    reason: str | None
    """Why a rated game changed nothing: one of `ratings.REASONS`."""
    changes: Sequence[ListedChange]


@dataclass(frozen=True, slots=True)
class Met:
    """A player's results against one opponent."""

    handle: str
    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Results:
    """Counts of rated games that count."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0


@dataclass(frozen=True, slots=True)
class DeckResults:
    """A player's results with a deck that the viewer may know of."""

    deck: ListedDeck
    results: Results


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """A line of a leaderboard."""

    rank: int
    """Counts from 1; players with the same figure have the same rank."""
    position: int
    """The number of the line, counted from 1."""
    handle: str
    row: SeasonStanding

    @property
    def rating(self) -> Rating:
        """The rating after the player's newest game of the season."""
        return Rating(self.row.mu, self.row.sigma, self.row.games)

    @property
    def key(self) -> tuple[int, str, int, int]:
        """The place of the line in its board, with rank and position, so that nobody counts from the top."""
        return -self.rating.cautious, self.row.player_id, self.rank, self.position

    @property
    def sure(self) -> int:
        """The points by which the board is sorted: two deviations below the rating."""
        return self.rating.cautious // POINT


def of_player(house: Runtime, session: Session, player_id: str) -> list[ListedRating]:
    """The ratings of a player, by mode in alphabetical order; none of modes without a rated game."""
    rows = select(RatingRow).where(RatingRow.player_id == player_id).order_by(col(RatingRow.mode))
    now = house.now()
    return [
        ListedRating(row.mode, aged(rating_of(row), now), row.wins, row.draws) for row in session.exec(rows)
    ]


def history(
    session: Session, player_id: str, mode: str, before: int | None, limit: int
) -> list[RatingChange]:
    """The changes of a player's rating in a mode, newest first, from the first before an ordinal."""
    rows = select(RatingChange).where(RatingChange.player_id == player_id, RatingChange.mode == mode)
    if before is not None:
        rows = rows.where(RatingChange.ordinal < before)
    return list(session.exec(rows.order_by(col(RatingChange.ordinal).desc()).limit(limit)))


def met(session: Session, player_id: str, mode: str) -> list[Met]:
    """A player's results in rated games of a mode that count, by opponent: most games first.

    In a game of several players, each of the others is an opponent.
    """
    mine: Any = aliased(RatingChange)
    theirs: Any = aliased(RatingChange)
    games, *counts = _counted(mine)
    rows = (
        sa.select(col(Player.handle), games, *counts)
        .select_from(mine)
        .join(theirs, (theirs.game_id == mine.game_id) & (theirs.player_id != mine.player_id))
        .join(Player, col(Player.id) == theirs.player_id)
        .where(mine.player_id == player_id, mine.mode == mode)
        .group_by(col(Player.id), col(Player.handle))
        .order_by(games.desc(), col(Player.handle))
        .limit(MOST_MET)
    )
    return [Met(*row) for row in session.execute(rows)]


def by_deck(
    session: Session, player: Player, mode: str, viewer_id: str | None
) -> tuple[list[DeckResults], Results]:
    """A player's results in rated games of a mode that count, by deck: most games first, and those left over.

    The owner sees all own decks. Others see public ones alone, and of a player who is in a tournament that
    runs, only what was played before they entered it: its deck lists are shut. Games with other decks are
    left over, as are games without one.
    """
    games, *counts = _counted(RatingChange)
    deck = col(DeckRow.id)
    rows = (
        sa.select(deck, games, *counts)
        .join(DeckRow, deck == col(RatingChange.deck_id))
        .where(col(RatingChange.player_id) == player.id, col(RatingChange.mode) == mode)
        .where(col(DeckRow.owner_id) == player.id)
        .group_by(deck)
        .order_by(games.desc(), deck)
        .limit(MOST_DECKS)
    )
    if viewer_id != player.id:
        rows = rows.where(col(DeckRow.visibility) == decks.PUBLIC, col(DeckRow.deleted_at).is_(None))
        if (since := _shut_since(session, player.id)) is not None:
            rows = rows.where(col(RatingChange.at) < since)
    results = {deck_id: Results(*numbers) for deck_id, *numbers in session.execute(rows)}
    newest = (col(DeckRevision.deck_id) == deck) & (col(DeckRevision.number) == col(DeckRow.revision))
    named = select(DeckRow, DeckRevision).join(DeckRevision, newest).where(deck.in_(results))
    listed = {
        row.id: decks.shown(row, revision, player.handle, viewer_id) for row, revision in session.exec(named)
    }
    row = session.get(RatingRow, (player.id, mode))
    total = Results() if row is None else _results(row.games, row.wins, row.draws)
    return [DeckResults(listed[deck_id], found) for deck_id, found in results.items()], _results(
        total.games - sum(one.games for one in results.values()),
        total.wins - sum(one.wins for one in results.values()),
        total.draws - sum(one.draws for one in results.values()),
    )


def _results(games: int, wins: int, draws: int) -> Results:
    return Results(games, wins, draws, games - wins - draws)


def _counted(change: Any) -> list[Any]:
    """The number of games, and of each result, over changes."""
    named = zip(("wins", "draws", "losses"), RESULTS, strict=True)
    return [
        func.count().label("games"),
        *(func.sum(case((change.result == result, 1), else_=0)).label(name) for name, result in named),
    ]


def _shut_since(session: Session, player_id: str) -> int | None:
    """The time since which the player is in a tournament that runs; None for a player who is in none."""
    entered = (
        select(func.min(TournamentEntry.entered_at))
        .join(Tournament, col(Tournament.id) == col(TournamentEntry.tournament_id))
        .where(TournamentEntry.player_id == player_id, Tournament.state == "running")
    )
    return session.exec(entered).one()


def of_game(session: Session, game_id: str, player_id: str | None) -> GameRating:
    """What a game did to its players' ratings.

    Raises `Problem` as `watching.visible`, and 409 while it runs.
    """
    row, _ = watching.visible(session, game_id, player_id)
    if row.ended_at is None:
        raise conflict("game_running", "This game is not over yet.")
    booked = session.get(RatedGame, game_id)
    changes = (
        select(RatingChange, GameSeat)
        .where(
            RatingChange.game_id == game_id,
            GameSeat.game_id == game_id,
            col(GameSeat.player_id) == col(RatingChange.player_id),
        )
        .order_by(col(GameSeat.seat))
    )
    listed = [
        ListedChange(
            seat.seat, seat.name, change.result, Rating(change.mu_before).points, Rating(change.mu).points
        )
        for change, seat in session.exec(changes)
    ]
    return GameRating(row.rated, None if booked is None else booked.reason, listed)


def season_now(house: Runtime) -> str:
    """The season that runs now."""
    return season_of(house.now())


def seasons(session: Session) -> list[str]:
    """The seasons in which anybody has played a rated game that counts, newest first."""
    found: list[str] = []
    newest = select(func.max(SeasonStanding.season))
    season = session.exec(newest).first()
    while season is not None:  # a step in the index for each season, instead of a look at every row
        found.append(season)
        season = session.exec(newest.where(SeasonStanding.season < season)).first()
    return found


def leaderboard(
    session: Session, mode: str, season: str, after: tuple[int, str, int, int] | None, limit: int
) -> list[LeaderboardLine]:
    """The players of a season, the best first, from the first after a key of `LeaderboardLine`.

    Players who have deleted their accounts are in no list. Ranks go on from those of the page before.

    Raises `Problem` 404 for a text that is no season.
    """
    try:
        season_span(season)
    except ValueError:
        raise not_found("season") from None
    place = col(SeasonStanding.place)
    rows = (
        select(SeasonStanding, Player.handle)
        .join(Player, col(Player.id) == SeasonStanding.player_id)
        .where(
            SeasonStanding.season == season,
            SeasonStanding.mode == mode,
            place.is_not(None),
            col(Player.deleted_at).is_(None),
        )
    )
    at, player_id, rank, position = after or (None, "", 0, 0)
    if at is not None:
        rows = rows.where(place >= at, (place > at) | (col(SeasonStanding.player_id) > player_id))
    placed: list[LeaderboardLine] = []
    for row, handle in session.exec(rows.order_by(place, col(SeasonStanding.player_id)).limit(limit)):
        position += 1
        rank, at = rank if row.place == at else position, row.place
        placed.append(LeaderboardLine(rank, position, handle, row))
    return placed
