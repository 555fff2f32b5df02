"""Rated games: book each once, in the transaction that ends it. docs/ratings.md publishes these rules.

Whether a game counts is judged by its record alone, and by the games that were booked before it. All of it
follows again from the records, in the order of the ordinals: see `rating_books`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import func
from sqlmodel import Session, col, select

from cards.games.contract import Outcome
from crypto.encoding import parse_timestamp
from service.db import upsert
from service.models import (
    GameEntry,
    GameRow,
    GameSeat,
    RatedGame,
    RatingChange,
    RatingHead,
    RatingRow,
    SeasonStanding,
)
from service.operations import feed
from service.problems import conflict
from service.ratings import DAY_MS, Rating, after_game, aged, result_of, season_of
from service.runtime import Runtime

REASONS = ("nobody_won", "too_short", "same_opponents")
"""Why a rated game changes no rating. A name never gets a second meaning."""
CHOICES = 1
"""Moves and seals that every seat must have made itself for a game to count."""
SEASON_GAMES = 5
"""Games that count in a season before its leaderboard lists a player."""


@dataclass(frozen=True, slots=True)
class RatedRecord:
    """What the record of a rated game says, and who sat there."""

    game_id: str
    mode: str
    at: int
    players: Sequence[str]
    """The players' ids by seat."""
    winners: Sequence[int]
    choices: Sequence[int]
    """Moves and seals that each seat has made itself."""
    decks: Mapping[str, str | None]
    """The deck lists that the players brought, by player."""

    @property
    def day(self) -> int:
        """The day (of UTC) on which it ended, counted from 1970."""
        return self.at // DAY_MS

    def fault(self) -> str | None:
        """Why the game does not count by itself; None if it may."""
        if not self.winners:
            return "nobody_won"
        return "too_short" if min(self.choices) < CHOICES else None


NEW = Rating()
"""The rating of a player without a game."""


@dataclass(frozen=True, slots=True)
class RatingFigures:
    """A player's figures in a mode: of all games, or those of a season."""

    rating: Rating = NEW
    games: int = 0
    wins: int = 0
    draws: int = 0

    def grown(self, rating: Rating, result: str) -> RatingFigures:
        """The figures after one more game."""
        return RatingFigures(
            rating, self.games + 1, self.wins + (result == "won"), self.draws + (result == "drew")
        )


@dataclass(frozen=True, slots=True)
class Change:
    """What a game does to a player's rating."""

    player_id: str
    result: str
    before: Rating
    """The rating when the game ended, grown less certain by the time away."""
    after: Rating


def played(session: Session, row: GameRow) -> RatedRecord | None:
    """What the record of a rated game says; None while it has no result."""
    entry = select(GameEntry.entry).where(GameEntry.game_id == row.id, GameEntry.kind == "result")
    result = session.exec(entry).first()
    if result is None:
        return None
    seats = session.exec(
        select(GameSeat.player_id, GameSeat.deck_id)
        .where(GameSeat.game_id == row.id)
        .order_by(col(GameSeat.seat))
    ).all()
    actor = col(GameEntry.entry)["actor"].as_string()
    counted = select(actor, func.count()).where(
        GameEntry.game_id == row.id, col(GameEntry.kind).in_(("move", "seal"))
    )
    made = {int(seat): count for seat, count in session.exec(counted.group_by(actor))}
    return RatedRecord(
        row.id,
        row.mode,
        parse_timestamp(result["at"]),
        [player for player, _ in seats if player is not None],
        result["body"]["outcome"]["winners"],
        [made.get(seat, 0) for seat in range(len(seats))],
        {player: deck for player, deck in seats if player is not None},
    )


def changes_of(game: RatedRecord, ratings: Sequence[Rating]) -> list[Change]:
    """The changes that a game makes which counts, by seat; `ratings` are those of before."""
    found = after_game(ratings, game.winners, game.at)
    return [
        Change(player_id, result_of(seat, game.winners, len(game.players)), aged(old, game.at), new)
        for seat, (player_id, old, new) in enumerate(zip(game.players, ratings, found, strict=True))
    ]


def book(house: Runtime, session: Session, row: GameRow, outcome: Outcome) -> None:
    """Book the end of a rated game, whose result is in its record. Unrated games are left alone.

    Called in the transaction that ends the game, after all locks of players.
    """
    if not row.rated:
        return
    game = played(session, row)
    if game is None or list(outcome.winners) != list(game.winners):
        raise RuntimeError("a game is booked before its record has its result")
    ordinal = _next_ordinal(session)
    limit = house.settings.rated_games_a_day
    reason = game.fault() or ("same_opponents" if _met_too_often(session, game, limit) else None)
    session.add(
        RatedGame(
            game_id=row.id, ordinal=ordinal, mode=game.mode, at=game.at, pair_limit=limit, reason=reason
        )
    )
    session.flush()
    if reason is None:
        _change(house, session, game, ordinal)


