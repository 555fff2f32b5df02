"""What a player signs outside of games: proofs of the account's key for one house.

A *registration* shows that the key is the player's own. A *proof* lets the account's owner past the pause
that a house makes after wrong passwords; it replaces no password. An *answer* to a challenge of the house
does replace one. Each statement has a kind of its own, so none can be passed off as another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crypto.encoding import b64, canonical, timestamp
from crypto.identity import public_key, sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import KEY, SIGNATURE, fields, instant, octets
from referee.errors import need

KIND, REGISTRATION, ANSWER = "sign-in", "registration", "challenge-answer"
"""The kinds of the three statements."""
FIELDS = ("house", "at", "signature")
REGISTRATION_FIELDS = ("house", "signature")
ANSWER_FIELDS = ("house", "challenge", "signature")
CHALLENGE = 56
"""The bytes of a challenge."""


def _digest(kind: str, house_key: bytes, key: bytes, said: Mapping[str, str]) -> bytes:
    """The digest that the player signs: TH(kind; canonical JSON of kind, house, key and what is said)."""
    stated = {"kind": kind, "house": b64(house_key), "key": b64(key), **said}
    return tuple_hash(kind, canonical(stated))


def write_sign_in(private: bytes, house_key: bytes, at: int) -> dict[str, Any]:
    """A proof for the house with that key (32 bytes) at the time `at`, in milliseconds since 1970."""
    signature = sign(private, _digest(KIND, house_key, public_key(private), {"at": timestamp(at)}))
    return {"house": b64(house_key), "at": timestamp(at), "signature": b64(signature)}


def read_sign_in(data: object, key: bytes, pointer: str = "") -> tuple[bytes, int]:
    """Check a proof by a player's public key; returns the house's key and the time that it names.

    Raises `Refused`.
    """
    given = fields(data, FIELDS, pointer)
    house_key = octets(given["house"], f"{pointer}/house", KEY)
    at = instant(given["at"], f"{pointer}/at")
    _require(key, _digest(KIND, house_key, key, {"at": timestamp(at)}), given["signature"], pointer)
    return house_key, at


def write_registration(private: bytes, house_key: bytes, handle: str) -> dict[str, Any]:
    """A statement that the player with this private key registers as `handle`, at the house with that key."""
    said = _digest(REGISTRATION, house_key, public_key(private), {"handle": handle})
    return {"house": b64(house_key), "signature": b64(sign(private, said))}


def read_registration(data: object, key: bytes, handle: str, pointer: str = "") -> bytes:
    """Check a registration as `handle` by the public key; returns the key of the house that it names.

    Raises `Refused`.
    """
    given = fields(data, REGISTRATION_FIELDS, pointer)
    house_key = octets(given["house"], f"{pointer}/house", KEY)
    said = _digest(REGISTRATION, house_key, key, {"handle": handle})
    _require(key, said, given["signature"], pointer)
    return house_key


@dataclass(frozen=True, slots=True)
class Challenged:
    """What an answer that holds says: to which house, and to which challenge."""

    house_key: bytes
    challenge: bytes


def write_answer(
    private: bytes, house_key: bytes, handle: str, purpose: str, challenge: bytes
) -> dict[str, Any]:
    """The answer of the player `handle` to a challenge (56 bytes) for one purpose.

    `house_key` is the key of the house that the player knows, whoever has passed the challenge on.
    """
    said = {"handle": handle, "purpose": purpose, "challenge": b64(challenge)}
    signature = sign(private, _digest(ANSWER, house_key, public_key(private), said))
    return {"house": b64(house_key), "challenge": b64(challenge), "signature": b64(signature)}


def read_answer(data: object, key: bytes, handle: str, purpose: str, pointer: str = "") -> Challenged:
    """Check an answer by the player's public key. Whether the challenge still holds is the house's to know.

    Raises `Refused`.
    """
    given = fields(data, ANSWER_FIELDS, pointer)
    house_key = octets(given["house"], f"{pointer}/house", KEY)
    challenge = octets(given["challenge"], f"{pointer}/challenge", CHALLENGE)
    said = {"handle": handle, "purpose": purpose, "challenge": b64(challenge)}
    _require(key, _digest(ANSWER, house_key, key, said), given["signature"], pointer)
    return Challenged(house_key, challenge)


def _require(key: bytes, digest: bytes, given: object, pointer: str) -> None:
    signature = octets(given, f"{pointer}/signature", SIGNATURE)
    holds = verify(key, digest, signature)
    need(holds, "bad_signature", "the signature is not by that key", f"{pointer}/signature")
