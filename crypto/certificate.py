"""The certificate: the house's commitments to the 40 cards of a legal, owned deck (protocol section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crypto.encoding import canonical, i2osp
from crypto.group import card_point
from crypto.transcript import to_scalar, tuple_hash

SEED_BYTES = 32


def blinding(seed: bytes, j: int) -> int:
    """s_j = TH("certificate-blinding"; c, I2OSP(j,1)) mod q, the blinding of D_j under the owner's seed c."""
    return to_scalar(tuple_hash("certificate-blinding", seed, i2osp(j, 1)))


def card_points(seed: bytes, vectors: Sequence[Sequence[int]]) -> tuple[bytes, ...]:
    """D_0, D_1, ...: the cards of a deck, sorted by number and given by their vectors, under the seed c."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a certificate's seed has {SEED_BYTES} bytes, not {len(seed)}")
    # D_j = Card(a_j; s_j)
    return tuple(card_point(vector, blinding(seed, j)) for j, vector in enumerate(vectors))


def digest(certificate: Mapping[str, Any]) -> bytes:
    """TH("certificate"; canonical JSON without `signature`): what the house signs and the proofs name."""
    unsigned = {name: value for name, value in certificate.items() if name != "signature"}
    return tuple_hash("certificate", canonical(unsigned))


def set_digest(texts: Sequence[Mapping[str, Any]]) -> bytes:
    """TH("cards"; canonical JSON of each card's text), `texts` being all in play by number (section 4)."""
    return tuple_hash("cards", *(canonical(dict(text)) for text in texts))
