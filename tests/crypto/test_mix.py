"""The mix of a pack and its proof (protocol section 20.5), and every forgery that section 20.15 names."""

from __future__ import annotations

import random
from typing import Any

import pytest

from crypto import lock, mix, shuffle
from crypto.encoding import EncodingError, i2osp
from crypto.engines import ORDER, Engine
from crypto.group import encode_scalar
from crypto.lock import HOUSE, Pair
from crypto.secret import MatchSecret
from crypto.transcript import ProofError
from crypto.verifier import check
from tests.crypto.crypto_kit import INFINITY, _sum, bad_points
from tests.crypto.table_kit import Mixed, field_starts, page_mix, put, seat_0_mixes
from vectors.example import NO_FRESH
from vectors.tables import FACES, MIX_STEPS, PARTIES, ExampleDeal, table

REFUSED = (ProofError, EncodingError)
POINTS = 8


@pytest.fixture
def own(fast: Engine) -> ExampleDeal:
    return table()


def deck(n: int) -> tuple[Mixed, bytes]:
    """A mix of n cards, and the joint lock's key, on the engine in use."""
    secret, d = MatchSecret(bytes(32)), bytes(64)
    x = secret.lock_key(d)
    joint = lock.lock(x)
    before = lock.open_pack([lock.card(k, ("C",)) for k in range(1, n + 1)], joint)
    order, t = secret.mix_permutation(d, n), [secret.mix_blinding(d, i) for i in range(n)]
    after = mix.mixed(joint, before, order, t)
    ctx = lock.context(bytes(16), 3, 0, bytes(32), "mix", 1)
    proof = mix.prove(ctx, joint, before, after, order, t, secret.masks(NO_FRESH))
    return Mixed(ctx, joint, before, after, proof), encode_scalar(x)


def refused(forged: Mixed) -> None:
    with pytest.raises(REFUSED):
        forged.verify()


def test_every_party_s_mix_is_proven(own: ExampleDeal) -> None:
    for i, party in enumerate(PARTIES):
        ctx = own.context(party, MIX_STEPS[party], "mix")
        statement = Mixed(ctx, own.joint, own.packs[i], own.packs[i + 1], own.proofs[i])
        statement.verify()
        assert statement.held() == [True] * 5


@pytest.mark.parametrize("n", [2])
def test_small_packs_on_both_engines(curve: Engine, n: int) -> None:
    statement, _ = deck(n)
    statement.verify()
    assert statement.held() == [True] * 5


def test_a_mix_of_52_cards_has_5440_bytes_of_proof(fast: Engine) -> None:
    statement, key = deck(52)
    statement.verify()
    assert len(statement.proof) == 5440
    assert len(statement.proof) + len(lock.pack_bytes(statement.after)) == 10_432
    assert statement.held() == [True] * 5
    # What lies under the locks is the pack, in another order.
    x = int.from_bytes(key, "big")
    faces = [lock.less(c, [lock.share(x, a)]) for a, c in statement.after]
    assert faces != sorted(faces)
    assert sorted(faces) == sorted(lock.card(k, ("C",)) for k in range(1, 53))


def test_a_mix_adds_multiples_of_u_and_of_the_joint_lock(own: ExampleDeal) -> None:
    order, t = own.orders[HOUSE], own.t[HOUSE]
    for after, j, blinding in zip(own.packs[1], order, t, strict=True):
        before = own.packs[0][j]
        expected = [(before.a, lock.lock(blinding)), (before.c, lock.lock(blinding * sum(own.x.values())))]
        assert after == tuple(lock.joint(parts) for parts in expected)


def test_a_derived_identity_is_mixed_like_any_point(fast: Engine) -> None:
    """h and the c of an open pack may be the identity, with a chance that nobody can use (20.3)."""
    for joint, cards in (
        (lock.lock(5), [lock.lock(-5), lock.card(1, ())]),
        (INFINITY, [lock.card(1, ()), lock.card(2, ())]),
    ):
        before = lock.open_pack(cards, joint)
        secret, ctx = MatchSecret(bytes(32)), bytes(64)
        after = mix.mixed(joint, before, [1, 0], [3, 4])
        proof = mix.prove(ctx, joint, before, after, [1, 0], [3, 4], secret.masks(NO_FRESH))
        mix.verify(ctx, joint, before, after, proof)


def test_an_honest_prover_refuses_what_is_no_permutation(fast: Engine) -> None:
    statement, _ = deck(3)
    for order in ([0, 0, 1], [0, 1], [1, 2, 3], [0, 1, 2, 2]):
        with pytest.raises(ValueError, match="permutation"):
            mix.prove(
                b"",
                statement.joint,
                statement.before,
                statement.after,
                order,
                [0] * len(order),
                MatchSecret(bytes(32)).masks(NO_FRESH),
            )


# --- Altered ---


def test_a_flipped_bit_in_any_field_is_refused(fast: Engine) -> None:
    statement, _ = deck(6)
    for start, length in field_starts(statement.proof, POINTS):
        at = start + random.Random(start).randrange(length)
        flipped = bytes([statement.proof[at] ^ 1 << at % 8])
        refused(statement.but(proof=put(statement.proof, at, flipped)))


