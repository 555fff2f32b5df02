"""Tournaments of a house: find, enter, follow and direct them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from client.http import Api
from player.house import ApiProblem

Json = dict[str, Any]


class Tournaments:
    """Requests about tournaments. The answers are the house's JSON as it is (docs/tournaments.md)."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def all(self, state: str | None = None) -> Iterator[Json]:
        """The tournaments of the house, newest first: all, or those in a state."""
        return self._api.items("tournaments", query={} if state is None else {"state": state})

    def mine(self) -> Iterator[Json]:
        """The tournaments that I have entered, the newest entry first."""
        return self._api.items("me", "tournaments")

    def create(self, name: str, system: str, mode: str, **more: Any) -> Json:
        """Create a tournament, which I direct; `more` goes into the body: fee, prizes, places, rounds ..."""
        body = {"name": name, "system": system, "mode": mode, **more}
        return self._api.ask("POST", "tournaments", json=body)

    def find(self, tournament_id: str) -> Json:
        """One tournament."""
        return self._api.ask("GET", "tournaments", tournament_id)

    def standings(self, tournament_id: str) -> Iterator[Json]:
        """The players in the order of the standings."""
        return self._api.items("tournaments", tournament_id, "standings")

    def matches(self, tournament_id: str, number: int) -> Iterator[Json]:
        """The matches of a round, by board."""
        return self._api.items("tournaments", tournament_id, "rounds", str(number))

    def player(self, tournament_id: str, handle: str) -> Json:
        """A player in a tournament, with the newest match; when it is over, with the deck."""
        return self._api.ask("GET", "tournaments", tournament_id, "entries", handle)

    def entry(self, tournament_id: str) -> Json | None:
        """My own entry, with deck and newest match; None if I have not entered."""
        try:
            return self._api.ask("GET", "tournaments", tournament_id, "entry")
        except ApiProblem as problem:
            if problem.status != 404:
                raise
            return None

    def enter(self, tournament_id: str, deck: str | None = None) -> Json:
        """Enter a tournament, with a deck by id where decks are the players' own; or change the deck."""
        return self._api.ask("PUT", "tournaments", tournament_id, "entry", json={"deck": deck})

    def leave(self, tournament_id: str) -> None:
        """Leave a tournament: before the start the fee comes back."""
        self._api.ask("DELETE", "tournaments", tournament_id, "entry")

    def start(self, tournament_id: str) -> Json:
        """Start a tournament before its time."""
        return self._api.ask("POST", "tournaments", tournament_id, "start", json={})

    def cancel(self, tournament_id: str, reason: str) -> Json:
        """Cancel a tournament; everything is given back."""
        return self._api.ask("POST", "tournaments", tournament_id, "cancel", json={"reason": reason})

    def rule(self, tournament_id: str, number: int, board: int, result: str, reason: str) -> Json:
        """Set the result of a match: "first", "second", "draw" or "neither"."""
        parts = ("tournaments", tournament_id, "rounds", str(number), "matches", str(board))
        return self._api.ask("PUT", *parts, json={"result": result, "reason": reason})

    def drop(self, tournament_id: str, handle: str, reason: str) -> None:
        """Take a player out."""
        parts = ("tournaments", tournament_id, "entries", handle, "drop")
        self._api.ask("POST", *parts, json={"reason": reason})

    def restore(self, tournament_id: str, handle: str, reason: str) -> None:
        """Pair a player again who is out."""
        parts = ("tournaments", tournament_id, "entries", handle, "restore")
        self._api.ask("POST", *parts, json={"reason": reason})
