"""The bodies of messages at a table without a dealer: each field wrong in turn, with its code and pointer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from crypto.encoding import b64
from referee.dealerless import bodies
from tests.referee.forger import at_path, refused, without

SEEN = {"seq": 7, "digest": b64(bytes(64))}
POINTS = bytes(range(96))
PROOF = bytes(range(80))
GOOD: dict[str, dict[str, Any]] = {
    "lock": {"deal": 2**16 - 1, "lock": b64(POINTS[:48]), "proof": b64(PROOF)},
    "mix": {"pack": b64(POINTS), "proof": b64(PROOF)},
    "share": {"shares": b64(POINTS), "proof": b64(PROOF)},
    "unlock": {"shares": b64(POINTS), "proof": b64(PROOF)},
}
READ = {
    "lock": bodies.Lock(2**16 - 1, POINTS[:48], PROOF),
    "mix": bodies.Mix(POINTS, PROOF),
    "share": bodies.Share(POINTS, PROOF),
    "unlock": bodies.Unlock(POINTS, PROOF, None),
}
SHOWN = {"positions": [51], "shares": b64(POINTS[:48]), "proof": b64(PROOF)}
"""A seat's answer to a search: it has the card that is sought."""
DENIED = {"positions": [], "proof": b64(PROOF)}
"""A seat's answer to a search: it has no such card."""

kinds = pytest.mark.parametrize("kind", sorted(GOOD))
senders = pytest.mark.parametrize("by_house", [False, True], ids=["seat", "house"])


def read(kind: str, body: Mapping[str, Any], by_house: bool = False) -> bodies.TableBody:
    """Read a body as its sender writes it: a seat's says what the seat has seen."""
    return bodies.read(kind, body if by_house else {**body, "seen": SEEN}, by_house=by_house)


@kinds
@senders
def test_a_body_is_read(kind: str, by_house: bool) -> None:
    assert read(kind, GOOD[kind], by_house) == READ[kind]


def test_an_answer_to_a_search_is_read() -> None:
    assert read("unlock", SHOWN) == bodies.Unlock(POINTS[:48], PROOF, (51,))
    assert read("unlock", DENIED) == bodies.Unlock(None, PROOF, ())


@kinds
@senders
def test_a_body_has_all_its_fields_and_no_other(kind: str, by_house: bool) -> None:
    for name in GOOD[kind]:
        with refused("missing_field", f"/{name}"):
            read(kind, without(GOOD[kind], name), by_house)
    with refused("unknown_field", "/more"):
        read(kind, {**GOOD[kind], "more": 1}, by_house)


@kinds
def test_a_seat_says_what_it_has_seen_and_the_house_does_not(kind: str) -> None:
    with refused("missing_field", "/seen"):
        bodies.read(kind, GOOD[kind])
    with refused("unknown_field", "/seen"):
        bodies.read(kind, {**GOOD[kind], "seen": SEEN}, by_house=True)


@pytest.mark.parametrize(
    ("kind", "path", "value", "code"),
    [
        ("lock", ["deal"], 0, "bad_integer"),
        ("lock", ["deal"], 2**16, "bad_integer"),
        ("lock", ["lock"], b64(bytes(47)), "bad_bytes"),
        ("lock", ["lock"], b64(bytes(49)), "bad_bytes"),
        ("lock", ["proof"], 7, "bad_bytes"),
        ("mix", ["pack"], None, "bad_bytes"),
        ("mix", ["pack"], b64(bytes(95)), "bad_length"),
        ("mix", ["pack"], b64(bytes(97)), "bad_length"),
        ("mix", ["proof"], "A", "bad_bytes"),
        ("share", ["shares"], [], "bad_bytes"),
        ("share", ["shares"], b64(bytes(49)), "bad_length"),
        ("share", ["proof"], None, "bad_bytes"),
        ("unlock", ["shares"], 1, "bad_bytes"),
        ("unlock", ["shares"], b64(bytes(47)), "bad_length"),
        ("unlock", ["proof"], {}, "bad_bytes"),
    ],
)
@senders
def test_a_field_of_a_body(
    kind: str, path: list[str | int], value: object, code: str, by_house: bool
) -> None:
    with refused(code, "/" + "/".join(map(str, path))):
        read(kind, at_path(GOOD[kind], path, value), by_house)


@pytest.mark.parametrize(
    ("positions", "code", "pointer"),
    [
        (None, "bad_list", "/positions"),
        ({}, "bad_list", "/positions"),
        ([-1], "bad_integer", "/positions/0"),
        ([True], "bad_integer", "/positions/0"),
        ([1, "2"], "bad_integer", "/positions/1"),
        ([1, 2], "bad_length", "/positions"),
    ],
)
def test_the_positions_of_an_answer(positions: object, code: str, pointer: str) -> None:
    with refused(code, pointer):
        read("unlock", {**SHOWN, "positions": positions})


def test_shares_come_with_a_position_and_not_without() -> None:
    for odd in (without(SHOWN, "shares"), {**SHOWN, "positions": []}):
        with refused("bad_shape", "/shares"):
            read("unlock", odd)
    with refused("missing_field", "/proof"):
        read("unlock", without(SHOWN, "proof"))


def test_the_least_that_a_field_may_be() -> None:
    assert read("lock", {**GOOD["lock"], "deal": 1}) == bodies.Lock(1, POINTS[:48], PROOF)
    assert read("unlock", {**SHOWN, "positions": [0]}) == bodies.Unlock(POINTS[:48], PROOF, (0,))
    assert read("share", {"shares": "", "proof": ""}, by_house=True) == bodies.Share(b"", b"")
