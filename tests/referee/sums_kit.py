"""Seals and reveals whose sums are right, and forged ones whose sums are wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crypto.encoding import b64, canonical, unb64
from crypto.group import encode_scalar
from crypto.identity import sign
from referee import Entry, Report, record_bytes
from referee.message import message_digest
from referee.record import GENESIS
from tests.referee.forger import at_path, rewritten
from vectors.example import HOUSE_PRIVATE_KEY
from vectors.matches import PRIVATES, chef

ENTRIES: Sequence[Entry] = chef().entries
REVEALS = [entry.seq for entry in ENTRIES if entry.kind == "reveal" and entry.body["openings"]]


def forged(bodies: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The record with other bodies of some messages, all of it signed anew, every `seen` right."""
    game, written, digests = ENTRIES[0].body["game"], list[Entry](), dict[bytes, bytes]()
    for entry in ENTRIES:
        body = dict(bodies.get(entry.seq, entry.body))
        if "seen" in body:
            seen = digests[unb64(body["seen"]["digest"])]
            body["seen"] = {**body["seen"], "digest": b64(seen)}
        changes: dict[str, Any] = {"body": body}
        if entry.seat is not None:
            digest = message_digest(game, entry.step, entry.seat, entry.kind, body)
            changes["player_signature"] = sign(PRIVATES[entry.seat], digest)
        head = (written[-1].seq, written[-1].digest) if written else (-1, GENESIS)
        written.append(rewritten(entry, head, HOUSE_PRIVATE_KEY, **changes))
        digests[entry.digest] = written[-1].digest
    return [entry.json() for entry in written]


def place(report: Report) -> tuple[int | None, str, str]:
    """Return the place of the fault: entry, code, pointer."""
    assert report.fault is not None
    return report.fault.entry, report.fault.code, report.fault.pointer


def with_blinding(seq: int, i: int) -> dict[str, Any]:
    """The body of a reveal whose i-th opening has another blinding; of i = -1, its seal's."""
    body, other = ENTRIES[seq].body, b64(encode_scalar(5))
    return {**body, **at_path(body, ["blinding"] if i < 0 else ["openings", i, "blinding"], other)}


def written(entries: list[dict[str, Any]]) -> bytes:
    return canonical({"protocol": "cloche/v1", "entries": entries})


GOOD = record_bytes(ENTRIES)
BAD = written(forged({REVEALS[0]: with_blinding(REVEALS[0], 1)}))
