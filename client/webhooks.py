"""A player's webhooks at a house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.http import Api


class Webhooks:
    """Requests about the webhooks of the signed-in player."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def every(self) -> list[dict[str, Any]]:
        """All my webhooks, oldest first."""
        return list(self._api.ask("GET", "webhooks")["items"])

    def add(self, url: str, events: Sequence[str]) -> dict[str, Any]:
        """Make a webhook. The answer names its secret, which is shown only once."""
        return self._api.ask("POST", "webhooks", json={"url": url, "events": [*events]})

    def remove(self, webhook_id: str) -> None:
        """Delete a webhook. Nothing is sent to it any more."""
        self._api.ask("DELETE", "webhooks", webhook_id)

    def rotate(self, webhook_id: str) -> dict[str, Any]:
        """Give a webhook a new secret. The answer names it, only once."""
        return self._api.ask("POST", "webhooks", webhook_id, "rotate")

    def enable(self, webhook_id: str) -> dict[str, Any]:
        """Enable a webhook that was disabled."""
        return self._api.ask("POST", "webhooks", webhook_id, "enable")

    def ping(self, webhook_id: str) -> dict[str, Any]:
        """Send a ping to a webhook; returns its delivery."""
        return self._api.ask("POST", "webhooks", webhook_id, "ping")

    def deliveries(self, webhook_id: str) -> list[dict[str, Any]]:
        """The latest deliveries to a webhook, newest first."""
        return list(self._api.ask("GET", "webhooks", webhook_id, "deliveries")["items"])
