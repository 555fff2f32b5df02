"""The match deck and its proof (protocol section 6), and every forgery of it that section 14 names."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crypto import group, shuffle
from crypto.encoding import EncodingError, i2osp
from crypto.engines import ORDER, Engine
from crypto.group import encode_scalar
from crypto.transcript import ProofError
from crypto.verifier import check
from tests.crypto.crypto_kit import (
    DIGEST,
    POINT,
    SCALAR,
    SHUFFLE_PLACE,
    Shuffled,
    bad_points,
    blinding,
    card_set,
    masks,
    page_shuffle,
    shuffled,
    th,
)

REFUSED = (ProofError, EncodingError)
DECK = 40


def run(cards: list[bytes], positions: list[bytes], pi: list[int], t: list[int]) -> Shuffled:
    """Return what the prover's algorithm gives, whatever it is fed with."""
    ctx = shuffle.context(**SHUFFLE_PLACE)
    proof = shuffle.prove_unchecked(ctx, cards, positions, pi, t, masks(ctx))
    return Shuffled(ctx, cards, positions, proof)


def field_starts(proof: bytes) -> list[tuple[int, int]]:
    """(start, length) of every field of a shuffle proof."""
    end = 7 * POINT
    points = [(start, POINT) for start in range(0, end, POINT)]
    return points + [(start, SCALAR) for start in range(end, len(proof), SCALAR)]


def put(data: bytes, start: int, piece: bytes) -> bytes:
    return data[:start] + piece + data[start + len(piece) :]


def refused(forged: Shuffled) -> None:
    with pytest.raises(REFUSED):
        forged.verify()


# --- What it must prove ---


ONE_ENGINE = [HealthCheck.function_scoped_fixture]
"""The fixture only names the engine; it may stay the same for all examples."""


def prove_and_verify(pi: list[int], secret: int) -> None:
    cards = card_set(9, "any")[: len(pi)]
    t = [(secret + blinding(i)) % ORDER for i in range(len(pi))]
    ctx = shuffle.context(**SHUFFLE_PLACE)
    positions = shuffle.positions(cards, pi, t)
    shuffle.verify(ctx, cards, positions, shuffle.prove(ctx, cards, positions, pi, t, masks(ctx)))


@settings(max_examples=25, deadline=None, suppress_health_check=ONE_ENGINE)
@given(st.integers(2, 9).flatmap(lambda n: st.permutations(range(n))), st.integers(0, ORDER - 1))
def test_every_permutation_is_proven(fast: Engine, pi: list[int], secret: int) -> None:
    prove_and_verify(pi, secret)


@settings(max_examples=3, deadline=None, suppress_health_check=ONE_ENGINE)
@given(st.permutations(range(3)), st.integers(0, ORDER - 1))
def test_every_permutation_is_proven_on_both_engines(curve: Engine, pi: list[int], secret: int) -> None:
    prove_and_verify(pi, secret)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_small_decks_on_both_engines(curve: Engine, n: int) -> None:
    statement = shuffled(n)
    statement.verify()
    assert page_shuffle(statement.ctx, statement.cards, statement.positions, statement.proof) == [True] * 4


def test_a_match_deck_s_proof_has_4240_bytes_and_fits_the_page(fast: Engine) -> None:
    statement = shuffled(DECK)
    statement.verify()
    assert len(statement.proof) == 4240
    assert page_shuffle(statement.ctx, statement.cards, statement.positions, statement.proof) == [True] * 4


def test_contexts_and_digests_are_the_page_s() -> None:
    place = list(SHUFFLE_PLACE.values())
    place[1] = i2osp(SHUFFLE_PLACE["seat"], 1)
    assert shuffle.context(**SHUFFLE_PLACE) == th("shuffle-context", *place)
    assert shuffle.match_deck_digest(DIGEST, [b"K0", b"K1"], b"a") == th(
        "match-deck", DIGEST, b"K0", b"K1", b"a"
    )


def test_positions_add_a_multiple_of_h(curve: Engine) -> None:
    cards = card_set(3, curve.name)
    K = shuffle.positions(cards, [2, 0, 1], [5, 6, 7])
    for point, j, t in zip(K, [2, 0, 1], [5, 6, 7], strict=True):
        assert group.decode_point(point) is not None
        expected = curve.add(group.decode_point(cards[j]), curve.mul(group.H(), t))
        assert point == curve.encode(expected)


