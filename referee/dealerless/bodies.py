"""The bodies of messages at a table without a dealer (protocol section 20), field by field.

A seat's body has `seen` too; the house's has not. Lists of points are one byte string, 48 bytes each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.bodies import POINT, Fields, fields, integer, listing, octets
from referee.errors import need

MOST_DEALS = 2**16 - 1


@dataclass(frozen=True, slots=True)
class Lock:
    """`lock`: h_j and the proof that its sender knows its key."""

    deal: int
    lock: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Mix:
    """`mix`: the pack as its sender has mixed it, and the proof."""

    pack: bytes
    """K_0.a, K_0.c, K_1.a, ..."""
    proof: bytes


@dataclass(frozen=True, slots=True)
class Share:
    """`share`: the sender's share of every card that another is dealt."""

    shares: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Unlock:
    """`unlock`: shares of cards to be turned up, or the answer to a search."""

    shares: bytes | None
    proof: bytes
    positions: tuple[int, ...] | None = None
    """In a search: the position of the card that is shown, or none. None where nothing is sought."""


TableBody = Lock | Mix | Share | Unlock


def _names(names: Sequence[str], by_house: bool) -> Sequence[str]:
    return names if by_house else (*names, "seen")


def read(kind: str, body: Fields, *, by_house: bool = False) -> TableBody:
    """Read a body of one of `PARTY_KINDS`; raises `Refused`."""
    match kind:
        case "lock":
            fields(body, _names(("deal", "lock", "proof"), by_house))
            deal = integer(body["deal"], "/deal", 1, MOST_DEALS)
            return Lock(deal, octets(body["lock"], "/lock", POINT), octets(body["proof"], "/proof"))
        case "mix":
            fields(body, _names(("pack", "proof"), by_house))
            return Mix(points(body, "pack"), octets(body["proof"], "/proof"))
        case "share":
            fields(body, _names(("shares", "proof"), by_house))
            return Share(points(body, "shares"), octets(body["proof"], "/proof"))
    optional = () if by_house else ("positions", "shares")
    fields(body, _names(("shares", "proof") if by_house else ("proof",), by_house), optional=optional)
    proof = octets(body["proof"], "/proof")
    shares = points(body, "shares") if "shares" in body else None
    if "positions" not in body:
        need(shares is not None, "missing_field", "the field shares is missing", "/shares")
        return Unlock(shares, proof)
    named = tuple(
        integer(p, f"/positions/{i}") for i, p in enumerate(listing(body["positions"], "/positions"))
    )
    need(
        len(named) <= 1,
        "bad_length",
        "the list must have one position, or none",
        "/positions",
        "protocol 20.8",
    )
    need(
        (shares is not None) == bool(named),
        "bad_shape",
        "the shares must be there exactly if a position is",
        "/shares",
        "protocol 20.8",
    )
    return Unlock(shares, proof, named)


def points(body: Fields, name: str) -> bytes:
    """A field that is a list of points in one byte string; their number is checked with the proof."""
    data = octets(body[name], f"/{name}")
    need(len(data) % POINT == 0, "bad_length", f"a list of points has {POINT} bytes for each", f"/{name}")
    return data
