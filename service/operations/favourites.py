"""Favourite dishes: how often each player has served what, counted in the transaction that ends a game.

The accounts of the records say it, so `service.operations.dish_books` can count it again. Games without a
result count for nothing, as do seats of bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, select

from cards.pictures.dishes import PlainDish, dish_of
from referee import Game, read_entry
from referee.pictures import Shown, draws, shown
from service.db import upsert
from service.models import GameEntry, TimesServed
from service.operations.games.rows import seats_of
from service.runtime import Runtime

MOST_LISTED = 20
"""The most dishes in a list."""


@dataclass(frozen=True, slots=True)
class Favourite:
    """A dish that a player has served."""

    dish: PlainDish
    times: int
    last_served: int
    """The end of the newest game in which it was served."""


def listed(house: Runtime, session: Session, player_id: str) -> list[Favourite]:
    """The dishes that a player has served most often, at most `MOST_LISTED`; of equals the latest first.

    Dishes of cards that the house no longer has are left out.
    """
    rows = (
        select(TimesServed)
        .where(TimesServed.player_id == player_id)
        .order_by(col(TimesServed.times).desc(), col(TimesServed.at).desc())
        .limit(MOST_LISTED)
    )
    found = ((dish_of(row.dish, house.catalog.cards), row) for row in session.exec(rows))
    return [Favourite(dish, row.times, row.at) for dish, row in found if dish is not None]


def book(session: Session, fold: Game) -> None:
    """Count what was served in a game whose result is in its record. Called once, with its players locked."""
    header = fold.header
    if not draws(header.mode):
        return
    accounts = (
        select(GameEntry.entry)
        .where(GameEntry.game_id == header.game, GameEntry.kind == "account")
        .order_by(col(GameEntry.seq))
    )
    said = shown(header, (read_entry(entry) for entry in session.exec(accounts)))
    players = {seat.seat: seat.player_id for seat in seats_of(session, header.game)}
    counted = served(players, said)
    if not counted:
        return
    row = upsert(session, TimesServed)
    added = row.on_conflict_do_update(
        index_elements=[col(TimesServed.player_id), col(TimesServed.dish)],
        set_={"times": col(TimesServed.times) + row.excluded.times, "at": row.excluded.at},
    )
    rows = [
        {"player_id": player, "dish": dish, "times": times, "at": fold.at}
        for (player, dish), times in sorted(counted.items())
    ]
    session.execute(added, rows)


def served(players: Mapping[int, str | None], said: Iterable[Shown]) -> Counter[tuple[str, str]]:
    """What was served in a game: how often, by player and dish."""
    found: Counter[tuple[str, str]] = Counter()
    for each in said:
        seat, dish = each.picture.seat, each.picture.dish
        player = None if seat is None else players[seat]
        if player is not None and dish is not None:
            found[player, dish] += 1
    return found
