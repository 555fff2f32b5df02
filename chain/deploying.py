"""Where the verifiers lie: the same addresses on every chain, which follow from their code alone.

They are deployed through the deterministic deployment proxy of github.com/Arachnid, a contract that nearly
every chain has at one address. It creates others by CREATE2 (EIP-1014): the address is a hash of the code
that creates it. So whoever deploys them, what lies at the address is that code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from chain.calls import checksummed, keccak256
from chain.contracts import VERIFIERS, Artifact, Caller, artifacts
from chain.verifiers import Verifiers

PROXY = bytes.fromhex("4e59b44847b379578588920ca78fbf26c0b4956c")
PROXY_CODE = bytes.fromhex(
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234"
    "f58015156039578182fd5b8082525050506014600cf3"
)
SALT = bytes(32)
GAS = {"generators": 4_800_000, "papers": 3_000_000, "seals": 3_400_000, "decks": 3_400_000}
"""The gas to give each deployment; docs/chain.md has what they take."""


class Coded(Caller, Protocol):
    """What a contract can be asked through, and its code be read."""

    def code(self, address: bytes) -> bytes:
        """The code of a contract; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A verifier, and where it lies."""

    artifact: Artifact
    creation: bytes
    """The code that creates it, with the constructor's arguments."""

    @property
    def address(self) -> bytes:
        """Its address on every chain."""
        return keccak256(b"\xff" + PROXY + SALT + keccak256(self.creation))[12:]

    def transaction(self, chain_id: int | None = None) -> dict[str, Any]:
        """The transaction that deploys it, for any wallet."""
        given = {} if chain_id is None else {"chainId": hex(chain_id)}
        data = "0x" + (SALT + self.creation).hex()
        return given | {
            "to": checksummed(PROXY),
            "value": "0x0",
            "gas": hex(GAS[self.artifact.name]),
            "data": data,
        }


@cache
def placed() -> Mapping[str, Placed]:
    """The verifiers by name, in the order in which they are deployed."""
    found: dict[str, Placed] = {}
    for name in VERIFIERS:
        artifact = artifacts()[name]
        arguments = [found["generators"].address] if name in ("seals", "decks") else []
        found[name] = Placed(artifact, artifact.creation(*arguments))
    return found


def missing(on: Coded) -> list[str]:
    """The verifiers that nobody has deployed on this chain."""
    return [name for name, it in placed().items() if not on.code(it.address)]


def verifiers(on: Caller) -> Verifiers:
    """The verifiers at their addresses."""
    found = placed()
    return Verifiers.at(on, *(found[name].address for name in ("papers", "seals", "decks")))
