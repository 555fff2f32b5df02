"""The contracts as they are compiled, in contracts/artifacts.json, and calls to them by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from chain.calls import CallResult, Reverted, decode, encode, keccak256

FOLDER = Path(__file__).parent.parent / "contracts"
VERIFIERS = ("generators", "papers", "seals", "decks")
"""The contracts that check proofs and signatures, in the order in which they are deployed."""


class Caller(Protocol):
    """What a contract can be asked through: a chain on this machine, or a node."""

    def call(self, to: bytes, data: bytes) -> CallResult:
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

    def function(self, name: str, inputs: int | None = None) -> Mapping[str, Any]:
        """The interface of a function, with this number of inputs if there are several; KeyError if none."""
        for item in self.abi:
            if item["type"] == "function" and item["name"] == name and inputs in (None, len(item["inputs"])):
                return item
        raise KeyError(name)

    def read(self, topics: Sequence[bytes], data: bytes) -> tuple[str, dict[str, Any]] | None:
        """The name of an event and its values, from what a contract has logged; None for any other log."""
        for item in self.abi:
            if item["type"] != "event" or not topics:
                continue
            inputs = item["inputs"]
            if keccak256(f"{item['name']}({','.join(_kinds(inputs))})".encode()) != topics[0]:
                continue
            known = [it for it in inputs if it["indexed"]]
            other = [it for it in inputs if not it["indexed"]]
            values = dict(zip([it["name"] for it in other], decode(_kinds(other), data), strict=True))
            for it, topic in zip(known, topics[1:], strict=True):
                values[it["name"]] = decode([it["type"]], topic)[0]
            return str(item["name"]), values
        return None

    def data(self, name: str, *arguments: Any) -> bytes:
        """The data of a call."""
        kinds = _kinds(self.function(name, len(arguments))["inputs"])
        return keccak256(f"{name}({','.join(kinds)})".encode())[:4] + encode(kinds, arguments)


def _kinds(listed: Sequence[Mapping[str, Any]]) -> list[str]:
    """The kinds of values. A struct without dynamic values lies as its members do."""
    found: list[str] = []
    for item in listed:
        found += _kinds(item["components"]) if item["type"] == "tuple" else [str(item["type"])]
    return found


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
