"""TupleHash and the transcript (protocol section 2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto import transcript
from crypto.engines import ORDER
from crypto.transcript import ProofError, Transcript, blocks, to_scalar, tuple_hash
from tests.crypto.crypto_kit import Talk, th


@settings(max_examples=40)
@given(
    st.lists(st.binary(max_size=300), max_size=4), st.sampled_from(["chain", "seal", "ä"]), st.integers(8, 64)
)
def test_tuple_hash_is_the_standard_s(parts: list[bytes], label: str, length: int) -> None:
    assert tuple_hash(label, *parts, length=length) == th(label, *parts, length=length)


def test_every_boundary_counts() -> None:
    seen = {
        tuple_hash("seal"),
        tuple_hash("seal", b""),
        tuple_hash("seal", b"", b""),
        tuple_hash("seal", b"ab", b"c"),
        tuple_hash("seal", b"a", b"bc"),
        tuple_hash("seal", b"abc"),
        tuple_hash("seed", b"abc"),
    }
    assert len(seen) == 7
    assert tuple_hash("seal", b"abc", length=16) != tuple_hash("seal", b"abc")[:16]


def test_a_digest_becomes_a_scalar_big_endian() -> None:
    assert to_scalar(b"\x00" * 63 + b"\x05") == 5
    assert to_scalar(b"\xff" * 64) == (2**512 - 1) % ORDER


def test_transcript_follows_the_page() -> None:
    ours, page = Transcript("meal", b"ctx"), Talk("meal", b"ctx")
    for talk in (ours, page):
        talk.absorb("hand")
        talk.absorb("meal", b"1", b"", b"23")
    assert ours.challenge("x") == page.challenge("x")
    assert ours.challenge("x") == page.challenge("x")
    for talk in (ours, page):
        talk.absorb("more", b"4")
    assert ours.challenge("y") == page.challenge("y")


def test_a_zero_challenge_is_a_failed_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Transcript("meal", b"ctx")
    monkeypatch.setattr(transcript, "tuple_hash", lambda *parts: ORDER.to_bytes(64, "big"))
    with pytest.raises(ProofError):
        talk.challenge("x")


def test_a_block_of_the_hash_has_136_bytes() -> None:
    # The full blocks of 136 bytes that so many bytes fill.
    assert [blocks(size) for size in (0, 135, 136, 271, 272)] == [0, 0, 1, 1, 2]
