"""Transactions for the contract of prizes, and what two chefs sign to agree, for any wallet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chain import house
from chain.calls import checksummed
from chain.hints import hints
from chain.verifiers import two
from crypto.encoding import uuid_bytes
from referee.on_chain import Place, bits, settlement

WINDOW = 2 * 86_400
"""Seconds from the house's word to its effect."""
GAS = {
    "open": 190_000,
    "agree": 120_000,
    "tell": 850_000,
    "settle": 120_000,
    "withdraw": 80_000,
}
"""The gas to give each transaction; docs/chain.md has what they take."""


def transaction(place: Place, name: str, *arguments: Any, wei: int = 0) -> dict[str, str]:
    """A transaction that calls a function of the contract, as JSON for any wallet."""
    return house.transaction("prizes", place, name, GAS[name], *arguments, wei=wei)


def opened(place: Place, game: str, wallets: tuple[bytes, bytes], end: int, wei: int) -> dict[str, str]:
    """Open a pot: the wallets are 20 bytes each in the order of the seats, `end` is in seconds since 1970."""
    return transaction(place, "open", uuid_bytes(game), *wallets, end, wei=wei)


def told(
    place: Place, game: str, winners: Sequence[int], result: bytes, key: bytes, signature: bytes
) -> dict[str, str]:
    """Put down the house's word, of its digest of the result entry and its signature (64 bytes each)."""
    found = hints(key, settlement(place, game, winners, result), signature)
    said = (uuid_bytes(game), bits(winners), two(result), two(signature), found)
    return transaction(place, "tell", *said)


def agreed(place: Place, pot: bytes, winners: int, signatures: Sequence[bytes]) -> dict[str, str]:
    """Pay a pot as both wallets have signed, 65 bytes each; ValueError for another length."""
    if any(len(signature) != 65 for signature in signatures):
        raise ValueError("a wallet's signature has 65 bytes")
    v = [it[64] if it[64] >= 27 else it[64] + 27 for it in signatures]
    r, s = [it[:32] for it in signatures], [it[32:64] for it in signatures]
    return transaction(place, "agree", pot, winners, v, r, s)


def agreement(place: Place, pot: bytes, winners: int) -> dict[str, Any]:
    """What a wallet signs to agree: typed data (EIP-712), for `eth_signTypedData_v4`."""
    domain = (
        ("name", "string"),
        ("version", "string"),
        ("chainId", "uint256"),
        ("verifyingContract", "address"),
    )
    return {
        "types": {
            "EIP712Domain": [{"name": name, "type": kind} for name, kind in domain],
            "Agreed": [{"name": "pot", "type": "bytes32"}, {"name": "winners", "type": "uint8"}],
        },
        "primaryType": "Agreed",
        "domain": {
            "name": "Cloche prizes",
            "version": "1",
            "chainId": place.chain_id,
            "verifyingContract": checksummed(place.contract),
        },
        "message": {"pot": "0x" + pot.hex(), "winners": winners},
    }
