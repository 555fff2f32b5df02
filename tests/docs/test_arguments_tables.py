"""The algebra of docs/proofs.md, section 10, runs: cheats, extractors and simulators against each other."""

from __future__ import annotations

from random import Random

import pytest

from tests.docs.page_arguments import A, Q, gen
from tests.docs.page_arguments_tables import (
    Public,
    Said,
    U,
    errors,
    hidden_game,
    linear_extract,
    linear_holds,
    linear_prove,
    linear_simulate,
    mix_step_4,
)

RNG = Random(2012)
TRAITS = [gen(f"trait {t}") for t in "CDH"]
"""B_t; C is denied, D and H are not."""


def draw(count: int) -> list[int]:
    return [RNG.randrange(1, Q) for _ in range(count)]


def statement(x: int) -> tuple[Public, list[int]]:
    """Two shares, and a claim about two cards: number 3 with D, number 5 with D and H."""
    a = draw(4)
    cards = [3 * A[0] + TRAITS[1], 5 * A[0] + TRAITS[1] + TRAITS[2]]
    claim = [(a[2 + i], (card + x * a[2 + i]) % Q) for i, card in enumerate(cards)]
    shares = [(point, x * point % Q) for point in a[:2]]
    return Public(x * U % Q, shares, claim, TRAITS[1:]), [x, 8, 2, 1]


def test_an_honest_prover_passes_and_two_leaves_give_the_witness() -> None:
    public, secret = statement(draw(1)[0])
    masks, w, es = draw(4), draw(1)[0], draw(2)
    said = [linear_prove(public, secret, masks, w, e) for e in es]
    assert all(linear_holds(public, one, w, e) == [True] * 3 for one, e in zip(said, es, strict=True))
    assert said[0].T == said[1].T
    assert linear_extract(said, es) == secret
    assert errors(public, secret[0], draw(2)) == [0, 0]


def test_as_many_weights_as_shares_show_every_error() -> None:
    public, secret = statement(draw(1)[0])
    (a, D), (b, E) = public.shares
    w = draw(1)[0]
    # Errors that cancel for one w, as a cheat who knows w would choose them.
    off = [(a, (D + w) % Q), (b, (E - 1) % Q)]
    bent = Public(public.h, off, public.claim, public.others)
    masks, e = draw(4), draw(1)[0]
    assert linear_holds(bent, linear_prove(bent, secret, masks, w, e), w, e) == [True] * 3
    other = draw(1)[0]
    assert linear_holds(bent, linear_prove(bent, secret, masks, other, e), other, e) == [True, False, True]
    assert errors(bent, secret[0], draw(2)) == [w, Q - 1]


@pytest.mark.parametrize("counts", [[8, 2, 1], [8, 3, 1], [9, 2, 1]])
def test_a_denied_trait_leaves_no_witness(counts: list[int]) -> None:
    x, a = draw(2)
    held = 8 * A[0] + 2 * TRAITS[1] + TRAITS[2] + TRAITS[0]
    public = Public(x * U % Q, [], [(a, (held + x * a) % Q)], TRAITS[1:])
    masks, (w, e, other) = draw(4), draw(3)
    said = linear_prove(public, [x, *counts], masks, w, e)
    assert linear_holds(public, said, w, e) == [True, True, False]
    # A T_3 that is fitted to one e passes for that one alone.
    lack = held - counts[0] * A[0] - counts[1] * TRAITS[1] - counts[2] * TRAITS[2]
    fitted = [*said.T[:2], (said.T[2] - e * lack) % Q]
    assert linear_holds(public, Said(fitted, said.s), w, e) == [True] * 3
    again = linear_prove(public, [x, *counts], masks, w, other)
    assert linear_holds(public, Said(fitted, again.s), w, other) == [True, True, False]


def test_a_simulated_proof_passes_for_its_challenges_and_no_others() -> None:
    public, _ = statement(draw(1)[0])
    w, e, other = draw(3)
    said = linear_simulate(public, w, e, RNG)
    assert linear_holds(public, said, w, e) == [True] * 3
    assert linear_holds(public, said, w, other) == [False] * 3


def test_every_simulation_is_an_honest_proof_under_one_set_of_masks() -> None:
    public, secret = statement(draw(1)[0])
    w, e = draw(2)
    said = linear_simulate(public, w, e, RNG)
    masks = [(s - e * value) % Q for s, value in zip(said.s, secret, strict=True)]
    assert linear_prove(public, secret, masks, w, e) == said


def test_step_4_gives_the_same_t_for_both_halves() -> None:
    n, h = 5, draw(1)[0]
    before = [tuple(draw(2)) for _ in range(n)]
    order, t, ys = [2, 0, 4, 1, 3], draw(n), draw(n)
    after = [
        ((before[j][0] + by * U) % Q, (before[j][1] + by * h) % Q) for j, by in zip(order, t, strict=True)
    ]
    rhos = [sum(pow(y, j + 1, Q) * by for j, by in zip(order, t, strict=True)) % Q for y in ys]
    differences, found = mix_step_4(before, after, order, rhos, ys, h)  # type: ignore[arg-type]
    assert differences == [0] * (2 * n)
    assert found == t
    # Another t in one half is no multiple of (U, h): no ρ_y serves both.
    bent = [(after[0][0], (after[0][1] + h) % Q), *after[1:]]
    differences, _ = mix_step_4(before, bent, order, rhos, ys, h)  # type: ignore[arg-type]
    assert differences == [0] * n + [h] + [0] * (n - 1)


def test_a_hidden_card_is_masked_by_the_fourth_point_of_a_tuple() -> None:
    """An adversary who takes logarithms reads it in the real game, and nobody can in the other."""
    card = 7 * A[0] % Q
    h, _, c, r = hidden_game(True, card, RNG)
    assert (c - r * h) % Q == card
    h, _, c, r = hidden_game(False, card, RNG)
    assert (c - r * h) % Q != card
