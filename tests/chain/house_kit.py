"""A house's contracts on a chain of this machine, and what the house signs for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from chain.calls import Reverted, keccak256
from chain.contracts import Contract, artifacts
from chain.deploying import placed
from chain.evm import EvmChain, TransactionReceipt
from chain.hints import hints
from chain.local import LocalChain
from chain.verifiers import two
from crypto.identity import public_key, sign
from referee.on_chain import Place, copies_out, house_on_chain, settlement

PRIVATE = bytes(range(32))
KEY = public_key(PRIVATE)
ETHER = 10**18
DAY = 86400
BASE = "https://house.example/api/v1/tokens/"
GAME = "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"
PLAYER = bytes(range(16))


def account(name: str) -> bytes:
    """An address that nobody has a key of."""
    return keccak256(name.encode())[:20]


ANNA, BEN, CLARA = (account(name) for name in ("Anna", "Ben", "Clara"))


def token(number: int) -> int:
    return int.from_bytes(keccak256(f"token {number}".encode()), "big")


def signed(digest: bytes, private: bytes = PRIVATE) -> tuple[list[bytes], tuple[int, int, int]]:
    """A signature of the house and the hints for it, as a contract takes them."""
    signature = sign(private, digest)
    return two(signature), hints(public_key(private), digest, signature)


@dataclass
class Deployed:
    """A contract of a house's."""

    contract: Contract
    machine: EvmChain

    @property
    def place(self) -> Place:
        return Place(self.machine.chain_id, self.contract.address)

    def ask(self, name: str, *arguments: Any) -> Any:
        return self.contract.ask(name, *arguments)[0]

    def send(self, name: str, *arguments: Any, by: bytes = ANNA, value: int = 0) -> TransactionReceipt:
        return self.machine.send(
            self.contract.address, self.contract.artifact.data(name, *arguments), by, value
        )

    def refuses(self, why: str, name: str, *arguments: Any, by: bytes = ANNA, value: int = 0) -> None:
        with pytest.raises(Reverted) as refused:
            self.send(name, *arguments, by=by, value=value)
        assert str(refused.value) == why or (not why and refused.value.data == b"")

    def told(self, receipt: TransactionReceipt) -> list[tuple[str, dict[str, Any]]]:
        """The events of a transaction."""
        read = (self.contract.artifact.read(log.topics, log.data) for log in receipt.logs)
        return [event for event in read if event is not None]

    def out(
        self, receiver: bytes, trips: Sequence[tuple[int, int]], until: int | None = None, **other: Any
    ) -> tuple[Any, ...]:
        """The arguments of `bring_out`, as the house signs them; `other` replaces the signer or the place."""
        until = self.machine.time + DAY if until is None else until
        listed = [(number.to_bytes(32, "big"), trip) for number, trip in trips]
        digest = copies_out(other.get("place", self.place), receiver, until, listed)
        tokens, counted = [number for number, _ in trips], [trip for _, trip in trips]
        return receiver, until, tokens, counted, *signed(digest, other.get("private", PRIVATE))

    def word(self, winners: Sequence[int], game: str = GAME, **other: Any) -> tuple[Any, ...]:
        """The arguments of `tell`."""
        result = other.get("result", bytes(64))
        digest = settlement(other.get("place", self.place), game, winners, result)
        said = signed(digest, other.get("private", PRIVATE))
        return bytes.fromhex(game.replace("-", "")), sum(1 << seat for seat in winners), two(result), *said

    def succession(self, key: bytes, private: bytes = PRIVATE) -> tuple[Any, ...]:
        """The arguments of `succeed`."""
        return key, *signed(house_on_chain(self.place, key), private)


def new_chain() -> LocalChain:
    chain = LocalChain()
    chain.deploy_verifiers()
    return chain


def deployed(chain: LocalChain, name: str, *arguments: Any) -> Deployed:
    artifact = artifacts()[name]
    creation = artifact.creation(placed()["papers"].address, KEY, *arguments)
    made = chain.send(b"", creation)
    return Deployed(Contract(artifact, made.created, chain.machine), chain.machine)


@contextmanager
def unchanged(machine: EvmChain) -> Iterator[None]:
    """Put the state and the clock back afterwards."""
    before, time = machine.snapshot(), machine.time
    try:
        yield
    finally:
        machine.back_to(before)
        machine.time = time
