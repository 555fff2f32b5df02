"""Statements of a seat's own cards in a secret deal, signed by the house outside the record (protocol 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crypto.encoding import EncodingError, b64, canonical, i2osp, uuid_bytes
from crypto.identity import sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import SIGNATURE, fields, integer, listing, octets
from referee.errors import Refused, need
from referee.game import Game
from referee.header import Header


def _listed(faces: Mapping[int, Any]) -> list[dict[str, Any]]:
    return [{"position": position, "card": faces[position]} for position in sorted(faces)]


def faces_digest(game: str, deal: int, seat: int, listed: list[dict[str, Any]]) -> bytes:
    """TH("faces"; game id, deal, seat, canonical JSON of [{position, card}])."""
    return tuple_hash("faces", uuid_bytes(game), i2osp(deal, 2), i2osp(seat, 1), canonical(listed))


def by_deal(game: Game, faces: Mapping[int, Any]) -> dict[int, dict[int, Any]]:
    """Group faces by the deal that brought them; ascending, without empty groups.

    Only deals count whose link is not shown yet.
    """
    found: dict[int, dict[int, Any]] = {}
    for deal in game.unshown:
        # The positions of a deal come after those of all deals before it. So a position belongs to the
        # newest deal that does not begin after it.
        first = game.firsts.get(deal, 0)
        own = {position: face for position, face in faces.items() if position >= first}
        found = {k: {p: f for p, f in told.items() if p not in own} for k, told in found.items()}
        found[deal] = own
    return {deal: told for deal, told in found.items() if told}


def write_faces(
    house_private: bytes, game: str, deal: int, seat: int, faces: Mapping[int, Any]
) -> dict[str, Any]:
    """The house's signed statement of a seat's cards in a deal; `faces` are by position."""
    listed = _listed(faces)
    return {
        "deal": deal,
        "seat": seat,
        "faces": listed,
        "signature": b64(sign(house_private, faces_digest(game, deal, seat, listed))),
    }


def read_faces(header: Header, seat: int, statement: object) -> tuple[int, dict[int, Any]]:
    """The deal and the faces by position of a statement signed by the house; raises `Refused`."""
    given = fields(statement, ("deal", "seat", "faces", "signature"))
    deal = integer(given["deal"], "/deal", 1, 1024)
    need(integer(given["seat"], "/seat") == seat, "wrong_seat", "the statement is for another seat", "/seat")
    faces: dict[int, Any] = {}
    listed = list(listing(given["faces"], "/faces"))
    for i, item in enumerate(listed):
        fields(item, ("position", "card"), f"/faces/{i}")
        position = integer(item["position"], f"/faces/{i}/position")
        ascends = not faces or position > max(faces)
        need(
            ascends, "bad_list", "the positions must ascend, each once", f"/faces/{i}/position", "protocol 7"
        )
        faces[position] = item["card"]
    signature = octets(given["signature"], "/signature", SIGNATURE)
    try:
        digest = faces_digest(header.game, deal, seat, listed)
    except EncodingError:
        raise Refused("bad_body", "the faces have no canonical form (RFC 8785)", "/faces") from None
    held = verify(header.house_key, digest, signature)
    need(held, "bad_signature", "the statement is not signed by the house", "/signature", "protocol 7")
    return deal, faces
