"""Tournaments over HTTP in one process, whose workers and clock are moved by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from sqlmodel import col, select, update

from crypto.encoding import b64
from crypto.identity import public_key
from service.models import Player, Tournament, TournamentMatch
from service.operations import tournaments
from service.runtime import Runtime
from tests.service.match_kit import deck_id, follow
from tests.service.service_kit import Guest

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""
Seat = Callable[..., Guest]
MINUTE = 60_000


def created(director: Guest, **more: Any) -> str:
    """A new tournament of Big C; its id."""
    terms = {"name": "Cup", "system": "swiss", "mode": "big-c", "pause": 0, **more}
    made = director.post("/tournaments", terms)
    assert made.status_code == 201, made.text
    return str(made.json["id"])


def entered(tournament: str, guests: Sequence[Guest], deck: bool = False) -> None:
    """Let guests enter, with their starter decks where decks are needed."""
    for guest in guests:
        body = {"deck": deck_id(guest)} if deck else {}
        answer = guest.put(f"/tournaments/{tournament}/entry", body)
        assert answer.status_code == 200, answer.text


def look(house: Runtime) -> None:
    """What a worker does at its next look, whose time has come."""
    alive = col(Tournament.due_at).is_not(None)
    with house.write() as session:
        session.execute(update(Tournament).where(alive, Tournament.state == "running").values(due_at=0))
    for tournament in tournaments.due(house, 100):
        tournaments.advance(house, tournament)


def started(house: Runtime, clock: list[int], director: Guest, tournament: str) -> None:
    """Start a tournament now; its first round is paired and its games have begun."""
    answer = director.post(f"/tournaments/{tournament}/start", {})
    assert answer.status_code == 200, answer.text
    look(house)


def state(guest: Guest, tournament: str) -> dict[str, Any]:
    """The tournament as it is shown."""
    found: dict[str, Any] = guest.get(f"/tournaments/{tournament}").json
    return found


def matches(guest: Guest, tournament: str, number: int) -> list[dict[str, Any]]:
    """The matches of a round as they are shown."""
    answer = guest.get(f"/tournaments/{tournament}/rounds/{number}")
    assert answer.status_code == 200, answer.text
    return list(answer.json["items"])


def standings(guest: Guest, tournament: str) -> list[tuple[str, int | None, float]]:
    """The standings: handle, place, points."""
    items = guest.get(f"/tournaments/{tournament}/standings").json["items"]
    return [(each["handle"], each["place"], each["points"]) for each in items]


def lost(
    house: Runtime, clock: list[int], guests: Mapping[str, Guest], match: Mapping[str, Any], loser: str
) -> None:
    """Play the game of a match until one of its players gives it up."""
    both = [guests[match["first"]], guests[match["second"]]]
    mode = both[0].get(f"/games/{match['game']}").json["mode"]
    played = follow(house, clock, both, match["game"], Random(1), mode)
    while not played.fold.deals:
        played.step()
    chair = played.chairs[[guest.handle for guest in both].index(loser)]
    answer = chair.post(chair.seat.resign(chair.catch_up()))
    assert answer.status_code == 201, answer.text
    played.work()
    assert played.fold.over


def drawn(house: Runtime, clock: list[int], guests: Mapping[str, Guest], match: Mapping[str, Any]) -> None:
    """Play the game of a match until its players agree on a draw."""
    both = [guests[match["first"]], guests[match["second"]]]
    mode = both[0].get(f"/games/{match['game']}").json["mode"]
    played = follow(house, clock, both, match["game"], Random(1), mode)
    while not played.fold.deals:
        played.step()
    for chair in played.chairs:
        answer = chair.post(chair.seat.offer_draw(chair.catch_up()))
        assert answer.status_code == 201, answer.text
    played.work()
    assert played.fold.over


def play_round(
    house: Runtime, clock: list[int], guests: Mapping[str, Guest], tournament: str, order: str
) -> None:
    """Play all games of the newest round: who comes first in `order` wins. Then a worker looks."""
    guest = next(iter(guests.values()))
    for match in matches(guest, tournament, state(guest, tournament)["round"]):
        if match["state"] == "playing":
            lost(house, clock, guests, match, max(match["first"], match["second"], key=order.index))
    look(house)


def crowd(house: Runtime, number: int) -> list[Player]:
    """So many players, who have nothing."""
    with house.write() as session:
        people = [
            Player(handle=f"p{n}", folded=f"p{n}", password="", key=_key(n), created_at=1)
            for n in range(number)
        ]
        session.add_all(people)
        session.flush()
        return people


def _key(number: int) -> str:
    return b64(public_key(number.to_bytes(32, "big")))


def rows(house: Runtime, tournament: str) -> list[TournamentMatch]:
    """All matches, by round and board."""
    query = select(TournamentMatch).where(TournamentMatch.tournament_id == tournament)
    with house.read() as session:
        return list(session.exec(query.order_by(col(TournamentMatch.round), col(TournamentMatch.board))))


def events(guest: Guest) -> list[tuple[str, dict[str, Any]]]:
    """What a guest was told about tournaments."""
    told = guest.get("/feed?after=0").json["events"]
    return [(each["event"], each["data"]) for each in told if each["event"].startswith("tournament.")]
