"""The books of ratings, computed again from the records: every figure follows from them.

The rated games are walked in the order of their ordinals. Of `rated_game` only the order and the limit of
that day are taken; whether a game counts, and what it changes, follows from the records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from sqlmodel import Session, SQLModel, col, select

from service.models import GameRow, RatedGame, RatingChange, RatingHead, RatingRow, SeasonStanding
from service.operations.ratings import (
    RatedRecord,
    RatingFigures,
    change_row,
    changes_of,
    played,
    rating_row,
    standing_row,
)
from service.ratings import season_of
from service.runtime import Runtime

AT_ONCE = 200
"""Games that are read at once."""


@dataclass(frozen=True, slots=True)
class WrongRow:
    """A row that is not what the records say."""

    table: str
    key: tuple[Any, ...]
    stored: Mapping[str, Any] | None
    """None for a row that is missing."""
    computed: Mapping[str, Any] | None
    """None for a row that should not be there."""

    def __str__(self) -> str:
        key = " ".join(map(str, self.key))
        if self.stored is None or self.computed is None:
            return f"{self.table} {key}: {'is missing' if self.stored is None else 'should not be there'}"
        wrong = (
            f"{name} is {self.stored[name]}, not {value}"
            for name, value in self.computed.items()
            if self.stored[name] != value
        )
        return f"{self.table} {key}: {', '.join(wrong)}"


@dataclass
class Books:
    """All figures, as the records give them."""

    games: list[RatedGame] = field(default_factory=list)
    changes: list[RatingChange] = field(default_factory=list)
    ratings: dict[tuple[str, str], RatingFigures] = field(default_factory=dict)
    seasons: dict[tuple[str, str, str], RatingFigures] = field(default_factory=dict)
    places: dict[tuple[str, str, str], SeasonStanding] = field(default_factory=dict)
    met: Counter[tuple[frozenset[str], int]] = field(default_factory=Counter)
    """The games that count, by two players and the day."""

    def add(self, booked: RatedGame, game: RatedRecord) -> None:
        """Take in the next rated game."""
        pairs = [(frozenset(pair), game.day) for pair in combinations(game.players, 2)]
        often = any(self.met[pair] >= booked.pair_limit for pair in pairs)
        reason = game.fault() or ("same_opponents" if often else None)
        self.games.append(
            RatedGame(
                **{**booked.model_dump(), "mode": game.mode, "at": game.at, "reason": reason},
            )
        )
        if reason is not None:
            return
        self.met.update(pairs)
        season = season_of(game.at)
        before = [self.ratings.get((player, game.mode), RatingFigures()) for player in game.players]
        for change, tally in zip(changes_of(game, [each.rating for each in before]), before, strict=True):
            self.ratings[change.player_id, game.mode] = tally.grown(change.after, change.result)
            key = (season, game.mode, change.player_id)
            so_far = self.seasons.get(key, RatingFigures())
            self.seasons[key] = so_far.grown(change.after, change.result)
            self.places[key] = standing_row(*key, so_far, change)
            self.changes.append(change_row(game, booked.ordinal, change))

    def tables(self) -> Iterator[tuple[type[SQLModel], list[SQLModel]]]:
        """The rows of every table, in an order in which they can be written."""
        yield RatedGame, list(self.games)
        yield RatingChange, list(self.changes)
        yield RatingRow, [rating_row(*key, tally) for key, tally in self.ratings.items()]
        yield SeasonStanding, list(self.places.values())


def compute(session: Session) -> Books:
    """Compute all figures from the records."""
    books, last = Books(), 0
    while True:
        batch = session.exec(
            select(RatedGame, GameRow)
            .join(GameRow, col(GameRow.id) == col(RatedGame.game_id))
            .where(RatedGame.ordinal > last)
            .order_by(col(RatedGame.ordinal))
            .limit(AT_ONCE)
        ).all()
        for booked, row in batch:
            last = booked.ordinal
            game = played(session, row)
            if game is not None:
                books.add(booked, game)
        if len(batch) < AT_ONCE:
            return books


def check(house: Runtime) -> tuple[int, list[WrongRow]]:
    """Count the rated games, and find every row that is not what the records say. Nothing is changed."""
    with house.read() as session:
        books = compute(session)
        found = [each for model, rows in books.tables() for each in _differences(session, model, rows)]
    return len(books.games), found


def rewrite(house: Runtime) -> tuple[int, list[WrongRow]]:
    """Write the figures anew that the records give; returns as `check` what was wrong before.

    No game is booked meanwhile, and readers see the old figures until all are written.
    """
    with house.write() as session:
        session.exec(select(RatingHead).with_for_update()).first()
        books = compute(session)
        wrong = [(model, _differences(session, model, rows)) for model, rows in books.tables()]
        for model, found in wrong:
            for each in found:
                if each.computed is not None:
                    session.merge(model(**each.computed))
            session.flush()
        for model, found in reversed(wrong):
            for each in found:
                if each.computed is None:
                    session.delete(session.get_one(model, each.key))
            session.flush()
    return len(books.games), [each for _, found in wrong for each in found]


def _key(row: SQLModel) -> tuple[Any, ...]:
    return tuple(getattr(row, column.name) for column in type(row).__table__.primary_key)  # type: ignore[attr-defined]


def _differences(session: Session, model: type[SQLModel], rows: Iterable[SQLModel]) -> list[WrongRow]:
    computed = {_key(row): row.model_dump() for row in rows}
    stored = {_key(row): row.model_dump() for row in session.exec(select(model))}
    return [
        WrongRow(str(model.__tablename__), key, stored.get(key), computed.get(key))
        for key in sorted(computed.keys() | stored.keys(), key=str)
        if stored.get(key) != computed.get(key)
    ]
