"""A party's secrets in a match, all derived from one match secret (protocol sections 12 and 20.11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from crypto.encoding import i2osp
from crypto.fairness import Chain, Stream, draw
from crypto.transcript import blocks, idle, to_scalar, tuple_hash

SECRET_BYTES = 32
FRESH_BYTES = 32
DECK_SIZE = 40
LONGEST_WITNESS = 320
"""A bound in bytes: no choice of 40 cards takes as many."""


MaskMaker = Callable[[bytes, bytes], Iterator[int]]
"""Makes the masks of one proof from the transcript's state and the witness (protocol section 20.11)."""


class MatchSecret:
    """The values derived from a match secret w of 32 bytes. Every game needs a fresh w."""

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

    def of_lock(self, fresh: bytes) -> MatchSecret:
        """The secret in the place of w for one lock: TH("lock-secret"; w, r; 32), r = 32 random bytes.

        A client whose memory may exist twice draws r anew for each lock (protocol section 20.11).
        """
        if len(fresh) != FRESH_BYTES:
            raise ValueError("the fresh bytes of a lock must be 32")
        return MatchSecret(tuple_hash("lock-secret", self._w, fresh, length=SECRET_BYTES))

    def lock_key(self, asked: bytes) -> int:
        """x = TH("lock-key"; w, d) mod q, the key of a lock (protocol section 20.11).

        `asked` is d, the digest of the entry that asks for the lock. For the house it is the digest of the
        entry before its message.
        """
        return to_scalar(tuple_hash("lock-key", self._w, asked))

    def mix_blinding(self, asked: bytes, i: int) -> int:
        """t_i = TH("mix-blinding"; w, d, I2OSP(i,2)) mod q, which remasks the card at position i."""
        return to_scalar(tuple_hash("mix-blinding", self._w, asked, i2osp(i, 2)))

    def mix_permutation(self, asked: bytes, n: int) -> tuple[int, ...]:
        """pi of a mix: the draw of n from n by the stream TH("mix-permutation"; w, d, I2OSP(i,4))."""
        stream = Stream(lambda i: tuple_hash("mix-permutation", self._w, asked, i2osp(i, 4)))
        return draw(stream, range(n), n)

    def masks(self, fresh: bytes) -> MaskMaker:
        """The masks of a mix or a linear proof; `fresh` is 32 random bytes."""
        return lambda state, witness: Masks(self._w, state, witness, fresh)


class Masks(Iterator[int]):
    """The blindings and masks of one proof, in the order in which protocol section 12 numbers them.

    They follow from the secret, context, witness and `fresh` alone: equal inputs give equal masks.
    """

    def __init__(self, w: bytes, ctx: bytes, witness: bytes, fresh: bytes) -> None:
        """`witness` is the canonical JSON of the proof's secret values; `fresh` is 32 random bytes."""
        if len(w) != SECRET_BYTES or len(fresh) != FRESH_BYTES:
            raise ValueError("the match secret and the fresh bytes must have 32 bytes each")
        self._w, self._ctx, self._witness, self._fresh = w, ctx, witness, fresh
        self._next = 0

    def __repr__(self) -> str:
        return "Masks(...)"

    def mask(self, j: int) -> int:
        """Mask j = 0, 1, ...: TH("mask"; w, ctx, witness, fresh, I2OSP(j,4)) mod q."""
        return to_scalar(tuple_hash("mask", self._w, self._ctx, self._witness, self._fresh, i2osp(j, 4)))

    def __next__(self) -> int:
        self._next += 1
        return self.mask(self._next - 1)

    def take(self, count: int) -> list[int]:
        """The next `count` masks."""
        return [next(self) for _ in range(count)]

    def even_out(self) -> None:
        """Hash extra blocks, so that the masks so far take the time that the longest witness would take.

        A meal's witness grows with the number of cards served, and every mask hashes it. Without this
        call, the time of a proof would betray that number.
        """
        # TupleHash256 encodes the length of a part of 32 to 8,191 bytes in three bytes, as it does the
        # output's. It encodes the length of the 4-byte index in two.
        before = sum(len(part) + 3 for part in (self._w, self._ctx, b"", self._fresh)) + 4 + 2 + 3
        spare = blocks(before + LONGEST_WITNESS) - blocks(before + len(self._witness))
        idle(self._next * max(0, spare))
