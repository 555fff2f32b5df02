"""Opened boosters are verified from their file alone: docs/boosters.md."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto.encoding import b64, canonical, unb64
from crypto.identity import public_key, verify
from referee import Unreadable
from referee.boosters import commitment_digest, opening_digest, verify_boosters
from referee.succession import write_succession
from tests.paths import VECTORS
from vectors.boosters import PLAYER
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS

FOLDER = VECTORS
HOUSE = public_key(HOUSE_PRIVATE_KEY)


def published(name: str) -> dict[str, dict[str, Any]]:
    return {v["name"]: v for v in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))}


GOOD = published("boosters")
FILE: dict[str, Any] = GOOD["booster_file"]["input"]["file"]


def test_the_published_file_is_valid_and_brings_the_published_cards() -> None:
    report = verify_boosters(canonical(FILE))
    assert report.valid, report.fault
    assert [[*cards] for _, cards in report.packs] == GOOD["booster_file"]["output"]["cards"]
    assert report.checked == {"openings": 6, "signatures": 7, "links": 6, "draws": 6}
    assert (report.player, {*report.house_keys}) == (PLAYER, {HOUSE})


def test_what_is_signed_is_the_published_digest() -> None:
    for name, digest in (("commitment", commitment_digest), ("opening", opening_digest)):
        vector = GOOD[f"booster_{name}"]
        assert digest(vector["input"][name]).hex() == vector["output"]["digest"]
        signature = bytes.fromhex(vector["output"]["signature"])
        assert verify(HOUSE, bytes.fromhex(vector["output"]["digest"]), signature)


@pytest.mark.parametrize("vector", published("bad_boosters").values(), ids=lambda v: str(v["name"]))
def test_what_must_be_refused(vector: dict[str, Any]) -> None:
    fault = verify_boosters(canonical(vector["input"]["file"])).fault
    assert fault is not None
    assert (fault.code, fault.pointer) == (vector["output"]["refused"], vector["output"]["pointer"])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_byte_can_be_another(data: st.DataObject) -> None:
    whole = bytearray(canonical(FILE))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    try:
        report = verify_boosters(bytes(whole))
    except Unreadable:
        return
    assert not report.valid


@pytest.mark.parametrize("file", [b"", b"{", b"[1]", b"\xff", b'{"protocol":1}', b"[" * 100_000])
def test_what_is_no_file_is_said_to_be_none(file: bytes) -> None:
    with suppress(Unreadable):
        assert not verify_boosters(file).valid


def test_no_openings_are_valid_too() -> None:
    report = verify_boosters(canonical({**FILE, "openings": [], "chains": [], "rules": []}))
    assert report.valid


def test_the_house_that_is_expected() -> None:
    data = canonical(FILE)
    assert verify_boosters(data, HOUSE).valid
    later = public_key(PRIVATE_KEYS[0])
    refused = verify_boosters(data, later).fault
    assert refused is not None
    assert refused.code == "wrong_house"
    assert verify_boosters(data, later, [write_succession(HOUSE_PRIVATE_KEY, PRIVATE_KEYS[0], 1)]).valid


def test_keys_and_links_are_what_they_seem() -> None:
    """The file's own forms: base64url of the lengths that the page gives."""
    first = FILE["openings"][0]
    # Bytes of each: digests, rules and signatures have 64, a nonce has 32.
    assert [len(unb64(first[name])) for name in ("prev", "rules", "link", "nonce", "signature")] == [
        64,
        64,
        64,
        32,
        64,
    ]
    assert FILE["chains"][0]["house_key"] == b64(HOUSE)
