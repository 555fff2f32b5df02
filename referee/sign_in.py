"""Proofs that a player who signs in has the account's key.

A house may make an account pause after wrong passwords. A proof lets the account's owner past the pause. It
replaces no password, so a copy of it is of no use to anybody else.
"""

from __future__ import annotations

from typing import Any

from crypto.encoding import b64, canonical, timestamp
from crypto.identity import public_key, sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import KEY, SIGNATURE, fields, instant, octets
from referee.errors import need

KIND = "sign-in"
FIELDS = ("house", "at", "signature")


def _digest(house_key: bytes, key: bytes, at: int) -> bytes:
    """The digest that the player signs: TH("sign-in"; canonical JSON of kind, house, key and at)."""
    stated = {"kind": KIND, "house": b64(house_key), "key": b64(key), "at": timestamp(at)}
    return tuple_hash(KIND, canonical(stated))


def write_sign_in(private: bytes, house_key: bytes, at: int) -> dict[str, Any]:
    """A proof for the house with that key (32 bytes) at the time `at`, in milliseconds since 1970."""
    signature = sign(private, _digest(house_key, public_key(private), at))
    return {"house": b64(house_key), "at": timestamp(at), "signature": b64(signature)}


def read_sign_in(data: object, key: bytes, pointer: str = "") -> tuple[bytes, int]:
    """Check a proof by a player's public key; returns the house's key and the time that it names.

    Raises `Refused`.
    """
    given = fields(data, FIELDS, pointer)
    house_key = octets(given["house"], f"{pointer}/house", KEY)
    at = instant(given["at"], f"{pointer}/at")
    signature = octets(given["signature"], f"{pointer}/signature", SIGNATURE)
    holds = verify(key, _digest(house_key, key, at), signature)
    need(holds, "bad_signature", "the signature is not by that key", f"{pointer}/signature")
    return house_key, at