def test_without_fresh_bytes_a_prover_is_deterministic(curve: Engine) -> None:
    cards, t = card_set(3, curve.name), [1, 2, 3]
    K = list(shuffle.positions(cards, [1, 2, 0], t))
    assert run(cards, K, [1, 2, 0], t).proof == run(cards, K, [1, 2, 0], t).proof


def test_an_honest_prover_refuses_what_is_no_permutation(fast: Engine) -> None:
    cards = card_set(3, fast.name)
    for pi in ([0, 0, 1], [0, 1], [1, 2, 3], [0, 1, 2, 2]):
        with pytest.raises(ValueError, match="permutation"):
            shuffle.prove(b"", cards, cards, pi, [0] * len(pi), masks(b""))


# --- Malformed or altered proofs ---


def test_a_flipped_bit_in_any_field_is_refused(fast: Engine) -> None:
    statement = shuffled(DECK)
    for start, length in field_starts(statement.proof):
        at = start + random.Random(start).randrange(length)
        flipped = bytes([statement.proof[at] ^ 1 << at % 8])
        refused(statement.but(proof=put(statement.proof, at, flipped)))


def test_a_flipped_bit_is_refused_on_both_engines(curve: Engine) -> None:
    statement = shuffled(3)
    for start, length in field_starts(statement.proof):
        last = start + length - 1
        flipped = bytes([statement.proof[last] ^ 1])
        refused(statement.but(proof=put(statement.proof, last, flipped)))


def test_a_flipped_bit_in_the_statement_is_refused(fast: Engine) -> None:
    statement = shuffled(DECK)
    for i in range(DECK):
        for name in ("cards", "positions"):
            changed = list(getattr(statement, name))
            changed[i] = bytes([changed[i][0] ^ 0x20]) + changed[i][1:]  # the negated point
            refused(statement.but(**{name: changed}))
    refused(statement.but(ctx=bytes([statement.ctx[0] ^ 1]) + statement.ctx[1:]))


def test_a_scalar_of_q_or_more_is_refused(fast: Engine) -> None:
    every_scalar_plus_q(shuffled(DECK))


def test_a_scalar_of_q_or_more_is_refused_on_both_engines(curve: Engine) -> None:
    every_scalar_plus_q(shuffled(2))


def every_scalar_plus_q(statement: Shuffled) -> None:
    for start, length in field_starts(statement.proof):
        if length == SCALAR:
            value = int.from_bytes(statement.proof[start : start + SCALAR], "big")
            with pytest.raises(EncodingError):
                statement.but(proof=put(statement.proof, start, i2osp(value + ORDER, SCALAR))).verify()


def test_every_bad_point_in_every_place_is_refused(fast: Engine) -> None:
    statement = shuffled(3)
    for start in range(0, 7 * POINT, POINT):
        for piece in bad_points(statement.proof[start : start + POINT]).values():
            with pytest.raises(EncodingError):
                statement.but(proof=put(statement.proof, start, piece)).verify()
    for name in ("cards", "positions"):
        for i in range(3):
            good = getattr(statement, name)
            for piece in [*bad_points(good[i]).values(), good[i][:-1], good[i] + b"\x00", b""]:
                with pytest.raises(EncodingError):
                    statement.but(**{name: [*good[:i], piece, *good[i + 1 :]]}).verify()


def test_bad_points_are_refused_on_both_engines(curve: Engine) -> None:
    statement = shuffled(2)
    for piece in bad_points(statement.proof[:POINT]).values():
        with pytest.raises(EncodingError):
            statement.but(proof=put(statement.proof, 0, piece)).verify()


def test_other_lengths_are_refused(curve: Engine) -> None:
    statement, longer = shuffled(2), shuffled(3)
    proof = statement.proof
    for data in (
        b"",
        proof[:-1],
        proof[:-SCALAR],
        proof + b"\x00",
        proof + bytes(SCALAR),
        proof[POINT:],
        longer.proof,
    ):
        with pytest.raises(EncodingError):
            statement.but(proof=data).verify()
    refused(statement.but(cards=statement.cards[:1]))
    refused(statement.but(positions=statement.positions[:1]))
    refused(statement.but(cards=longer.cards, positions=longer.positions))
    refused(statement.but(cards=[*statement.cards, statement.cards[0]]))
    for cards in ([], statement.cards[:1]):
        refused(statement.but(cards=cards, positions=cards))


