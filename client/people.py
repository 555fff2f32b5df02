"""Other players: blocks, and reports to the moderators of a house."""

from __future__ import annotations

from typing import Any

from client.http import Api


class People:
    """Requests of the signed-in player about other players."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def blocked(self) -> list[dict[str, Any]]:
        """The players whom I have blocked, the newest block first."""
        return list(self._api.ask("GET", "me", "blocks")["items"])

    def block(self, handle: str) -> dict[str, Any]:
        """Block a player: we meet at no table and in no trade."""
        return self._api.ask("PUT", "me", "blocks", handle)

    def unblock(self, handle: str) -> None:
        """Lift a block."""
        self._api.ask("DELETE", "me", "blocks", handle)

    def report(self, about: str, kind: str, note: str = "", **things: str | None) -> dict[str, Any]:
        """Report a player; `things` may name a `game`, a `deck` and a `table` by id."""
        named = {name: thing for name, thing in things.items() if thing is not None}
        return self._api.ask("POST", "reports", json={"about": about, "kind": kind, "note": note, **named})

    def reports(self) -> list[dict[str, Any]]:
        """My newest reports, with their verdicts."""
        return list(self._api.ask("GET", "reports")["items"])
