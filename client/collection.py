"""A player's collection at a house: copies, coins, boosters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

    def let_out(self, copies: Sequence[str], to: str) -> dict[str, Any]:
        """Let copies of mine out, by id, as tokens for an address; returns the house's signed statement."""
        return self.ask("POST", "collection", "outside", json={"copies": list(copies), "to": to})

    def statement(self, statement_id: str) -> dict[str, Any]:
        """A statement that I asked for, and what has become of its copies."""
        return self._get(path_of("collection", "outside", statement_id))

    def token(self, token: str) -> dict[str, Any]:
        """The metadata of a token that has ever been let out, by its id in 64 hexadecimal digits."""
        return self._get(path_of("pantry", token), {"image": "url"})

    def rewards(self) -> dict[str, Any]:
        """The house's rewards for winning."""
        return self._get("/rewards")

    def wallet(self) -> dict[str, Any]:
        """My coins, my rewarded wins, and the wins that lack for the next booster."""
        return self._get("/wallet")

    def reward(self, game_id: str) -> dict[str, Any]:
        """What a game that is over brought me, or why it brought nothing."""
        return self._get(path_of("games", game_id, "reward"))

    def booster_odds(self) -> list[dict[str, Any]]:
        """The boosters that the house sells: rules, price, odds."""
        return list(self._get("/boosters/odds")["items"])

    def boosters(self, state: str = "closed") -> Iterator[dict[str, Any]]:
        """My boosters that are "closed", or those that are "opened"."""
        return self._items("/boosters", {"state": state})

    def buy_booster(self, code: str) -> dict[str, Any]:
        """Buy a booster of a set."""
        return self._object("POST", "/boosters", json={"set": code})

    def booster_commitment(self, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The house's commitment for my next openings; `known` is one that I have."""
        return self._object("POST", "/boosters/commitment", json={"known": known})

    def ask_for_booster(
        self, booster_id: str, anchor: bytes, prev: bytes, seal: bytes, asked: bytes
    ) -> dict[str, Any]:
        """The house's receipt for an opening.

        I ask by the chain's anchor, the digest of the opening before, the sealed nonce, and my signature.
        """
        terms = {"anchor": b64(anchor), "prev": b64(prev), "seal": b64(seal), "asked": b64(asked)}
        return self._object("POST", path_of("boosters", booster_id, "ask"), json=terms)

    def open_booster(self, booster_id: str, receipt: Mapping[str, Any], nonce: bytes) -> dict[str, Any]:
        """Open a booster with the house's receipt and my 32-byte nonce."""
        choice = {"receipt": dict(receipt), "nonce": b64(nonce)}
        return self._object("POST", path_of("boosters", booster_id, "open"), json=choice)

    def booster_record(self) -> bytes:
        """The file of everything that I have asked for and opened."""
        return self._call("GET", "/boosters/record").content
