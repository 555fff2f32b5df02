"""Examples of what the house signs of a copy, and of files that must be refused: published test vectors.

In the manner of `vectors.records`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crypto.encoding import b64, canonical, timestamp, unb64
from crypto.identity import public_key, sign
from referee.ownership import (
    HOLDER,
    LINK,
    ORIGIN,
    Origin,
    Owner,
    holder_digest,
    link_digest,
    origin_digest,
    verify_copy,
    write_provenance,
)
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS, Vector, case

START = 1_795_168_800_000
COPY = "c0b1a2d3-0000-4000-8000-000000000001"
ADA, BRILLAT = "0b6a2f6e-5d0c-4b6f-8f0e-0a4c5d3e2f10", "7d1c9f52-2b63-4a8e-9c55-6f3e2d1c0b0a"
TUNA = Origin(COPY, 1027, "PB", 27, 17, "booster:5a0d7c1e-0000-4000-8000-000000000001", False, START)
OWNERS = (
    Owner(ADA, "opening", 41, START),
    Owner(BRILLAT, "sale", 57, START + 60_000),
    Owner(ADA, "sale", 58, START + 90_000),
)


def _file() -> dict[str, Any]:
    return write_provenance(HOUSE_PRIVATE_KEY, TUNA, OWNERS, START + 3_600_000)


def copies() -> list[Vector]:
    """Copies: certificate of origin, owners, holder, and a whole file (docs/collection.md)."""
    file = _file()
    stated = (
        ("origin", file["origin"], ORIGIN, origin_digest),
        ("owner", file["owners"][1], LINK, link_digest),
        ("holder", file["holder"], HOLDER, holder_digest),
    )
    private = HOUSE_PRIVATE_KEY.hex()
    return [
        *(
            case(
                f"copy_{name}",
                {"stated": {field: said[field] for field in names}, "private": private},
                {"digest": digest(said).hex(), "signature": unb64(said["signature"]).hex()},
            )
            for name, said, names, digest in stated
        ),
        case("copy_file", {"file": file}, {"owners": [owner.player for owner in OWNERS]}),
    ]


def _signed(said: dict[str, Any], **changes: Any) -> None:
    """Change a statement and have the house sign it all the same."""
    said.update(changes)
    digest = origin_digest if "serial" in said else link_digest if "number" in said else holder_digest
    said["signature"] = b64(sign(HOUSE_PRIVATE_KEY, digest(said)))


def _changed() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Files that must be refused: a name, why, the file."""

    def signed(name: str, why: str, which: str, **changes: Any) -> tuple[str, str, dict[str, Any]]:
        file = _file()
        part, _, index = which.partition("/")
        _signed(file[part][int(index)] if index else file[part], **changes)
        return name, why, file

    def plain(name: str, why: str, which: str, **changes: Any) -> tuple[str, str, dict[str, Any]]:
        file = _file()
        part, _, index = which.partition("/")
        (file[part][int(index)] if index else file[part]).update(changes)
        return name, why, file

    other = "c0b1a2d3-0000-4000-8000-000000000002"
    yield plain("other_serial", "another serial number than was signed", "origin", serial=1)
    yield plain("other_owner", "another owner than was signed", "owners/1", player=ADA)
    yield signed("other_origin", "an origin that the first owner's link does not cover", "origin", serial=1)
    yield signed("other_copy", "a link of another copy", "owners/1", copy=other)
    yield signed("other_number", "a link in another place", "owners/1", number=3)
    yield signed("older_transaction", "a transaction before the one before", "owners/2", transaction=57)
    yield signed("too_early", "a link that is older than the one before", "owners/1", at=timestamp(START - 1))
    yield signed("other_holder", "a holder who is not the last owner", "holder", player=BRILLAT)
    yield signed("holder_of_fewer", "fewer owners than there were", "holder", links=2)
    yield signed("holder_too_early", "a holder before the last owner", "holder", at=timestamp(START))
    file = _file()
    file["owners"].pop()
    yield "left_out", "the last owner is left out", file
    file = _file()
    file["owners"] = []
    yield "nobody", "no owner at all", file
    file = _file()
    file["house_key"] = b64(public_key(PRIVATE_KEYS[0]))
    yield "other_house", "statements that are not signed by the key of the file", file
    file = _file()
    file["house_key"] = b64(b"\x01" + bytes(31))
    yield "small_order", "a house key of small order", file
    file = _file()
    del file["holder"]
    yield "no_holder", "nothing says how far the owners go", file


def bad_copies() -> list[Vector]:
    """Files of copies that must be refused (docs/collection.md)."""
    found = []
    for name, why, file in _changed():
        fault = verify_copy(canonical(file)).fault
        assert fault is not None, f"{name} is refused"
        output = {"refused": fault.code, "pointer": fault.pointer, "why": why, "section": fault.section}
        found.append(case(name, {"file": file}, output))
    return found
