"""Points, scalars, generators and the two engines (protocol sections 1, 3, 4)."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto import group
from crypto.encoding import EncodingError
from crypto.engines import MODULUS, ORDER, Arkworks, Engine, EngineError, PyEcc
from tests.crypto.crypto_kit import (
    INFINITY,
    bad_points,
    blinding,
    compressed,
    hand_points,
    off_curve,
    with_torsion,
)

QUUX = b"QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_"
SPECIAL = [0, 1, 2, ORDER - 1, ORDER, ORDER + 1, -1, 2**255, 2**256 - 1, 31, 32, 2**128]


@pytest.fixture(scope="module")
def both() -> tuple[Engine, Engine]:
    pytest.importorskip("py_arkworks_bls12381")
    return Arkworks(), PyEcc()


@pytest.mark.parametrize(
    ("message", "x", "y"),
    [
        (
            b"",
            "052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1",
            "08ba738453bfed09cb546dbb0783dbb3a5f1f566ed67bb6be0e8c67e2e81a4cc68ee29813bb7994998f3eae0c9c6a265",
        ),
        (
            b"abc",
            "03567bc5ef9c690c2ab2ecdf6a96ef1c139cc0b2f284dca0a9a7943388a49a3aee664ba5379a7655d3c68900be2f6903",
            "0b9c15f3fe6e5cf4211f346271d7b01c8f3b28be689c8429c85b67af215533311f0b8dfaaa154fa6b88176c229f2885d",
        ),
        (
            b"abcdef0123456789",
            "11e0b079dea29a68f0383ee94fed1b940995272407e3bb916bbf268c263ddd57a6a27200a784cbc248e84f357ce82d98",
            "03a87ae2caf14e8ee52e51fa2ed8eefe80f02457004ba4d486d6aa1f517c0889501dc7413753f9599b099ebcbbd2d709",
        ),
    ],
)
def test_hash_to_curve_gives_the_examples_of_rfc_9380(curve: Engine, message: bytes, x: str, y: str) -> None:
    sign = 0b101 if 2 * int(y, 16) > MODULUS else 0b100
    assert curve.encode(curve.hash_to_curve(message, QUUX)) == compressed(int(x, 16), sign)


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
        with pytest.raises(EncodingError):
            group.decode_point(data)


def test_the_identity_only_where_it_is_allowed(curve: Engine) -> None:
    assert curve.equal(group.decode_point(INFINITY, allow_identity=True), curve.identity)
    with pytest.raises(EncodingError):
        group.decode_point(INFINITY)


def test_the_bad_points_are_what_they_are_called() -> None:
    slow = PyEcc()
    point = slow.encode(slow.hash_to_curve(b"a", QUUX))
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
        timeout=60,
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


def test_a_switch_ends_with_its_block() -> None:
    before = group.engine().name
    with group.use("py_ecc"):
        assert group.engine().name == group.prover().name == "py_ecc"
    assert group.engine().name == before
