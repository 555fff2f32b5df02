"""One product for many proofs (protocol section 8)."""

import random

import pytest

from crypto import group, verifier
from crypto.engines import ORDER, Engine
from crypto.transcript import ProofError
from crypto.verifier import Equation, check, require


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


def test_equal_points_are_one_term(fast: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    product = type(fast).msm

    def counting(self: Engine, points: list[object], scalars: list[int]) -> object:
        sizes.append(len(points))
        return product(self, points, scalars)

    equations = [true_equation(1), true_equation(2)]
    monkeypatch.setattr(type(fast), "msm", counting)
    assert check(equations) == [True]
    assert sizes == [4 + 2]


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
