"""docs/proofs.md, executed: what its extractors and simulators are said to do, they do."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.docs.page_arguments import (
    Challenges,
    H,
    Leaf,
    MealWitness,
    Q,
    Transcript,
    card,
    com,
    inverse,
    meal_course,
    meal_extract,
    meal_f,
    meal_holds,
    meal_masks,
    meal_prove,
    meal_simulate,
    shuffle_explained,
    shuffle_extract,
    shuffle_holds,
    shuffle_masks,
    shuffle_opened,
    shuffle_prove,
    shuffle_simulate,
    slots,
    target,
)

TOAST = (1101, 1, -1, 0, 0, 0, 0)
RICE = (1001, 0, 1, 0, 0, 0, 0)
OIL = (1003, 0, 0, 0, 1, 0, 0)
HAND = [TOAST, RICE, OIL, RICE]


def scalars(rng: Random, count: int) -> list[int]:
    return [rng.randrange(1, Q) for _ in range(count)]


def masks(m: int, C: int, rng: Random) -> dict[str, list[int]]:
    sizes = {"a": m * C, "e": C, "r": 3, "t": C, "u": C}
    return {name: scalars(rng, count) for name, count in sizes.items()}


def chosen(boxes: list[int], r: list[int], C: int, r_B: int, g: list[int] | None = None) -> MealWitness:
    """The witness of a choice, legal or not."""
    rows = [[int(box == c) for c in range(1, C + 1)] for box in boxes]

    def sums(values: list[int]) -> list[int]:
        return [sum(row[c] * value for row, value in zip(rows, values, strict=True)) for c in range(C)]

    recipes = sums([vector[1] for vector in HAND]) if g is None else g
    return MealWitness(rows, recipes, sums([vector[0] for vector in HAND]), sums(r), r_B)


def points(r: list[int]) -> list[int]:
    return [card(vector, blinding) for vector, blinding in zip(HAND, r, strict=True)]


@pytest.mark.parametrize("C", [1, 3])
def test_the_extractor_of_a_meal_finds_the_witness(C: int) -> None:
    rng = Random(C)
    r = scalars(rng, 4)
    K, w, m = points(r), chosen([1, 1, 0, 0], r, C, rng.randrange(Q)), masks(4, C, rng)
    xs = scalars(rng, 3)
    said = [meal_prove(K, w, m, x) for x in xs]
    assert all(all(meal_holds(K, one, x)) for one, x in zip(said, xs, strict=True))
    assert all(one[name] == said[0][name] for one in said for name in ("B", "AQS", "W"))
    found = meal_extract(4, said, xs)
    assert found == MealWitness(w.rows, w.g, w.numbers, [R % Q for R in w.blindings], w.r_B)
    assert com(slots(found.rows, 1, found.g), found.r_B) == said[0]["B"][0]
    # The third is answered as the first two say that it must be: x b + a, and no x^2 in M2.
    b, a = slots(w.rows, 1, w.g), slots([m["a"][j * C : j * C + C] for j in range(4)], 0, m["e"])
    assert meal_f(said[2], 4, xs[2]) == [(xs[2] * v + k) % Q for v, k in zip(b, a, strict=True)]


def prepared(K: list[int], w: MealWitness, m: dict[str, list[int]], for_x: list[int], x: int) -> Transcript:
    """A cheat whose slots are no bits: Q and S are made to fit two challenges that it hopes for."""
    C = len(w.g)
    said = meal_prove(K, w, m, x)
    b, a = slots(w.rows, 1, w.g), slots([m["a"][j * C : j * C + C] for j in range(len(K))], 0, m["e"])
    one, two = for_x
    # x^2 b(1-b) = (one + two) x b(1-b) - one two b(1-b) at both of them
    bent = [v * (1 - v) for v in b]
    left = [k * (1 - 2 * v) + (one + two) * n for k, v, n in zip(a, b, bent, strict=True)]
    rest = [-k * k - one * two * n for k, n in zip(a, bent, strict=True)]
    _, r_Q, r_S = m["r"]
    said["AQS"] = [said["AQS"][0], com(left, r_Q), com(rest, r_S)]
    return said


def test_a_slot_that_is_no_bit_passes_two_challenges_of_the_cheats_choice_and_no_third() -> None:
    rng = Random(5)
    r = scalars(rng, 4)
    # Rice counts twice, so that two units seem to be there.
    rows = [[0], [2], [0], [Q - 2]]
    w = MealWitness(rows, [0], [0], [(2 * r[1] - 2 * r[3]) % Q], rng.randrange(Q))
    K, m, hoped = points(r), masks(4, 1, rng), scalars(rng, 2)
    for x in hoped:
        assert all(meal_holds(K, prepared(K, w, m, hoped, x), x))
    for x in scalars(rng, 20):
        assert meal_holds(K, prepared(K, w, m, hoped, x), x) == [True, False, True]


SHORT = [([1, 0, 0, 0], None), ([1, 1, 0, 1], None), ([1, 1, 0, 0], [0])]
"""Toast without rice; with two; with one and its recipe kept quiet."""


@pytest.mark.parametrize(("boxes", "g"), SHORT)
def test_a_course_that_does_not_add_up_passes_one_challenge_of_the_cheats_choice(
    boxes: list[int], g: list[int] | None
) -> None:
    rng = Random(6)
    r = scalars(rng, 4)
    K, w, m = points(r), chosen(boxes, r, 1, rng.randrange(Q), g), masks(4, 1, rng)
    hoped = rng.randrange(1, Q)
    fitted = [meal_course(K, meal_prove(K, w, m, hoped), 0)]
    assert all(meal_holds(K, {**meal_prove(K, w, m, hoped), "W": fitted}, hoped))
    for x in scalars(rng, 20):
        said = meal_prove(K, w, m, x)
        assert meal_holds(K, said, x) == [True, True, False]
        assert meal_holds(K, {**said, "W": fitted}, x) == [True, True, False]


@pytest.mark.parametrize("C", [1, 3])
def test_every_simulated_meal_is_what_every_chef_would_have_said_with_one_choice_of_masks(C: int) -> None:
    rng = Random(10 + C)
    B, x = rng.randrange(Q), rng.randrange(1, Q)
    K = [rng.randrange(Q) for _ in HAND]
    said = meal_simulate(K, C, B, x, rng)
    assert all(meal_holds(K, said, x))
    for boxes in ([0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 1]):
        # Any hand could be behind K, and any choice behind B: these are its blindings.
        r = [(k - card(vector, 0)) * inverse(H) % Q for k, vector in zip(K, HAND, strict=True)]
        w = chosen(boxes, r, C, 0)
        r_B = (B - com(slots(w.rows, 1, w.g), 0)) * inverse(H) % Q
        w = chosen(boxes, r, C, r_B)
        assert meal_prove(K, w, meal_masks(w, said, x), x) == said


def test_answers_to_one_challenge_are_unique_but_for_a_relation() -> None:
    # M1 fixes f and z_A, M2 then z_Q, M3 n_c and k_c: whatever is changed, an equation breaks.
    rng = Random(21)
    r = scalars(rng, 4)
    K, w, x = points(r), chosen([1, 1, 0, 0], r, 3, rng.randrange(Q)), rng.randrange(Q)
    said = meal_prove(K, w, masks(4, 3, rng), x)
    for name in ("f", "f_g", "z", "n", "k"):
        for i in range(len(said[name])):
            other = {**said, name: [*said[name][:i], (said[name][i] + 1) % Q, *said[name][i + 1 :]]}
            assert not all(meal_holds(K, other, x))


def test_one_seal_alone_fits_every_context_the_empty_one_without_blinding() -> None:
    """It says what everybody knows how to say, and nothing of anybody."""
    rng = Random(22)
    K, C, phi = [rng.randrange(Q) for _ in range(3)], 3, rng.randrange(1, Q)
    nothing = MealWitness([[0] * C] * 3, [0] * C, [0] * C, [0] * C, 0)
    m = {"a": [0] * 9, "e": [phi, 0, 0], "r": [rng.randrange(Q), 0, rng.randrange(Q)]}
    m |= {"t": scalars(rng, C), "u": scalars(rng, C)}
    said = meal_prove(K, nothing, m, 1)
    for x in scalars(rng, 5):
        assert all(meal_holds([rng.randrange(Q) for _ in range(3)], said, x))
    # Any other is bound to its challenge.
    r = scalars(rng, 4)
    x = rng.randrange(Q)
    honest = meal_prove(points(r), chosen([1, 1, 0, 0], r, 1, 7), masks(4, 1, rng), x)
    assert not meal_holds(points(r), honest, x + 1)[0]


# Shuffles


def deck(n: int, rng: Random) -> tuple[list[int], list[int], list[int], list[int]]:
    """D, K, pi and t."""
    D, t, pi = [rng.randrange(Q) for _ in range(n)], scalars(rng, n), rng.sample(range(n), n)
    return D, [(D[j] + blinding * H) % Q for j, blinding in zip(pi, t, strict=True)], pi, t


def drawn(rng: Random) -> Challenges:
    return Challenges(*scalars(rng, 4))


@pytest.mark.parametrize("n", [2, 3, 40])
def test_the_extractor_of_a_shuffle_finds_permutation_and_blindings(n: int) -> None:
    rng = Random(n)
    D, K, pi, t = deck(n, rng)
    m, by_y = shuffle_masks(n, rng), dict[int, list[Leaf]]()
    for y in scalars(rng, n):
        lam, z = scalars(rng, 2)
        ats = [Challenges(y, lam, z, x) for x in scalars(rng, 2)]
        by_y[y] = [Leaf(shuffle_prove(K, pi, t, m, at), at) for at in ats]
        assert all(all(shuffle_holds(D, K, leaf.said, leaf.at)) for leaf in by_y[y])
    assert shuffle_extract(by_y) == (pi, t)


def test_a_whole_tree_leaves_no_choice() -> None:
    """n different y, n + 1 different lambda, n different z, n + 1 different x: the counts of the page."""
    n, rng = 3, Random(33)
    D, K, pi, t = deck(n, rng)
    m = shuffle_masks(n, rng)
    for y, lam, z in product(scalars(rng, n), scalars(rng, n + 1), scalars(rng, n)):
        ats = [Challenges(y, lam, z, x) for x in scalars(rng, n + 1)]
        leaves = [Leaf(shuffle_prove(K, pi, t, m, at), at) for at in ats]
        assert all(all(shuffle_holds(D, K, leaf.said, leaf.at)) for leaf in leaves)
        p, e, u, _ = shuffle_opened(leaves)
        assert (e, p) == ([j + 1 for j in pi], [pow(y, j + 1, Q) for j in pi])
        whole = 1
        for value in u:
            whole = whole * value % Q
        assert whole == target(n, ats[0])


@pytest.mark.parametrize("pi", [[0, 0, 2, 3], [3, 3, 3, 3], [1, 2, 3, 4]])
def test_what_is_no_permutation_fails_at_the_product(pi: list[int]) -> None:
    """A card doubled, one card throughout, a card that is not there: lambda and z tell them apart."""
    rng = Random(44)
    D = [rng.randrange(Q) for _ in range(5)]
    t = scalars(rng, 4)
    K = [(D[j] + blinding * H) % Q for j, blinding in zip(pi, t, strict=True)]
    for _ in range(10):
        at = drawn(rng)
        held = shuffle_holds(D[:4], K, shuffle_prove(K, pi, t, shuffle_masks(4, rng), at), at)
        assert (held[0], held[2], held[3]) == (True, True, False)


@pytest.mark.parametrize("n", [2, 5, 40])
def test_every_simulated_shuffle_is_what_every_order_would_have_said_with_one_choice_of_masks(n: int) -> None:
    rng = Random(50 + n)
    D, K, at = *([rng.randrange(Q) for _ in range(n)] for _ in range(2)), drawn(rng)
    said = shuffle_simulate(D, K, at, rng)
    assert all(shuffle_holds(D, K, said, at))
    for _ in range(3):
        # Any order could be behind K: these are its blindings.
        pi = rng.sample(range(n), n)
        t = [(k - D[j]) * inverse(H) % Q for k, j in zip(K, pi, strict=True)]
        again = shuffle_prove(K, pi, t, shuffle_explained(pi, t, said, at), at)
        assert again == said


def test_a_shuffle_s_proof_fits_no_other_challenge() -> None:
    rng = Random(60)
    D, K, pi, t = deck(4, rng)
    at = drawn(rng)
    said = shuffle_prove(K, pi, t, shuffle_masks(4, rng), at)
    assert not shuffle_holds(D, K, said, Challenges(at.y, at.lam, at.z, at.x + 1))[0]
