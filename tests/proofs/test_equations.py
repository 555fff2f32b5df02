"""proofs/Equations.v, which theorems are about, has the equations that crypto/ checks.

Coq prints its equations for small random statements, proofs and challenges. The Python gives its own for the
same. Each point must have the same coefficient mod q in both. A change to a definition of Coq shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest

from tests.proofs.coq_kit import Mutant, Printed, ask, definitions, module, mutant, mutants, need_coq
from tests.proofs.instances_kit import Instance, linear_instance, meal_instance, shuffle_instance

INSTANCES: dict[str, Callable[[Random], Instance]] = {
    "a key": lambda chance: linear_instance(chance, 0, 0, []),
    "a share": lambda chance: linear_instance(chance, 1, 0, []),
    "a claim about one card": lambda chance: linear_instance(chance, 0, 1, []),
    "three shares and a claim": lambda chance: linear_instance(chance, 3, 2, [0, 2, 3]),
    "an empty hand": lambda chance: meal_instance(chance, 0, 1),
    "one card, one course": lambda chance: meal_instance(chance, 1, 1),
    "two cards, three courses": lambda chance: meal_instance(chance, 2, 3),
    "four cards, two courses": lambda chance: meal_instance(chance, 4, 2),
    "a shuffle of two": lambda chance: shuffle_instance(chance, "Shuffle", 2),
    "a shuffle of five": lambda chance: shuffle_instance(chance, "Shuffle", 5),
    "a mix of two": lambda chance: shuffle_instance(chance, "Mix", 2),
    "a mix of four": lambda chance: shuffle_instance(chance, "Mix", 4),
    "any two halves of four": lambda chance: shuffle_instance(chance, "Permutation", 4),
}
RICH = {
    "Linear": "three shares and a claim",
    "Meal": "four cards, two courses",
    "Permutation": "any two halves of four",
    "Shuffle": "a shuffle of five",
    "Mix": "a mix of four",
}
"""For each module of Equations.v, an instance in which every term is there."""
EQUATIONS = {
    "Linear": ["L1", "L2", "L3"],
    "Meal": ["M1", "M2", "M3", "opening_of_seal", "opening_of_card"],
    "Permutation": ["S1", "S2", "S3", "S4"],
}
"""The definitions of equations in each module; those of Shuffle and Mix make statements for Permutation."""
AIDS: list[tuple[str, list[str], str, str]] = [
    ("Meal", ["M1", "M2"], "else rest - total_of", "else rest + total_of"),
    ("Meal", ["M1", "M2"], "slots s (rows pf) x (f_g pf)", "slots s (rows pf) (x + 1) (f_g pf)"),
    ("Meal", ["M1", "M2"], "c <- iota 0 (C s)]\n  else", "c <- iota 1 (C s)]\n  else"),
    ("Meal", ["M1", "M2"], "(m s * (C s).+1 + C s)%N", "(m s * (C s).+1)%N"),
    ("Permutation", ["S4"], "lam * j%:R", "z * j%:R"),
    ("Permutation", ["S4"], "y ^+ j - z", "y ^+ j + z"),
    ("Permutation", ["S4"], "j <- iota 1 (n s)]", "j <- iota 0 (n s)]"),
    ("Permutation", ["S4"], "then x * product", "then product"),
    ("Permutation", ["S4"], "then u pf 0", "then u pf 1"),
    ("Shuffle", ["S2"], "Half D K (gen H)", "Half K D (gen H)"),
    ("Shuffle", ["S2"], "Half D K (gen H)", "Half D K (gen U)"),
    ("Shuffle", ["S1", "S2", "S3", "S4"], "Statement n 1", "Statement n.-1 1"),
    ("Mix", ["S2"], "Half (a D) (a K) (gen U)", "Half (a K) (a D) (gen U)"),
    ("Mix", ["S2"], "Half (a D) (a K) (gen U)", "Half (a D) (a K) (gen H)"),
    ("Mix", ["S2"], "Half (c D) (c K) h", "Half (c K) (c D) h"),
    ("Mix", ["S2"], "Half (c D) (c K) h", "Half (c D) (c K) (gen H)"),
    ("Mix", ["S2"], "if o == 0%N", "if o == 1%N"),
    ("Mix", ["S1", "S2", "S3", "S4"], "Statement n 2", "Statement n.-1 2"),
]
"""Changes to what equations are made of: the module, the equations that change, a text and another for it."""


class Comparison:
    """All that one run of coqc has printed, beside what the Python says."""

    def __init__(self, folder: Path) -> None:
        self.instances = {name: make(Random(name)) for name, make in INSTANCES.items()}
        changed = [one for name in RICH for one in mutants(name)]
        aids = [mutant(*aid) for aid in AIDS]
        pairs = [(one, self.instances[RICH[one.module]]) for one in changed + aids]
        printed = iter(ask(folder, list(self.instances.values()), pairs))
        self.whole = {name: next(printed) for name in self.instances}
        self.changed = [(one, next(printed)) for one in changed]
        self.aids = [(one, next(printed)) for one in aids]

    def differing(self, name: str, printed: Printed) -> set[str]:
        """The equations of an instance in which Coq and Python differ."""
        instance = self.instances[name]
        pairs = zip(instance.python, instance.said(printed), strict=True)
        return {equation for (equation, python), coq in pairs if python != coq}

    def unnoticed(self, chosen: Iterable[tuple[Mutant, Printed]]) -> list[str]:
        """The mutants that differ in other equations than they should."""
        return [
            mutant.what
            for mutant, printed in chosen
            if self.differing(RICH[mutant.module], printed) != mutant.changed
        ]


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    need_coq()
    return Comparison(tmp_path_factory.mktemp("coq"))


def test_every_equation_of_coq_is_compared() -> None:
    assert {name: [*definitions(module(name))] for name in EQUATIONS} == EQUATIONS


@pytest.mark.parametrize("name", INSTANCES)
def test_coq_and_python_have_the_same_equations(comparison: Comparison, name: str) -> None:
    assert comparison.instances[name].python
    assert comparison.differing(name, comparison.whole[name]) == set()


@pytest.mark.parametrize("equation", [one for names in EQUATIONS.values() for one in names])
def test_a_changed_coefficient_is_noticed(comparison: Comparison, equation: str) -> None:
    chosen = [pair for pair in comparison.changed if pair[0].changed == {equation}]
    assert len(chosen) >= 3  # no equation has fewer terms
    assert comparison.unnoticed(chosen) == []


def test_a_change_to_what_equations_are_made_of_is_noticed(comparison: Comparison) -> None:
    assert comparison.unnoticed(comparison.aids) == []
