"""docs/proofs.md, executed: the provers, extractors and simulators of both proofs, from the page alone.

All of it is algebra over a group of order q, so it is done in the plainest one: the integers mod q,
where a "point" is its own discrete logarithm. An extractor never looks at one but through the
equations; for the simulators that is the point: who can take discrete logarithms learns nothing either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from random import Random

Q = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
Values = Sequence[int]


@cache
def gen(name: str) -> int:
    return Random(f"generator {name}").randrange(1, Q)


H = gen("blind")
A = [gen(f"card {k}") for k in range(7)]


def inverse(value: int) -> int:
    return pow(value, -1, Q)


def com(values: Values, blinding: int) -> int:
    return (sum(value * gen(f"slot {i}") for i, value in enumerate(values)) + blinding * H) % Q


def card(vector: Values, blinding: int) -> int:
    return (sum(value * base for value, base in zip(vector, A, strict=True)) + blinding * H) % Q


def dot(left: Values, right: Values) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True)) % Q


def slope(values: Values, xs: Values) -> int:
    """The difference of two answers over the difference of their challenges."""
    return (values[0] - values[1]) * inverse(xs[0] - xs[1]) % Q


# The meal (section 8). Slots as on the page: b_{j,0}, ..., b_{j,C} of each card, then g_1..g_C.


@dataclass(frozen=True)
class MealWitness:
    """`boxes` rows of bits b_{j,1}..b_{j,C}; then g, N and R of each course, and r_B."""

    rows: Sequence[Values]
    g: Values
    numbers: Values
    blindings: Values
    r_B: int


def slots(rows: Sequence[Values], rest: int, per_course: Values) -> list[int]:
    return [value % Q for row in rows for value in (rest - sum(row), *row)] + [v % Q for v in per_course]


Transcript = dict[str, list[int]]


def meal_prove(K: Values, w: MealWitness, masks: Mapping[str, Values], x: int) -> Transcript:
    """First messages and answers; `masks` are a (row by row), e, r (r_A, r_Q, r_S), t and u."""
    C = len(w.g)
    rows = [masks["a"][j * C : j * C + C] for j in range(len(K))]
    b, a = slots(w.rows, 1, w.g), slots(rows, 0, masks["e"])
    r_A, r_Q, r_S = masks["r"]
    W = [
        dot([row[c] for row in rows], K) - masks["t"][c] * A[0] - masks["e"][c] * A[1] - masks["u"][c] * H
        for c in range(C)
    ]
    return {
        "B": [com(b, w.r_B)],
        "AQS": [
            com(a, r_A),
            com([m * (1 - 2 * v) for m, v in zip(a, b, strict=True)], r_Q),
            com([-m * m for m in a], r_S),
        ],
        "W": [value % Q for value in W],
        "f": [
            (x * v + m) % Q
            for own, row in zip(w.rows, rows, strict=True)
            for v, m in zip(own, row, strict=True)
        ],
        "f_g": [(x * v + m) % Q for v, m in zip(w.g, masks["e"], strict=True)],
        "z": [(x * w.r_B + r_A) % Q, (x * r_Q + r_S) % Q],
        "n": [(x * v + m) % Q for v, m in zip(w.numbers, masks["t"], strict=True)],
        "k": [(x * v + m) % Q for v, m in zip(w.blindings, masks["u"], strict=True)],
    }


def meal_f(said: Transcript, m: int, x: int) -> list[int]:
    C = len(said["f_g"])
    return slots([said["f"][j * C : j * C + C] for j in range(m)], x, said["f_g"])


def meal_course(K: Values, said: Transcript, c: int) -> int:
    """The left side of M3."""
    served = dot(said["f"][c :: len(said["f_g"])], K)
    return (served - said["n"][c] * A[0] - said["f_g"][c] * A[1] - said["k"][c] * H) % Q


def meal_holds(K: Values, said: Transcript, x: int) -> list[bool]:
    """M1, M2 and M3."""
    f, (point_A, point_Q, point_S) = meal_f(said, len(K), x), said["AQS"]
    return [
        (x * said["B"][0] + point_A) % Q == com(f, said["z"][0]),
        (x * point_Q + point_S) % Q == com([v * (x - v) for v in f], said["z"][1]),
        all(meal_course(K, said, c) == W for c, W in enumerate(said["W"])),
    ]


def meal_extract(m: int, said: Sequence[Transcript], xs: Values) -> MealWitness:
    """The extractor: from two transcripts with the same B, A, Q, S, W and different x."""
    one, two = said[:2]

    def each(name: str) -> list[int]:
        return [slope(pair, xs) for pair in zip(one[name], two[name], strict=True)]

    b, C = each("f"), len(one["f_g"])
    rows = [b[j * C : j * C + C] for j in range(m)]
    return MealWitness(rows, each("f_g"), each("n"), each("k"), each("z")[0])


def meal_simulate(K: Values, C: int, B: int, x: int, rng: Random) -> Transcript:
    """The simulator: no witness; a seal B and a challenge that are given."""
    said: Transcript = {"B": [B], "W": []}
    for name, count in (("f", len(K) * C), ("f_g", C), ("z", 2), ("n", C), ("k", C)):
        said[name] = [rng.randrange(Q) for _ in range(count)]
    f, point_Q = meal_f(said, len(K), x), rng.randrange(Q)
    point_S = (com([v * (x - v) for v in f], said["z"][1]) - x * point_Q) % Q
    said["AQS"] = [(com(f, said["z"][0]) - x * B) % Q, point_Q, point_S]
    said["W"] = [meal_course(K, said, c) for c in range(C)]
    return said


def meal_masks(w: MealWitness, said: Transcript, x: int) -> dict[str, list[int]]:
    """The one choice of masks with which a prover of this witness would have said the same."""

    def each(name: str, secret: Values) -> list[int]:
        return [(v - x * s) % Q for v, s in zip(said[name], secret, strict=True)]

    a, e = each("f", [v for row in w.rows for v in row]), each("f_g", w.g)
    C = len(w.g)
    mask, b = slots([a[j * C : j * C + C] for j in range(len(w.rows))], 0, e), slots(w.rows, 1, w.g)
    inside = com([m * (1 - 2 * v) for m, v in zip(mask, b, strict=True)], 0)
    r_Q = (said["AQS"][1] - inside) * inverse(H) % Q
    r = [(said["z"][0] - x * w.r_B) % Q, r_Q, (said["z"][1] - x * r_Q) % Q]
    return {"a": a, "e": e, "r": r, "t": each("n", w.numbers), "u": each("k", w.blindings)}


# The shuffle (section 6)


@dataclass(frozen=True)
class Challenges:
    """The challenges, in the order in which they are drawn."""

    y: int
    lam: int
    z: int
    x: int


SHUFFLE_MASKS = ("r1", "r2", "alpha", "r3", "tau", "d", "r_d", "s_1", "s_x", "delta")


def shuffle_masks(n: int, rng: Random) -> dict[str, list[int]]:
    sizes = {"alpha": n, "d": n, "delta": n - 2}
    return {name: [rng.randrange(Q) for _ in range(sizes.get(name, 1))] for name in SHUFFLE_MASKS}


def shuffle_prove(
    K: Values, pi: Values, t: Values, masks: Mapping[str, Values], at: Challenges
) -> Transcript:
    """First messages and answers."""
    n = len(pi)
    (r1,), (r2,), (r3,), (tau,), (r_d,), (s_1,), (s_x,) = (
        masks[name] for name in ("r1", "r2", "r3", "tau", "r_d", "s_1", "s_x")
    )
    entries = [j + 1 for j in pi]
    p = [pow(at.y, entry, Q) for entry in entries]
    u = [(at.lam * entry + power - at.z) % Q for entry, power in zip(entries, p, strict=True)]
    b = list(accumulate(u, lambda left, right: left * right % Q))
    alpha, d = masks["alpha"], masks["d"]
    delta = [d[0], *masks["delta"], 0]
    x = at.x
    return {
        "c1": [com(entries, r1)],
        "c2": [com(p, r2)],
        "c3": [com(alpha, r3)],
        "E": [(dot(alpha, K) + tau * H) % Q],
        "c_d": [com(d, r_d)],
        "c_delta": [com([-delta[i - 1] * d[i] for i in range(1, n)], s_1)],
        "c_Delta": [com([delta[i] - u[i] * delta[i - 1] - b[i - 1] * d[i] for i in range(1, n)], s_x)],
        "f": [(x * p[i] + alpha[i]) % Q for i in range(n)],
        "z_f": [(x * r2 + r3) % Q],
        "z_t": [(tau - x * dot(p, t)) % Q],
        "u": [(x * u[i] + d[i]) % Q for i in range(n)],
        "z_u": [(x * (at.lam * r1 + r2) + r_d) % Q],
        "b": [(x * b[i] + delta[i]) % Q for i in range(1, n - 1)],
        "z_s": [(x * s_x + s_1) % Q],
    }


def target(n: int, at: Challenges) -> int:
    """P."""
    product = 1
    for j in range(1, n + 1):
        product = product * (at.lam * j + pow(at.y, j, Q) - at.z) % Q
    return product


def _steps(said: Transcript, n: int, at: Challenges) -> list[int]:
    """Return the values that S4 commits to."""
    b = [said["u"][0], *said["b"], at.x * target(n, at)]
    return [(at.x * b[i] - b[i - 1] * said["u"][i]) % Q for i in range(1, n)]


def _joined(said: Transcript, n: int, at: Challenges) -> int:
    """c."""
    return (at.lam * said["c1"][0] + said["c2"][0] + com([-at.z] * n, 0)) % Q


def _sum(D: Values, y: int) -> int:
    return dot([pow(y, j + 1, Q) for j in range(len(D))], D)


def shuffle_holds(D: Values, K: Values, said: Transcript, at: Challenges) -> list[bool]:
    """S1 to S4."""
    n, x, v = len(D), at.x, {name: values[0] for name, values in said.items() if values}
    return [
        (x * v["c2"] + v["c3"]) % Q == com(said["f"], v["z_f"]),
        (dot(said["f"], K) + v["z_t"] * H) % Q == (x * _sum(D, at.y) + v["E"]) % Q,
        (x * _joined(said, n, at) + v["c_d"]) % Q == com(said["u"], v["z_u"]),
        (x * v["c_Delta"] + v["c_delta"]) % Q == com(_steps(said, n, at), v["z_s"]),
    ]


def shuffle_simulate(D: Values, K: Values, at: Challenges, rng: Random) -> Transcript:
    """The simulator: no witness; the challenges are given."""
    n, x = len(D), at.x
    said: Transcript = {
        name: [rng.randrange(Q)] for name in ("c1", "c2", "c_Delta", "z_f", "z_t", "z_u", "z_s")
    }
    for name, count in (("f", n), ("u", n), ("b", n - 2)):
        said[name] = [rng.randrange(Q) for _ in range(count)]
    said["c3"] = [(com(said["f"], said["z_f"][0]) - x * said["c2"][0]) % Q]
    said["E"] = [(dot(said["f"], K) + said["z_t"][0] * H - x * _sum(D, at.y)) % Q]
    said["c_d"] = [(com(said["u"], said["z_u"][0]) - x * _joined(said, n, at)) % Q]
    said["c_delta"] = [(com(_steps(said, n, at), said["z_s"][0]) - x * said["c_Delta"][0]) % Q]
    return said


def shuffle_explained(pi: Values, t: Values, said: Transcript, at: Challenges) -> dict[str, list[int]]:
    """The one choice of masks with which a prover of this permutation would have said the same."""
    n, x = len(pi), at.x
    entries = [j + 1 for j in pi]
    p = [pow(at.y, entry, Q) for entry in entries]
    u = [(at.lam * entry + power - at.z) % Q for entry, power in zip(entries, p, strict=True)]
    b = list(accumulate(u, lambda left, right: left * right % Q))
    r1 = (said["c1"][0] - com(entries, 0)) * inverse(H) % Q
    r2 = (said["c2"][0] - com(p, 0)) * inverse(H) % Q
    d = [(said["u"][i] - x * u[i]) % Q for i in range(n)]
    inner = [(said["b"][i - 1] - x * b[i]) % Q for i in range(1, n - 1)]
    delta = [d[0], *inner, 0]
    entries_x = [delta[i] - u[i] * delta[i - 1] - b[i - 1] * d[i] for i in range(1, n)]
    s_x = (said["c_Delta"][0] - com(entries_x, 0)) * inverse(H) % Q
    return {
        "r1": [r1],
        "r2": [r2],
        "alpha": [(said["f"][i] - x * p[i]) % Q for i in range(n)],
        "r3": [(said["z_f"][0] - x * r2) % Q],
        "tau": [(said["z_t"][0] + x * dot(p, t)) % Q],
        "d": d,
        "r_d": [(said["z_u"][0] - x * (at.lam * r1 + r2)) % Q],
        "s_1": [(said["z_s"][0] - x * s_x) % Q],
        "s_x": [s_x],
        "delta": inner,
    }


@dataclass(frozen=True)
class Leaf:
    """An accepting transcript and its challenges."""

    said: Transcript
    at: Challenges


def shuffle_opened(leaves: Sequence[Leaf]) -> tuple[list[int], list[int], list[int], int]:
    """Open a shuffle from two leaves that differ in x alone: p of c2, e of c1, u of c, and rho of S2."""
    (one, two), xs = leaves[:2], [leaf.at.x for leaf in leaves[:2]]
    n, at = len(one.said["f"]), leaves[0].at

    def each(name: str) -> list[int]:
        return [slope(pair, xs) for pair in zip(one.said[name], two.said[name], strict=True)]

    p, u = each("f"), each("u")
    e = [(u[i] - p[i] + at.z) * inverse(at.lam) % Q for i in range(n)]
    return p, e, u, -each("z_t")[0] % Q


def shuffle_extract(by_y: Mapping[int, Sequence[Leaf]]) -> tuple[list[int], list[int]]:
    """pi and t, from two leaves for each of n different y."""
    rows, right = [], []
    pi: list[int] = []
    for y, leaves in by_y.items():
        p, e, _, rho = shuffle_opened(leaves)
        pi = [entry - 1 for entry in e]
        assert p == [pow(y, entry, Q) for entry in e]
        # sum_i p_i K_i - sum_j y^(j+1) D_j = sum_i y^(pi(i)+1) t_i H
        rows.append(p)
        right.append(rho)
    return pi, solve(rows, right)


def solve(rows: Sequence[Values], right: Values) -> list[int]:
    """A linear system mod q, by elimination."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    n = len(table)
    for i in range(n):
        pivot = next(k for k in range(i, n) if table[k][i] % Q)
        table[i], table[pivot] = table[pivot], table[i]
        factor = inverse(table[i][i])
        table[i] = [value * factor % Q for value in table[i]]
        for k in range(n):
            if k != i and table[k][i]:
                by = table[k][i]
                table[k] = [(v - by * w) % Q for v, w in zip(table[k], table[i], strict=True)]
    return [row[-1] for row in table]
