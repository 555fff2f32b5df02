"""Calls of a moderator of a house: reports, sanctions, names, the log of acts."""

from __future__ import annotations

from itertools import islice
from typing import Any

from client.http import Api

Json = dict[str, Any]


class Moderation:
    """Requests of a moderator. The answers are the house's JSON as it is (docs/moderation.md)."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def reports(self, state: str, limit: int) -> list[Json]:
        """The reports in a state, the oldest first."""
        return list(islice(self._api.items("moderation", "reports", query={"state": state}), limit))

    def decide(self, report_id: str, verb: str, **said: str) -> Json:
        """Take a report, release it, or close it with a verdict: `verb` is "take", "release" or "close"."""
        return self._api.ask("POST", "moderation", "reports", report_id, verb, json=said or None)

    def conduct(self, handle: str) -> Json:
        """A player's role and sanctions, and how much they have open."""
        return self._api.ask("GET", "moderation", "players", handle)

    def signals(self, handle: str) -> list[Json]:
        """What is unusual in a player's rated games."""
        return list(self._api.ask("GET", "moderation", "players", handle, "signals")["items"])

    def impose(self, handle: str, sanction: str, reason: str, hours: int | None) -> Json:
        """Impose a "suspension" or a "freeze" of trades."""
        body = {"reason": reason, "hours": hours}
        return self._api.ask("PUT", "moderation", "players", handle, sanction, json=body)

    def lift(self, handle: str, sanction: str) -> None:
        """Lift a "suspension" or a "freeze"."""
        self._api.ask("DELETE", "moderation", "players", handle, sanction)

    def rename(self, handle: str, new: str, reason: str) -> Json:
        """Give a player another handle."""
        body = {"handle": new, "reason": reason}
        return self._api.ask("POST", "moderation", "players", handle, "rename", json=body)

    def revoke(self, handle: str, reason: str) -> int:
        """Revoke all access tokens of a player; returns how many."""
        said = self._api.ask(
            "POST", "moderation", "players", handle, "revoke-tokens", json={"reason": reason}
        )
        return int(said["revoked"])

    def hide(self, sort: str, thing_id: str, reason: str, *, hidden: bool) -> None:
        """Hide a "deck" or a "table" by id, or show it again."""
        verb = "hidden" if hidden else "shown"
        self._api.ask("PUT", "moderation", f"{sort}s", thing_id, verb, json={"reason": reason})

    def acts(self, limit: int) -> list[Json]:
        """The newest acts of those who keep order."""
        return list(islice(self._api.items("moderation", "acts"), limit))
