"""Messages of players by kind (docs/protocol.md, section 10)."""

from __future__ import annotations

from collections.abc import Mapping

from cards.games.schemas import SEAT, JsonSchema, array, maybe, move
from service.web.schemas.parts import DEAL, SEQ, SIGNATURE, STEP, octets, ref

SEEN = move(
    "The newest entry that the sender has verified.", seq=SEQ, digest=octets(64, "The entry's digest,")
)
_CARD: JsonSchema = {
    "type": "integer",
    "minimum": 0,
    "maximum": 39,
    "description": "A card of the match deck.",
}
_NUMBER: JsonSchema = {"type": "integer", "minimum": 1, "description": "A card's number in the catalog."}
_LINK = octets(64, "A link of the seat's chain,")
_OPENING = move(
    "A card that is opened.",
    position=_CARD,
    number=_NUMBER,
    blinding=octets(32, "The blinding of its place,"),
)


def _body(
    description: str, optional: Mapping[str, JsonSchema] | None = None, /, **members: JsonSchema
) -> JsonSchema:
    """A body: the members that it must have, `seen` among them, and those that it may have."""
    made = move(description, **members, seen=SEEN)
    return {**made, "properties": {**made["properties"], **(optional or {})}}


BODIES: Mapping[str, JsonSchema] = {
    "enter": _body(
        "Enters the game. The certificate, the positions and the proof are there where decks are one's own.",
        {
            "certificate": {
                "type": "object",
                "description": "The house's certificate, as POST /games/{id}/certificate gives it.",
            },
            "positions": array(octets(48, "A commitment to a card's place,")),
            "proof": octets(None, "The proof of the shuffle,"),
        },
        anchor=octets(64, "The anchor of the seat's chain,"),
    ),
    "ready": _body("Says that the seat has seen all others enter."),
    "link": _body("Sends the seat's link of a deal.", deal=DEAL, link=_LINK),
    "move": _body("Makes a move.", move=ref("Move")),
    "seal": _body(
        "Commits to a choice without showing it.",
        {"envelope": octets(None, "The reveal, encrypted to the house,")},
        seal=octets(48, "The commitment,"),
        proof=octets(None, "The proof that the choice keeps the rules,"),
    ),
    "reveal": _body(
        "Opens what was sealed.",
        {"link": maybe(octets(64, "The seat's link of the next deal,"))},
        choice=ref("Move"),
        blinding=octets(32, "The blinding of the seal,"),
        openings=array(_OPENING),
    ),
    "resign": _body("Resigns."),
    "draw": _body("Offers a draw, or agrees to one."),
}
"""The body of a message, by its kind."""


def messages() -> Mapping[str, JsonSchema]:
    """A message as it is sent, by kind."""
    return {kind: _message(kind, body) for kind, body in BODIES.items()}


def _message(kind: str, body: JsonSchema) -> JsonSchema:
    return move(
        body["description"], step=STEP, seat=SEAT, kind={"const": kind}, body=body, signature=SIGNATURE
    )
