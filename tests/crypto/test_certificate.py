"""A certificate's points, made and checked by those who know the seed (protocol section 5)."""

import pytest

from crypto import certificate
from crypto.certificate import card_points, opened
from crypto.encoding import EncodingError
from crypto.engines import Engine
from crypto.group import card_point
from tests.crypto.crypto_kit import INFINITY, Noting, products, vector

SEED = bytes(range(32))
VECTORS = [
    vector(9, True, -1, 0, -1, -1, 0),
    vector(1, False, 1, 0, 0, 0, 0),
    vector(2, False, 0, 0, 2, -1, 0),
    vector(2, False, 0, 0, 2, -1, 0),
]


def test_the_owner_opens_all_in_one_product(curve: Engine) -> None:
    points = card_points(SEED, VECTORS)
    with products(curve) as made:
        assert opened(points, SEED, VECTORS) == [True] * 4
    # The points, H, and every A_k, though nothing here has a vegetable or a seasoning: cards are secret.
    assert list(map(len, made)) == [4 + 1 + 7]


def test_secret_blindings_go_through_the_prover_alone(fast: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    points, noting = card_points(SEED, VECTORS), Noting()
    monkeypatch.setattr(certificate, "prover", lambda: noting)
    assert opened(points, SEED, VECTORS) == [True] * 4
    assert noting.asked.count("product") == 1
    assert noting.asked.count("decode") == 4
    assert {"blind", "card/number", "card/protein"} <= {*noting.asked}


def test_the_owner_sees_which_card_is_another(curve: Engine) -> None:
    points = card_points(SEED, VECTORS)
    assert opened(points, bytes(32), VECTORS) == [False] * 4
    # Equal cards have blindings of their own.
    assert opened([*points[:2], points[3], points[2]], SEED, VECTORS) == [True, True, False, False]
    assert opened([points[0], card_point(VECTORS[1], 7), *points[2:]], SEED, VECTORS) == [
        True,
        False,
        True,
        True,
    ]
    other = [*VECTORS[:3], vector(3, False, 0, 0, 2, -1, 0)]
    assert opened(points, SEED, other) == [True, True, True, False]


def test_what_is_no_certificate_is_refused(fast: Engine) -> None:
    points = card_points(SEED, VECTORS)
    with pytest.raises(EncodingError):
        opened([INFINITY, *points[1:]], SEED, VECTORS)
    with pytest.raises(ValueError, match="zip"):
        opened(points[:3], SEED, VECTORS)
