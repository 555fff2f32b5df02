"""The work is the same whatever the cards and the choice are, so that time tells less."""

from __future__ import annotations

from random import Random

import pytest

from crypto import group, transcript
from crypto.encoding import canonical
from crypto.engines import ORDER, Engine
from crypto.group import A, H, card_point
from crypto.secret import LONGEST_WITNESS, Masks
from tests.crypto.crypto_kit import _encode_string, _right_encode
from vectors.example import NO_FRESH

RATE = 136


def by_definition(curve: Engine, vector: list[int], r: int) -> bytes:
    return curve.encode(curve.msm([*(A(k) for k in range(7)), H()], [*vector, r]))


def test_a_card_s_point_is_the_sum_it_was(curve: Engine) -> None:
    rng = Random(7)
    vectors = [
        [rng.randrange(1, 2**32), rng.randrange(2), *(rng.randrange(-99, 100) for _ in range(5))]
        for _ in range(4)
    ]
    vectors += [[1001, 0, 0, 0, 0, 0, 0], [0] * 7, [2**32 - 1, 1, -99, 99, -100, 100, 2**40], [-1] * 7]
    for vector in vectors:
        for r in (0, 1, -1, rng.randrange(ORDER), ORDER + 5):
            assert card_point(vector, r) == by_definition(curve, vector, r)


def test_every_card_takes_the_same_additions(fast: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every card takes as many additions, and none of the identity, which an engine would skip."""
    card_point([1, 0, 0, 0, 0, 0, 0], 5)
    added: list[bool] = []
    add = fast.add

    def counting(left: object, right: object) -> object:
        added.append(fast.equal(left, fast.identity) or fast.equal(right, fast.identity))
        return add(left, right)

    monkeypatch.setattr(fast, "add", counting)
    for vector in ([1001, 0, 1, 0, 0, 0, 0], [1001, 1, -1, -2, -3, -4, -5], [1001, 0, 0, 0, 0, 0, 0]):
        added.clear()
        card_point(vector, 2**200 + 1)
        assert added == [False] * 8


def blocks_of(ctx: bytes, witness: bytes) -> int:
    """Blocks that TupleHash256 takes for one mask, by SP 800-185; its head is the same for all."""
    body = b"".join(map(_encode_string, (bytes(32), ctx, witness, NO_FRESH, bytes(4)))) + _right_encode(512)
    return len(body) // RATE + 1


@pytest.mark.parametrize("ctx", [bytes(64), bytes(90)])
def test_masks_take_as_many_blocks_whatever_the_witness(monkeypatch: pytest.MonkeyPatch, ctx: bytes) -> None:
    idle: list[int] = []
    monkeypatch.setattr("crypto.secret.idle", idle.append)
    totals = set()
    for size in range(13, LONGEST_WITNESS + 1):
        masks = Masks(bytes(32), ctx, bytes(size), NO_FRESH)
        masks.take(5)
        masks.even_out()
        totals.add(5 * blocks_of(ctx, bytes(size)) + idle.pop())
    assert totals == {5 * blocks_of(ctx, bytes(LONGEST_WITNESS))}


def test_evening_out_changes_no_mask_and_never_fails() -> None:
    plain, evened = (Masks(bytes(32), b"ctx", b"witness", NO_FRESH) for _ in range(2))
    evened.even_out()
    first = evened.take(3)
    evened.even_out()
    assert first + evened.take(3) == plain.take(6)
    longer = Masks(bytes(32), b"ctx", bytes(9000), NO_FRESH)
    longer.take(2)
    longer.even_out()
    assert transcript.blocks(0) == 0


def test_no_choice_of_forty_cards_is_longer() -> None:
    for used in ([40, 0, 0], [38, 1, 1], [14, 13, 13]):
        dishes, left = [], list(range(40))
        for course, count in enumerate(used, 1):
            own, left = left[:count], left[count:]
            dishes.append({"course": course, "recipe": None, "ingredients": own})
        assert len(canonical({"dishes": dishes})) <= LONGEST_WITNESS


def test_the_tables_are_multiples(curve: Engine) -> None:
    for k in (1, 6):
        table = group._shifted(curve, k)
        assert len(table) == 199
        assert curve.equal(table[99], curve.mul(A(k), 100))
        assert not any(curve.equal(point, curve.identity) for point in table)
