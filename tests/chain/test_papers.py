"""TupleHash and Ed25519 in contracts against the program's own."""

from __future__ import annotations

import hashlib

import pytest

from chain.calls import Reverted
from chain.evm import MOST_GAS
from chain.hints import hints
from chain.verifiers import Verifiers, two
from crypto.identity import public_key, sign, verify
from crypto.transcript import tuple_hash
from tests.crypto.edwards import BASE, TORSION, L, P, add, encode, mul

PRIVATE = bytes(range(32))
KEY = public_key(PRIVATE)
DIGEST = tuple_hash("tests/signed", b"this")
GOOD = sign(PRIVATE, DIGEST)
_HASHED = int.from_bytes(hashlib.sha512(PRIVATE).digest()[:32], "little")
SECRET = _HASHED & ((1 << 254) - 8) | 1 << 254
NONCE = 12345


def _forged(point: bytes, nonce: int) -> bytes:
    """A signature with any R, by the owner of the key."""
    k = int.from_bytes(hashlib.sha512(point + KEY + DIGEST).digest(), "little")
    return point + ((nonce + k * SECRET) % L).to_bytes(32, "little")


def _little(number: int) -> bytes:
    return number.to_bytes(32, "little")


SIGNATURES = {
    "good": GOOD,
    "by its definition": _forged(encode(mul(NONCE, BASE)), NONCE),
    "S + L": GOOD[:32] + _little(int.from_bytes(GOOD[32:], "little") + L),
    "S = L": GOOD[:32] + _little(L),
    "S = 0": GOOD[:32] + bytes(32),
    "S changed": GOOD[:32] + bytes([GOOD[32] ^ 1]) + GOOD[33:],
    "R changed": bytes([GOOD[0] ^ 1]) + GOOD[1:],
    "R's sign": GOOD[:31] + bytes([GOOD[31] ^ 128]) + GOOD[32:],
    "R of small order": _forged(encode(TORSION[4]), 0),
    "R is the identity": _forged(_little(1), 0),
    "R not reduced": _forged(_little(P + 1), 0),
    "R with the sign of zero": _forged(_little(1 | 1 << 255), 0),
} | {f"R with torsion {i}": _forged(encode(add(mul(NONCE, BASE), TORSION[i])), NONCE) for i in range(1, 8)}


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_holds_where_the_program_takes_it(verifiers: Verifiers, name: str) -> None:
    signature = SIGNATURES[name]
    assert verifiers.signature(KEY, DIGEST, signature).holds == verify(KEY, DIGEST, signature)


def test_the_cases_are_good_and_bad() -> None:
    held = {name for name, signature in SIGNATURES.items() if verify(KEY, DIGEST, signature)}
    assert {"good", "by its definition"} <= held
    assert not held & {"S + L", "S = L", "R with torsion 1", "R with torsion 4", "R not reduced"}


def test_a_signature_over_something_else_is_refused(verifiers: Verifiers) -> None:
    assert not verifiers.signature(KEY, tuple_hash("tests/signed", b"that"), GOOD).holds


@pytest.mark.parametrize("hint", [0, 1, 2])
def test_a_wrong_hint_reverts(verifiers: Verifiers, hint: int) -> None:
    good = hints(KEY, DIGEST, GOOD)
    wrong = [value ^ (1 if i == hint else 0) for i, value in enumerate(good)]
    with pytest.raises(Reverted, match="key" if hint == 0 else "hint"):
        verifiers.papers.ask("verify", KEY, two(DIGEST), two(GOOD), wrong)


def test_signed_is_digest_and_verify(verifiers: Verifiers) -> None:
    parts = [b"this"]
    found, _ = verifiers.papers.ask(
        "signed", KEY, b"tests/signed", parts, two(GOOD), hints(KEY, DIGEST, GOOD)
    )
    assert found is True


SIZES = [
    0,
    1,
    31,
    32,
    133,
    134,
    135,
    136,
    137,
    1023,
    1024,
    8191,
    8192,
    8193,
    8700,
    8701,
    8704,
    8705,
    11600,
]


@pytest.mark.parametrize("size", SIZES)
def test_a_part_of_any_length_is_hashed(verifiers: Verifiers, size: int) -> None:
    part = bytes(i % 251 for i in range(size))
    digest, _, most = verifiers.digest("tests/part", [part])
    assert digest == tuple_hash("tests/part", part)
    assert most < MOST_GAS


@pytest.mark.parametrize("count", [0, 1, 2, 16, 17, 40])
def test_any_number_of_parts_is_hashed(verifiers: Verifiers, count: int) -> None:
    parts = [bytes([i]) * (7 * i) for i in range(count)]
    assert verifiers.digest("tests/parts", parts)[0] == tuple_hash("tests/parts", *parts)


def test_only_whole_blocks_are_absorbed(verifiers: Verifiers) -> None:
    state, _ = verifiers.papers.ask("begin", b"tests/part")
    with pytest.raises(Reverted, match="blocks"):
        verifiers.papers.ask("absorb", state, bytes(135))
