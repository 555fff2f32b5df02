"""The distance of samples from what uniform draws give: tail probabilities, from `math` alone.

Every statistic comes with its distribution under uniform and independent draws: exact where it is counted
in cells (fixed points, cycles, inversions, parity), by the central limit theorem where sums of thousands are
compared (Pearson's chi-square). A p-value is the chance of a deviation at least as large.
"""

from __future__ import annotations

import math
from bisect import bisect, insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

Permutation = Sequence[int]

LEAST_EXPECTED = 20.0
"""Cells that expect fewer are put together: below, chi-square is too far from its limit in the tail."""


def gamma_tail(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), for a > 0, x >= 0.

    Below a + 1 one minus the power series, above it the continued fraction (Lentz), as in any textbook on
    special functions (NIST's Digital Library of Mathematical Functions, 8.7.1 and 8.9.2).
    """
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        k = a
        while abs(term) > total * 1e-16:
            k += 1
            term *= x / k
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h, i = d, 0
    while True:
        i += 1
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            return front * h


def chi_square_tail(statistic: float, degrees: int) -> float:
    """P(chi-square with `degrees` of freedom >= statistic)."""
    return gamma_tail(degrees / 2, statistic / 2)


def normal_tails(z: float) -> float:
    """P(|standard normal| >= |z|)."""
    return math.erfc(abs(z) / math.sqrt(2))


def pearson(found: Mapping[int, int], expected: Mapping[int, float]) -> float:
    """The p-value of counts against expectations; neighbouring cells that expect little are one cell."""
    assert set(found) <= set(expected), "a cell that can't be"
    cells: list[tuple[int, float]] = []
    seen, due = 0, 0.0
    for cell in sorted(expected):
        seen, due = seen + found.get(cell, 0), due + expected[cell]
        if due >= LEAST_EXPECTED:
            cells.append((seen, due))
            seen, due = 0, 0.0
    if due and cells:
        cells[-1] = (cells[-1][0] + seen, cells[-1][1] + due)
    assert len(cells) > 1, "too few samples to tell anything"
    statistic = sum((o - e) ** 2 / e for o, e in cells)
    return chi_square_tail(statistic, len(cells) - 1)


def even(values: Iterable[int], cells: int) -> float:
    """The p-value of values 0..cells-1 being equally frequent."""
    found = Counter(values)
    total = sum(found.values())
    return pearson(found, dict.fromkeys(range(cells), total / cells))


# Permutations


def inversions(order: Permutation) -> int:
    """Pairs that stand in the wrong order."""
    seen: list[int] = []
    count = 0
    for value in order:
        count += len(seen) - bisect(seen, value)
        insort(seen, value)
    return count


def cycles(order: Permutation) -> int:
    """Cycles, fixed points included."""
    left, count = set(range(len(order))), 0
    while left:
        count += 1
        at = left.pop()
        while (at := order[at]) in left:
            left.discard(at)
    return count


@cache
def inversion_shares(n: int) -> tuple[float, ...]:
    """P(k inversions): the coefficients of prod (1 + x + ... + x^(i-1)) / n!."""
    counts = [1]
    for i in range(2, n + 1):
        sums = [0]
        for count in counts:
            sums.append(sums[-1] + count)
        last = len(counts)
        counts = [sums[min(k + 1, last)] - sums[max(0, k + 1 - i)] for k in range(last + i - 1)]
    whole = math.factorial(n)
    return tuple(count / whole for count in counts)


@cache
def cycle_shares(n: int) -> tuple[float, ...]:
    """P(k cycles): the coefficients of x (x + 1) ... (x + n - 1) / n!."""
    counts = [1]
    for i in range(n):
        counts = [i * a + b for a, b in zip([*counts, 0], [0, *counts], strict=True)]
    whole = math.factorial(n)
    return tuple(count / whole for count in counts)


@cache
def fixed_point_shares(n: int) -> tuple[float, ...]:
    """P(k fixed points): derangements of the others."""
    derangements = [1, 0]
    for m in range(2, n + 1):
        derangements.append((m - 1) * (derangements[-1] + derangements[-2]))
    whole = math.factorial(n)
    return tuple(math.comb(n, k) * derangements[n - k] / whole for k in range(n + 1))


def _against(values: Iterable[int], shares: Sequence[float]) -> float:
    found = Counter(values)
    total = sum(found.values())
    return pearson(found, {k: total * share for k, share in enumerate(shares)})


def table(orders: Sequence[Permutation]) -> float:
    """The p-value of every card being equally often at every place.

    X_ij counts card j at place i in N permutations. Under uniformity the covariance of X is
    N / (n - 1) (I - J/n) x (I - J/n), so (n - 1) / N sum (X_ij - N/n)^2 tends to chi-square with (n - 1)^2
    degrees of freedom.
    """
    n, total = len(orders[0]), len(orders)
    found = Counter(n * place + card for order in orders for place, card in enumerate(order))
    squares = sum((found[cell] - total / n) ** 2 for cell in range(n * n))
    return chi_square_tail((n - 1) / total * squares, (n - 1) ** 2)


def permutations(orders: Sequence[Permutation]) -> dict[str, float]:
    """The p-values of many statistics of permutations of 0..n-1."""
    n = len(orders[0])
    assert all(sorted(order) == list(range(n)) for order in orders[:50]), "permutations"
    inverted = [inversions(order) for order in orders]
    return {
        "places and cards": table(orders),
        "first": even((order[0] for order in orders), n),
        "last": even((order[-1] for order in orders), n),
        "first two": even(
            (order[0] * (n - 1) + order[1] - (order[1] > order[0]) for order in orders), n * (n - 1)
        ),
        "fixed points": _against(
            (sum(i == card for i, card in enumerate(order)) for order in orders), fixed_point_shares(n)
        ),
        "cycles": _against(map(cycles, orders), cycle_shares(n)),
        "inversions": _against(inverted, inversion_shares(n)),
        "parity": even((count % 2 for count in inverted), 2),
        "rises": _rises(orders),
    }


def _rises(orders: Sequence[Permutation]) -> float:
    """Neighbours in ascending order: n - 1 of them, mean (n - 1)/2 and variance (n + 1)/12 (Eulerian)."""
    n = len(orders[0])
    total = sum(a < b for order in orders for a, b in pairwise(order))
    deviation = math.sqrt(len(orders) * (n + 1) / 12)
    return normal_tails((total - len(orders) * (n - 1) / 2) / deviation)


def relative(ones: Sequence[Permutation], others: Sequence[Permutation]) -> list[Permutation]:
    """Return what turns each of the others into its partner.

    It is uniform if the pairs are independent and uniform.
    """
    found = []
    for one, other in zip(ones, others, strict=True):
        by = [0] * len(one)
        for a, b in zip(one, other, strict=True):
            by[b] = a
        found.append(by)
    return found


def worst(found: Mapping[str, float]) -> tuple[str, float]:
    """The statistic that is least likely by chance, and its p-value."""
    name = min(found, key=lambda key: found[key])
    return name, found[name]
