"""A house with very many players: rows that are written at once, as years of use would leave them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import insert
from sqlmodel import SQLModel

from benchmarks.load import crowded_cups
from benchmarks.load.crowded_cups import HOUR_MS as _HOUR_MS
from benchmarks.load.crowded_cups import MODE, Rows, player_id
from crypto.encoding import b64
from crypto.identity import public_key
from service.models import (
    Act,
    ActHead,
    Block,
    GameChallenge,
    GameEntry,
    GameRow,
    GameSeat,
    HandleRow,
    Player,
    PlayerEvent,
    PlayerFeed,
    PlayerReport,
    QueueEntry,
    RatedGame,
    RatingChange,
    RatingHead,
    RatingRow,
    SeasonStanding,
    Table,
    TableSeat,
    Token,
)
from service.ratings import POINT, season_of
from service.runtime import Runtime

IN_QUEUE = 10
"""Of so many players one waits in the queue, has been reported and has blocked another."""
OPEN = 200
"""Of so many players one sits at an open table, and is the subject of an open report."""
AT_ONCE = 2_000
"""Players that are written in one transaction."""
PAST = 20
"""Games that a player who is measured has played."""
_SIGMA = 150 * POINT


def game_id(number: int) -> str:
    """The id of the game of that player against the next one."""
    return f"{number:08x}-0000-4000-8000-000000000002"


def handle(number: int) -> str:
    """The handle of a player by number."""
    return f"p{number:07}"


def fill(house: Runtime, players: int, told: Callable[[float], object] = lambda share: None) -> None:
    """Write so many players, each with a game against the next one, ratings, a token, events and more."""
    engine = house.database.engine.execution_options(cloche_write=True)
    now = house.now()
    for first in range(0, players, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, players))
        with engine.begin() as connection:
            parts = (_people(numbers, now), _games(numbers, players, now), _order(numbers, players, now))
            for part in (*parts, crowded_cups.rows(numbers, players, now)):
                for model, rows in part.items():
                    if rows:
                        connection.execute(insert(model), list(rows))
        told(min(1.0, (first + AT_ONCE) / players))
    with engine.begin() as connection:
        connection.execute(insert(RatingHead).values(id=1, ordinal=players))
        acts = len(range(0, players, IN_QUEUE))
        connection.execute(insert(ActHead).values(id=1, seq=acts, digest="A" * 43))


def add_past(house: Runtime, player: str) -> None:
    """Give a player, by id, rated games against the first players."""
    now = house.now()
    engine = house.database.engine.execution_options(cloche_write=True)
    with engine.begin() as connection:
        for number in range(PAST):
            found = f"{number:08x}-0000-4000-8000-000000000003"
            ordinal = -1 - number
            for model, rows in _game(found, ordinal, (player, player_id(number)), now - _HOUR_MS).items():
                connection.execute(insert(model), list(rows))


def _key(number: int) -> str:
    """A player's key. A player who waits in the queue may begin a game, so theirs is a real one."""
    return b64(public_key(number.to_bytes(32, "big"))) if number % IN_QUEUE == 0 else f"{number:043}"


def _mu(number: int) -> int:
    """Ratings from 1000 to 2000 points, in no order; nobody has exactly a newcomer's."""
    return (1_000 + number * 7_919 % 1_000) * POINT + 1


def _people(numbers: range, now: int) -> Rows:
    """Players with what each of them has alone."""
    return {**_accounts(numbers, now), **_standings(numbers, now), **_queue(numbers, now)}


def _accounts(numbers: range, now: int) -> Rows:
    """Players, each with a handle, a token and a feed of one event."""
    return {
        Player: [
            {
                "id": player_id(n),
                "handle": handle(n),
                "folded": handle(n),
                "password": "",
                "key": _key(n),
                "created_at": now - n,
                "deleted_at": None,
            }
            for n in numbers
        ],
        HandleRow: [
            {
                "skeleton": handle(n),
                "folded": handle(n),
                "handle": handle(n),
                "player_id": player_id(n),
                "left_at": None,
            }
            for n in numbers
        ],
        Token: [
            {
                "id": player_id(n),
                "player_id": player_id(n),
                "digest": f"{n:064}",
                "prefix": "cloche_",
                "label": "token",
                "created_at": now,
                "expires_at": now + 24 * _HOUR_MS,
                "revoked_at": None,
            }
            for n in numbers
        ],
        PlayerFeed: [{"player_id": player_id(n), "last": 1} for n in numbers],
        PlayerEvent: [
            {"player_id": player_id(n), "seq": 1, "at": now, "name": "game.over", "data": {}} for n in numbers
        ],
    }


def _standings(numbers: range, now: int) -> Rows:
    """The rating of each player, and the place in the running season."""
    season = season_of(now)
    return {
        RatingRow: [
            {
                "player_id": player_id(n),
                "mode": MODE,
                "mu": _mu(n),
                "sigma": _SIGMA,
                "games": 12,
                "wins": 6,
                "draws": 0,
                "at": now,
            }
            for n in numbers
        ],
        SeasonStanding: [
            {
                "season": season,
                "mode": MODE,
                "player_id": player_id(n),
                "games": 12,
                "wins": 6,
                "mu": _mu(n),
                "sigma": _SIGMA,
                "place": 2 * _SIGMA - _mu(n),
            }
            for n in numbers
        ],
    }


def _queue(numbers: range, now: int) -> Rows:
    """The entry of every `IN_QUEUE`th player in the queue."""
    return {
        QueueEntry: [
            {
                "player_id": player_id(n),
                "mode": MODE,
                "pace": "usual",
                "format": "",
                "rated": True,
                "deck_id": None,
                "mu": _mu(n),
                "joined_at": now,
                "expires_at": now + 24 * _HOUR_MS,
                "look_at": now + 24 * _HOUR_MS,
                "bot_offered": True,
            }
            for n in numbers
            if n % IN_QUEUE == 0
        ],
    }


