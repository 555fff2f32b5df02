"""A player's collection at a house: copies, coins, boosters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from client.calls import Calls, path_of
from crypto.encoding import b64


class CollectionCalls(Calls):
    """Requests about what the signed-in player owns."""

    def copies(self, card: str | None = None) -> Iterator[dict[str, Any]]:
        """My copies of all cards, or of one card by slug."""
        return self._items("/collection/copies", None if card is None else {"card": card})

    def provenance(self, copy_id: str) -> bytes:
        """The provenance file of a copy: its origin and its owners."""
        return self._call("GET", path_of("collection", "copies", copy_id, "provenance")).content

    def copy_metadata(self, copy_id: str) -> bytes:
        """A copy as ERC-721 metadata."""
        return self._call("GET", path_of("collection", "copies", copy_id, "metadata.json")).content

    def rewards(self) -> dict[str, Any]:
        """The house's rewards for winning."""
        return self._get("/rewards")

    def wallet(self) -> dict[str, Any]:
        """My coins, my rewarded wins, and the wins that lack for the next booster."""
        return self._get("/wallet")

    def booster_odds(self) -> list[dict[str, Any]]:
        """The boosters that the house sells: rules, price, odds."""
        return list(self._get("/boosters/odds")["items"])

    def boosters(self, state: str = "closed") -> Iterator[dict[str, Any]]:
        """My boosters that are "closed", or those that are "opened"."""
        return self._items("/boosters", {"state": state})

    def buy_booster(self, code: str) -> dict[str, Any]:
        """Buy a booster of a set."""
        return self._object("POST", "/boosters", json={"set": code})

    def booster_commitment(self) -> dict[str, Any]:
        """The house's commitment for my next openings."""
        return self._object("POST", "/boosters/commitment")

    def open_booster(self, booster_id: str, anchor: bytes, nonce: bytes) -> dict[str, Any]:
        """Open a booster with my 32-byte nonce, under the commitment of this 64-byte anchor."""
        choice = {"anchor": b64(anchor), "nonce": b64(nonce)}
        return self._object("POST", path_of("boosters", booster_id, "open"), json=choice)

    def booster_record(self) -> bytes:
        """The file of all boosters that I have opened."""
        return self._call("GET", "/boosters/record").content
