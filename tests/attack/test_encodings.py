"""Every wrong encoding in every place: refused while decoding, before any product (protocol 1, 14)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from crypto import group, meal, shuffle
from crypto.encoding import EncodingError, b64, unb64
from crypto.engines import Arkworks, Engine, PyEcc
from referee import Refused
from referee.certificate import check_certificate
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import BALANCED, Forged, Forger, choices, kitchen
from tests.attack.odd_bytes import SMALL_ORDERS, negated, not_points, not_scalars, other_lengths, plus_torsion
from tests.crypto.crypto_kit import POINT, RICE, SCALAR, bad_points, big_meal, shuffled, small_meal
from tests.referee.table import Table

Verify = Callable[..., None]


@dataclass(frozen=True)
class Proof:
    """A proof and its statement, taken apart: anything can be put into the place of any field."""

    verify: Verify
    """The verifier, which is given the statement's points and the proof's bytes."""
    statement: Sequence[bytes]
    points: Sequence[bytes]
    scalars: Sequence[bytes]

    def judge(self, statement: Sequence[bytes], points: Sequence[bytes], scalars: Sequence[bytes]) -> None:
        """Raise as the verifier does."""
        self.verify(list(statement), b"".join([*points, *scalars]))

    def with_points(self, make: Callable[[bytes], Sequence[bytes]]) -> Iterator[Callable[[], None]]:
        """One point after the other, of statement and proof, replaced by each of `make`'s bytes."""
        for i, point in enumerate(self.statement):
            for odd in make(point):
                changed = [*self.statement[:i], odd, *self.statement[i + 1 :]]
                yield lambda changed=changed: self.judge(changed, self.points, self.scalars)
        for i, point in enumerate(self.points):
            for odd in make(point):
                changed = [*self.points[:i], odd, *self.points[i + 1 :]]
                yield lambda changed=changed: self.judge(self.statement, changed, self.scalars)

    def with_scalars(self) -> Iterator[Callable[[], None]]:
        """One scalar after the other replaced by each integer of q or more."""
        for i, scalar in enumerate(self.scalars):
            for odd in not_scalars(scalar):
                changed = [*self.scalars[:i], odd, *self.scalars[i + 1 :]]
                yield lambda changed=changed: self.judge(self.statement, self.points, changed)

    def with_other_lengths(self) -> Iterator[Callable[[], None]]:
        """A field dropped, doubled or cut, bytes before and behind."""
        for i in range(len(self.points)):
            for few in (self.points[:i] + self.points[i + 1 :], [*self.points[: i + 1], *self.points[i:]]):
                yield lambda few=few: self.judge(self.statement, few, self.scalars)
        for i in range(len(self.scalars)):
            for few in (
                self.scalars[:i] + self.scalars[i + 1 :],
                [*self.scalars[: i + 1], *self.scalars[i:]],
            ):
                yield lambda few=few: self.judge(self.statement, self.points, few)
        whole = b"".join([*self.points, *self.scalars])
        for data in (
            b"",
            whole[1:],
            whole[:-1],
            whole + b"\x00",
            b"\x00" + whole,
            whole + bytes(SCALAR),
            whole * 2,
        ):
            yield lambda data=data: self.verify(list(self.statement), data)