def _games(numbers: range, players: int, now: int) -> Rows:
    """A rated game for each player against the next one, and the table where they met."""
    found: dict[type[SQLModel], list[Mapping[str, Any]]] = {}
    for n in numbers:
        pair = (player_id(n), player_id(max(0, n - 1)))
        if pair[0] == pair[1]:
            continue
        for model, rows in _game(game_id(n), n, pair, now - _HOUR_MS).items():
            found.setdefault(model, []).extend(rows)
        state = "open" if n % OPEN == 0 else "playing"
        found.setdefault(Table, []).append(_table(n, state, now))
        found.setdefault(TableSeat, []).extend(_table_seats(n, pair if state == "playing" else pair[:1]))
        found.setdefault(GameChallenge, []).append(_challenge(n, pair, now))
    return found


def _game(game: str, ordinal: int, pair: tuple[str, str], at: int) -> Rows:
    """A rated game that is over, and what it did to both ratings."""
    return {**_played(game, pair, at), **_counted(game, ordinal, pair, at)}


def _played(game: str, pair: tuple[str, str], at: int) -> Rows:
    """A game that is over, with its seats and the first and last entry of its record."""
    outcome = {"points": [1, 0], "winners": [0], "reason": "points"}
    return {
        GameRow: [
            {
                "id": game,
                "mode": MODE,
                "created_at": at,
                "ended_at": at,
                "seq": 1,
                "head": None,
                "snapshot": {},
                "due_at": None,
                "claimed_until": 0,
                "outcome": outcome,
                "private": False,
                "spectators": True,
                "rated": True,
            }
        ],
        GameSeat: [
            {
                "game_id": game,
                "seat": seat,
                "player_id": player,
                "bot": None,
                "name": f"seat {seat}",
                "cards": None,
                "seed_digest": None,
                "certificate": None,
            }
            for seat, player in enumerate(pair)
        ],
        GameEntry: [
            {"game_id": game, "seq": seq, "kind": kind, "entry": {"kind": kind}}
            for seq, kind in enumerate(("open", "result"))
        ],
    }


def _counted(game: str, ordinal: int, pair: tuple[str, str], at: int) -> Rows:
    """What a rated game did to the ratings of both players."""
    before = {"mu_before": 1_500 * POINT, "sigma_before": _SIGMA, "mu": 1_500 * POINT, "sigma": _SIGMA}
    return {
        RatedGame: [
            {
                "game_id": game,
                "ordinal": ordinal,
                "mode": MODE,
                "at": at,
                "pair_limit": 5,
                "reason": None,
            }
        ],
        RatingChange: [
            {
                "game_id": game,
                "player_id": player,
                "mode": MODE,
                "ordinal": ordinal,
                "at": at,
                "result": result,
                **before,
            }
            for player, result in zip(pair, ("won", "lost"), strict=True)
        ],
    }


def _table(number: int, state: str, now: int) -> Mapping[str, Any]:
    return {
        "id": game_id(number),
        "mode": MODE,
        "options": {},
        "seats": 2,
        "opened_by": player_id(number),
        "created_at": now,
        "state": state,
        "game_id": game_id(number) if state == "playing" else None,
        "private": False,
        "spectators": True,
        "hidden": False,
        "invitation": None,
        "invitation_digest": None,
        "format": None,
        "rematch_of": None,
        "rated": True,
    }


def _table_seats(number: int, players: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    for seat, player in enumerate(players):
        yield {
            "table_id": game_id(number),
            "seat": seat,
            "player_id": player,
            "bot": None,
            "name": f"seat {seat}",
            "cards": None,
        }


def _challenge(number: int, pair: tuple[str, str], now: int) -> Mapping[str, Any]:
    """A challenge that was accepted."""
    return {
        "id": game_id(number),
        "from_id": pair[0],
        "to_id": pair[1],
        "mode": MODE,
        "options": {},
        "format": None,
        "rated": True,
        "deck_id": None,
        "created_at": now - 2 * _HOUR_MS,
        "expires_at": now + 22 * _HOUR_MS,
        "state": "accepted",
        "game_id": game_id(number),
    }


def _order(numbers: range, players: int, now: int) -> Rows:
    """Blocks, reports and acts, of some of the players about the next one."""
    some = [n for n in numbers if n % IN_QUEUE == 0]
    following = {n: player_id((n + 1) % players) for n in some}
    return {
        Block: [
            {"player_id": player_id(n), "blocked_id": following[n], "created_at": now}
            for n in some
            if n % OPEN
        ],
        PlayerReport: [_report(n, following[n], now) for n in some],
        Act: [
            {
                "seq": 1 + n // IN_QUEUE,
                "at": now,
                "actor": "operator",
                "kind": "trades_thawed",
                "subject": "player",
                "subject_id": player_id(n),
                "details": {},
                "digest": "A" * 43,
            }
            for n in some
        ],
    }


def _report(number: int, about: str, now: int) -> Mapping[str, Any]:
    waits = number % OPEN == 0
    return {
        "id": player_id(number),
        "reporter_id": player_id(number),
        "about_id": about,
        "kind": "other",
        "game_id": None,
        "deck_id": None,
        "table_id": None,
        "note": "",
        "created_at": now - _HOUR_MS,
        "state": "open" if waits else "closed",
        "handler_id": None if waits else "operator",
        "verdict": None if waits else "dismissed",
        "remark": "",
        "closed_at": None if waits else now,
    }
