"""docs/proofs.md, sections 3.3 and 4.3, on the program's own proofs: rewound, they give their secrets away.

An oracle that answers again, and otherwise, is what an extractor has and nobody else: here `challenge` is
made to say what the test wants. The vectors' chef proves, and the page's extractors read the bytes.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from crypto import meal, shuffle
from crypto.group import A, H, commit, decode_point, engine, split
from crypto.secret import Masks, MatchSecret
from crypto.transcript import Transcript
from tests.docs.page_arguments import (
    Challenges,
    Leaf,
    Q,
    meal_extract,
    shuffle_extract,
    slots,
)
from tests.docs.page_arguments import (
    Transcript as Said,
)
from tests.paths import VECTORS

pytest.importorskip("py_arkworks_bls12381")


def vector(name: str) -> tuple[Any, Any]:
    found = json.loads((VECTORS / f"{name}.json").read_text())[0]
    return found["input"], found["output"]


def octets(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def whole(texts: list[str]) -> list[int]:
    return [int(text, 16) for text in texts]


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Set the answers of the random oracle from now on, by the challenge's name."""
    answers: dict[str, int] = {}
    monkeypatch.setattr(Transcript, "challenge", lambda self, name: answers[name])
    return answers


def test_three_runs_of_a_chef_give_its_meal_away(oracle: dict[str, int]) -> None:
    given, made = vector("meal")
    C, hand, vectors = given["courses"], octets(given["points"]), given["vectors"]
    r, ctx, m = whole(given["blindings"]), bytes.fromhex(made["ctx"]), len(given["hand"])
    secrets = (bytes.fromhex(given[name]) for name in ("witness", "fresh"))
    witness, fresh = secrets
    rng = Random(1)
    xs, said, seals = [rng.randrange(1, Q) for _ in range(3)], list[Said](), list[bytes]()
    for oracle["x"] in xs:
        masks = Masks(bytes.fromhex(given["secret"]), ctx, witness, fresh)
        sealed = meal.prove(ctx, hand, vectors, r, given["boxes"], C, masks)
        meal.verify(ctx, hand, C, sealed.seal, sealed.proof)
        points, f = split(sealed.proof, 3 + C, m * C + 3 * C + 2)
        seals.append(b"".join((sealed.seal, *points)))
        after = m * C + C
        sums = f[after + 2 :]
        said.append({"f": f[: m * C], "f_g": f[m * C : after], "z": f[after : after + 2]})
        said[-1] |= {"n": sums[::2], "k": sums[1::2]}
    assert len(set(seals)) == 1, "the first messages are the same"
    found = meal_extract(m, said, xs)
    assert found == meal_extract(m, said[1:], xs[1:])
    assert [*map(list, found.rows)] == [[int(box == c) for c in range(1, C + 1)] for box in given["boxes"]]
    assert found.r_B == int(made["blinding"], 16)
    assert commit(slots(found.rows, 1, found.g), found.r_B) == bytes.fromhex(made["seal"])
    curve = engine()
    for c, (g, N, R) in enumerate(zip(found.g, found.numbers, found.blindings, strict=True)):
        served = curve.msm([decode_point(K) for K in hand], [row[c] for row in found.rows])
        assert curve.equal(served, curve.msm([A(0), A(1), H()], [N, g, R]))


@pytest.mark.slow
def test_eighty_runs_of_a_chef_give_its_order_away(oracle: dict[str, int]) -> None:
    given, made = vector("shuffle")
    secret = MatchSecret(bytes.fromhex(given["secret"]))
    D, K, ctx = octets(given["cards"]), octets(made["positions"]), bytes.fromhex(made["ctx"])
    n, rng = len(D), Random(2)
    t = [secret.position_blinding(i) for i in range(n)]
    by_y, first = dict[int, list[Leaf]](), set[bytes]()
    for _ in range(n):
        y, lam, z = (rng.randrange(1, Q) for _ in range(3))
        for at in (Challenges(y, lam, z, rng.randrange(1, Q)) for _ in range(2)):
            oracle |= {"y": at.y, "lambda": at.lam, "z": at.z, "x": at.x}
            masks = Masks(bytes.fromhex(given["secret"]), ctx, b"[]", bytes(32))
            proof = shuffle.prove(ctx, D, K, secret.permutation, t, masks)
            points, f = split(proof, 7, 3 * n + 2)
            first.add(points[0])
            leaf: Said = {"f": f[:n], "z_t": [f[n + 1]], "u": f[n + 2 : 2 * n + 2]}
            by_y.setdefault(y, []).append(Leaf(leaf, at))
        shuffle.verify(ctx, D, K, proof)
    assert len(first) == 1, "c1 is the same"
    assert shuffle_extract(by_y) == ([*secret.permutation], [value % Q for value in t])
