"""The mix of a pack at a table without a dealer, and its proof (protocol section 20.5).

A party turns the pack D into K_i = D_pi(i) + (t_i U, t_i h) for a secret permutation pi and scalars t_i,
where h is the joint lock. The proof is the argument of `crypto.permutation` on both halves of the pairs at
once. This code takes any pack of at least 2 cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from crypto import permutation as argument
from crypto.encoding import canonical
from crypto.group import Engine, U, decode_point, engine, made, prover
from crypto.lock import Pair
from crypto.secret import MaskMaker
from crypto.transcript import ProofError, Transcript
from crypto.verifier import Equation, require

EQUATIONS = ("S1", "S2a", "S2c", "S3", "S4")


def mixed(
    joint_lock: bytes, pack: Sequence[Pair], permutation: Sequence[int], blindings: Sequence[int]
) -> tuple[Pair, ...]:
    """The pack K_i = D_pi(i) + (t_i U, t_i h), from the joint lock h, the pack D, pi and the t_i."""
    curve = prover()
    base, h = U(on=curve), decode_point(joint_lock, allow_identity=True, on=curve)
    found = []
    for j, t in zip(permutation, blindings, strict=True):
        a = curve.add(decode_point(pack[j].a, on=curve), curve.mul(base, t))
        c = curve.add(decode_point(pack[j].c, allow_identity=True, on=curve), curve.mul(h, t))
        found.append(Pair(made(a, on=curve), made(c, on=curve)))
    return tuple(found)


def _transcript(ctx: bytes, joint_lock: bytes, before: Sequence[Pair], after: Sequence[Pair]) -> Transcript:
    """The transcript behind the statement."""
    transcript = Transcript("mix", ctx)
    points = (point for pair in (*before, *after) for point in pair)
    transcript.absorb("statement", joint_lock, *points)
    return transcript


def prove(
    ctx: bytes,
    joint_lock: bytes,
    before: Sequence[Pair],
    after: Sequence[Pair],
    permutation: Sequence[int],
    blindings: Sequence[int],
    masks: MaskMaker,
) -> bytes:
    """The proof that `after` (K) is `before` (D) under `permutation` and `blindings` (t).

    `masks` gets the transcript's state behind "statement" and the canonical JSON of `permutation`; it
    yields r1, r2, alpha_0.., r3, tau, d_0.., r_d, s_1, s_x, delta_1..delta_{n-2}. Raises ValueError unless
    `permutation` is a permutation of the cards' indices.
    """
    if sorted(permutation) != list(range(len(before))):
        raise ValueError("the order is not a permutation of the cards")
    return prove_unchecked(ctx, joint_lock, before, after, permutation, blindings, masks)


def prove_unchecked(
    ctx: bytes,
    joint_lock: bytes,
    before: Sequence[Pair],
    after: Sequence[Pair],
    permutation: Sequence[int],
    blindings: Sequence[int],
    masks: MaskMaker,
) -> bytes:
    """`prove` for any list of indices, so that tests can show that a false statement's proof fails."""
    transcript = _transcript(ctx, joint_lock, before, after)
    # The prover needs no D.
    halves = _halves(joint_lock, (), after, prover())
    drawn = masks(transcript.state, canonical(list(permutation)))
    return argument.prove(transcript, halves, permutation, blindings, drawn)


def _halves(
    joint_lock: bytes, before: Sequence[Pair], after: Sequence[Pair], curve: Engine
) -> list[argument.Half]:
    """Both halves of a mix. Only what a reader derives may be the identity: h, and c of an open pack."""
    h = decode_point(joint_lock, allow_identity=True, on=curve)
    a, c = (
        argument.Half(
            [decode_point(pair[i], allow_identity=i == 1, on=curve) for pair in before],
            [decode_point(pair[i], on=curve) for pair in after],
            base,
        )
        for i, base in enumerate((U(on=curve), h))
    )
    return [a, c]


def equations(
    ctx: bytes, joint_lock: bytes, before: Sequence[Pair], after: Sequence[Pair], proof: bytes
) -> list[Equation]:
    """The equations S1, S2a, S2c, S3, S4 of a proof that `after` (K) is `before` (D) mixed.

    `verifier.check` checks them. Raises EncodingError for malformed points, scalars or lengths. Raises
    ProofError for packs of unequal size, fewer than two cards, or a zero challenge.
    """
    if len(before) < 2 or len(before) != len(after):
        raise ProofError("the pack has another size than the one that is mixed (protocol 20.5)")
    halves = _halves(joint_lock, before, after, engine())
    return argument.equations(_transcript(ctx, joint_lock, before, after), halves, proof)


def verify(
    ctx: bytes, joint_lock: bytes, before: Sequence[Pair], after: Sequence[Pair], proof: bytes
) -> None:
    """Raise EncodingError or ProofError unless the proof shows that `after` is `before` mixed."""
    require(equations(ctx, joint_lock, before, after, proof), EQUATIONS, "20.5")
