"""Calls of the client about opponents: challenges, the queue, ratings and leaderboards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from client.calls import Calls, path_of
from player.house import ApiProblem

Json = dict[str, Any]


class LadderCalls(Calls):
    """Requests about opponents. The answers are the house's JSON as it is (docs/ratings.md)."""

    def ratings(self, handle: str) -> list[Json]:
        """A player's ratings, by mode."""
        return list(self._get(path_of("players", handle, "ratings"))["items"])

    def rating_history(self, handle: str, mode: str) -> Iterator[Json]:
        """A player's rating in a mode after each game, newest first."""
        return self._items(path_of("players", handle, "ratings", mode))

    def rating_chart(self, handle: str, mode: str) -> bytes:
        """A player's rating in a mode as SVG."""
        return self._call("GET", path_of("players", handle, "ratings", mode, "chart.svg")).content

    def opponents(self, mode: str) -> list[Json]:
        """My results in rated games of a mode, by opponent."""
        return list(self._get(path_of("me", "opponents", mode))["items"])

    def results_by_deck(self, handle: str, mode: str) -> Json:
        """A player's results in rated games of a mode: the `items` by deck, and the `others`."""
        return self._get(path_of("players", handle, "ratings", mode, "decks"))

    def favourite_dishes(self, handle: str) -> list[Json]:
        """The dishes that a player has served most often."""
        return list(self._get(path_of("players", handle, "dishes"))["items"])

    def game_rating(self, game_id: str) -> Json:
        """What a game that is over did to its players' ratings."""
        return self._get(path_of("games", game_id, "rating"))

    def seasons(self) -> Json:
        """The seasons: `now`, and the `items` in which games were played."""
        return self._get("/seasons")

    def leaderboard(self, mode: str, season: str | None = None) -> Iterator[Json]:
        """The players of a mode in a season (now, by default), the best first."""
        return self._items(path_of("leaderboards", mode), {} if season is None else {"season": season})

    def challenges(self) -> list[Json]:
        """The open challenges by me and to me, newest first."""
        return list(self._get("/challenges")["items"])

    def challenge(self, to: str, mode: str, **more: Any) -> Json:
        """Challenge a player by handle; `more` goes into the body: pace, options, format, rated, deck."""
        return self._object("POST", "/challenges", json={"to": to, "mode": mode, **more})

    def answer_challenge(self, challenge_id: str, verb: str, deck: str | None = None) -> Json:
        """Answer a challenge: "accept" it, perhaps with a deck, "decline" it, or "withdraw" my own."""
        body = {"deck": deck} if verb == "accept" else {}
        return self._object("POST", path_of("challenges", challenge_id, verb), json=body)

    def wait_for_opponent(self, mode: str, **more: Any) -> Json:
        """Wait in the queue; `more` goes into the body: pace, format, rated, deck."""
        return self._object("POST", "/queue", json={"mode": mode, **more})

    def waiting(self) -> Json | None:
        """My place in the queue; None if I do not wait."""
        try:
            return self._get("/queue")
        except ApiProblem as problem:
            if problem.status != 404:
                raise
            return None

    def stop_waiting(self) -> None:
        """Leave the queue."""
        self._call("DELETE", "/queue")
