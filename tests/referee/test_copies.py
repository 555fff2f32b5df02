"""The origin of a copy is verified from its file alone: docs/collection.md."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto.encoding import canonical
from crypto.identity import public_key, verify
from referee import Unreadable
from referee.ownership import (
    Owner,
    holder_digest,
    link_digest,
    origin_digest,
    verify_copy,
    write_origin,
    write_provenance,
)
from referee.succession import write_succession
from tests.paths import VECTORS
from vectors.copies import COPY, OWNERS, START, TUNA
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS

FOLDER = VECTORS
HOUSE = public_key(HOUSE_PRIVATE_KEY)


def published(name: str) -> dict[str, dict[str, Any]]:
    return {v["name"]: v for v in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))}


GOOD = published("copies")
FILE: dict[str, Any] = GOOD["copy_file"]["input"]["file"]


def test_the_published_file_is_valid() -> None:
    report = verify_copy(canonical(FILE))
    assert report.valid, report.fault
    assert (report.origin, report.owners, report.house_key) == (TUNA, [*OWNERS], HOUSE)
    assert [owner.player for owner in report.owners] == GOOD["copy_file"]["output"]["owners"]
    assert report.at == START + 3_600_000


@pytest.mark.parametrize(
    ("name", "digest"),
    [("copy_origin", origin_digest), ("copy_owner", link_digest), ("copy_holder", holder_digest)],
)
def test_what_is_signed_is_the_published_digest(name: str, digest: Any) -> None:
    vector = GOOD[name]
    assert digest(vector["input"]["stated"]).hex() == vector["output"]["digest"]
    signature = bytes.fromhex(vector["output"]["signature"])
    assert verify(HOUSE, bytes.fromhex(vector["output"]["digest"]), signature)


@pytest.mark.parametrize("vector", published("bad_copies").values(), ids=lambda v: str(v["name"]))
def test_what_must_be_refused(vector: dict[str, Any]) -> None:
    fault = verify_copy(canonical(vector["input"]["file"])).fault
    assert fault is not None
    assert (fault.code, fault.pointer) == (vector["output"]["refused"], vector["output"]["pointer"])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_byte_can_be_another(data: st.DataObject) -> None:
    whole = bytearray(canonical(FILE))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    with suppress(Unreadable):
        assert not verify_copy(bytes(whole)).valid


@pytest.mark.parametrize("file", [b"", b"{", b"[1]", b"\xff", b'{"protocol":1}', b"[" * 100_000])
def test_what_is_no_file_is_said_to_be_none(file: bytes) -> None:
    with suppress(Unreadable):
        assert not verify_copy(file).valid


def test_a_later_file_goes_on_where_an_earlier_one_ended() -> None:
    """The signatures of earlier owners do not depend on later ones, nor on the house's newest key."""
    more = (*OWNERS, Owner(COPY, "sale", 99, START + 7_200_000))
    later = write_provenance(PRIVATE_KEYS[0], TUNA, more, START + 9_000_000)
    for old, new in zip(FILE["owners"], later["owners"], strict=False):
        assert link_digest(old) == link_digest(new)
    assert write_origin(HOUSE_PRIVATE_KEY, TUNA) == FILE["origin"]
    data = canonical(later)
    refused = verify_copy(data, HOUSE).fault
    assert refused is not None
    assert refused.code == "wrong_house"
    assert verify_copy(data, HOUSE, [write_succession(HOUSE_PRIVATE_KEY, PRIVATE_KEYS[0], 1)]).valid
