"""One product for many proofs (protocol section 8)."""

import random
from collections.abc import Sequence
from math import ceil, log2
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crypto import group, verifier
from crypto.engines import ORDER, Arkworks, Engine
from crypto.transcript import ProofError
from crypto.verifier import Equation, Sum, check, require
from tests.crypto.crypto_kit import products


def true_equation(seed: int) -> Equation:
    rng, points = random.Random(seed), [group.G(i) for i in range(4)]
    scalars = [rng.randrange(ORDER) for _ in points]
    total = group.engine().msm(points, scalars)
    return [*zip(scalars, points, strict=True), (-1, total)]


def false_equation(seed: int) -> Equation:
    return [*true_equation(seed), (1, group.H())]


def test_all_hold(curve: Engine) -> None:
    assert check([true_equation(1), true_equation(2)], [true_equation(3)]) == [True, True]
    assert check() == []


class Other(Arkworks):
    """Another engine than the one that checks."""

    products = 0

    def msm(self, points: Sequence[Any], scalars: Sequence[int]) -> Any:
        self.products += 1
        return super().msm(points, scalars)


def test_the_engine_that_is_named_makes_the_product(fast: Engine) -> None:
    other = Other()
    point = group.H(on=other)
    assert check([[(2, point), (-2, point)]], on=other) == [True]
    assert check([[(2, point), (-1, point)]], on=other) == [False]
    assert other.products == 2


def test_each_proof_is_judged_by_itself(curve: Engine) -> None:
    proofs = [
        [true_equation(1)],
        [true_equation(2), false_equation(3)],
        [true_equation(4)],
        [false_equation(5)],
    ]
    assert check(*proofs) == [True, False, True, False]


def test_errors_do_not_cancel_out(curve: Engine) -> None:
    # Each equation is off by as much as the other, the other way round: their plain sum is right.
    plus, minus = [*true_equation(1), (1, group.H())], [*true_equation(2), (-1, group.H())]
    assert check([plus, minus]) == [False]
    assert check([plus], [minus]) == [False, False]


def test_weights_are_independent_and_of_128_bits(fast: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def randbits(bits: int) -> int:
        asked.append(bits)
        return len(asked)

    monkeypatch.setattr(verifier.secrets, "randbits", randbits)
    assert check([true_equation(1)] * 3, [true_equation(2)] * 2) == [True, True]
    assert asked == [128] * 4


def test_a_sum_counts_what_it_holds_and_what_it_comes_to(fast: Engine) -> None:
    whole = Sum()
    assert (whole.held, whole.terms) == (0, 0)
    for i, terms in enumerate((5, 6, 7), 1):
        whole.add([true_equation(i)])
        assert (whole.held, whole.terms) == (5 * i, terms)


def test_equal_points_are_one_term(fast: Engine) -> None:
    equations = [true_equation(1), true_equation(2)]
    with products(fast) as made:
        assert check(equations) == [True]
    assert list(map(len, made)) == [4 + 2]
    with products(fast) as made:
        assert check(*([equation] for equation in equations)) == [True, True]
    assert list(map(len, made)) == [4 + 2]


# --- Finding the bad ones by halving ---


ONE_ENGINE = [HealthCheck.function_scoped_fixture]
"""The fixture only names the engine; it may stay the same for all examples."""


def small(right: bool, seed: int) -> Equation:
    """An equation of two points, true or not."""
    scalar = random.Random(seed).randrange(1, 1000)
    return [(scalar, group.G(seed % 5)), (int(right) - 1 - scalar, group.G(seed % 5)), (0, group.H())]


@settings(max_examples=60, deadline=None, suppress_health_check=ONE_ENGINE)
@given(st.lists(st.booleans(), max_size=40))
def test_any_bad_ones_are_found_exactly(fast: Engine, right: list[bool]) -> None:
    assert check(*([true_equation(i), small(good, i)] for i, good in enumerate(right))) == right


@settings(max_examples=10, deadline=None, suppress_health_check=ONE_ENGINE)
@given(st.lists(st.booleans(), min_size=1, max_size=9))
def test_any_bad_ones_are_found_exactly_on_both_engines(curve: Engine, right: list[bool]) -> None:
    assert check(*([small(good, i)] for i, good in enumerate(right))) == right


@settings(max_examples=40, deadline=None, suppress_health_check=ONE_ENGINE)
@given(st.lists(st.sampled_from([-1, 0, 0, 1]), min_size=1, max_size=12))
def test_no_weights_make_a_good_proof_bad(fast: Engine, off: list[int]) -> None:
    """Equal weights may cancel errors out, so that a bad proof passes. No good proof fails for that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifier.secrets, "randbits", lambda bits: 1)
        found = check(*([[*true_equation(i), (error, group.H())]] for i, error in enumerate(off)))
    assert all(held for held, error in zip(found, off, strict=True) if not error)
    assert sum(off) == 0 or not all(found)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 100])
def test_one_bad_among_many_takes_few_products(fast: Engine, n: int) -> None:
    for bad in {0, n // 2, n - 1}:
        proofs = [[small(i != bad, i)] for i in range(n)]
        with products(fast) as made:
            assert check(*proofs) == [i != bad for i in range(n)]
        assert len(made) <= 1 + ceil(log2(n))


def test_halves_are_half_the_work(fast: Engine) -> None:
    proofs = [[true_equation(i)] for i in range(63)] + [[false_equation(63)]]
    with products(fast) as made:
        assert check(*proofs) == [True] * 63 + [False]
    # Four generators in each, and in the whole sum the point of the error.
    assert list(map(len, made)) == [5 + 64, 4 + 32, 4 + 16, 4 + 8, 4 + 4, 4 + 2, 4 + 1]


def test_however_many_are_bad_there_are_no_more_products_than_proofs(fast: Engine) -> None:
    rng = random.Random(8)
    for share in (0.1, 0.5, 1.0):
        bad = [rng.random() < share for _ in range(50)]
        with products(fast) as made:
            assert check(*([small(not wrong, i)] for i, wrong in enumerate(bad))) == [not b for b in bad]
        assert len(made) <= 50


def test_the_engine_of_the_points_can_be_named(fast: Engine) -> None:
    with group.use("py_ecc") as reference:
        other = small(True, 1), small(False, 2)
    assert check([other[0]], [other[1]], on=reference) == [True, False]


def test_a_proof_without_equations_shows_nothing(fast: Engine) -> None:
    for proofs in ([[]], [[true_equation(1)], []]):
        with pytest.raises(ValueError, match="shows nothing"):
            check(*proofs)


def test_require_names_what_fails(curve: Engine) -> None:
    require([true_equation(1), true_equation(2)], ["X1", "X2"], 6)
    with pytest.raises(ProofError, match=r"^X2 of the proof fails \(protocol 6\)$"):
        require([true_equation(1), false_equation(2)], ["X1", "X2"], 6)
    with pytest.raises(ProofError, match="X1 and X2"):
        require([false_equation(1), false_equation(2)], ["X1", "X2"], 6)
