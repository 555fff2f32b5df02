"""Locks, cards and pairs at tables without a dealer (protocol sections 20.3, 20.4, 20.7, 20.11)."""

from __future__ import annotations

import pytest

from crypto import lock
from crypto.encoding import EncodingError, i2osp
from crypto.engines import ORDER, Engine
from crypto.group import A, B, U, decode_point, encode_point, gen
from crypto.lock import HOUSE, Pair
from crypto.secret import MatchSecret
from tests.crypto.crypto_kit import GAME, INFINITY, KEY, _sum, bad_points, th
from vectors.example import NO_FRESH
from vectors.tables import (
    DEAL,
    FACES,
    HANDS,
    LOCK_STEP,
    MIX_STEPS,
    PARTIES,
    TRAITS,
    ExampleDeal,
    asked,
    table,
)

W = bytes(range(32))


@pytest.fixture
def own(fast: Engine) -> ExampleDeal:
    return table()


def test_generators_are_the_page_s(curve: Engine) -> None:
    assert curve.equal(U(), gen("lock"))
    for trait in ("C", "10", "x" * 20):
        assert curve.equal(B(trait), gen(f"trait/{trait}"))
    for trait in ("", "x" * 21, "a b", "a/b", "ä", "C\n"):
        with pytest.raises(ValueError, match="1 to 20 letters and digits"):
            B(trait)


def test_a_context_is_the_page_s() -> None:
    parts = (GAME, i2osp(7, 4), i2osp(HOUSE, 1), KEY, b"mix", i2osp(300, 2))
    assert lock.context(GAME, 7, HOUSE, KEY, "mix", 300) == th("table-context", *parts)
    assert HOUSE == 255


def test_a_card_is_its_number_and_its_traits(curve: Engine) -> None:
    for number, traits in ((1, ()), (5, ("C",)), (52, ("S", "X")), (52, ("X", "S"))):
        expected = _sum((number, A(0)), *((1, B(trait)) for trait in traits))
        assert lock.card(number, traits) == encode_point(expected)
    for number, traits in ((0, ()), (-1, ("C",)), (1, ("C", "C"))):
        with pytest.raises(ValueError, match="from 1 on"):
            lock.card(number, traits)


def test_a_lock_is_a_multiple_of_u_and_the_joint_lock_their_sum(fast: Engine, own: ExampleDeal) -> None:
    for party in PARTIES:
        assert own.locks[party] == encode_point(_sum((own.x[party], U())))
    assert own.joint == encode_point(_sum((sum(own.x.values()), U())))
    assert lock.joint([]) == INFINITY
    opposite = lock.lock(-own.x[0])
    assert lock.joint([own.locks[0], opposite]) == INFINITY
    for point in [*bad_points(own.locks[0]).values(), b"", own.locks[0] + b"\0"]:
        with pytest.raises(EncodingError):
            lock.joint([own.locks[0], point])


def test_an_open_pack_has_every_card_under_the_joint_lock(fast: Engine, own: ExampleDeal) -> None:
    for k, (pair, traits) in enumerate(zip(own.packs[0], FACES, strict=True), 1):
        assert pair.a == encode_point(U())
        assert lock.less(pair.c, [own.joint]) == lock.card(k, traits)
    # A card whose point is the joint lock's negative gives the identity, and no error.
    (pair,) = lock.open_pack([lock.lock(-5)], lock.lock(5))
    assert pair == Pair(encode_point(U()), INFINITY)
    (pair,) = lock.open_pack([INFINITY], lock.lock(5))
    assert pair.c == lock.lock(5)
    (pair,) = lock.open_pack([lock.card(1, ())], INFINITY)
    assert pair.c == lock.card(1, ())


def test_all_shares_open_a_card_and_one_less_does_not(fast: Engine, own: ExampleDeal) -> None:
    faces = [lock.card(k, traits) for k, traits in enumerate(FACES, 1)]
    for position, (number, traits) in enumerate(own.cards):
        a, c = own.pack[position]
        shares = [lock.share(own.x[party], a) for party in PARTIES]
        assert lock.less(c, shares) == lock.card(number, traits)
        assert lock.less(c, shares[1:]) not in faces
    assert sorted(number for number, _ in own.cards) == [*range(1, len(FACES) + 1)]


def test_an_owner_reads_its_card_and_only_its_own_share_lacks(fast: Engine, own: ExampleDeal) -> None:
    for seat, hand in HANDS.items():
        for position, (a, c) in zip(hand, own.alone(seat, hand), strict=True):
            assert a == own.pack[position].a
            assert lock.less(c, [lock.share(own.x[seat], a)]) == lock.card(*own.cards[position])


def test_less_takes_the_identity_and_refuses_it_as_a_share(fast: Engine, own: ExampleDeal) -> None:
    assert lock.less(own.locks[0], [own.locks[0]]) == INFINITY
    assert lock.less(INFINITY, []) == INFINITY
    with pytest.raises(EncodingError):
        lock.less(own.locks[0], [INFINITY])
    with pytest.raises(EncodingError):
        lock.share(3, INFINITY)


def test_lists_of_points_have_one_length(own: ExampleDeal) -> None:
    data = lock.pack_bytes(own.pack)
    assert data == b"".join(a + c for a, c in own.pack)
    assert lock.pack_of(data, len(FACES)) == own.pack
    assert lock.parted(lock.joined(own.locks.values()), 3) == tuple(own.locks.values())
    assert lock.parted(b"", 0) == ()
    for short in (data[:-1], data + b"\0", data[:-48], b""):
        with pytest.raises(EncodingError, match="belong"):
            lock.pack_of(short, len(FACES))
    with pytest.raises(EncodingError):
        lock.parted(data, 0)


# --- Secrets ---


def test_secrets_are_the_page_s() -> None:
    secret, d = MatchSecret(W), asked(4)
    assert secret.lock_key(d) == int.from_bytes(th("lock-key", W, d), "big") % ORDER
    for i in (0, 3, 300):
        digest = th("mix-blinding", W, d, i2osp(i, 2))
        assert secret.mix_blinding(d, i) == int.from_bytes(digest, "big") % ORDER
    words = b"".join(th("mix-permutation", W, d, i2osp(i, 4)) for i in range(8))
    left, order = list(range(5)), []
    # No word of these is so large that it would be thrown away.
    for at in range(0, 40, 8):
        order.append(left.pop(int.from_bytes(words[at : at + 8], "big") % len(left)))
    assert secret.mix_permutation(d, 5) == tuple(order)
    given = secret.masks(NO_FRESH)(b"T" * 64, b"witness")
    for j in range(3):
        digest = th("mask", W, b"T" * 64, b"witness", NO_FRESH, i2osp(j, 4))
        assert next(given) == int.from_bytes(digest, "big") % ORDER


def test_another_history_has_other_secrets() -> None:
    """The digest of the entry that asks is hashed in, never the step alone (20.11)."""
    secret, one, other = MatchSecret(W), asked(4), asked(5)
    assert secret.lock_key(one) != secret.lock_key(other)
    assert secret.mix_permutation(one, 52) != secret.mix_permutation(other, 52)
    assert {secret.mix_blinding(one, i) for i in range(9)}.isdisjoint(
        secret.mix_blinding(other, i) for i in range(9)
    )


def test_the_example_has_the_steps_it_says(own: ExampleDeal) -> None:
    place = own.place(0, LOCK_STEP, "lock")
    assert (place["deal"], place["step"], MIX_STEPS[0]) == (DEAL, LOCK_STEP, 3)
    assert {trait for face in FACES for trait in face} == set(TRAITS)
    assert decode_point(own.joint) is not None
