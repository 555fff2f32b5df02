"""The match deck, and the proof that it is the certified deck, shuffled (protocol section 6).

The match deck is K_i = D_pi(i) + t_i H for a secret permutation pi. The proof is the
single-value-product and multi-exponentiation argument of Bayer and Groth (EUROCRYPT 2012) for one row,
on commitments that differ by a multiple of H. A match deck has n = 40 cards; this code takes any n >= 2.

Proof bytes: the points c1 c2 c3 E c_d c_delta c_Delta, then the scalars
f_0..f_{n-1} z_f z_t u~_0..u~_{n-1} z_u b~_1..b~_{n-2} z_s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from crypto.encoding import i2osp
from crypto.group import (
    ORDER,
    G,
    H,
    commit,
    decode_point,
    encode_scalar,
    made,
    prover,
    split,
)
from crypto.transcript import ProofError, Transcript, tuple_hash
from crypto.verifier import Equation, require

EQUATIONS = ("S1", "S2", "S3", "S4")
_POINTS = 7


def match_deck_digest(certificate_digest: bytes, positions: Sequence[bytes], anchor: bytes) -> bytes:
    """The match-deck digest: TH("match-deck"; certificate digest, K_0.., the seat's anchor)."""
    return tuple_hash("match-deck", certificate_digest, *positions, anchor)


def context(
    game: bytes, seat: int, key: bytes, certificate_digest: bytes, house_anchor: bytes, anchor: bytes
) -> bytes:
    """The context ctx to which a shuffle proof is bound.

    Parameters: the game id (16 bytes), the seat and its public key, the digest of its certificate, and
    the anchors of the house's chain and of the seat's.
    """
    return tuple_hash("shuffle-context", game, i2osp(seat, 1), key, certificate_digest, house_anchor, anchor)


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


def _times(left: int, right: int) -> int:
    return left * right % ORDER


class _Conversation:
    """The transcript of one proof: prover and verifier each call the same methods in the same order."""

    def __init__(self, ctx: bytes, cards: Sequence[bytes], positions: Sequence[bytes]) -> None:
        self._transcript = Transcript("shuffle", ctx)
        self._transcript.absorb("statement", *cards, *positions)

    def permutation(self, c1: bytes) -> int:
        self._transcript.absorb("permutation", c1)
        return self._transcript.challenge("y")

    def powers(self, c2: bytes, c3: bytes, e: bytes) -> tuple[int, int]:
        self._transcript.absorb("powers", c2, c3, e)
        return self._transcript.challenge("lambda"), self._transcript.challenge("z")

    def product(self, c_d: bytes, c_delta: bytes, c_Delta: bytes) -> int:
        self._transcript.absorb("product", c_d, c_delta, c_Delta)
        return self._transcript.challenge("x")


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
    n, talk, curve = len(cards), _Conversation(ctx, cards, positions), prover()

    # 1. c1 = Com(pi(0)+1, ..., pi(n-1)+1; r1)
    entries = [j + 1 for j in permutation]
    r1 = next(masks)
    c1 = commit(entries, r1)
    y = talk.permutation(c1)

    # 2. p_i = y^(pi(i)+1); c2 = Com(p; r2), c3 = Com(alpha; r3), E = sum_i alpha_i K_i + tau H
    p = [pow(y, entry, ORDER) for entry in entries]
    r2 = next(masks)
    alpha = [next(masks) for _ in range(n)]
    r3, tau = next(masks), next(masks)
    c2, c3 = commit(p, r2), commit(alpha, r3)
    decks = [decode_point(point, on=curve) for point in positions]
    e = made(curve.msm([*decks, H(on=curve)], [*alpha, tau]), on=curve)
    lam, z = talk.powers(c2, c3, e)

    # 3. u_i = l (pi(i)+1) + p_i - z, r = l r1 + r2; b_0 = u_0, b_i = b_{i-1} u_i
    u = [(lam * entry + power - z) % ORDER for entry, power in zip(entries, p, strict=True)]
    b = list(accumulate(u, _times))
    d = [next(masks) for _ in range(n)]
    r_d, s_1, s_x = next(masks), next(masks), next(masks)
    delta = [d[0], *(next(masks) for _ in range(n - 2)), 0]
    chain = [
        commit(d, r_d),  # c_d
        # c_delta = Com(-delta_{i-1} d_i; s_1), c_Delta = Com(delta_i - u_i delta_{i-1} - b_{i-1} d_i; s_x)
        commit([-delta[i - 1] * d[i] for i in range(1, n)], s_1),
        commit([delta[i] - u[i] * delta[i - 1] - b[i - 1] * d[i] for i in range(1, n)], s_x),
    ]
    x = talk.product(*chain)

    # 4. f_i = x p_i + alpha_i, z_f = x r2 + r3, z_t = -x R + tau with R = sum_i p_i t_i,
    #    u~_i = x u_i + d_i, z_u = x r + r_d, b~_i = x b_i + delta_i, z_s = x s_x + s_1
    total = sum(power * t for power, t in zip(p, blindings, strict=True))
    responses = [
        *(x * p[i] + alpha[i] for i in range(n)),
        x * r2 + r3,
        -x * total + tau,
        *(x * u[i] + d[i] for i in range(n)),
        x * (lam * r1 + r2) + r_d,
        *(x * b[i] + delta[i] for i in range(1, n - 1)),
        x * s_x + s_1,
    ]
    return b"".join((c1, c2, c3, e, *chain, *map(encode_scalar, responses)))


def equations(ctx: bytes, cards: Sequence[bytes], positions: Sequence[bytes], proof: bytes) -> list[Equation]:
    """The equations S1..S4 of a proof that `positions` (K) are `cards` (D) shuffled.

    `verifier.check` checks them. Raises EncodingError for malformed points, scalars or lengths. Raises
    ProofError for lists of unequal length, fewer than two cards, or a zero challenge.
    """
    n = len(cards)
    if n < 2 or len(positions) != n:
        raise ProofError("the match deck has another size than its certificate (protocol 6)")
    D = [decode_point(point) for point in cards]
    K = [decode_point(point) for point in positions]
    fields, scalars = split(proof, _POINTS, 3 * n + 2)
    c1, c2, c3, E, c_d, c_delta, c_Delta = (decode_point(field) for field in fields)
    f, (z_f, z_t), scalars = scalars[:n], scalars[n : n + 2], scalars[n + 2 :]
    u, z_u, inner, z_s = scalars[:n], scalars[n], scalars[n + 1 : -1], scalars[-1]

    talk = _Conversation(ctx, cards, positions)
    y = talk.permutation(fields[0])
    lam, z = talk.powers(*fields[1:4])
    x = talk.product(*fields[4:7])

    powers = list(accumulate([y] * n, _times))
    # P = prod_{j=1..n} (l j + y^j - z); b~_0 = u~_0, b~_{n-1} = x P
    product = 1
    for j, power in enumerate(powers, 1):
        product = product * (lam * j + power - z) % ORDER
    b = [u[0], *inner, x * product % ORDER]
    slots, blind = [G(i) for i in range(n)], H()
    return [
        # (S1) x c2 + c3 = Com(f; z_f)
        [(x, c2), (1, c3), *((-f[i], slots[i]) for i in range(n)), (-z_f, blind)],
        # (S2) sum_i f_i K_i + z_t H = x sum_j y^(j+1) D_j + E
        [
            *((f[i], K[i]) for i in range(n)),
            (z_t, blind),
            *((-x * powers[j], D[j]) for j in range(n)),
            (-1, E),
        ],
        # (S3) x c + c_d = Com(u~; z_u), with c = l c1 + c2 - z sum_i G_i
        [(x * lam, c1), (x, c2), (1, c_d), *((-x * z - u[i], slots[i]) for i in range(n)), (-z_u, blind)],
        # (S4) x c_Delta + c_delta = Com(x b~_i - b~_{i-1} u~_i, i = 1..n-1; z_s)
        [
            (x, c_Delta),
            (1, c_delta),
            *((b[i - 1] * u[i] - x * b[i], slots[i - 1]) for i in range(1, n)),
            (-z_s, blind),
        ],
    ]


def verify(ctx: bytes, cards: Sequence[bytes], positions: Sequence[bytes], proof: bytes) -> None:
    """Raise EncodingError or ProofError unless the proof shows that `positions` are `cards` shuffled."""
    require(equations(ctx, cards, positions, proof), EQUATIONS, 6)
