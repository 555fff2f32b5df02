"""Two tapes, byte for byte; and the fields in which twins must differ, each with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Any

from tests.leaks.world import Shot

Differs = Mapping[str, str]
"""Paths into an answer's JSON at which twins may differ, with the reason; * stands for anything."""

CHAIN: Differs = {
    "/digest": "the record is a chain: each digest takes in the entry before",
    "/entries/*/prev": "the digest of the entry before",
    "/entries/*/body/seen/digest": "the digest of an entry",
    "/entries/*/house_signature": "a signature over the digest of its entry",
    "/entries/*/player_signature": "a signature over a message that names an entry by its digest",
    "/receipt/message": "the digest of a message that names an entry by its digest",
    "/receipt/signature": "a signature over that",
}
DECK: Differs = {
    "/entries/enter of 1/body/certificate/cards/*": "commitments to the cards, hiding perfectly",
    "/entries/enter of 1/body/certificate/signature": "a signature over these",
    "/entries/enter of 1/body/positions/*": "the same cards under other blindings, hiding perfectly",
    "/entries/enter of 1/body/proof": "a zero-knowledge proof about both",
}
SEAL: Differs = {
    "/entries/seal of 1/body/seal": "a commitment to the meal, hiding perfectly",
    "/entries/seal of 1/body/proof": "a zero-knowledge proof about it",
    "/seats/*/sealed/seal": "the same commitment",
    "/seats/*/sealed/fingerprint": "a digest of commitment and proof",
}
ENVELOPE: Differs = {
    "/entries/seal of 1/body/envelope": "encrypted to the house's worker, filled up to one size",
}
OPENED: Differs = {
    "/entries/reveal of 1/body/blinding": "opens a commitment made in the name of a match deck",
}


def named(value: Any, number: int) -> str:
    """A part of a path: an entry by its kind and actor, anything else in a list as *."""
    if isinstance(value, dict) and value.keys() >= {"kind", "actor", "body"}:
        return f"{value['kind']} of {value['actor']}"
    return "*"


def leaves(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the places where two JSON values differ: path, one, other."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for name in one:
            yield from leaves(one[name], other[name], f"{path}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from leaves(left, right, f"{path}/{named(left, number)}")
    elif one != other or type(one) is not type(other):
        yield path, one, other


def read(body: bytes) -> Any:
    """A body as JSON; a stream of events as what they name and carry. ValueError for anything else."""
    if not body.startswith(b"retry:"):
        return json.loads(body)
    frames = [
        dict(line.split(": ", 1) for line in frame.splitlines()) for frame in body.decode().split("\n\n")
    ]
    told = [json.loads(frame.pop("data")) for frame in frames if "data" in frame]
    return {"frames": frames, "entries": told}


def bodies(one: bytes, other: bytes, differs: Differs, used: set[str]) -> Iterator[str]:
    """Return how two bodies differ beside the listed fields, and the bytes that are left over."""
    if one == other:
        return
    try:
        parsed = read(one), read(other)
    except ValueError:
        yield "the bodies differ"
        return
    for path, left, right in leaves(*parsed):
        rule = next((rule for rule in differs if fnmatchcase(path, rule)), None)
        alike = isinstance(left, str) and isinstance(right, str) and len(left) == len(right)
        if rule is None or not alike:
            yield f"{path}: {str(left)[:80]} | {str(right)[:80]}"
        else:
            used.add(rule)
            other = other.replace(right.encode(), left.encode())
    if one != other:
        yield "the bytes differ"


def headers(shot: Shot) -> list[tuple[str, str]]:
    """The headers of an answer, without an ETag that is the hash of its body and so tells no more."""
    tag = ("ETag", f'"{sha256(shot.body).hexdigest()}"')
    return [header for header in shot.headers if header != tag]


def differences(one: Sequence[Shot], other: Sequence[Shot], differs: Differs, used: set[str]) -> list[str]:
    """All that two tapes differ in but for the fields of `differs`; `used` gathers those that were needed."""
    found = []
    if [(shot.who, shot.asked) for shot in one] != [(shot.who, shot.asked) for shot in other]:
        found.append("not the same was asked")
    for left, right in zip(one, other, strict=False):
        told = []
        if left.status != right.status:
            told.append(f"status {left.status} | {right.status}")
        if (ours := headers(left)) != (theirs := headers(right)):
            told.append(f"headers {set(ours) ^ set(theirs)}")
        told += bodies(left.body, right.body, differs, used)
        found += [f"{left.who}, {left.asked}: {text}" for text in told]
    return found