# --- Proofs of something else ---

OTHER_PLACES = {
    "game": bytes(16),
    "seat": 1,
    "key": bytes(32),
    "certificate_digest": b"\x01" * 64,
    "house_anchor": b"\x04" * 64,
    "anchor": b"\x05" * 64,
}


@pytest.mark.parametrize("field", OTHER_PLACES)
def test_a_proof_of_another_place_is_refused(curve: Engine, field: str) -> None:
    refused(shuffled(2).but(ctx=shuffle.context(**{**SHUFFLE_PLACE, field: OTHER_PLACES[field]})))


def test_a_proof_of_another_certificate_is_refused(curve: Engine) -> None:
    statement = shuffled(3)
    refused(statement.but(cards=card_set(3, curve.name, salt=1)))
    refused(statement.but(cards=statement.cards[::-1]))
    refused(statement.but(positions=statement.positions[::-1]))


def cheats(n: int) -> dict[str, Callable[[], Shuffled]]:
    """Match decks that are none, each with the best proof the algorithm gives for it."""
    name = group.engine().name
    cards, t = card_set(n, name), [blinding(50 + i) for i in range(n)]
    honest = list(range(n))
    doubled = [0, 0, *range(2, n)]
    foreign = card_set(n, name, salt=9)

    def deck(pi: list[int], of: list[bytes] = cards) -> list[bytes]:
        return list(shuffle.positions(of, pi, t))

    def shifted() -> list[bytes]:
        curve, points = group.prover(), deck(honest)
        other = curve.add(group.decode_point(points[0]), group.A(2))
        return [curve.encode(other), *points[1:]]

    return {
        "doubled, and the index list says so": lambda: run(cards, deck(doubled), doubled, t),
        "doubled, under an honest index list": lambda: run(cards, deck(doubled), honest, t),
        "dropped for another certificate's": lambda: run(cards, [*deck(honest)[:-1], foreign[-1]], honest, t),
        "all of another certificate": lambda: run(cards, deck(honest, foreign), honest, t),
        "exchanged against the index list": lambda: run(cards, deck([1, 0, *range(2, n)]), honest, t),
        "one unit more than certified": lambda: run(cards, shifted(), honest, t),
        "another blinding than said": lambda: run(cards, deck(honest), honest, [t[0] + 1, *t[1:]]),
        "an index that does not exist": lambda: run(cards, deck(honest), [n, *range(1, n)], t),
    }


@pytest.mark.parametrize("kind", cheats(3))
def test_a_cheat_s_deck_is_refused(curve: Engine, kind: str) -> None:
    forged = cheats(3)[kind]()
    with pytest.raises(ProofError):
        forged.verify()
    assert not all(page_shuffle(forged.ctx, forged.cards, forged.positions, forged.proof))


@pytest.mark.parametrize("kind", cheats(3))
def test_a_cheat_s_whole_deck_is_refused(fast: Engine, kind: str) -> None:
    with pytest.raises(ProofError):
        cheats(DECK)[kind]().verify()


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_cards_are_no_deck(fast: Engine, n: int) -> None:
    cards = card_set(2, fast.name)[:n]
    proof = group.encode_point(group.H()) * 7 + bytes(32) * (3 * n + 2)
    with pytest.raises(ProofError, match="another size"):
        shuffle.equations(bytes(64), cards, cards, proof)


def test_the_error_names_the_equation(fast: Engine) -> None:
    statement = shuffled(3)
    n, end = 3, 7 * POINT
    broken = {"S1": n, "S2": n + 1, "S3": 2 * n + 2, "S4": 3 * n + 1}  # z_f, z_t, z_u, z_s
    for name, index in broken.items():
        proof = put(statement.proof, end + SCALAR * index, encode_scalar(5))
        with pytest.raises(ProofError, match=rf"^{name} of the proof fails \(protocol 6\)$"):
            statement.but(proof=proof).verify()
        assert page_shuffle(statement.ctx, statement.cards, statement.positions, proof).count(False) == 1


def test_equations_go_into_a_shared_sum(curve: Engine) -> None:
    good, bad = shuffled(2), cheats(2)["another blinding than said"]()
    proofs = [shuffle.equations(s.ctx, s.cards, s.positions, s.proof) for s in (good, bad, good)]
    assert check(*proofs) == [True, False, True]
