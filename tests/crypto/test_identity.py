"""Ed25519 as section 10 wants it: cofactorless, canonical, keys of prime order only."""

import hashlib

import pytest
from Crypto.PublicKey import ECC
from Crypto.Signature import eddsa

from crypto import identity
from crypto.edwards import Pycryptodome
from crypto.encoding import EncodingError
from crypto.identity import check_public_key, new_private_key, public_key, sign, verify
from tests.crypto.edwards import (
    BASE,
    TORSION,
    ZERO,
    L,
    P,
    add,
    by_hand,
    challenge,
    encode,
    lift,
    mul,
    secret_scalar,
)


def test_sign_and_verify() -> None:
    private = new_private_key()
    public = public_key(private)
    signature = sign(private, b"message")
    assert verify(public, b"message", signature)
    assert signature == by_hand(
        secret_scalar(private),
        public,
        b"message",
        int.from_bytes(hashlib.sha512(hashlib.sha512(private).digest()[32:] + b"message").digest(), "little")
        % L,
    )
    assert not verify(public, b"other", signature)
    assert not verify(public_key(new_private_key()), b"message", signature)
    for bit in range(0, 512, 7):
        flipped = bytearray(signature)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not verify(public, b"message", bytes(flipped))
    for length in (0, 32, 63):
        assert not verify(public, b"message", signature[:length])
    assert not verify(public, b"message", signature + b"\x00")


def test_s_must_be_below_the_order() -> None:
    private = bytes(range(32))
    public, signature = public_key(private), sign(private, b"m")
    s = int.from_bytes(signature[32:], "little")
    for larger in range(s + L, 2**256, L):
        assert not verify(public, b"m", signature[:32] + larger.to_bytes(32, "little"))


@pytest.mark.parametrize("index", range(8))
def test_keys_of_small_order_are_refused(index: int) -> None:
    public = encode(TORSION[index])
    with pytest.raises(EncodingError):
        check_public_key(public)
    # Under such a key R = r B and S = r is a signature of an eighth or more of all messages.
    for nonce in range(1, 9):
        assert not verify(public, b"m", by_hand(0, public, b"m", nonce))
    assert not verify(public, b"m", encode(ZERO) + bytes(32))


@pytest.mark.parametrize("index", range(1, 8))
def test_keys_of_mixed_order_are_refused(index: int) -> None:
    a = secret_scalar(b"\x05" * 32)
    public = encode(add(mul(a, BASE), TORSION[index]))
    with pytest.raises(EncodingError):
        check_public_key(public)
    assert not any(verify(public, b"m", by_hand(a, public, b"m", nonce)) for nonce in range(1, 17))


@pytest.mark.parametrize("index", range(1, 8))
def test_torsion_in_r_is_refused(index: int) -> None:
    private = b"\x06" * 32
    public, a = public_key(private), secret_scalar(private)
    forged = by_hand(a, public, b"m", 77, TORSION[index])
    assert verify(public, b"m", by_hand(a, public, b"m", 77))
    assert not verify(public, b"m", forged)
    # The library alone would let it through: it multiplies the equation by the cofactor.
    eddsa.new(eddsa.import_public_key(public), "rfc8032").verify(b"m", forged)


def test_keys_have_one_encoding() -> None:
    good = public_key(b"\x01" * 32)
    check_public_key(good)
    for y in range(P, 2**255):
        for sign_bit in (0, 1):
            with pytest.raises(EncodingError):
                check_public_key((y | sign_bit << 255).to_bytes(32, "little"))
    for x_is_zero in (1, P - 1):
        with pytest.raises(EncodingError):
            check_public_key((x_is_zero | 1 << 255).to_bytes(32, "little"))
    for data in (b"", good[:-1], good + b"\x00"):
        with pytest.raises(EncodingError):
            check_public_key(data)
        assert not verify(data, b"m", sign(b"\x01" * 32, b"m"))
    off = next(y for y in range(2, 100) if lift(y) is None)
    with pytest.raises(EncodingError):
        check_public_key(off.to_bytes(32, "little"))


def test_a_key_of_another_curve_is_no_key() -> None:
    other = ECC.generate(curve="Ed448").public_key().export_key(format="raw")
    eddsa.import_public_key(other)  # to the library it is one
    with pytest.raises(EncodingError, match="32 bytes, not 57"):
        check_public_key(other)
    assert not verify(other, b"m", bytes(64))


def test_r_has_one_encoding() -> None:
    # R = identity as (0, 1), and as y = p + 1 or with the sign of a zero x: the same point, other bytes.
    private = b"\x09" * 32
    public, a = public_key(private), secret_scalar(private)
    for r, good in (
        (encode(ZERO), True),
        ((P + 1).to_bytes(32, "little"), False),
        ((1 | 1 << 255).to_bytes(32, "little"), False),
    ):
        s = challenge(r, public, b"m") * a % L
        assert verify(public, b"m", r + s.to_bytes(32, "little")) is good


def test_private_keys_have_32_bytes() -> None:
    assert len(new_private_key()) == 32
    for data in (b"", bytes(31), bytes(64)):
        with pytest.raises(EncodingError):
            public_key(data)
        with pytest.raises(EncodingError):
            sign(data, b"m")


def test_another_library_can_be_offered() -> None:
    """What is valid does not depend on the library: it only computes."""
    asked: list[str] = []

    class Other(Pycryptodome):
        def difference(self, s: int, k: int, point: object) -> bytes:
            asked.append("difference")
            return super().difference(s, k, point)

    private = bytes(range(32))
    before = sign(private, b"m")
    identity.offer(Other())
    try:
        assert sign(private, b"m") == before
        assert verify(public_key(private), b"m", before)
        assert not verify(public_key(private), b"n", before)
        assert asked == ["difference"] * 2
    finally:
        identity.offer(Pycryptodome())
