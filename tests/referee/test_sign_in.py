"""What a player signs outside of games: each statement is bound to its kind, key, house and the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from Crypto.Signature import eddsa

from crypto.encoding import b64, unb64
from crypto.identity import new_private_key, public_key
from referee.errors import Refused
from referee.sign_in import (
    Challenged,
    read_answer,
    read_registration,
    read_sign_in,
    write_answer,
    write_registration,
    write_sign_in,
)
from tests.crypto.crypto_kit import th
from tests.referee.published_kit import published

HOUSE, AT = b"\2" * 32, 1_790_000_000_000
CHALLENGE = b"\4" * 56
PLAYER, OTHER = new_private_key(), new_private_key()


def test_a_proof_names_house_and_time() -> None:
    assert read_sign_in(write_sign_in(PLAYER, HOUSE, AT), public_key(PLAYER)) == (HOUSE, AT)


@pytest.mark.parametrize(
    ("changed", "code", "pointer"),
    [
        ({"house": b64(b"\3" * 32)}, "bad_signature", "/signature"),
        ({"at": "2026-09-21T14:13:20.001Z"}, "bad_signature", "/signature"),
        ({"signature": write_sign_in(OTHER, HOUSE, AT)["signature"]}, "bad_signature", "/signature"),
        ({"house": "AAAA"}, "bad_bytes", "/house"),
        ({"at": "yesterday"}, "bad_time", "/at"),
        ({"signature": "?"}, "bad_bytes", "/signature"),
        ({"password": "x"}, "unknown_field", "/password"),
    ],
)
def test_a_changed_proof_is_refused(changed: dict[str, Any], code: str, pointer: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sign_in({**write_sign_in(PLAYER, HOUSE, AT), **changed}, public_key(PLAYER))
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


def test_it_is_of_one_player() -> None:
    with pytest.raises(Refused, match="not by that key"):
        read_sign_in(write_sign_in(PLAYER, HOUSE, AT), public_key(OTHER))


def test_a_registration_names_its_house() -> None:
    written = write_registration(PLAYER, HOUSE, "Ada")
    assert read_registration(written, public_key(PLAYER), "Ada") == HOUSE


@pytest.mark.parametrize(
    ("changed", "handle", "code", "pointer"),
    [
        ({}, "ada", "bad_signature", "/signature"),
        ({"house": b64(b"\3" * 32)}, "Ada", "bad_signature", "/signature"),
        (
            {"signature": write_registration(OTHER, HOUSE, "Ada")["signature"]},
            "Ada",
            "bad_signature",
            "/signature",
        ),
        ({"house": "AAAA"}, "Ada", "bad_bytes", "/house"),
        ({"at": "2026-09-21T14:13:20.000Z"}, "Ada", "unknown_field", "/at"),
    ],
)
def test_a_changed_registration_is_refused(
    changed: dict[str, Any], handle: str, code: str, pointer: str
) -> None:
    with pytest.raises(Refused) as refused:
        read_registration({**write_registration(PLAYER, HOUSE, "Ada"), **changed}, public_key(PLAYER), handle)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


def test_an_answer_names_house_and_challenge() -> None:
    written = write_answer(PLAYER, HOUSE, "ada", "sign-in", CHALLENGE)
    found = read_answer(written, public_key(PLAYER), "ada", "sign-in")
    assert found == Challenged(HOUSE, CHALLENGE)


@pytest.mark.parametrize(
    ("changed", "handle", "purpose", "code", "pointer"),
    [
        ({}, "bob", "sign-in", "bad_signature", "/signature"),
        ({}, "ada", "deletion", "bad_signature", "/signature"),
        ({"house": b64(b"\3" * 32)}, "ada", "sign-in", "bad_signature", "/signature"),
        ({"challenge": b64(b"\5" * 56)}, "ada", "sign-in", "bad_signature", "/signature"),
        ({"challenge": b64(bytes(55))}, "ada", "sign-in", "bad_bytes", "/challenge"),
        ({"more": "x"}, "ada", "sign-in", "unknown_field", "/more"),
    ],
)
def test_a_changed_answer_is_refused(
    changed: dict[str, Any], handle: str, purpose: str, code: str, pointer: str
) -> None:
    written = {**write_answer(PLAYER, HOUSE, "ada", "sign-in", CHALLENGE), **changed}
    with pytest.raises(Refused) as refused:
        read_answer(written, public_key(PLAYER), handle, purpose)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)
    with pytest.raises(Refused):
        read_answer(
            write_answer(OTHER, HOUSE, "ada", "sign-in", CHALLENGE), public_key(PLAYER), "ada", "sign-in"
        )


GOOD = {vector["name"]: vector for vector in published("sign_in")}
BAD = {vector["name"]: vector for vector in published("bad_sign_in")}


def read(kind: str, statement: object) -> None:
    """Read a statement of the published player."""
    key, said = unb64(GOOD[kind]["output"]["key"]), GOOD[kind]["input"]
    if kind == "proof":
        read_sign_in(statement, key)
    elif kind == "registration":
        read_registration(statement, key, said["handle"])
    else:
        read_answer(statement, key, said["handle"], said["purpose"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [("proof", "sign-in"), ("registration", "registration"), ("answer", "challenge-answer")],
)
def test_the_published_statements_sign_what_the_page_says(name: str, kind: str) -> None:
    said, output = GOOD[name]["input"], GOOD[name]["output"]
    read(name, output["statement"])
    own = {field: said[field] for field in ("at", "handle", "purpose", "challenge") if field in said}
    stated = {"kind": kind, "house": said["house"], "key": output["key"], **own}
    written = json.dumps(stated, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    digest = th(kind, written)
    verifier = eddsa.new(eddsa.import_public_key(unb64(output["key"])), "rfc8032")
    verifier.verify(digest, unb64(output["statement"]["signature"]))


@pytest.mark.parametrize("name", BAD)
def test_the_published_refusals_are_refused(name: str) -> None:
    given, output = BAD[name]["input"], BAD[name]["output"]
    with pytest.raises(Refused) as refused:
        read(given["kind"], given["statement"])
    assert (refused.value.code, refused.value.pointer) == (output["refused"], output["pointer"])
