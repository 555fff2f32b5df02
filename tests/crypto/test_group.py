"""Points, scalars, generators and the two engines (protocol sections 1, 3, 4)."""

import os
import random
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto import group, meal
from crypto.encoding import EncodingError
from crypto.engines import MODULUS, ORDER, Arkworks, Engine, EngineError, PyEcc
from tests.crypto.crypto_kit import (
    INFINITY,
    Noting,
    bad_points,
    blinding,
    compressed,
    hand_points,
    off_curve,
    with_torsion,
)
from tests.waiting import PATIENCE

SPECIAL = [0, 1, 2, ORDER - 1, ORDER, ORDER + 1, -1, 2**255, 2**256 - 1, 31, 32, 2**128]


@pytest.fixture(scope="module")
def both() -> tuple[Engine, Engine]:
    pytest.importorskip("py_arkworks_bls12381")
    return Arkworks(), PyEcc()


def test_generators_are_the_same_on_both_engines(both: tuple[Engine, Engine]) -> None:
    for name in ("blind", "card/number", "card/seasoning", "slot/0", "slot/162"):
        fast, slow = (group.encode_point(group.gen(name, on=e), on=e) for e in both)
        assert fast == slow


def test_generators_by_their_names(curve: Engine) -> None:
    assert curve.equal(group.H(), group.gen("blind"))
    names = ["number", "recipe", "starch", "vegetable", "oil", "protein", "seasoning"]
    assert all(curve.equal(group.A(k), group.gen(f"card/{name}")) for k, name in enumerate(names))
    assert curve.equal(group.G(12), group.gen("slot/12"))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(SPECIAL) | st.integers(0, ORDER), max_size=20), st.data())
def test_products_agree_between_the_engines(
    both: tuple[Engine, Engine], scalars: list[int], data: st.DataObject
) -> None:
    # Few different points, so that sums meet equal, opposite and vanishing terms.
    which = [data.draw(st.integers(0, 2)) for _ in scalars]
    fast, slow = (e.encode(e.msm([group.G(i, on=e) for i in which], scalars)) for e in both)
    assert fast == slow


def test_a_product_is_the_sum_of_its_terms(curve: Engine) -> None:
    points, scalars = [group.G(i) for i in range(18)], [7**i - 3 for i in range(18)]
    total = curve.identity
    for point, scalar in zip(points, scalars, strict=True):
        total = curve.add(total, curve.mul(point, scalar))
    assert curve.equal(curve.msm(points, scalars), total)
    assert curve.equal(curve.msm([], []), curve.identity)
    assert curve.equal(curve.add(points[0], curve.neg(points[0])), curve.identity)
    assert not curve.equal(points[0], points[1])
    assert not curve.equal(points[0], curve.identity)
    assert not curve.equal(curve.identity, points[0])


def test_lists_of_unequal_length_are_an_error_and_never_cut(curve: Engine) -> None:
    for points, scalars in (([group.H()], []), ([group.H()] * 3, [1, 2]), ([], [1])):
        with pytest.raises(ValueError, match="points for"):
            curve.msm(points, scalars)


def test_points_round_trip(curve: Engine) -> None:
    for i in range(4):
        data = group.encode_point(group.G(i))
        assert len(data) == 48
        assert group.encode_point(group.decode_point(data)) == data
    assert group.encode_point(curve.identity) == INFINITY


def test_every_bad_point_is_refused(curve: Engine) -> None:
    point = group.encode_point(group.H())
    for kind, data in bad_points(point).items():
        with pytest.raises(EncodingError):
            group.decode_point(data)
        if kind != "infinity":
            with pytest.raises(EncodingError):
                group.decode_point(data, allow_identity=True)
    for data in (b"", point[:-1], point + b"\x00", point * 2):
        with pytest.raises(EncodingError, match="48 bytes"):
            group.decode_point(data)


def test_the_engine_that_is_named_does_all_the_work() -> None:
    pytest.importorskip("py_arkworks_bls12381")
    point = group.encode_point(group.H())
    names = [f"card/{name}" for name in group.VECTOR]
    work: list[tuple[Callable[[Engine], object], list[str]]] = [
        (lambda on: group.gen("any", on=on), ["any"]),
        (lambda on: group.H(on=on), ["blind"]),
        (lambda on: group.A(6, on=on), ["card/seasoning"]),
        (lambda on: group.G(3, on=on), ["slot/3"]),
        (lambda on: group.encode_point(group.H(), on=on), ["encode"]),
        (lambda on: group.decode_point(point, on=on), ["decode", "encode"]),
        (lambda on: group.commit([5, 6], 7, on=on), ["slot/0", "slot/1", "blind", "product", "encode"]),
        (
            lambda on: group.card_point((1,) * 7, 7, on=on),
            ["blind", "multiple", names[0], "multiple", *names[1:], "encode"],
        ),
        (lambda on: meal.opening_of_card(point, (1,) * 7, 7, on=on), [*names, "decode", "encode", "blind"]),
    ]
    for call, asked in work:
        noting = Noting()
        call(noting)
        assert noting.asked == asked


