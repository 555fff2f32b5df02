"""TupleHash256 under the protocol's labels, and the Fiat-Shamir transcript on it (protocol section 2)."""

from __future__ import annotations

from Crypto.Hash import TupleHash256

from crypto.group import ORDER

_PREFIX = b"cloche/v1/"
_RATE = 136
"""Bytes in a block of TupleHash256."""


class ProofError(ValueError):
    """A proof that fails. The text names the section of the protocol."""


def tuple_hash(label: str, *parts: bytes, length: int = 64) -> bytes:
    """TH(label; parts; length): TupleHash256 (NIST SP 800-185) with the customization `cloche/v1/` + label.

    Parameters: a label, any number of byte strings (empty ones count), and the output's length of 8 bytes
    or more. The parts are hashed as a tuple, so moving bytes between two of them changes the hash.
    """
    state = TupleHash256.new(digest_bytes=length, custom=_PREFIX + label.encode())
    if parts:
        state.update(*parts)
    digest: bytes = state.digest()
    return digest


def blocks(size: int) -> int:
    """The number of full blocks in `size` bytes that begin at the start of a block of TupleHash256."""
    return size // _RATE


def idle(count: int) -> None:
    """Spend the time that hashing `count` blocks takes, without a result."""
    TupleHash256.new(digest_bytes=8).update(bytes(_RATE * count)).digest()


def to_scalar(digest: bytes) -> int:
    """A digest as a scalar: its big-endian integer mod q."""
    return int.from_bytes(digest, "big") % ORDER


class Transcript:
    """The messages of a proof so far. Prover and verifier each make the same calls on one of their own.

    `label` separates the kinds of proof; `ctx` binds the proof to the context of its statement. Every
    message is absorbed under its name before the challenge that answers it.
    """

    def __init__(self, label: str, ctx: bytes) -> None:
        # T = TH("transcript"; label, ctx)
        self._state = tuple_hash("transcript", label.encode(), ctx)

    @property
    def state(self) -> bytes:
        """T, the 64 bytes that stand for all that was absorbed so far."""
        return self._state

    def absorb(self, name: str, *parts: bytes) -> None:
        """Add `parts` under `name`."""
        # T = TH("absorb"; T, name, x1, ..., xn)
        self._state = tuple_hash("absorb", self._state, name.encode(), *parts)

    def challenge(self, name: str) -> int:
        """The challenge called `name`, a non-zero scalar; ProofError if it would be 0."""
        # T = TH("challenge"; T, name); the challenge is T mod q
        self._state = tuple_hash("challenge", self._state, name.encode())
        scalar = to_scalar(self._state)
        if scalar == 0:
            raise ProofError(f"the challenge {name} is zero (protocol 2)")
        return scalar