def test_a_flipped_bit_is_refused_on_both_engines(curve: Engine) -> None:
    statement, _ = deck(2)
    for start, length in field_starts(statement.proof, POINTS)[::4]:
        last = start + length - 1
        refused(statement.but(proof=put(statement.proof, last, bytes([statement.proof[last] ^ 1]))))


def test_a_negated_point_in_the_statement_is_refused(fast: Engine) -> None:
    statement = seat_0_mixes()

    def negated(point: bytes) -> bytes:
        return bytes([point[0] ^ 0x20]) + point[1:]

    for side in ("before", "after"):
        pairs = list(getattr(statement, side))
        for i, (a, c) in enumerate(pairs):
            for pair in (Pair(negated(a), c), Pair(a, negated(c))):
                refused(statement.but(**{side: [*pairs[:i], pair, *pairs[i + 1 :]]}))
    refused(statement.but(joint=negated(statement.joint)))
    refused(statement.but(ctx=bytes(64)))


def test_bad_points_and_scalars_are_no_encodings(fast: Engine) -> None:
    statement, _ = deck(2)
    places: dict[str, Any] = {
        "a": lambda point: {"after": [Pair(point, statement.after[0].c), statement.after[1]]},
        "c": lambda point: {"after": [Pair(statement.after[0].a, point), statement.after[1]]},
        "before": lambda point: {"before": [Pair(point, statement.before[0].c), statement.before[1]]},
        "proof": lambda point: {"proof": put(statement.proof, 48, point)},
    }
    for place in places.values():
        for point in bad_points(statement.after[0].a).values():
            with pytest.raises(EncodingError):
                statement.but(**place(point)).verify()
    for point in bad_points(statement.joint).values():
        if point != INFINITY:
            with pytest.raises(EncodingError):
                statement.but(joint=point).verify()
            with pytest.raises(EncodingError):
                statement.but(before=[Pair(statement.before[0].a, point), statement.before[1]]).verify()
    for start, length in field_starts(statement.proof, POINTS):
        if length == 32:
            value = int.from_bytes(statement.proof[start : start + 32], "big")
            with pytest.raises(EncodingError):
                statement.but(proof=put(statement.proof, start, i2osp(value + ORDER, 32))).verify()


def test_other_lengths_are_refused(fast: Engine) -> None:
    (statement, _), (longer, _) = deck(2), deck(3)
    proof = statement.proof
    for data in (b"", proof[:-1], proof[:-32], proof + b"\0", proof + bytes(32), proof[48:], longer.proof):
        with pytest.raises(EncodingError):
            statement.but(proof=data).verify()
    for changes in (
        {"before": statement.before[:1]},
        {"after": statement.after[:1]},
        {"before": longer.before},
        {"after": longer.after},
        {"before": [], "after": []},
        {"before": statement.before[:1], "after": statement.after[:1]},
    ):
        with pytest.raises(ProofError, match=r"another size .*protocol 20\.5"):
            statement.but(**changes).verify()


def test_the_error_names_the_equation(fast: Engine) -> None:
    statement, _ = deck(3)
    n, end = 3, 48 * POINTS
    broken = {"S1": n, "S2a and S2c": n + 1, "S3": 2 * n + 2, "S4": 3 * n + 1}
    for name, index in broken.items():
        proof = put(statement.proof, end + 32 * index, encode_scalar(5))
        with pytest.raises(ProofError, match=rf"^{name} of the proof fails \(protocol 20\.5\)$"):
            statement.but(proof=proof).verify()


def test_a_match_deck_s_proof_is_no_mix(fast: Engine) -> None:
    """Both halves stand in the proof, and the label keeps the kinds apart."""
    statement, _ = deck(2)
    cards = [pair.a for pair in statement.before]
    positions = [pair.a for pair in statement.after]
    with pytest.raises(EncodingError):
        shuffle.verify(statement.ctx, cards, positions, statement.proof)
    with pytest.raises(EncodingError):
        statement.but(proof=statement.proof[:144] + statement.proof[192:]).verify()


def test_equations_go_into_a_shared_sum(fast: Engine) -> None:
    good, bad = deck(2)[0], deck(2)[0]
    bad = bad.but(proof=put(bad.proof, 48 * POINTS, encode_scalar(5)))
    proofs = [mix.equations(s.ctx, s.joint, s.before, s.after, s.proof) for s in (good, bad, good)]
    assert check(*proofs) == [True, False, True]
    assert not all(page_mix(bad.ctx, bad.joint, bad.before, bad.after, bad.proof))


def test_the_sum_has_the_terms_that_are_counted(fast: Engine) -> None:
    """G_i, H, U, h, eight points of the proof, and four lists of points: a of an open pack is U."""
    own = table()
    found = mix.equations(own.context(0, 3, "mix"), own.joint, own.packs[1], own.packs[2], own.proofs[1])
    n = len(FACES)
    assert len({id(point) for equation in found for _, point in equation}) == 5 * n + 11

    for equation in found:
        assert fast.equal(_sum(*equation), fast.identity)
