"""The record: a hash chain of entries, each signed by the house (protocol section 10)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crypto.encoding import b64, canonical, i2osp, timestamp, too_deep
from crypto.identity import sign
from crypto.transcript import tuple_hash
from referee.bodies import DIGEST, SIGNATURE, fields, instant, integer, listing, octets, text
from referee.errors import Refused, need

PROTOCOL = "cloche/v1"
HOUSE = "house"
MOST_SEATS = 12
GENESIS = bytes(DIGEST)
"""`prev` of the first entry."""
MESSAGE_KINDS = ("enter", "ready", "link", "move", "seal", "reveal", "resign", "draw")
ACTORS = (HOUSE, *map(str, range(MOST_SEATS)))
HOUSE_KINDS = ("open", "deal", "turn", "shown", "timeout", "account", "away", "result")
PARTY_KINDS = ("lock", "mix", "share", "unlock")
"""Kinds that seats and the house write, at a table without a dealer (protocol section 20)."""
ANNUL = "annul"
"""A kind that the house alone writes there."""


FIELDS = (
    "seq",
    "prev",
    "at",
    "step",
    "actor",
    "kind",
    "body",
    "player_signature",
    "house_signature",
)
"""The fields of an entry."""


class Unreadable(ValueError):
    """A file that can't be read, or is not JSON at all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a record; `at` is in milliseconds since 1970, `actor` is "0", "1", ... or "house"."""

    seq: int
    prev: bytes
    at: int
    step: int
    actor: str
    kind: str
    body: Mapping[str, Any]
    player_signature: bytes | None
    house_signature: bytes
    digest: bytes = field(compare=False, repr=False)

    @property
    def seat(self) -> int | None:
        """The seat whose entry this is; None for the house."""
        return None if self.actor == HOUSE else int(self.actor)

    def json(self) -> dict[str, Any]:
        """The entry in the JSON form of a record."""
        return {
            "seq": self.seq,
            "prev": b64(self.prev),
            "at": timestamp(self.at),
            "step": self.step,
            "actor": self.actor,
            "kind": self.kind,
            "body": dict(self.body),
            "player_signature": None if self.player_signature is None else b64(self.player_signature),
            "house_signature": b64(self.house_signature),
        }


def entry_parts(
    prev: bytes,
    seq: int,
    at: int,
    step: int,
    actor: str,
    kind: str,
    body: Mapping[str, Any],
    player_signature: bytes | None,
) -> tuple[bytes, ...]:
    """The parts of an entry's digest: prev, seq, at, step, actor, kind, body, player signature or empty."""
    return (
        prev,
        i2osp(seq, 4),
        timestamp(at).encode(),
        i2osp(step, 4),
        actor.encode(),
        kind.encode(),
        canonical(body),
        player_signature or b"",
    )


def entry_digest(
    prev: bytes,
    seq: int,
    at: int,
    step: int,
    actor: str,
    kind: str,
    body: Mapping[str, Any],
    player_signature: bytes | None,
) -> bytes:
    """digest = TH("entry"; the parts of the entry)."""
    return tuple_hash("entry", *entry_parts(prev, seq, at, step, actor, kind, body, player_signature))


def write_entry(
    private: bytes,
    head: tuple[int, bytes],
    at: int,
    step: int,
    actor: str,
    kind: str,
    body: Mapping[str, Any],
    player_signature: bytes | None = None,
) -> Entry:
    """The entry after `head` (seq and digest of the newest entry), signed with the house's private key."""
    seq, prev = head[0] + 1, head[1]
    digest = entry_digest(prev, seq, at, step, actor, kind, body, player_signature)
    return Entry(seq, prev, at, step, actor, kind, body, player_signature, sign(private, digest), digest)


def read_entry(data: object) -> Entry:
    """An entry from its JSON; raises `Refused`."""
    given = fields(data, FIELDS)
    seq = integer(given["seq"], "/seq", high=2**32 - 1)
    step = integer(given["step"], "/step", high=2**32 - 1)
    prev = octets(given["prev"], "/prev", DIGEST)
    at = instant(given["at"], "/at")
    actor, kind = text(given["actor"], "/actor"), text(given["kind"], "/kind")
    need(actor in ACTORS, "bad_actor", "there is no such actor", "/actor")
    own = (*HOUSE_KINDS, ANNUL) if actor == HOUSE else MESSAGE_KINDS
    known = (*own, *PARTY_KINDS)
    need(kind in known, "bad_kind", f"{actor} writes no entry of this kind", "/kind")
    if not isinstance(given["body"], dict):
        raise Refused("bad_shape", "the body must be an object", "/body")
    signed = given["player_signature"]
    need(
        (signed is None) == (actor == HOUSE),
        "bad_signature",
        "a player's entry has a player's signature, and the house's has none",
        "/player_signature",
    )
    player = None if signed is None else octets(signed, "/player_signature", SIGNATURE)
    house = octets(given["house_signature"], "/house_signature", SIGNATURE)
    try:
        digest = entry_digest(prev, seq, at, step, actor, kind, given["body"], player)
    except ValueError:
        raise Refused("bad_body", "the body has no canonical form (RFC 8785)", "/body") from None
    return Entry(seq, prev, at, step, actor, kind, given["body"], player, house, digest)


def record_bytes(entries: Sequence[Entry]) -> bytes:
    """A record file: {protocol, entries} in canonical form."""
    return canonical({"protocol": PROTOCOL, "entries": [entry.json() for entry in entries]})


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has the same field twice")
    return found


def parse_record(data: bytes) -> list[Any]:
    """The entries of a record file as JSON values.

    Raises `Unreadable` if the file is not JSON, and `Refused` if it is not a record or not
    in canonical form. With only one form of each record, any changed byte is found.
    """
    entries = list(listing(parse_file(data, PROTOCOL, ("entries",))["entries"], "/entries"))
    need(entries, "bad_length", "a record has at least one entry", "/entries")
    return entries


def parse_file(data: bytes, protocol: str, names: Sequence[str]) -> Mapping[str, Any]:
    """Read a file of {protocol, names ...} in canonical form; raises the errors of `parse_record`."""
    if too_deep(data):
        raise Unreadable("the file is not a record: its JSON is nested too deeply")
    try:
        loaded = json.loads(data.decode("utf-8"), object_pairs_hook=_no_doubles)
    except ValueError as error:
        raise Unreadable(f"the file is not JSON: {error}") from None
    given = fields(loaded, ("protocol", *names))
    need(
        given["protocol"] == protocol,
        "bad_protocol",
        f"the file is not of the protocol {protocol}",
        "/protocol",
    )
    try:
        same = canonical(loaded) == data
    except ValueError:
        same = False
    need(same, "not_canonical", "the file is not in canonical form (RFC 8785)")
    return given


def read_record(path: Path) -> list[Any]:
    """Read a file with `parse_record`; raises `Unreadable` also if the file can't be opened."""
    try:
        return parse_record(path.read_bytes())
    except OSError as error:
        raise Unreadable(error.strerror or "the file can't be read") from None
