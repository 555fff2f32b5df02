"""Phrases: what the players of a game say to each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from client.http import Api


@dataclass(frozen=True, slots=True)
class Heard:
    """A phrase that another player has said, in words."""

    name: str
    words: str


class Phrases:
    """Requests of the signed-in player about phrases."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def known(self) -> Mapping[str, str]:
        """The words of each phrase that can be said here, by its code."""
        return {each["phrase"]: each["text"] for each in self._api.ask("GET", "me", "phrases")["items"]}

    def say(self, game_id: str, phrase: str) -> None:
        """Say a phrase to the other players of a game."""
        self._api.ask("POST", "games", game_id, "phrases", json={"phrase": phrase})

    def muted(self) -> bool:
        """Tell whether I hear no phrases."""
        return bool(self._api.ask("GET", "me", "phrases")["muted"])

    def mute(self, on: bool) -> None:
        """Mute all phrases at all tables, or hear them again."""
        self._api.ask("PUT", "me", "phrases", json={"muted": on})

    def newest(self) -> int:
        """The id of my newest event, after which to listen."""
        return int(self._api.ask("GET", "feed")["newest"])

    def heard(self, game_id: str, after: int) -> Iterator[Heard]:
        """The phrases that others say at a table after an event of mine, as they come. They don't end."""
        words = self.known()
        for event in self._api.feed(after):
            if event.name == "game.said" and event.data["game"] == game_id:
                code = str(event.data["phrase"])
                yield Heard(str(event.data["name"]), words.get(code, code))


def spoken(known: Mapping[str, str], text: str) -> str | None:
    """The code of the phrase that a text means, by its code, its words or the only beginning; else None."""
    wanted = text.casefold().strip(" .!,").replace(" ", "_")
    if not wanted:
        return None
    found = [code for code in known if code.startswith(wanted)]
    return wanted if wanted in known else found[0] if len(found) == 1 else None
