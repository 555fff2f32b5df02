"""Opened boosters are verified from their file alone: docs/boosters.md."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.catalog.boosters import counted
from crypto.encoding import b64, canonical, unb64
from crypto.fairness import CHAIN_LENGTH, Chain
from crypto.identity import public_key, verify
from referee import Unreadable
from referee.booster_statements import (
    FIRST,
    BoosterTerms,
    ask_digest,
    commitment_digest,
    file_bytes,
    notice_digest,
    opening_digest,
    receipt_digest,
    rules_digest,
    seal_of,
    write_commitment,
    write_opening,
    write_receipt,
)
from referee.boosters import verify_boosters
from referee.succession import write_succession
from tests.paths import VECTORS
from vectors.boosters import PLAYER, RULES, START
from vectors.example import HOUSE_CHAIN_END, HOUSE_PRIVATE_KEY, PRIVATE_KEYS

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
    counts = {"openings": 6, "signatures": 11, "links": 6, "draws": 6, "notices": 2, "receipts": 2}
    assert report.checked == counts
    assert report.asked[0].json() == GOOD["booster_file"]["output"]["asked"][0]
    assert report.player_key == public_key(PRIVATE_KEYS[0])
    assert (report.player, {*report.house_keys}) == (PLAYER, {HOUSE})


def test_what_is_signed_is_the_published_digest() -> None:
    signed = {
        "commitment": commitment_digest,
        "opening": opening_digest,
        "receipt": receipt_digest,
        "notice": notice_digest,
        "ask": ask_digest,
    }
    for name, digest in signed.items():
        key = public_key(PRIVATE_KEYS[0]) if name == "ask" else HOUSE
        vector = GOOD[f"booster_{name}"]
        assert digest(vector["input"][name]).hex() == vector["output"]["digest"]
        signature = bytes.fromhex(vector["output"]["signature"])
        assert verify(key, bytes.fromhex(vector["output"]["digest"]), signature)


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
    report = verify_boosters(
        canonical({**FILE, **{name: [] for name in ("openings", "chains", "rules", "notices", "asked")}})
    )
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
    first = FILE["openings"][1]
    # Bytes of each: digests, rules and signatures have 64, a nonce has 32.
    assert [len(unb64(first[name])) for name in ("prev", "rules", "link", "nonce", "signature")] == [
        64,
        64,
        64,
        32,
        64,
    ]
    assert FILE["chains"][0]["house_key"] == b64(HOUSE)


@pytest.mark.parametrize("used", [CHAIN_LENGTH, CHAIN_LENGTH - 1])
def test_a_chain_that_is_used_up_needs_no_notice(used: int) -> None:
    chain, prev, since, openings = Chain(HOUSE_CHAIN_END), FIRST, 0, []
    for k in range(1, used + 1):
        nonce, booster = k.to_bytes(32), f"5a0d7c1e-0000-4000-8000-{k:012}"
        about = rules_digest(RULES), since, 1, chain.anchor, k, seal_of(nonce)
        terms = BoosterTerms(k, prev, PLAYER, booster, *about)
        receipt = write_receipt(HOUSE_PRIVATE_KEY, terms, terms.signed(PRIVATE_KEYS[0]), START + k)
        opening, pack = write_opening(HOUSE_PRIVATE_KEY, receipt, chain.link(k), nonce, RULES)
        prev, since = opening_digest(opening), counted(RULES, since, pack)
        openings.append(opening)
    key = public_key(PRIVATE_KEYS[0])
    ends = (chain.anchor, START), (bytes(64), START + used)
    chains = [write_commitment(HOUSE_PRIVATE_KEY, PLAYER, key, n, *about) for n, about in enumerate(ends, 1)]
    fault = verify_boosters(file_bytes(PLAYER, [RULES], chains, [], [], openings)).fault
    assert (fault and fault.code) == (None if used == CHAIN_LENGTH else "chain_given_up")