def one_off(items: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """The list without each of its items, and with each of them twice."""
    for i in range(len(items)):
        yield [*items[:i], *items[i + 1 :]]
        yield [*items[: i + 1], *items[i:]]


def taken_apart(verify: Verify, statement: Sequence[bytes], proof: bytes, count: int) -> Proof:
    """A proof with so many points."""
    end = POINT * count
    points = [proof[i : i + POINT] for i in range(0, end, POINT)]
    return Proof(verify, statement, points, [proof[i : i + SCALAR] for i in range(end, len(proof), SCALAR)])


def a_shuffle(n: int) -> Proof:
    own = shuffled(n)

    def verify(statement: list[bytes], proof: bytes) -> None:
        shuffle.verify(own.ctx, statement[:n], statement[n:], proof)

    return taken_apart(verify, [*own.cards, *own.positions], own.proof, 7)


def a_meal(own: Any) -> Proof:
    def verify(statement: list[bytes], proof: bytes) -> None:
        meal.verify(own.ctx, statement[1:], own.courses, statement[0], proof)

    return taken_apart(verify, [own.seal, *own.hand], own.proof, 3 + own.courses)


@pytest.fixture(scope="module")
def proofs() -> dict[str, Proof]:
    """A match deck of three cards, a meal of two: every field there is, a few times."""
    return {"shuffle": a_shuffle(3), "meal": a_meal(small_meal())}


@contextmanager
def no_products() -> Iterator[None]:
    """Fail at any product: these proofs are refused by decoding alone."""

    def msm(*_: object) -> object:
        raise AssertionError("something was computed before everything was decoded")

    with pytest.MonkeyPatch.context() as patch:
        for engine in (Arkworks, PyEcc):
            patch.setattr(engine, "msm", msm)
            patch.setattr(engine, "mul", msm)
        yield


def all_refused(tries: Iterator[Callable[[], None]]) -> int:
    """Return how many were tried; every one must end in an EncodingError."""
    count = 0
    with no_products():
        for attempt in tries:
            with pytest.raises(EncodingError):
                attempt()
            count += 1
    return count


def odd_points(point: bytes) -> list[bytes]:
    return [*not_points(point).values(), *bad_points(point).values()]


KINDS = ["shuffle", "meal"]
PLACE = "any place of a statement or proof"


@attack(f"bytes that are no point of G1 in {PLACE}", "protocol 1, 14")
@pytest.mark.parametrize("kind", KINDS)
def test_no_odd_point_in_any_place(proofs: dict[str, Proof], kind: str, outcome: Outcome) -> None:
    tries = all_refused(proofs[kind].with_points(odd_points))
    assert tries >= 40 * (7 if kind == "meal" else 13)
    outcome.rejected(tries, "by decoding, before any product")


@attack(f"points in another number of bytes in {PLACE}", "protocol 1, 14")
@pytest.mark.parametrize("kind", KINDS)
def test_no_point_of_another_length(proofs: dict[str, Proof], kind: str, outcome: Outcome) -> None:
    own = proofs[kind]
    tries = all_refused(own.with_points(lambda point: list(other_lengths(point).values())))
    tries += all_refused(own.with_other_lengths())
    outcome.rejected(tries, "by decoding, before any product")


@attack(f"scalars of q or more in {PLACE}", "protocol 1, 14")
@pytest.mark.parametrize("kind", KINDS)
def test_no_scalar_of_q_or_more_in_any_place(proofs: dict[str, Proof], kind: str, outcome: Outcome) -> None:
    tries = all_refused(proofs[kind].with_scalars())
    assert tries >= 6 * len(proofs[kind].scalars)
    outcome.rejected(tries, "by decoding, before any product")


@attack("a card or position too few or too many in a statement", "protocol 6, 8, 14")
@pytest.mark.parametrize("kind", KINDS)
def test_no_list_of_another_length(proofs: dict[str, Proof], kind: str, outcome: Outcome) -> None:
    own, tries = proofs[kind], 0
    with no_products():
        for statement in one_off(own.statement):
            with pytest.raises((EncodingError, shuffle.ProofError)):
                own.judge(statement, own.points, own.scalars)
            tries += 1
    outcome.rejected(tries, "by their lengths, before any product")


@attack("bytes that are no point of G1 in the place of a seal or position that is opened", "protocol 1, 9")
def test_no_odd_point_is_ever_opened(outcome: Outcome) -> None:
    own = small_meal()
    assert meal.opens_seal(own.seal, (1, 1), (1,), 1, own.blinding)
    odd = [*odd_points(own.seal), *other_lengths(own.seal).values()]
    with no_products():
        for data in odd:
            assert not meal.opens_seal(data, (1, 1), (1,), 1, own.blinding)
            with pytest.raises(EncodingError):
                meal.opens_card(data, RICE, own.blinding)
    outcome.rejected(2 * len(odd), "by decoding, before any product")


@attack("any of the above in a whole match deck, and in a meal of 24 cards", "protocol 1, 14")
@pytest.mark.parametrize("kind", KINDS)
def test_no_odd_bytes_in_proofs_of_full_size(kind: str, outcome: Outcome) -> None:
    own = a_shuffle(40) if kind == "shuffle" else a_meal(big_meal())
    tries = all_refused(own.with_points(odd_points))
    tries += all_refused(own.with_points(lambda point: list(other_lengths(point).values())))
    tries += all_refused(own.with_scalars()) + all_refused(own.with_other_lengths())
    outcome.rejected(tries, "by decoding, before any product")


@attack("odd bytes before the reference engine", "protocol 1, 14")
@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_engine_refuses_them_too(proofs: dict[str, Proof], kind: str, outcome: Outcome) -> None:
    own = proofs[kind]
    with group.use("py_ecc"):
        # All kinds in one place of the proof, and two kinds in each of the others.
        few = Proof(own.verify, own.statement, own.points[:1], [])
        rest = [*own.points[1:], *own.scalars]
        for odd in odd_points(few.points[0]):
            with pytest.raises(EncodingError):
                own.judge(own.statement, [odd], rest)
        tries = len(odd_points(few.points[0]))
        tries += all_refused(own.with_points(lambda point: [plus_torsion(point, 11), b"\xe0" + bytes(47)]))
        tries += all_refused(own.with_other_lengths())
    outcome.rejected(tries, "by decoding, as on the fast engine")


@attack(f"the sign of a point turned in {PLACE}", "protocol 6, 8, 14")
@pytest.mark.parametrize("kind", KINDS)
def test_no_point_s_sign_can_be_turned(proofs: dict[str, Proof], kind: str, outcome: Outcome) -> None:
    tries = 0
    for attempt in proofs[kind].with_points(lambda point: [negated(point)]):
        # Well encoded, so it is the equations that refuse it.
        with pytest.raises((shuffle.ProofError, meal.ProofError)):
            attempt()
        tries += 1
    outcome.rejected(tries, "by the equations: a turned sign is another point")


# --- Certificates ---


@attack("bytes that are no point of G1 in any place of a certificate", "protocol 1, 5")
def test_no_odd_point_in_a_certificate(outcome: Outcome) -> None:
    table = Table.chef()
    header, certificate = table.game.header, table.message(0).body["certificate"]
    assert len(check_certificate(header, 0, certificate)) == 40
    tries = 0
    for i, text in enumerate(certificate["cards"]):
        point = unb64(text)
        odd = odd_points(point) if i in (0, 39) else [plus_torsion(point, 3), b"\xc0" + bytes(47), point[:-1]]
        for data in [*odd, *other_lengths(point).values()]:
            cards = [*certificate["cards"][:i], b64(data), *certificate["cards"][i + 1 :]]
            with pytest.raises(Refused) as refused:
                check_certificate(header, 0, {**certificate, "cards": cards})
            assert refused.value.pointer == f"/cards/{i}"
            tries += 1
    outcome.rejected(tries, "before the signature is looked at")


# --- Why it must be decoding that refuses them ---


class Lax(Arkworks):
    """An engine that decodes points of the curve without a look at the subgroup."""

    name = "lax"

    def decode(self, data: bytes) -> group.Point:
        """Any point of the curve."""
        return self._G1.from_compressed_bytes_unchecked(data)


@contextmanager
def without_subgroup_check() -> Iterator[Engine]:
    """A verifier that decodes so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vars(group)["_ENGINES"], Lax.name, Lax)
        with group.use(Lax.name) as engine:
            yield engine


class Twisted(Forger):
    """An honest prover but for W_1, to which it adds a point of small order before the challenge."""

    small = 3

    def _balance(self, c: int) -> bytes:
        point = super()._balance(c)
        return plus_torsion(point, self.small) if c == 0 else point


@attack("a proof with a point of small order added, the challenge fitted", "protocol 1, 8")
@pytest.mark.parametrize("small", SMALL_ORDERS)
def test_torsion_would_pass_by_luck(small: int, outcome: Outcome) -> None:
    own, tries = kitchen(1), 60
    made = Twisted(own, choices(BALANCED, 1), random.Random(small))
    made.small = small
    forged: Forged = made.run()
    if small == 3:
        pytest.importorskip("py_arkworks_bls12381")
        with without_subgroup_check():
            # The sum is off by weight * T, which is nothing whenever 3 divides the weight.
            taken = sum(forged.accepted() for _ in range(tries))
        # 20 expected; none, or all, once in 10^10 runs.
        assert 0 < taken < tries
    with no_products(), pytest.raises(EncodingError, match="subgroup"):
        forged.accepted()
    outcome.rejected(1, "unchecked, order 3 passes at one verifier in three: two would disagree")
