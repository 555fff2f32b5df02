"""Envelopes: HPKE as RFC 9180 has it, and strict about what it takes (protocol section 11)."""

from __future__ import annotations

from random import Random

import pytest

from crypto.encoding import EncodingError
from crypto.envelope import (
    KEY_BYTES,
    OVERHEAD,
    EnvelopeError,
    P,
    check_public_key,
    new_private_key,
    public_key,
    seal,
    unseal,
)
from tests.crypto.hpke import cipher, ladder, shared

SMALL = [
    0,
    1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
    P - 1,
]
"""The points of small order on the curve and its twist, by their one coordinate."""


# The HPKE of test_published.py opens what the library seals, and the other way round.


@pytest.mark.parametrize("seed", range(6))
def test_a_second_implementation_agrees(seed: int) -> None:
    rng = Random(seed)
    private, ephemeral = rng.randbytes(32), rng.randbytes(32)
    info, aad, content = (rng.randbytes(rng.randrange(200)) for _ in range(3))
    public = ladder(private, 9)
    assert public_key(private) == public

    sent = seal(public, info, aad, content)
    enc = sent[:KEY_BYTES]
    opens = cipher(shared(private, enc), enc, public, info, aad)
    assert opens.decrypt_and_verify(sent[KEY_BYTES:-16], sent[-16:]) == content

    enc = ladder(ephemeral, 9)
    text, tag = cipher(shared(ephemeral, public), enc, public, info, aad).encrypt_and_digest(content)
    assert unseal(private, info, aad, enc + text + tag) == content


def test_an_envelope_is_never_the_same_twice() -> None:
    private = new_private_key()
    made = {seal(public_key(private), b"info", b"aad", b"content") for _ in range(5)}
    assert len(made) == 5
    assert {len(sent) for sent in made} == {OVERHEAD + 7}
    assert {unseal(private, b"info", b"aad", sent) for sent in made} == {b"content"}


def test_it_opens_under_its_own_key_info_and_aad_alone() -> None:
    private = new_private_key()
    sent = seal(public_key(private), b"info", b"aad", b"content")
    for use in (
        (new_private_key(), b"info", b"aad"),
        (private, b"Info", b"aad"),
        (private, b"", b"aad"),
        (private, b"info", b"aad "),
        (private, b"info", b""),
        (private, b"aad", b"info"),
    ):
        with pytest.raises(EnvelopeError):
            unseal(*use, sent)


def test_a_flipped_bit_or_another_length_does_not_open() -> None:
    private = new_private_key()
    sent = seal(public_key(private), b"info", b"aad", b"content")
    for at in range(len(sent) * 8):
        flipped = bytearray(sent)
        flipped[at // 8] ^= 1 << at % 8
        with pytest.raises((EnvelopeError, EncodingError)):
            unseal(private, b"info", b"aad", bytes(flipped))
    for other in (sent[:-1], sent + b"\0", sent[1:]):
        with pytest.raises((EnvelopeError, EncodingError)):
            unseal(private, b"info", b"aad", other)
    for short in (b"", sent[:32], sent[: OVERHEAD - 1]):
        with pytest.raises(EncodingError):
            unseal(private, b"info", b"aad", short)


@pytest.mark.parametrize(
    "u", [*SMALL, *(P + u for u in SMALL if P + u < 2**256), P + 18, 2**255 + 9, 2**256 - 1]
)
def test_a_key_of_small_order_or_another_form_is_refused(u: int) -> None:
    """Such a key would make the shared secret zero, or give one key two forms."""
    key = u.to_bytes(32, "little")
    with pytest.raises(EncodingError):
        check_public_key(key)
    with pytest.raises(EncodingError):
        seal(key, b"", b"", b"content")
    with pytest.raises(EncodingError):
        unseal(new_private_key(), b"", b"", key + bytes(16))


def test_keys_have_32_bytes() -> None:
    for size in (0, 31, 33, 64):
        with pytest.raises(EncodingError):
            check_public_key(bytes(size))
        with pytest.raises(EncodingError):
            public_key(bytes(size))
    assert len(public_key(new_private_key())) == KEY_BYTES


def test_an_error_does_not_quote_the_content() -> None:
    private = new_private_key()
    sent = bytearray(seal(public_key(private), b"info", b"aad", b"a secret meal"))
    sent[-1] ^= 1
    with pytest.raises(EnvelopeError) as caught:
        unseal(private, b"info", b"aad", bytes(sent))
    assert "meal" not in str(caught.value)
    assert caught.value.__cause__ is None
