"""The values that NIST and the IETF have published hold for our code, its libraries and second readings."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from Crypto.Hash import TupleHash128, TupleHash256

from crypto import transcript
from crypto.encoding import canonical, parse
from crypto.engines import MODULUS, Engine
from crypto.envelope import public_key as envelope_key
from crypto.envelope import unseal
from crypto.identity import public_key, sign, verify
from tests.crypto import published
from tests.crypto.crypto_kit import compressed, tuple_hash_256, tuple_hash_of
from tests.crypto.hpke import cipher, key_schedule, ladder, shared

# TupleHash (NIST SP 800-185)


@pytest.mark.parametrize(("strength", "parts", "custom", "output"), published.TUPLE_HASH)
def test_tuple_hash_gives_the_samples_of_nist(
    strength: int, parts: tuple[str, ...], custom: bytes, output: str
) -> None:
    """The library that we hash with, fed at once and part by part; and the sponge in the tests."""
    tuples, size = [bytes.fromhex(part) for part in parts], len(output) // 2
    library: Any = {128: TupleHash128, 256: TupleHash256}[strength]
    at_once = library.new(digest_bytes=size, custom=custom).update(*tuples)
    one_by_one = library.new(digest_bytes=size, custom=custom)
    for part in tuples:
        one_by_one.update(part)
    assert at_once.hexdigest() == one_by_one.hexdigest() == output
    assert tuple_hash_of(strength, tuples, size, custom).hex() == output


@pytest.mark.parametrize(
    ("parts", "custom", "output"), [v[1:] for v in published.TUPLE_HASH if v[0] == 256 and v[2]]
)
def test_our_own_function_is_that_hash(
    monkeypatch: pytest.MonkeyPatch, parts: tuple[str, ...], custom: bytes, output: str
) -> None:
    """`crypto.transcript.tuple_hash` itself, with only its prefix taken away."""
    tuples = [bytes.fromhex(part) for part in parts]
    assert transcript.tuple_hash("chain", *tuples) == tuple_hash_256(tuples, 64, b"cloche/v1/chain")
    monkeypatch.setattr(transcript, "_PREFIX", b"")
    assert transcript.tuple_hash(custom.decode(), *tuples).hex() == output


# Hashing to the curve (RFC 9380)


def expand_message_xmd(message: bytes, dst: bytes, length: int) -> bytes:
    """RFC 9380, section 5.3.1, with SHA-256 (blocks of 64 bytes in, 32 out)."""
    tagged = dst + bytes([len(dst)])
    first = hashlib.sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\0" + tagged).digest()
    blocks = [hashlib.sha256(first + b"\1" + tagged).digest()]
    while 32 * len(blocks) < length:
        mixed = bytes(a ^ b for a, b in zip(first, blocks[-1], strict=True))
        blocks.append(hashlib.sha256(mixed + bytes([len(blocks) + 1]) + tagged).digest())
    return b"".join(blocks)[:length]


@pytest.mark.parametrize(("message", "short", "long"), published.EXPAND_XMD)
def test_expand_message_xmd_is_the_rfc_s(message: bytes, short: str, long: str) -> None:
    """`expand_message_xmd` is the RFC's in the reference engine's library, and as written out here."""
    from py_ecc.bls.hash import expand_message_xmd as of_py_ecc

    for expected in (short, long):
        size = len(expected) // 2
        assert of_py_ecc(message, published.XMD_DST, size, hashlib.sha256).hex() == expected
        assert expand_message_xmd(message, published.XMD_DST, size).hex() == expected


@pytest.mark.parametrize(("message", "x", "y"), published.HASH_TO_G1)
def test_hash_to_curve_gives_the_points_of_the_rfc(curve: Engine, message: bytes, x: str, y: str) -> None:
    sign_bit = 0b101 if 2 * int(y, 16) > MODULUS else 0b100
    expected = compressed(int(x, 16), sign_bit)
    assert curve.encode(curve.hash_to_curve(message, published.G1_DST)) == expected
    assert curve.encode(curve.hash_to_curve(message, published.G1_DST + b"x")) != expected


# Signatures (RFC 8032)


@pytest.mark.parametrize(("private", "public", "message", "signature"), published.ED25519)
def test_signatures_are_the_rfc_s(private: str, public: str, message: str, signature: str) -> None:
    key, text, signed = bytes.fromhex(private), bytes.fromhex(message), bytes.fromhex(signature)
    assert public_key(key).hex() == public
    assert sign(key, text) == signed
    assert verify(bytes.fromhex(public), text, signed)
    assert not verify(bytes.fromhex(public), text + b"\0", signed)


# Envelopes (RFC 7748, RFC 9180)


def test_x25519_is_the_rfc_s() -> None:
    alice, bob, alice_public, bob_public, both = (
        bytes.fromhex(published.X25519[name])
        for name in ("alice", "bob", "alice_public", "bob_public", "shared")
    )
    assert envelope_key(alice) == ladder(alice, 9) == alice_public
    assert envelope_key(bob) == ladder(bob, 9) == bob_public
    assert shared(alice, bob_public) == shared(bob, alice_public) == both


def test_hpke_is_the_rfc_s() -> None:
    """Our side opens what the RFC sealed; the tests' own HPKE agrees on every value on the way."""
    v = {name: bytes.fromhex(value) for name, value in published.HPKE.items()}
    assert envelope_key(v["private"]) == v["public"]
    assert ladder(v["ephemeral"], 9) == v["enc"]
    assert unseal(v["private"], v["info"], v["aad"], v["enc"] + v["sent"]) == v["plain"]
    dh = shared(v["ephemeral"], v["public"])
    assert dh == shared(v["private"], v["enc"])
    schedule = key_schedule(dh, v["enc"], v["public"], v["info"])
    assert schedule == (v["shared_secret"], v["key"], v["base_nonce"])
    text, tag = cipher(dh, v["enc"], v["public"], v["info"], v["aad"]).encrypt_and_digest(v["plain"])
    assert text + tag == v["sent"]


# Canonical JSON (RFC 8785)


@pytest.mark.parametrize(("document", "expected"), published.CANONICAL)
def test_canonical_json_is_the_rfc_s(document: str, expected: str) -> None:
    assert canonical(parse(document.encode())) == expected.encode()
    assert canonical(json.loads(expected)) == expected.encode()
