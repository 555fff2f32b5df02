"""The published vectors of tests/vectors: every digest of the referee is the one that was published.

What the program writes and what it reads share one function for each digest, so a slip in one of them would
be in both, and only the files tell. And the ranges of what an entry and a message say of themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from crypto.encoding import canonical, parse_timestamp
from referee import Refused, apply, read_entry, read_message, verify_record
from referee.certificate import certificate_digest
from referee.faces import faces_digest
from referee.message import Receipt, receipt_digest
from referee.record import parse_record
from referee.succession import read_succession, succession_digest
from referee.verify import entry_field
from tests.referee.published_kit import games, published, whole_entry, whole_message


@pytest.mark.parametrize("vector", published("entries"), ids=lambda vector: vector["name"])
def test_entries(vector: dict[str, Any]) -> None:
    entry = read_entry(whole_entry(vector))
    assert entry.digest.hex() == vector["output"]["digest"]
    assert entry.json() == whole_entry(vector)
    assert entry.seat == (None if entry.actor == "house" else int(entry.actor))


@pytest.mark.parametrize("vector", published("messages"), ids=lambda vector: vector["name"])
def test_messages(vector: dict[str, Any]) -> None:
    message = read_message(vector["input"]["game"], whole_message(vector))
    assert message.digest.hex() == vector["output"]["digest"]
    assert message.json() == whole_message(vector)


@pytest.mark.parametrize("vector", published("receipts"), ids=lambda vector: vector["name"])
def test_receipts(vector: dict[str, Any]) -> None:
    given, made = vector["input"], vector["output"]
    digest, at = bytes.fromhex(given["message_digest"]), parse_timestamp(given["at"])
    assert receipt_digest(digest, at).hex() == made["digest"]
    assert Receipt(digest, at, bytes.fromhex(made["signature"])).json() == made["receipt"]


@pytest.mark.parametrize("vector", published("faces"), ids=lambda vector: vector["name"])
def test_faces(vector: dict[str, Any]) -> None:
    given = vector["input"]
    found = faces_digest(given["game"], given["deal"], given["seat"], given["faces"])
    assert found.hex() == vector["output"]["digest"]


@pytest.mark.parametrize("vector", published("house_certificates"), ids=lambda vector: vector["name"])
def test_certificates(vector: dict[str, Any]) -> None:
    assert certificate_digest(vector["output"]["certificate"]).hex() == vector["output"]["digest"]


@pytest.mark.parametrize("vector", published("successions"), ids=lambda vector: vector["name"])
def test_successions(vector: dict[str, Any]) -> None:
    made = vector["output"]["succession"]
    assert succession_digest(made).hex() == vector["output"]["digest"]
    found = read_succession(made)
    assert found.json() == made
    assert found.at == parse_timestamp(vector["input"]["at"])


@pytest.mark.parametrize("vector", published("records"), ids=lambda vector: vector["name"])
def test_records(vector: dict[str, Any]) -> None:
    data = canonical(vector["output"]["record"])
    read = [read_entry(entry) for entry in parse_record(data)]
    assert [entry.digest.hex() for entry in read] == vector["output"]["digests"]
    assert verify_record(data).valid


def refusal(vector: Mapping[str, Any]) -> tuple[str, str, str]:
    """Code, pointer into the entry, and section, of the last entry of a vector."""
    *before, entry = vector["input"]["entries"]
    game = games(vector["input"]["record"])[vector["input"]["keep"]]
    for earlier in before:
        game = apply(game, read_entry(earlier))
    try:
        read = read_entry(entry)
    except Refused as refused:
        return refused.code, refused.pointer, refused.section
    with pytest.raises(Refused) as caught:
        apply(game, read)
    return caught.value.code, entry_field(caught.value.pointer), caught.value.section


@pytest.mark.parametrize("group", ["certificates", "seals", "reveals", "messages", "records", "dealerless"])
def test_entries_that_must_be_refused(group: str) -> None:
    for vector in published(f"bad_{group}"):
        if vector["input"].get("entries"):
            code, pointer, section = refusal(vector)
            said = vector["output"]
            assert (code, pointer) == (said["refused"], said["pointer"]), vector["name"]
            assert section in ("", said["section"]), vector["name"]


@pytest.mark.parametrize("field", ["seq", "step"])
def test_numbers_of_an_entry_have_four_bytes(field: str) -> None:
    entry = whole_entry(published("entries")[0])
    assert read_entry({**entry, field: 2**32 - 1}).json()[field] == 2**32 - 1
    assert read_entry({**entry, field: 0}).json()[field] == 0
    for wrong in (2**32, -1):
        with pytest.raises(Refused) as refused:
            read_entry({**entry, field: wrong})
        assert (refused.value.code, refused.value.pointer) == ("bad_integer", f"/{field}")


@pytest.mark.parametrize(("field", "most"), [("step", 2**32 - 1), ("seat", 11)])
def test_numbers_of_a_message_have_their_ranges(field: str, most: int) -> None:
    vector = published("messages")[0]
    message, game = whole_message(vector), vector["input"]["game"]
    for number in (0, most):
        assert read_message(game, {**message, field: number}).json()[field] == number
    for wrong in (most + 1, -1):
        with pytest.raises(Refused) as refused:
            read_message(game, {**message, field: wrong})
        assert (refused.value.code, refused.value.pointer) == ("bad_integer", f"/{field}")
