"""Ed25519 as section 10 wants it: cofactorless, canonical, keys of prime order only."""

import hashlib

import pytest
from Crypto.Signature import eddsa

from crypto.encoding import EncodingError
from crypto.identity import check_public_key, new_private_key, public_key, sign, verify

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Affine = tuple[int, int]
ZERO: Affine = (0, 1)


def add(a: Affine, b: Affine) -> Affine:
    t = D * a[0] * b[0] * a[1] * b[1]
    return (
        (a[0] * b[1] + b[0] * a[1]) * pow(1 + t, -1, P) % P,
        (a[1] * b[1] + a[0] * b[0]) * pow(1 - t, -1, P) % P,
    )


def mul(n: int, a: Affine) -> Affine:
    total = ZERO
    while n:
        if n & 1:
            total = add(total, a)
        a, n = add(a, a), n >> 1
    return total


def lift(y: int, sign_bit: int = 0) -> Affine | None:
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        return None
    return (x if x & 1 == sign_bit else (P - x) % P), y


def encode(a: Affine) -> bytes:
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


BASE = lift(4 * pow(5, -1, P) % P)
assert BASE is not None


def torsion() -> list[Affine]:
    """The eight points of small order."""
    for y in range(2, 100):
        point = lift(y)
        if point is not None:
            eighth = mul(L, point)
            if mul(4, eighth) != ZERO:
                return [mul(i, eighth) for i in range(8)]
    raise AssertionError


TORSION = torsion()


def secret_scalar(private: bytes) -> int:
    digest = bytearray(hashlib.sha512(private).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return int.from_bytes(digest, "little")


def challenge(r: bytes, public: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % L


def by_hand(a: int, public: bytes, message: bytes, nonce: int, shift: Affine = ZERO) -> bytes:
    """A signature with R = nonce B + shift."""
    r = encode(add(mul(nonce, BASE), shift))
    return r + ((nonce + challenge(r, public, message) * a) % L).to_bytes(32, "little")


@pytest.mark.parametrize(
    ("private", "public", "message", "signature"),
    [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
            "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da0"
            "85ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ],
)
def test_examples_of_rfc_8032(private: str, public: str, message: str, signature: str) -> None:
    key, text = bytes.fromhex(private), bytes.fromhex(message)
    assert public_key(key).hex() == public
    assert sign(key, text).hex() == signature
    assert verify(bytes.fromhex(public), text, bytes.fromhex(signature))


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
