"""Successions: statements that a new key of a house replaces an old one, signed by both keys.

From one key of a house, a player can follow the successions to the house's other keys. The old key
confirms its successor, the new key its predecessor. If one signature were enough, anybody could give
a house a successor, or a past, that it does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from crypto.encoding import b64, canonical, timestamp
from crypto.identity import public_key, sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import KEY, SIGNATURE, fields, instant, listing, octets
from referee.errors import need

KIND = "succession"
STATED = ("kind", "old", "new", "at")
FIELDS = (*STATED, "old_signature", "new_signature")
MOST = 1024
"""The most successions in one list."""


@dataclass(frozen=True, slots=True)
class Succession:
    """The public key `new` signs for the house instead of `old`, since `at` (milliseconds since 1970)."""

    old: bytes
    new: bytes
    at: int
    old_signature: bytes
    new_signature: bytes

    def json(self) -> dict[str, Any]:
        """The succession in the JSON form in which the house publishes it."""
        return {
            **_stated(self.old, self.new, self.at),
            "old_signature": b64(self.old_signature),
            "new_signature": b64(self.new_signature),
        }


def _stated(old: bytes, new: bytes, at: int) -> dict[str, Any]:
    return {"kind": KIND, "old": b64(old), "new": b64(new), "at": timestamp(at)}


def succession_digest(statement: Mapping[str, Any]) -> bytes:
    """The digest that both keys sign: TH("succession"; canonical JSON of kind, old, new and at)."""
    return tuple_hash("succession", canonical({name: statement[name] for name in STATED}))


def write_succession(old_private: bytes, new_private: bytes, at: int) -> Succession:
    """The statement that the new key replaces the old one at `at`, signed with both private keys."""
    old, new = public_key(old_private), public_key(new_private)
    digest = succession_digest(_stated(old, new, at))
    return Succession(old, new, at, sign(old_private, digest), sign(new_private, digest))


def read_succession(data: object, pointer: str = "") -> Succession:
    """Read a succession and check both signatures; raises `Refused`."""
    given = fields(data, FIELDS, pointer)
    need(given["kind"] == KIND, "bad_kind", f"the kind must be {KIND}", f"{pointer}/kind")
    old, new = (octets(given[name], f"{pointer}/{name}", KEY) for name in ("old", "new"))
    need(old != new, "wrong_key", "the new key must differ from the old one", f"{pointer}/new")
    at = instant(given["at"], f"{pointer}/at")
    digest = succession_digest(given)
    signatures = []
    for name, key in (("old_signature", old), ("new_signature", new)):
        signature = octets(given[name], f"{pointer}/{name}", SIGNATURE)
        need(
            verify(key, digest, signature),
            "bad_signature",
            "the signature is not by that key",
            f"{pointer}/{name}",
        )
        signatures.append(signature)
    return Succession(old, new, at, signatures[0], signatures[1])


def read_successions(data: object, pointer: str = "") -> tuple[Succession, ...]:
    """Read a list of successions; raises `Refused` if one is bad.

    No key may have two successors or two predecessors.
    """
    listed = listing(data, pointer)
    need(len(listed) <= MOST, "bad_length", f"the list must have at most {MOST} items", pointer)
    found = tuple(read_succession(item, f"{pointer}/{i}") for i, item in enumerate(listed))
    for name in ("old", "new"):
        keys = [getattr(item, name) for item in found]
        need(len(set(keys)) == len(keys), "two_successors", f"the list has one key twice as {name}", pointer)
    return found


def leads(successions: Iterable[Succession], old: bytes, new: bytes) -> bool:
    """Tell whether `new` is `old`, or follows it by one or more successions."""
    after = {item.old: item.new for item in successions}
    key: bytes | None = old
    while key is not None:
        if key == new:
            return True
        key = after.pop(key, None)  # pop ends the loop for a ring of keys
    return False


def related(successions: Iterable[Succession], one: bytes, other: bytes) -> bool:
    """Tell whether both are keys of one house; either may be the older one."""
    listed = tuple(successions)
    return leads(listed, one, other) or leads(listed, other, one)
