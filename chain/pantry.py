"""Transactions for the pantry, by which copies leave a house as tokens and come back, for any wallet."""

from __future__ import annotations

from collections.abc import Sequence

from chain.hints import hints
from chain.house import transaction
from chain.verifiers import two
from crypto.encoding import uuid_bytes
from referee.on_chain import Place, copies_out

OUT = 720_000
OUT_EACH = 65_000
"""The gas to give a statement, and each of its copies besides; docs/chain.md has what they take."""
BACK = 60_000
"""The gas to give a token's burning."""
PASSING = 70_000
"""The gas to give a token's way to another wallet."""


def brought_out(
    place: Place,
    receiver: bytes,
    until: int,
    tokens: Sequence[tuple[bytes, int]],
    key: bytes,
    signature: bytes,
) -> dict[str, str]:
    """Bring copies out, as the house has signed.

    `tokens` are ids of 32 bytes with their trips, in the order of the statement. `until` is in seconds since
    1970; receiver, key and signature have 20, 32 and 64 bytes.
    """
    found = hints(key, copies_out(place, receiver, until, tokens), signature)
    numbers, trips = [int.from_bytes(token, "big") for token, _ in tokens], [trip for _, trip in tokens]
    gas = OUT + OUT_EACH * len(tokens)
    return transaction(
        "pantry", place, "bring_out", gas, receiver, until, numbers, trips, two(signature), found
    )


def taken_back(place: Place, token: bytes, player: str) -> dict[str, str]:
    """Burn a token (32 bytes), so that the house gives its copy to the player of this id."""
    number = int.from_bytes(token, "big")
    return transaction("pantry", place, "take_back", BACK, number, uuid_bytes(player))


def passed_on(place: Place, token: bytes, sender: bytes, receiver: bytes) -> dict[str, str]:
    """Give a token (32 bytes) of the wallet `sender` to another wallet."""
    number = int.from_bytes(token, "big")
    return transaction("pantry", place, "transferFrom", PASSING, sender, receiver, number)
