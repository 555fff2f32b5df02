"""The argument that points are others in a secret order, each with a new blinding (protocol section 6).

This is the single-value-product and multi-exponentiation argument of Bayer and Groth (EUROCRYPT 2012) for
one row of a matrix. It serves the match deck (`crypto.shuffle`) and the mix of a pack (`crypto.mix`). A
statement has one *half* or several; the same permutation and the same blindings carry all of them.

Proof bytes: the points c1 c2 c3, E of each half, c_d c_delta c_Delta, then the scalars
f_0..f_{n-1} z_f z_t u~_0..u~_{n-1} z_u b~_1..b~_{n-2} z_s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from crypto.group import ORDER, G, H, Point, commit, decode_point, encode_scalar, made, prover, split
from crypto.transcript import Transcript
from crypto.verifier import Equation

OTHER_POINTS = 6
"""The points of a proof beside the E of each half."""


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a statement: K_i = D_pi(i) + t_i base, in points of one engine."""

    before: Sequence[Point]
    """D."""
    after: Sequence[Point]
    """K."""
    base: Point


def _times(left: int, right: int) -> int:
    return left * right % ORDER


class _Conversation:
    """The messages of one proof: prover and verifier each call the same methods in the same order."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript

    def permutation(self, c1: bytes) -> int:
        self._transcript.absorb("permutation", c1)
        return self._transcript.challenge("y")

    def powers(self, *points: bytes) -> tuple[int, int]:
        """The challenges after c2, c3 and the E of each half."""
        self._transcript.absorb("powers", *points)
        return self._transcript.challenge("lambda"), self._transcript.challenge("z")

    def product(self, c_d: bytes, c_delta: bytes, c_Delta: bytes) -> int:
        self._transcript.absorb("product", c_d, c_delta, c_Delta)
        return self._transcript.challenge("x")


def prove(
    transcript: Transcript,
    halves: Sequence[Half],
    permutation: Sequence[int],
    blindings: Sequence[int],
    masks: Iterator[int],
) -> bytes:
    """The proof that each half is in the order `permutation` with the `blindings` t.

    `transcript` has absorbed the statement. The points are values of `prover()`. `masks` yields
    r1, r2, alpha_0.., r3, tau, d_0.., r_d, s_1, s_x, delta_1..delta_{n-2}, in the order of protocol section
    12. Any list of indices is taken; a false statement gives a proof that fails.
    """
    n, talk, curve = len(permutation), _Conversation(transcript), prover()

    # 1. c1 = Com(pi(0)+1, ..., pi(n-1)+1; r1)
    entries = [j + 1 for j in permutation]
    r1 = next(masks)
    c1 = commit(entries, r1)
    y = talk.permutation(c1)

    # 2. p_i = y^(pi(i)+1); c2 = Com(p; r2), c3 = Com(alpha; r3), E = sum_i alpha_i K_i + tau base
    p = [pow(y, entry, ORDER) for entry in entries]
    r2 = next(masks)
    alpha = [next(masks) for _ in range(n)]
    r3, tau = next(masks), next(masks)
    c2, c3 = commit(p, r2), commit(alpha, r3)
    sums = [made(curve.msm([*half.after, half.base], [*alpha, tau]), on=curve) for half in halves]
    lam, z = talk.powers(c2, c3, *sums)

    # 3. u_i = l (pi(i)+1) + p_i - z, r = l r1 + r2
    u = [(lam * entry + power - z) % ORDER for entry, power in zip(entries, p, strict=True)]
    argument = _Product(u, masks)
    x = talk.product(*argument.messages)

    # 4. f_i = x p_i + alpha_i, z_f = x r2 + r3, z_t = -x R + tau with R = sum_i p_i t_i
    total = sum(power * t for power, t in zip(p, blindings, strict=True))
    responses = [
        *(x * p[i] + alpha[i] for i in range(n)),
        x * r2 + r3,
        -x * total + tau,
        *argument.answers(x, lam * r1 + r2),
    ]
    return b"".join((c1, c2, c3, *sums, *argument.messages, *map(encode_scalar, responses)))


class _Product:
    """The prover of the product of the u_i: b_0 = u_0, b_i = b_{i-1} u_i."""

    def __init__(self, u: Sequence[int], masks: Iterator[int]) -> None:
        n = len(u)
        self._u, self._b = u, list(accumulate(u, _times))
        self._d = d = [next(masks) for _ in range(n)]
        self._r_d, self._s_1, self._s_x = next(masks), next(masks), next(masks)
        self._delta = delta = [d[0], *(next(masks) for _ in range(n - 2)), 0]
        b = self._b
        self.messages = (
            commit(d, self._r_d),  # c_d
            # c_delta = Com(-delta_{i-1} d_i; s_1)
            commit([-delta[i - 1] * d[i] for i in range(1, n)], self._s_1),
            # c_Delta = Com(delta_i - u_i delta_{i-1} - b_{i-1} d_i; s_x)
            commit([delta[i] - u[i] * delta[i - 1] - b[i - 1] * d[i] for i in range(1, n)], self._s_x),
        )

    def answers(self, x: int, r: int) -> list[int]:
        """u~_i = x u_i + d_i, z_u = x r + r_d, b~_i = x b_i + delta_i, z_s = x s_x + s_1."""
        n = len(self._u)
        return [
            *(x * self._u[i] + self._d[i] for i in range(n)),
            x * r + self._r_d,
            *(x * self._b[i] + self._delta[i] for i in range(1, n - 1)),
            x * self._s_x + self._s_1,
        ]


def equations(transcript: Transcript, halves: Sequence[Half], proof: bytes) -> list[Equation]:
    """The equations of a proof: S1, S2 of each half, S3, S4.

    `transcript` has absorbed the statement; the points are values of `engine()`. Each half has the same
    number of cards, at least 2. Raises EncodingError for malformed points, scalars or lengths, and
    ProofError for a zero challenge.
    """
    n = len(halves[0].before)
    fields, scalars = split(proof, OTHER_POINTS + len(halves), 3 * n + 2)
    c1, c2, c3, *sums, c_d, c_delta, c_Delta = (decode_point(field) for field in fields)
    f, (z_f, z_t), scalars = scalars[:n], scalars[n : n + 2], scalars[n + 2 :]
    u, z_u, inner, z_s = scalars[:n], scalars[n], scalars[n + 1 : -1], scalars[-1]

    talk = _Conversation(transcript)
    y = talk.permutation(fields[0])
    lam, z = talk.powers(*fields[1:-3])
    x = talk.product(*fields[-3:])

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
        # (S2) sum_i f_i K_i + z_t base = x sum_j y^(j+1) D_j + E
        *(
            [
                *((f[i], half.after[i]) for i in range(n)),
                (z_t, half.base),
                *((-x * powers[j], half.before[j]) for j in range(n)),
                (-1, E),
            ]
            for half, E in zip(halves, sums, strict=True)
        ),
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
