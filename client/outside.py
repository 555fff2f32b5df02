"""Copies that are outside: statements and tokens of the house, as players check them (docs/chain.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client.http import Api
from player.house import HouseFault
from referee.errors import Refused
from referee.on_chain import CopiesOut, Place, address, read_copies_out
from referee.ownership import Origin, verify_token

CONTRACTS = {"prizes": "contract of prizes", "pantry": "pantry"}


def contract(api: Api, name: str) -> Place | None:
    """The house's contract of this name, "prizes" or "pantry"; None if it has none.

    Raises `HouseFault` bad_contract.
    """
    found = api.chain()
    if found["chain_id"] is None or found[name] is None:
        return None
    try:
        return Place(int(found["chain_id"]), address(found[name]))
    except (TypeError, ValueError) as error:
        raise HouseFault("bad_contract", f"its {CONTRACTS[name]} has no address: {error}") from None


def checked_statement(found: Mapping[str, Any], place: Place, house_key: bytes) -> CopiesOut:
    """The house's statement, whose signature holds for its pantry. Raises `HouseFault` bad_statement."""
    try:
        return read_copies_out(found, place, house_key)
    except ValueError as error:
        raise HouseFault("bad_statement", f"its statement {error}", dict(found)) from None


def certified(api: Api, trip: Mapping[str, Any], house_key: bytes) -> Origin:
    """The origin of the copy of a `trip`, by its token's certificate. Raises `HouseFault` bad_token.

    A house that lets out a token of another copy than the player's is found here.
    """
    shown = api.token(trip["token"])
    try:
        origin = verify_token(shown.get("certificate"), bytes.fromhex(trip["token"]), house_key)
    except Refused as refused:
        raise HouseFault("bad_token", f"its token's certificate is wrong: {refused.text}", shown) from None
    if origin.copy != trip["copy"]:
        raise HouseFault("bad_token", "its token is that of another copy", shown)
    return origin
