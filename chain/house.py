"""Transactions that call a contract of a house, as JSON for any wallet."""

from __future__ import annotations

from typing import Any

from chain.calls import checksummed
from chain.contracts import artifacts
from chain.hints import hints
from chain.verifiers import two
from referee.on_chain import Place, house_on_chain

SUCCEEDING = 750_000
"""The gas to give a succession; docs/chain.md has what it takes."""


def transaction(
    contract: str, place: Place, name: str, gas: int, *arguments: Any, wei: int = 0
) -> dict[str, str]:
    """A transaction that calls a function of a contract, "pantry" or "prizes", and may take so much gas."""
    return {
        "chainId": hex(place.chain_id),
        "to": checksummed(place.contract),
        "value": hex(wei),
        "gas": hex(gas),
        "data": "0x" + artifacts()[contract].data(name, *arguments).hex(),
    }


def succeeded(contract: str, place: Place, old: bytes, new: bytes, signature: bytes) -> dict[str, str]:
    """Have a contract take a new key of the house (32 bytes), as the old one has signed (64 bytes)."""
    found = hints(old, house_on_chain(place, new), signature)
    return transaction(contract, place, "succeed", SUCCEEDING, new, two(signature), found)
