"""The tournaments of a house with very many players: see `benchmarks.load.crowded`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import SQLModel

from service.models import Tournament, TournamentEntry, TournamentMatch

MODE = "big-c"
CUPS = 20
"""Of so many players one directs a tournament of four. Of ten tournaments nine are over."""
HOUR_MS = 3_600_000

Rows = Mapping[type[SQLModel], Sequence[Mapping[str, Any]]]


def player_id(number: int) -> str:
    """The id of a player by number."""
    return f"{number:08x}-0000-4000-8000-000000000001"


def cup_id(number: int) -> str:
    """The id of the tournament of a player by number, which is a multiple of `CUPS`."""
    return f"{number:08x}-0000-4000-8000-000000000004"


def rows(numbers: range, players: int, now: int) -> Rows:
    """Tournaments with their entries and matches."""
    found: dict[type[SQLModel], list[Mapping[str, Any]]] = {}
    for n in numbers:
        if n % CUPS:
            continue
        over = n % (10 * CUPS) != CUPS
        people = [player_id((n + i) % players) for i in range(4)]
        found.setdefault(Tournament, []).append(_cup(n, over, now))
        found.setdefault(TournamentEntry, []).extend(
            _entry(n, rank, player, now) for rank, player in enumerate(people, 1)
        )
        if over:
            found.setdefault(TournamentMatch, []).extend(
                _match(n, board, people[2 * board - 2 : 2 * board]) for board in (1, 2)
            )
    return found


def _cup(number: int, over: bool, now: int) -> Mapping[str, Any]:
    at = now - number
    return {
        "id": cup_id(number),
        "name": "Cup",
        "system": "swiss",
        "mode": MODE,
        "options": {},
        "format": None,
        "rated": True,
        "director_id": player_id(number),
        "fee": 0,
        "added": 0,
        "prizes": [],
        "places": 8,
        "entered": 4,
        "numbered": 4,
        "rounds": 1,
        "round": int(over),
        "late_rounds": 0,
        "pause_ms": 0,
        "state": "over" if over else "open",
        "reason": None,
        "version": 4,
        "stale": False,
        "created_at": at,
        "starts_at": at + (0 if over else 24 * HOUR_MS),
        "next_at": None,
        "ended_at": at if over else None,
        "due_at": None if over else at + 24 * HOUR_MS,
    }


def _entry(number: int, rank: int, player: str, now: int) -> Mapping[str, Any]:
    return {
        "id": f"{number:08x}-0000-4000-8000-0000000001{rank:02}",
        "tournament_id": cup_id(number),
        "player_id": player,
        "entered_at": now - number,
        "paid": 0,
        "cards": None,
        "seed": rank,
        "from_round": 1,
        "out_round": None,
        "out_reason": None,
        "rank": rank,
        "place": rank,
        "points": 4 - rank,
        "buchholz": 0,
        "sonneborn": 0,
        "wins": 0,
        "prize": 0,
    }


def _match(number: int, board: int, people: Sequence[str]) -> Mapping[str, Any]:
    return {
        "tournament_id": cup_id(number),
        "round": 1,
        "board": board,
        "first_id": people[0],
        "second_id": people[1],
        "state": "over",
        "result": "first",
        "played": True,
        "games": 1,
        "game_id": None,
        "ruled_by": None,
        "ruling": None,
    }