class Lax(Arkworks):
    """A library that takes any bytes for a point, and writes it in a form of its own."""

    def decode(self, data: bytes) -> bytes:
        return data

    def encode(self, point: bytes) -> bytes:
        return point[:-1] + b"\x07"


def test_the_border_asks_no_library_what_is_canonical() -> None:
    pytest.importorskip("py_arkworks_bls12381")
    lax = Lax()
    point = group.encode_point(group.H())
    assert group.decode_point(point[:-1] + b"\x07", on=lax) == point[:-1] + b"\x07"
    reasons = {
        **dict.fromkeys(("x = p + 4", "x of 381 ones"), "not below p"),
        **dict.fromkeys(("not marked as compressed", "not marked, with a sign", "nothing"), "wrong flags"),
        **dict.fromkeys(("marked infinite with an x", "marked infinite with x and sign"), "wrong flags"),
        **dict.fromkeys(("infinity with a sign", "infinity with a last bit"), "wrong flags"),
        "infinity not marked as compressed": "wrong flags",
    }
    kinds = bad_points(point)
    for kind, reason in reasons.items():
        with pytest.raises(EncodingError, match=reason):
            group.decode_point(kinds[kind], on=lax)
    for x in (MODULUS, MODULUS + 1):
        with pytest.raises(EncodingError, match="not below p"):
            group.decode_point(compressed(x), on=lax)
    assert group.decode_point(compressed(MODULUS - 164), on=lax)  # its last byte is the one that Lax writes
    with pytest.raises(EncodingError, match="canonical form"):
        group.decode_point(point[:-1] + b"\x08", on=lax)


def test_the_identity_only_where_it_is_allowed(curve: Engine) -> None:
    assert curve.equal(group.decode_point(INFINITY, allow_identity=True), curve.identity)
    with pytest.raises(EncodingError):
        group.decode_point(INFINITY)


def test_the_bad_points_are_what_they_are_called() -> None:
    slow = PyEcc()
    point = slow.encode(slow.hash_to_curve(b"a", b"a tag"))
    shifted = slow._compression.decompress_G1(int.from_bytes(with_torsion(point), "big"))
    back = slow._curve.multiply(shifted, 3)
    assert slow.encode(back) == slow.encode(slow.mul(slow.decode(point), 3))
    with pytest.raises(ValueError, match="not on G1"):
        slow._compression.decompress_G1(int.from_bytes(off_curve(), "big"))


def test_py_ecc_s_subgroup_check_is_multiplication_by_q() -> None:
    slow = PyEcc()
    found = {True: 0, False: 0}
    for x in range(12):
        for shift in (0, 1):
            try:
                point = slow._compression.decompress_G1(int.from_bytes(compressed(x), "big"))
            except ValueError:
                continue
            if shift:
                point = slow._curve.multiply(point, 0xD201000000010001)  # clears the cofactor
            by_definition = slow._curve.is_inf(slow._curve.multiply(point, ORDER))
            assert slow._in_subgroup(point) == by_definition
            found[by_definition] += 1
    assert min(found.values()) >= 4


def test_scalars() -> None:
    assert group.decode_scalar(group.encode_scalar(ORDER - 1)) == ORDER - 1
    assert group.encode_scalar(-1) == (ORDER - 1).to_bytes(32, "big")
    assert group.decode_scalar(bytes(31) + b"\x02") == 2
    for value in (ORDER, ORDER + 1, 2**256 - 1):
        with pytest.raises(EncodingError):
            group.decode_scalar(value.to_bytes(32, "big"))
    for data in (b"", bytes(31), bytes(33)):
        with pytest.raises(EncodingError):
            group.decode_scalar(data)


def test_a_commitment_begins_at_g_0(curve: Engine) -> None:
    expected = curve.add(curve.add(curve.mul(group.G(0), 5), curve.mul(group.G(1), ORDER - 2)), group.H())
    assert group.commit([5, -2], 1) == curve.encode(expected)
    assert group.commit([], 1) == curve.encode(group.H())


def test_cards_add_up_to_a_dish(curve: Engine) -> None:
    # Section 4: a recipe and what it costs add up to one recipe and five zero nets.
    vectors = [(1001, 0, 1, 0, 0, 0, 0), (1002, 0, 0, 0, 2, 0, 0), (1101, 1, -1, 0, -2, 0, 0)]
    total = curve.identity
    for point in map(group.decode_point, hand_points(vectors)):
        total = curve.add(total, point)
    numbers = group.card_point((3104, 1, 0, 0, 0, 0, 0), 0)
    blind = curve.mul(group.H(), sum(map(blinding, range(3))))
    assert curve.equal(total, curve.add(group.decode_point(numbers), blind))
    with pytest.raises(ValueError, match="7 entries"):
        group.card_point((1, 2), 0)


