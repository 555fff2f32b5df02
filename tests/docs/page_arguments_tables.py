"""docs/proofs.md, section 10, executed: provers, extractors and simulators at tables without a dealer.

It continues `page_arguments`: a "point" is its own discrete logarithm, an integer mod q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.docs.page_arguments import A, Q, Values, dot, gen, inverse

U = gen("lock")
Pairs = Sequence[tuple[int, int]]


# 10.2, the linear argument


@dataclass(frozen=True)
class Public:
    """h, the pairs (a_k, D_k), the pairs (a_p, c_p) of a claim, and the B_t of the traits outside S."""

    h: int
    shares: Pairs
    claim: Pairs
    others: Values


@dataclass(frozen=True)
class Said:
    """The T, then s_x, s_n and the s_t."""

    T: Values
    s: Values


def _left(public: Public, w: int, s: Values) -> list[int]:
    """The left sides of L1, L2 and L3 without their T."""
    weights = [pow(w, k, Q) for k in range(1, len(public.shares) + 1)]
    return [
        s[0] * U % Q,
        s[0] * dot(weights, [a for a, _ in public.shares]) % Q,
        (s[0] * sum(a for a, _ in public.claim) + dot(s[1:], [A[0], *public.others])) % Q,
    ]


def _right(public: Public, w: int) -> list[int]:
    """What e multiplies in L1, L2 and L3."""
    weights = [pow(w, k, Q) for k in range(1, len(public.shares) + 1)]
    return [public.h, dot(weights, [D for _, D in public.shares]), sum(c for _, c in public.claim) % Q]


def linear_prove(public: Public, secret: Values, masks: Values, w: int, e: int) -> Said:
    """`secret` is x, n and the f_t; `masks` are k_x, k_n and the k_t."""
    return Said(
        _left(public, w, masks), [(k + e * value) % Q for k, value in zip(masks, secret, strict=True)]
    )


def linear_holds(public: Public, said: Said, w: int, e: int) -> list[bool]:
    """L1, L2 and L3."""
    sides = zip(_left(public, w, said.s), said.T, _right(public, w), strict=True)
    return [left == (T + e * right) % Q for left, T, right in sides]


def linear_simulate(public: Public, w: int, e: int, rng: Random) -> Said:
    """Answers at random, and the T that fit."""
    s = [rng.randrange(Q) for _ in range(2 + len(public.others))]
    return Said(
        [(left - e * right) % Q for left, right in zip(_left(public, w, s), _right(public, w), strict=True)],
        s,
    )


def linear_extract(said: Sequence[Said], es: Values) -> list[int]:
    """x, n and the f_t from two leaves below one w."""
    by = inverse(es[0] - es[1])
    return [(one - other) * by % Q for one, other in zip(said[0].s, said[1].s, strict=True)]


def solve(rows: Sequence[Values], right: Values) -> list[int]:
    """Solve a square system mod q."""
    table = [[value % Q for value in (*row, by)] for row, by in zip(rows, right, strict=True)]
    n = len(table)
    for i in range(n):
        at = next(j for j in range(i, n) if table[j][i])
        table[i], table[at] = table[at], table[i]
        factor = inverse(table[i][i])
        table[i] = [value * factor % Q for value in table[i]]
        for j in range(n):
            if j != i:
                by = table[j][i]
                table[j] = [(a - by * b) % Q for a, b in zip(table[j], table[i], strict=True)]
    return [row[-1] for row in table]


def errors(public: Public, x: int, ws: Values) -> list[int]:
    """D_k - x a_k, from Σ w^k (D_k - x a_k) at m values of w: a Vandermonde system."""
    m = len(public.shares)
    rows = [[pow(w, k, Q) for k in range(1, m + 1)] for w in ws]
    sums = [dot(row, [(D - x * a) % Q for a, D in public.shares]) for row in rows]
    return solve(rows, sums)


# 10.1, step 4 of the mix: both halves at n values of y


def mix_step_4(
    before: Pairs, after: Pairs, order: Values, rhos: Values, ys: Values, h: int
) -> tuple[list[int], list[int]]:
    """(K_i - D_π(i)) of both halves, from what S2a and S2c give at n values of y, and the t_i.

    `rhos` are the ρ_y that an extractor computes from z_t.
    """
    n = len(before)
    rows = [[pow(y, j + 1, Q) for j in range(n)] for y in ys]
    t = solve(rows, rhos)
    # Row j of the solution is about card j, which lies at position π⁻¹(j).
    by_position = [t[order[i]] for i in range(n)]
    differences = [
        (after[i][half] - before[order[i]][half] - by_position[i] * base) % Q
        for half, base in enumerate((U, h))
        for i in range(n)
    ]
    return differences, by_position


# 10.4, a hidden card


def hidden_game(real: bool, card: int, rng: Random) -> tuple[int, int, int, int]:
    """(h_i, a, c less the others' shares, the logarithm r of a): a DDH tuple, or one with a random point."""
    x, r = rng.randrange(1, Q), rng.randrange(1, Q)
    a = r * U % Q
    Z = x * a % Q if real else rng.randrange(Q)
    return x * U % Q, a, (card + Z) % Q, r
