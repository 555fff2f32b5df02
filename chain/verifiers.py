"""The contracts that check proofs and signatures, asked as the program asks its own functions.

Each method answers whether the contract accepts, and the gas of the call as a transaction. A contract refuses
malformed input by reverting; that is a refusal like any other here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chain.calls import Reverted
from chain.contracts import Caller, Contract, artifacts
from chain.evm import EvmChain
from chain.hints import hints
from chain.points import ys
from crypto.group import POINT_BYTES

BLOCK = 136
"""The bytes of a block of TupleHash256."""
MOST_DATA = 8192
MOST_PARTS = 16
"""What one call of `digest` takes in all."""
MOST_BLOCKS = 64
"""The most blocks that one call absorbs: some 4 million gas."""
SHUFFLE_POINTS = 7


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a contract says of a statement, and the gas of all calls that it took."""

    holds: bool
    gas: int
    most: int
    """The gas of the dearest call."""
    why: str = ""
    """Why it reverted, if it did."""

    def behind(self, gas: int, most: int) -> Verdict:
        """This verdict with the gas of the calls before it."""
        return replace(self, gas=self.gas + gas, most=max(self.most, most))


def two(digest: bytes) -> list[bytes]:
    """A digest or a signature of 64 bytes as the contracts take it."""
    return [digest[:32], digest[32:]]


def _head(size: int) -> bytes:
    """left_encode of the bits in so many bytes (SP 800-185, section 2.3.1)."""
    bits = 8 * size
    data = bits.to_bytes(max(1, (bits.bit_length() + 7) // 8), "big")
    return bytes([len(data)]) + data


def framed(parts: Sequence[bytes]) -> bytes:
    """Parts of a tuple, each behind its head."""
    return b"".join(_head(len(part)) + part for part in parts)


def _whole(points: Sequence[bytes]) -> bool:
    """Tell whether all points have 48 bytes: only then does their sequence say where each begins."""
    return all(len(point) == POINT_BYTES for point in points)


def _leading(proof: bytes, count: int) -> list[bytes]:
    """The points at the beginning of a proof."""
    return [proof[at : at + POINT_BYTES] for at in range(0, POINT_BYTES * count, POINT_BYTES)]


@dataclass(frozen=True, slots=True)
class Verifiers:
    """The three contracts, on a chain of this machine or behind a node."""

    papers: Contract
    seals: Contract
    decks: Contract

    @classmethod
    def deployed(cls, on: EvmChain) -> Verifiers:
        """Deploy them on a chain of this machine, with the contract of the generators."""
        found = artifacts()
        generators = on.deploy(found["generators"].creation()).created
        return cls(
            Contract(found["papers"], on.deploy(found["papers"].creation()).created, on),
            Contract(found["seals"], on.deploy(found["seals"].creation(generators)).created, on),
            Contract(found["decks"], on.deploy(found["decks"].creation(generators)).created, on),
        )

    @classmethod
    def at(cls, on: Caller, papers: bytes, seals: bytes, decks: bytes) -> Verifiers:
        """The contracts at these addresses."""
        found = artifacts()
        return cls(
            Contract(found["papers"], papers, on),
            Contract(found["seals"], seals, on),
            Contract(found["decks"], decks, on),
        )

    def seal(
        self,
        ctx: bytes,
        hand: Sequence[bytes],
        courses: int,
        seal: bytes,
        proof: bytes,
        y: bytes | None = None,
    ) -> Verdict:
        """`meal.verify`; the y's are computed unless they are given."""
        if not _whole([*hand, seal]):
            return Verdict(False, 0, 0, "a point has another length than 48 bytes")
        own = [*hand, seal, *_leading(proof, 3 + courses)]
        given = (two(ctx), b"".join(hand), courses, seal, proof, ys(own) if y is None else y)
        return self._asked(self.seals, "verify", *given)

    def deck(
        self,
        ctx: bytes,
        before: Sequence[bytes],
        after: Sequence[bytes],
        proof: bytes,
        y: bytes | None = None,
    ) -> Verdict:
        """`shuffle.verify`; the y's are computed unless they are given."""
        if not _whole([*before, *after]):
            return Verdict(False, 0, 0, "a point has another length than 48 bytes")
        own = [*before, *after, *_leading(proof, SHUFFLE_POINTS)]
        given = (two(ctx), b"".join(before), b"".join(after), proof, ys(own) if y is None else y)
        return self._asked(self.decks, "verify", *given)

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> Verdict:
        """`identity.verify` of a checked key, over a digest of 64 bytes."""
        if len(key) != 32 or len(digest) != 64 or len(signature) != 64:
            return Verdict(False, 0, 0, "a key has 32 bytes, a digest and a signature 64")
        try:
            own = hints(key, digest, signature)
        except ValueError as error:
            return Verdict(False, 0, 0, str(error))
        return self._asked(self.papers, "verify", key, two(digest), two(signature), own)

    def digest(self, label: str, parts: Sequence[bytes]) -> tuple[bytes, int, int]:
        """`tuple_hash` of 64 bytes, the gas of its calls, and that of the dearest.

        Data of more than 64 blocks goes in by several calls. Raises `Reverted`.
        """
        data = framed(parts)
        whole = (len(data) - 1) // BLOCK if data else 0
        if len(data) <= MOST_DATA and len(parts) <= MOST_PARTS:
            found, gas = self.papers.ask("digest", label.encode(), parts)
            return b"".join(found), gas, gas
        state, gas = self.papers.ask("begin", label.encode())
        spent = [gas]
        step = BLOCK * MOST_BLOCKS
        end = BLOCK * whole
        for at in range(0, end, step):
            state, gas = self.papers.ask("absorb", state, data[at : min(at + step, end)])
            spent.append(gas)
        found, gas = self.papers.ask("finish", state, data[end:])
        return b"".join(found), sum(spent) + gas, max(*spent, gas)

    def context(self, *arguments: object) -> tuple[bytes, int]:
        """`meal.context`, of the arguments of the contract's function, and its gas; raises `Reverted`."""
        found, gas = self.seals.ask("context", *arguments)
        return b"".join(found), gas

    def _asked(self, contract: Contract, name: str, *arguments: object) -> Verdict:
        try:
            holds, gas = contract.ask(name, *arguments)
        except Reverted as refused:
            return Verdict(False, 0, 0, str(refused))
        return Verdict(holds, gas, gas)
