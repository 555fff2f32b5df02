"""A player's webhooks at a house, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.http import Api


class Webhooks:
    """The webhooks of whoever is signed in with `api`."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def every(self) -> list[dict[str, Any]]:
        """All of them, oldest first."""
        return list(self._api.ask("GET", "webhooks")["items"])

    def add(self, url: str, events: Sequence[str]) -> dict[str, Any]:
        """A new one, this once with its secret."""
        return self._api.ask("POST", "webhooks", json={"url": url, "events": [*events]})

    def remove(self, webhook_id: str) -> None:
        """Have nothing sent there any more."""
        self._api.ask("DELETE", "webhooks", webhook_id)

    def rotate(self, webhook_id: str) -> dict[str, Any]:
        """With a new secret, this once."""
        return self._api.ask("POST", "webhooks", webhook_id, "rotate")

    def enable(self, webhook_id: str) -> dict[str, Any]:
        """One that was disabled, again."""
        return self._api.ask("POST", "webhooks", webhook_id, "enable")

    def ping(self, webhook_id: str) -> dict[str, Any]:
        """Send a ping; its delivery."""
        return self._api.ask("POST", "webhooks", webhook_id, "ping")

    def deliveries(self, webhook_id: str) -> list[dict[str, Any]]:
        """The newest deliveries, newest first."""
        return list(self._api.ask("GET", "webhooks", webhook_id, "deliveries")["items"])
