"""What the tests keep is what the real functions give, and no two questions share an answer."""

from __future__ import annotations

from itertools import pairwise

import pytest

from crypto.edwards import Pycryptodome
from tests import kept

TUPLES = [("chain", (b"ab", b"c")), ("chain", (b"a", b"bc")), ("chain", (b"abc",)), ("links", (b"abc",))]


@pytest.mark.parametrize("module", kept.HASHING, ids=lambda module: module.__name__)
def test_a_kept_hash_is_the_hash(module: object) -> None:
    tuple_hash = module.tuple_hash  # type: ignore[attr-defined]
    for label, parts in TUPLES:
        for length in (32, 64):
            first = tuple_hash(label, *parts, length=length)
            assert first == tuple_hash.__wrapped__(label, *parts, length=length)
            assert tuple_hash(label, *parts, length=length) is first


def test_hashes_of_other_tuples_and_lengths_are_others() -> None:
    tuple_hash = kept.HASHING[0].tuple_hash
    hashes = [tuple_hash(label, *parts, length=n) for label, parts in TUPLES for n in (32, 64)]
    assert len(set(hashes)) == len(hashes)


def test_two_points_share_no_result() -> None:
    asked = []

    def difference(library: Pycryptodome, s: int, k: int, point: object) -> bytes:
        asked.append((s, k, point))
        return len(asked).to_bytes(1, "big")

    library = Pycryptodome()
    points = [library.decode(library.public_key(bytes([seed]) * 32)) for seed in (1, 1, 2)]
    of = kept.by_point(difference)
    questions = [(s, 7, point) for point in points for s in (5, 6)]
    first = [of(library, *question) for question in questions]
    assert first == [of(library, *question) for question in questions]
    assert len(asked) == len(questions)
    assert all(left != right for left, right in pairwise(first))


def test_a_kept_signature_is_the_keys_over_the_message() -> None:
    library = Pycryptodome()
    signed = {
        (key, text): library.sign(bytes([key]) * 32, bytes([text])) for key in (1, 2) for text in (3, 4)
    }
    assert len(set(signed.values())) == 4
    for (key, text), signature in signed.items():
        assert library.sign(bytes([key]) * 32, bytes([text])) is signature
        assert Pycryptodome.sign.__wrapped__(library, bytes([key]) * 32, bytes([text])) == signature
