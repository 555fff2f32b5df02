"""TupleHash and the transcript (protocol section 2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto import transcript
from crypto.engines import ORDER
from crypto.transcript import ProofError, Transcript, to_scalar, tuple_hash
from tests.crypto.crypto_kit import Talk, th, tuple_hash_256

A, B, C = bytes(range(3)), bytes(range(16, 22)), bytes(range(32, 41))


@pytest.mark.parametrize(
    ("parts", "custom", "expected"),
    [
        (
            [A, B],
            b"",
            "cfb7058caca5e668f81a12a20a2195ce97a925f1dba3e7449a56f82201ec6073"
            "11ac2696b1ab5ea2352df1423bde7bd4bb78c9aed1a853c78672f9eb23bbe194",
        ),
        (
            [A, B],
            b"My Tuple App",
            "147c2191d5ed7efd98dbd96d7ab5a11692576f5fe2a5065f3e33de6bba9f3aa1"
            "c4e9a068a289c61c95aab30aee1e410b0b607de3620e24a4e3bf9852a1d4367e",
        ),
        (
            [A, B, C],
            b"My Tuple App",
            "45000be63f9b6bfd89f54717670f69a9bc763591a4f05c50d68891a744bcc6e7"
            "d6d5b5e82c018da999ed35b0bb49c9678e526abd8e85c13ed254021db9e790ce",
        ),
    ],
)
def test_the_oracle_gives_the_examples_of_nist(parts: list[bytes], custom: bytes, expected: str) -> None:
    assert tuple_hash_256(parts, 64, custom).hex() == expected


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
