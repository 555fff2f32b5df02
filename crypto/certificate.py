"""The points of a certificate: the house commits to the 40 cards of a legal deck (protocol section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from crypto.encoding import i2osp
from crypto.group import card_point, prover
from crypto.meal import opening_of_card
from crypto.transcript import to_scalar, tuple_hash
from crypto.verifier import check

SEED_BYTES = 32


def blinding(seed: bytes, j: int) -> int:
    """s_j = TH("certificate-blinding"; c, I2OSP(j,1)) mod q, the blinding of D_j under the owner's seed c."""
    return to_scalar(tuple_hash("certificate-blinding", seed, i2osp(j, 1)))


def card_points(seed: bytes, vectors: Sequence[Sequence[int]]) -> tuple[bytes, ...]:
    """D_0, D_1, ...: the commitments to the cards of a deck, blinded from the owner's 32-byte seed c.

    `vectors` holds the cards' vectors, sorted by card number. Raises ValueError for a seed of another length.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a certificate's seed has {SEED_BYTES} bytes, not {len(seed)}")
    # D_j = Card(a_j; s_j)
    return tuple(card_point(vector, blinding(seed, j)) for j, vector in enumerate(vectors))


def opened(points: Sequence[bytes], seed: bytes, vectors: Sequence[Sequence[int]]) -> list[bool]:
    """Tell for each D_j whether it is Card(a_j; s_j). Only the owner of the seed c can check this.

    One product checks all points. It runs on `prover()`, since the s_j are secret. Raises EncodingError
    for a malformed point and ValueError for lists of unequal length.
    """
    curve = prover()
    cards = enumerate(zip(points, vectors, strict=True))
    openings = [opening_of_card(point, a, blinding(seed, j), on=curve) for j, (point, a) in cards]
    return check(*openings, on=curve)
