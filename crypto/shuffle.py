"""The match deck, and the proof that it is the certified deck, shuffled (protocol section 6).

The match deck is K_i = D_pi(i) + t_i H for a secret permutation pi. The proof is the argument of
`crypto.permutation` on commitments that differ by a multiple of H. A match deck has n = 40 cards; this
code takes any n >= 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crypto import permutation as argument
from crypto.encoding import i2osp
from crypto.group import H, decode_point, made, prover
from crypto.transcript import ProofError, Transcript, tuple_hash
from crypto.verifier import Equation, require

EQUATIONS = ("S1", "S2", "S3", "S4")


def match_deck_digest(certificate_digest: bytes, positions: Sequence[bytes], anchor: bytes) -> bytes:
    """The match-deck digest: TH("match-deck"; certificate digest, K_0.., the seat's anchor)."""
    return tuple_hash("match-deck", certificate_digest, *positions, anchor)


def context_parts(
    game: bytes, seat: int, key: bytes, certificate_digest: bytes, house_anchor: bytes, anchor: bytes
) -> tuple[bytes, ...]:
    """The parts of the hash that is a shuffle proof's context."""
    return game, i2osp(seat, 1), key, certificate_digest, house_anchor, anchor


def context(
    game: bytes, seat: int, key: bytes, certificate_digest: bytes, house_anchor: bytes, anchor: bytes
) -> bytes:
    """The context ctx to which a shuffle proof is bound.

    Parameters: the game id (16 bytes), the seat and its public key, the digest of its certificate, and
    the anchors of the house's chain and of the seat's.
    """
    parts = context_parts(game, seat, key, certificate_digest, house_anchor, anchor)
    return tuple_hash("shuffle-context", *parts)


def positions(
    cards: Sequence[bytes], permutation: Sequence[int], blindings: Sequence[int]
) -> tuple[bytes, ...]:
    """The match deck K_i = D_pi(i) + t_i H, from the certificate's points D, the permutation and the t_i."""
    curve = prover()
    base = H(on=curve)
    return tuple(
        made(curve.add(decode_point(cards[j], on=curve), curve.mul(base, t)), on=curve)
        for j, t in zip(permutation, blindings, strict=True)
    )


def _transcript(ctx: bytes, cards: Sequence[bytes], positions: Sequence[bytes]) -> Transcript:
    """The transcript behind the statement."""
    transcript = Transcript("shuffle", ctx)
    transcript.absorb("statement", *cards, *positions)
    return transcript


def prove(
    ctx: bytes,
    cards: Sequence[bytes],
    positions: Sequence[bytes],
    permutation: Sequence[int],
    blindings: Sequence[int],
    masks: Iterator[int],
) -> bytes:
    """The proof that `positions` (K) are `cards` (D) under `permutation` and `blindings` (t).

    `masks` yields r1, r2, alpha_0.., r3, tau, d_0.., r_d, s_1, s_x, delta_1..delta_{n-2}, in the order of
    protocol section 12. Raises ValueError unless `permutation` is a permutation of the cards' indices.
    """
    if sorted(permutation) != list(range(len(cards))):
        raise ValueError("the order is not a permutation of the cards")
    return prove_unchecked(ctx, cards, positions, permutation, blindings, masks)


def prove_unchecked(
    ctx: bytes,
    cards: Sequence[bytes],
    positions: Sequence[bytes],
    permutation: Sequence[int],
    blindings: Sequence[int],
    masks: Iterator[int],
) -> bytes:
    """`prove` for any list of indices, so that tests can show that a false statement's proof fails."""
    curve, transcript = prover(), _transcript(ctx, cards, positions)
    # The prover needs no D.
    half = argument.Half((), [decode_point(point, on=curve) for point in positions], H(on=curve))
    return argument.prove(transcript, [half], permutation, blindings, masks)


def equations(ctx: bytes, cards: Sequence[bytes], positions: Sequence[bytes], proof: bytes) -> list[Equation]:
    """The equations S1..S4 of a proof that `positions` (K) are `cards` (D) shuffled.

    `verifier.check` checks them. Raises EncodingError for malformed points, scalars or lengths. Raises
    ProofError for lists of unequal length, fewer than two cards, or a zero challenge.
    """
    n = len(cards)
    if n < 2 or len(positions) != n:
        raise ProofError("the match deck has another size than its certificate (protocol 6)")
    before, after = ([decode_point(point) for point in points] for points in (cards, positions))
    return argument.equations(_transcript(ctx, cards, positions), [argument.Half(before, after, H())], proof)


def verify(ctx: bytes, cards: Sequence[bytes], positions: Sequence[bytes], proof: bytes) -> None:
    """Raise EncodingError or ProofError unless the proof shows that `positions` are `cards` shuffled."""
    require(equations(ctx, cards, positions, proof), EQUATIONS, 6)