def _next_ordinal(session: Session) -> int:
    """The ordinal of the next game. Its row stays locked: rated games are booked one after another."""
    row = upsert(session, RatingHead).values(id=1, ordinal=1)
    following = row.on_conflict_do_update(
        index_elements=[col(RatingHead.id)], set_={"ordinal": col(RatingHead.ordinal) + 1}
    )
    return int(session.execute(following.returning(col(RatingHead.ordinal))).scalar_one())


def _met_too_often(session: Session, game: RatedRecord, limit: int) -> bool:
    """Tell whether two of the players have ended as many games on this day as may count."""
    return any(met_on(session, pair, game.day) >= limit for pair in combinations(game.players, 2))


def met_on(session: Session, pair: tuple[str, str], day: int) -> int:
    """The games of all modes between two players that count, of a day counted from 1970 in UTC."""
    one, other = pair
    theirs = select(RatingChange.game_id).where(RatingChange.player_id == other)
    both = select(func.count()).where(
        RatingChange.player_id == one,
        RatingChange.at >= day * DAY_MS,
        RatingChange.at < (day + 1) * DAY_MS,
        col(RatingChange.game_id).in_(theirs.where(RatingChange.at >= day * DAY_MS)),
    )
    return session.exec(both).one()


def require_unmet(house: Runtime, session: Session, one: str, other: str) -> None:
    """Raise `Problem` 409 if as many games of two players count today already as may."""
    limit = house.settings.rated_games_a_day
    if met_on(session, (one, other), house.now() // DAY_MS) >= limit:
        detail = f"{limit} rated games between you two count today already. Play an unrated one."
        raise conflict("same_opponents", detail, at_most=limit)


def _change(house: Runtime, session: Session, game: RatedRecord, ordinal: int) -> None:
    season = season_of(game.at)
    rows = [session.get(RatingRow, (player, game.mode)) for player in game.players]
    for change, row in zip(changes_of(game, [rating_of(row) for row in rows]), rows, strict=True):
        after = tally_of(row).grown(change.after, change.result)
        session.merge(rating_row(change.player_id, game.mode, after))
        here = session.get(SeasonStanding, (season, game.mode, change.player_id))
        session.merge(standing_row(season, game.mode, change.player_id, _season_tally(here), change))
        session.add(change_row(game, ordinal, change))
        feed.add(
            house,
            session,
            [change.player_id],
            "rating.changed",
            game=game.game_id,
            mode=game.mode,
            rating=change.after.points,
            change=change.after.points - change.before.points,
        )
    session.flush()


def rating_of(row: RatingRow | None) -> Rating:
    """The rating in a row; a newcomer's without one."""
    return NEW if row is None else Rating(row.mu, row.sigma, row.games, row.at)


def tally_of(row: RatingRow | None) -> RatingFigures:
    """The figures in a row."""
    return RatingFigures() if row is None else RatingFigures(rating_of(row), row.games, row.wins, row.draws)


def _season_tally(row: SeasonStanding | None) -> RatingFigures:
    return RatingFigures() if row is None else RatingFigures(games=row.games, wins=row.wins)


def rating_row(player_id: str, mode: str, tally: RatingFigures) -> RatingRow:
    """The row of a player's figures in a mode, after one game at least."""
    rating = tally.rating
    return RatingRow(
        player_id=player_id,
        mode=mode,
        mu=rating.mu,
        sigma=rating.sigma,
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        at=rating.at or 0,
    )


def standing_row(
    season: str, mode: str, player_id: str, before: RatingFigures, change: Change
) -> SeasonStanding:
    """The row of a player's place in a season after one more game."""
    tally = before.grown(change.after, change.result)
    return SeasonStanding(
        season=season,
        mode=mode,
        player_id=player_id,
        games=tally.games,
        wins=tally.wins,
        mu=change.after.mu,
        sigma=change.after.sigma,
        place=-change.after.cautious if tally.games >= SEASON_GAMES else None,
    )


def change_row(game: RatedRecord, ordinal: int, change: Change) -> RatingChange:
    """The row of what a game did to a player's rating."""
    return RatingChange(
        game_id=game.game_id,
        player_id=change.player_id,
        mode=game.mode,
        ordinal=ordinal,
        at=game.at,
        result=change.result,
        deck_id=game.decks[change.player_id],
        mu_before=change.before.mu,
        sigma_before=change.before.sigma,
        mu=change.after.mu,
        sigma=change.after.sigma,
    )
