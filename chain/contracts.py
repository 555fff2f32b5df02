"""The contracts as they are compiled, in contracts/artifacts.json, and calls to them by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from chain.calls import Answer, Reverted, decode, encode, keccak256

FOLDER = Path(__file__).parent.parent / "contracts"
VERIFIERS = ("generators", "papers", "seals", "decks")
"""The contracts that check proofs and signatures, in the order in which they are deployed."""


class Caller(Protocol):
    """What a contract can be asked through: a chain on this machine, or a node."""

    def call(self, to: bytes, data: bytes) -> Answer:
        """Ask a contract, and change nothing; raises `Reverted`."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled contract."""

    name: str
    abi: Sequence[Mapping[str, Any]]
    bytecode: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the bytecode, in hexadecimal."""
        return sha256(self.bytecode).hexdigest()

    def creation(self, *arguments: Any) -> bytes:
        """The data of the transaction that deploys it, with the constructor's arguments."""
        constructors = [item for item in self.abi if item["type"] == "constructor"]
        return self.bytecode + (encode(_kinds(constructors[0]["inputs"]), arguments) if constructors else b"")

    def function(self, name: str) -> Mapping[str, Any]:
        """The interface of a function; KeyError if there is none."""
        for item in self.abi:
            if item["type"] == "function" and item["name"] == name:
                return item
        raise KeyError(name)

    def data(self, name: str, *arguments: Any) -> bytes:
        """The data of a call."""
        kinds = _kinds(self.function(name)["inputs"])
        return keccak256(f"{name}({','.join(kinds)})".encode())[:4] + encode(kinds, arguments)


def _kinds(listed: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(item["type"]) for item in listed]


@cache
def artifacts() -> Mapping[str, Artifact]:
    """All contracts by name."""
    found = json.loads((FOLDER / "artifacts.json").read_text())
    return {name: Artifact(name, it["abi"], bytes.fromhex(it["bytecode"][2:])) for name, it in found.items()}


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract at its address."""

    artifact: Artifact
    address: bytes
    on: Caller

    def ask(self, name: str, *arguments: Any) -> tuple[Any, int]:
        """What a function answers, and the gas of that as a transaction; raises `Reverted`."""
        answer = self.on.call(self.address, self.artifact.data(name, *arguments))
        try:
            values = decode(_kinds(self.artifact.function(name)["outputs"]), answer.data)
        except ValueError as error:
            raise Reverted(f"{self.artifact.name} did not answer: {error}") from None
        return values[0] if len(values) == 1 else values, answer.gas
