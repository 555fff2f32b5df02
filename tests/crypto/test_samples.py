"""The examples behind the published test vectors: the same on every machine, and true."""

import hashlib
import json

import pytest

from crypto import group, meal, shuffle
from crypto.encoding import canonical
from crypto.engines import Engine
from vectors.primitives import GROUPS

# SHA-256 of the canonical JSON of each group. A change here changes the protocol's bytes.
PINNED = {
    "encodings": "5d35c3b9befe14ef19d75acf915f3674ba585d16c0ede9f9cb6726988abf5a1a",
    "tuple_hash": "f8c2a9a2c274c26935498598f860c6735492c2f8fddb1126f5262a28f8474e20",
    "transcript": "42fc9624b7ffb56193468ae8f5ad851db3f1e8d427a4ee3321d5f90112312571",
    "generators": "2685586c8e494298ef0e7edcc24d207392c8da6e48936462d398399ceaa96c43",
    "commitments": "022f556f4e689d0228d0d31b4009a775ff1f4ad5fe125f6f7f67c53789fd7b52",
    "secrets": "f03a4800312f226e3c84d5e80ac855646b4cf77080cf93119f5913a064577bf6",
    "certificate": "11b92509eca679456945bcf70b7abfd2ca415cc3a2f76fbe421000544ff142c7",
    "chain": "20166de8a041cb9d04d41c31330a156defbb9c26c8f31d9e981d7ac308770445",
    "draws": "d3714df7f9c22bea1dd9cfaeb529921dfc254cdfd733b30de986fbb7510fce04",
    "shuffle": "1612d7c8c6897322b5413fdebcd60939f7d4c0f37c3c0350cf138220fa47bdaf",
    "meal": "d69642df9c7c65a5b8822c84d92603782665981b3cc19eb813a06936f25d7260",
    "signatures": "655c5ae73258adebebb8bf6a23d219fffeb2471b873f383a21e165bf453d5cd8",
    "locks": "5878b79fb277045776c8d45b466269b7bb95f483ec9fbf4e889c5811ef80e9e4",
    "mix": "d009aaeca81688b4e45266ae456b4eb2049eefad377337beb1183e064072d313",
    "linear": "f6ed72f10176e0326623d1a078e577e287f0ca1b54708b26c479c2cc8e6682d5",
    "envelope": "ffdcbc70a05cabe8094811f4e85b21acccc803212739ee74006ba480c70c9426",
}


def test_every_example_is_the_same_on_both_engines_and_for_ever(curve: Engine) -> None:
    # Inputs that must be refused have a file of tests of their own: test_refusals.py.
    examples = {name: make for name, make in GROUPS.items() if not name.startswith("bad_")}
    found = {name: hashlib.sha256(canonical(make())).hexdigest() for name, make in examples.items()}
    assert found == PINNED


@pytest.mark.parametrize("name", GROUPS)
def test_examples_are_plain_json(fast: Engine, name: str) -> None:
    vectors = GROUPS[name]()
    assert vectors
    assert json.loads(canonical(vectors)) == vectors
    assert all(set(vector) == {"name", "input", "output"} for vector in vectors)


def test_the_example_proofs_are_valid(fast: Engine) -> None:
    (deck,) = GROUPS["shuffle"]()
    given, made = deck["input"], deck["output"]
    cards, positions = ([bytes.fromhex(p) for p in points] for points in (given["cards"], made["positions"]))
    shuffle.verify(bytes.fromhex(made["ctx"]), cards, positions, bytes.fromhex(made["proof"]))
    for vector in GROUPS["meal"]():
        given, made = vector["input"], vector["output"]
        hand = [bytes.fromhex(point) for point in given["points"]]
        ctx, seal, proof = (bytes.fromhex(made[name]) for name in ("ctx", "seal", "proof"))
        meal.verify(ctx, hand, given["courses"], seal, proof)
        for point, a, r in zip(hand, given["vectors"], given["blindings"], strict=True):
            assert meal.opens_card(point, a, group.decode_scalar(bytes.fromhex(r)))
