"""Examples of what a player signs outside of games, and of statements that must be refused.

In the manner of `vectors.records`: published test vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from crypto.encoding import b64, timestamp
from crypto.identity import public_key
from referee.errors import Refused
from referee.sign_in import (
    CHALLENGE,
    read_answer,
    read_registration,
    read_sign_in,
    write_answer,
    write_registration,
    write_sign_in,
)
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS, Vector, case

AT = 1_795_168_800_007
HANDLE, PURPOSE = "Ada", "sign-in"
GIVEN = bytes(range(CHALLENGE))
OURS, OTHER = PRIVATE_KEYS
HOUSE = public_key(HOUSE_PRIVATE_KEY)
ELSEWHERE = public_key(OTHER)
"""The key of another house."""

_INPUTS: dict[str, dict[str, Any]] = {
    "proof": {"at": timestamp(AT)},
    "registration": {"handle": HANDLE},
    "answer": {"handle": HANDLE, "purpose": PURPOSE, "challenge": b64(GIVEN)},
}
"""What each statement is about, beside the two keys."""


def _written(kind: str, private: bytes = OURS, house: bytes = HOUSE, **changes: Any) -> dict[str, Any]:
    """A statement by a private key for the house with that key."""
    said = {**_INPUTS[kind], **changes}
    if kind == "proof":
        return write_sign_in(private, house, AT)
    if kind == "registration":
        return write_registration(private, house, said["handle"])
    return write_answer(private, house, said["handle"], said["purpose"], GIVEN)


def _read(kind: str, statement: object) -> object:
    """Read a statement of the example player. Raises `Refused`."""
    key = public_key(OURS)
    if kind == "proof":
        return read_sign_in(statement, key)
    if kind == "registration":
        return read_registration(statement, key, HANDLE)
    return read_answer(statement, key, HANDLE, PURPOSE)


def sign_in() -> list[Vector]:
    """Proofs of a player's key: at signing in, at registration, and as an answer (docs/protocol-notes.md)."""
    found = []
    for kind, said in _INPUTS.items():
        statement = _written(kind)
        _read(kind, statement)
        inputs = {"private": OURS.hex(), "house": b64(HOUSE), **said}
        found.append(case(kind, inputs, {"key": b64(public_key(OURS)), "statement": statement}))
    return found


def _refused() -> Iterator[tuple[str, str, str, object]]:
    """Statements that must be refused: a name, why, its kind, the statement."""
    for kind in _INPUTS:
        good = _written(kind)
        yield f"{kind}_other_key", "it is signed by another key", kind, _written(kind, OTHER)
        yield f"{kind}_other_house", "another house is named", kind, {**good, "house": b64(ELSEWHERE)}
        yield (
            f"{kind}_short_signature",
            "the signature lacks a byte",
            kind,
            {**good, "signature": b64(bytes(63))},
        )
        yield f"{kind}_padded", "base64url has no padding", kind, {**good, "house": good["house"] + "="}
        more = {**good, "handle": HANDLE}
        yield f"{kind}_member_too_many", "a member that nobody has signed", kind, more
        yield f"{kind}_member_missing", "no house is named", kind, {"signature": good["signature"]}
        yield f"{kind}_no_object", "it is no object", kind, [good]
    proof, answer = _written("proof"), _written("answer")
    yield "proof_other_time", "another time than was signed", "proof", {**proof, "at": timestamp(AT + 1)}
    yield "proof_bad_time", "the time has no milliseconds", "proof", {**proof, "at": "2026-11-20T08:40:00Z"}
    yield (
        "registration_other_handle",
        "another handle",
        "registration",
        _written("registration", handle="ada"),
    )
    yield "answer_other_handle", "another handle was signed", "answer", _written("answer", handle="ada")
    other = _written("answer", purpose="deletion")
    yield "answer_other_purpose", "another purpose was signed", "answer", other
    changed = {**answer, "challenge": b64(bytes(CHALLENGE))}
    yield "answer_other_challenge", "another challenge than was signed", "answer", changed
    short = {**answer, "challenge": b64(bytes(CHALLENGE - 1))}
    yield "answer_short_challenge", "the challenge lacks a byte", "answer", short
    for kind, other_kind in (("registration", "proof"), ("proof", "registration")):
        taken = {**_written(kind), "signature": _written(other_kind)["signature"]}
        yield f"{kind}_signed_as_{other_kind}", "the signature is of a statement of another kind", kind, taken


def bad_sign_in() -> list[Vector]:
    """Proofs of a key that must be refused, for the player and the house of sign_in.json."""
    found = []
    for name, why, kind, statement in _refused():
        try:
            _read(kind, statement)
        except Refused as refused:
            output = {"refused": refused.code, "pointer": refused.pointer, "why": why}
            found.append(case(name, {"kind": kind, "statement": statement}, output))
        else:
            raise AssertionError(f"{name} is refused")
    return found


GROUPS: dict[str, Callable[[], list[Vector]]] = {"sign_in": sign_in, "bad_sign_in": bad_sign_in}
"""Every group of vectors of this file by name."""
