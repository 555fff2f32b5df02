"""One key of a house follows another: by the word of both, and in one line only."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from crypto.encoding import b64, timestamp
from crypto.identity import new_private_key, public_key, sign
from referee import Refused
from referee.succession import (
    leads,
    read_succession,
    read_successions,
    related,
    succession_digest,
    write_succession,
)

AT = 1_790_000_000_000
PRIVATE = [new_private_key() for _ in range(4)]
FIRST, SECOND, THIRD, STRANGER = (public_key(private) for private in PRIVATE)
LINE = [write_succession(old, new, AT) for old, new in pairwise(PRIVATE[:3])]


def test_what_was_written_is_read() -> None:
    listed = [item.json() for item in LINE]
    assert read_successions(listed) == tuple(LINE)
    assert [(item.old, item.new) for item in LINE] == [(FIRST, SECOND), (SECOND, THIRD)]


def test_a_line_leads_forward_and_joins_both_ways() -> None:
    assert leads(LINE, FIRST, THIRD)
    assert leads(LINE, FIRST, FIRST)
    assert not leads(LINE, THIRD, FIRST)
    assert related(LINE, THIRD, FIRST)
    assert not related(LINE, THIRD, STRANGER)
    assert not related((), FIRST, SECOND)


def test_keys_in_a_ring_come_to_an_end() -> None:
    back = write_succession(PRIVATE[2], PRIVATE[0], AT)
    assert not leads([*LINE, back], FIRST, STRANGER)
    assert leads([*LINE, back], THIRD, SECOND)


def _one_sided(old: bytes, new: bytes, signs: bytes) -> dict[str, Any]:
    """A succession that only one of its keys has signed, in both places."""
    stated = {"kind": "succession", "old": b64(old), "new": b64(new), "at": timestamp(AT)}
    signature = b64(sign(signs, succession_digest(stated)))
    return {**stated, "old_signature": signature, "new_signature": signature}


@pytest.mark.parametrize(("signs", "pointer"), [(0, "/new_signature"), (1, "/old_signature")])
def test_neither_key_can_say_it_alone(signs: int, pointer: str) -> None:
    with pytest.raises(Refused) as caught:
        read_succession(_one_sided(FIRST, SECOND, PRIVATE[signs]))
    assert (caught.value.code, caught.value.pointer) == ("bad_signature", pointer)


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"kind": "certificate"}, "bad_kind", "/0/kind"),
        ({"at": timestamp(AT + 1)}, "bad_signature", "/0/old_signature"),
        ({"at": "yesterday"}, "bad_time", "/0/at"),
        ({"new": b64(STRANGER)}, "bad_signature", "/0/old_signature"),
        ({"new": b64(FIRST)}, "wrong_key", "/0/new"),
        ({"old": b64(STRANGER)}, "bad_signature", "/0/old_signature"),
        ({"old": "AA"}, "bad_bytes", "/0/old"),
        ({"new_signature": b64(bytes(64))}, "bad_signature", "/0/new_signature"),
        ({"more": 1}, "unknown_field", "/0/more"),
    ],
)
def test_what_is_not_whole_is_refused(change: dict[str, Any], code: str, pointer: str) -> None:
    with pytest.raises(Refused) as caught:
        read_successions([{**LINE[0].json(), **change}])
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


@pytest.mark.parametrize(("old", "new"), [(0, 2), (3, 1)])
def test_a_list_that_forks_says_nothing(old: int, new: int) -> None:
    fork = write_succession(PRIVATE[old], PRIVATE[new], AT)
    with pytest.raises(Refused) as caught:
        read_successions([LINE[0].json(), fork.json()])
    assert caught.value.code == "two_successors"


@pytest.mark.parametrize("data", [None, {}, "x", [None], [{}]])
def test_anything_else_is_refused(data: object) -> None:
    with pytest.raises(Refused):
        read_successions(data)