def test_the_border_s_traps_in_the_libraries_are_real() -> None:
    """If one of these stops failing, the note about the library may go; the border checks stay."""
    ark = pytest.importorskip("py_arkworks_bls12381")
    point, scalar = ark.G1Point.hash_to_curve(b"m", b"dst"), ark.Scalar(1)
    assert point != ark.G1Point.hash_to_curve(b"dst", b"m")
    assert ark.G1Point.multiexp_unchecked([point, point], [scalar]) == point
    assert ark.G1Point.from_compressed_bytes(b"\xe0" + bytes(47)) == ark.G1Point.identity()


def _run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if k != "CLOCHE_ENGINE"}
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


WITHOUT_ARKWORKS = "import sys; sys.modules['py_arkworks_bls12381'] = None\n"
SHOW = "from crypto.group import engine, prover; print(engine().name, prover().name)"


def test_the_environment_chooses_the_engine() -> None:
    pytest.importorskip("py_arkworks_bls12381")
    assert _run(SHOW).stdout == "arkworks arkworks\n"
    assert _run(SHOW, CLOCHE_ENGINE="arkworks").stdout == "arkworks arkworks\n"
    # Secret scalars go through the fast engine all the same (section 12).
    assert _run(SHOW, CLOCHE_ENGINE="py_ecc").stdout == "py_ecc arkworks\n"


def test_without_arkworks_py_ecc_stands_in_and_says_so() -> None:
    for environment in ({}, {"CLOCHE_ENGINE": "arkworks"}):
        ran = _run(WITHOUT_ARKWORKS + SHOW, **environment)
        assert ran.stdout == "py_ecc py_ecc\n"
        assert ran.stderr.count("RuntimeWarning") == 1
    quiet = _run(WITHOUT_ARKWORKS + SHOW, CLOCHE_ENGINE="py_ecc")
    assert (quiet.stdout, quiet.stderr) == ("py_ecc py_ecc\n", "")


def test_an_unknown_engine_is_an_error() -> None:
    ran = _run(SHOW, CLOCHE_ENGINE="abacus")
    assert ran.returncode != 0
    assert "EngineError" in ran.stderr
    assert "abacus" in ran.stderr
    with pytest.raises(EngineError), group.use("abacus"):
        pass


OFFER = """
from crypto import group
from crypto.engines import PyEcc
class Other(PyEcc):
    name = "other"
group.offer(Other)
print(group.engine().name, group.prover().name)
"""


def test_an_engine_can_be_offered_and_the_environment_goes_before() -> None:
    assert _run(OFFER).stdout == "other other\n"
    assert _run(OFFER, CLOCHE_ENGINE="py_ecc").stdout == "py_ecc other\n"
    missing = _run(WITHOUT_ARKWORKS + OFFER)
    assert (missing.stdout, missing.stderr) == ("other other\n", "")


def test_a_switch_ends_with_its_block() -> None:
    before = group.engine().name
    with group.use("py_ecc"):
        assert group.engine().name == group.prover().name == "py_ecc"
    assert group.engine().name == before


# --- What was made here is not checked again ---


@contextmanager
def decoded(curve: Engine) -> Iterator[list[bytes]]:
    """Record what the engine is asked to decode inside."""
    asked: list[bytes] = []
    decode = type(curve).decode

    def noting(self, data: bytes):
        asked.append(data)
        return decode(self, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(curve), "decode", noting)
        yield asked


def test_a_point_that_was_made_here_is_not_decoded(fast: Engine) -> None:
    values = [random.randrange(ORDER) for _ in range(3)]
    with decoded(fast) as asked:
        data = group.commit(values, 5)
        point = group.decode_point(data)
        assert group.decode_point(data) is point
        assert asked == []
        # Other bytes are, and so is what was only written down.
        other = group.encode_point(fast.mul(group.H(), random.randrange(ORDER)))
        assert fast.equal(group.decode_point(other), fast.decode(other))
        assert asked == [other] * 2
    assert fast.equal(point, fast.decode(data))


def test_what_was_made_on_one_engine_is_not_a_point_of_the_other(both: tuple[Engine, Engine]) -> None:
    one, other = both
    data = group.card_point((7, 0, 1, 0, 0, 0, 0), random.randrange(ORDER), on=one)
    point = group.decode_point(data, on=other)
    assert other.encode(point) == data


def test_the_identity_is_refused_wherever_it_was_made(fast: Engine) -> None:
    assert group.commit([0], 0) == INFINITY
    with pytest.raises(EncodingError):
        group.decode_point(INFINITY)
    assert fast.equal(group.decode_point(INFINITY, allow_identity=True), fast.identity)


def test_points_made_and_never_read_do_not_pile_up(fast: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "_MOST_MADE", 3)
    monkeypatch.setattr(group, "_made", OrderedDict())
    made = [group.commit([random.randrange(ORDER)], i) for i in range(5)]
    assert [data for _, data in group._made] == made[2:]
    with decoded(fast) as asked:
        for data in made:
            group.decode_point(data)
    assert asked == made[:2]
    assert not group._made
