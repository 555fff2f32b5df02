"""What a chef keeps secret in a match, all of it from one match secret (protocol section 12)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from crypto.encoding import i2osp
from crypto.fairness import Chain, Stream, draw
from crypto.transcript import blocks, idle, to_scalar, tuple_hash

SECRET_BYTES = 32
FRESH_BYTES = 32
NO_FRESH = bytes(FRESH_BYTES)
"""The `fresh` that makes a prover deterministic: for test vectors only."""
DECK_SIZE = 40
LONGEST_WITNESS = 320
"""Bytes: more than any choice of 40 cards takes."""


class MatchSecret:
    """Everything that follows from a match secret w, 32 bytes, fresh for every game."""

    def __init__(self, w: bytes) -> None:
        if len(w) != SECRET_BYTES:
            raise ValueError(f"a match secret has {SECRET_BYTES} bytes, not {len(w)}")
        self._w = w

    def __repr__(self) -> str:
        return "MatchSecret(...)"

    def position_blinding(self, i: int) -> int:
        """t_i = TH("position-blinding"; w, I2OSP(i,1)) mod q, which hides the card at position i."""
        return to_scalar(tuple_hash("position-blinding", self._w, i2osp(i, 1)))

    @cached_property
    def certificate_seed(self) -> bytes:
        """c = TH("certificate-seed"; w; 32), which the owner sends to the house for its certificate."""
        return tuple_hash("certificate-seed", self._w, length=32)

    @cached_property
    def chain(self) -> Chain:
        """The seat's chain, from v_N = TH("chain-end"; w)."""
        return Chain(tuple_hash("chain-end", self._w))

    @cached_property
    def permutation(self) -> tuple[int, ...]:
        """pi: the draw of 40 from 40 by the stream TH("permutation"; w, I2OSP(i,4)); entry i is pi(i)."""
        stream = Stream(lambda i: tuple_hash("permutation", self._w, i2osp(i, 4)))
        return draw(stream, range(DECK_SIZE), DECK_SIZE)


class Masks(Iterator[int]):
    """The blindings and masks of one proof, in the order in which section 12 numbers them.

    The same secret, context, witness and `fresh` give the same masks again, other ones give others.
    """

    def __init__(self, w: bytes, ctx: bytes, witness: bytes, fresh: bytes) -> None:
        """`witness` is the canonical JSON of what is proven secretly; `fresh` 32 random bytes."""
        if len(w) != SECRET_BYTES or len(fresh) != FRESH_BYTES:
            raise ValueError("a match secret and fresh bytes, 32 each")
        self._w, self._ctx, self._witness, self._fresh = w, ctx, witness, fresh
        self._next = 0

    def __repr__(self) -> str:
        return "Masks(...)"

    def mask(self, j: int) -> int:
        """TH("mask"; w, ctx, witness, fresh, I2OSP(j,4)) mod q, the j-th from 0."""
        return to_scalar(tuple_hash("mask", self._w, self._ctx, self._witness, self._fresh, i2osp(j, 4)))

    def __next__(self) -> int:
        self._next += 1
        return self.mask(self._next - 1)

    def take(self, count: int) -> list[int]:
        """The next `count` masks."""
        return [next(self) for _ in range(count)]

    def even_out(self) -> None:
        """Hash as much more as the masks so far would have taken with the longest witness.

        The witness of a meal is longer the more cards it serves, and every mask hashes it: without this
        the time of a proof would tell.
        """
        # Parts of 32 to 8,191 bytes bring their lengths in three bytes, and so does the output; four in two.
        before = sum(len(part) + 3 for part in (self._w, self._ctx, b"", self._fresh)) + 4 + 2 + 3
        spare = blocks(before + LONGEST_WITNESS) - blocks(before + len(self._witness))
        idle(self._next * max(0, spare))
