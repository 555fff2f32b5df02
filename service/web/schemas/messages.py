"""Messages of players by kind (docs/protocol.md, section 10)."""

from __future__ import annotations

from collections.abc import Mapping

from cards.games.schemas import POSITION, SEAT, JsonSchema, array, maybe, move
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


_SHARES = octets(None, "A share of each card, 48 bytes each,")
_PROOF = octets(None, "The proof,")

PARTY_BODIES: Mapping[str, JsonSchema] = {
    "lock": move(
        "Locks every card of the next deal, where nobody deals.",
        deal=DEAL,
        lock=octets(48, "The lock of the sender,"),
        proof=octets(80, "The proof that the sender knows its key,"),
    ),
    "mix": move(
        "Mixes the locked pack, where nobody deals.",
        pack=octets(None, "The pack as it was mixed, 96 bytes for each card,"),
        proof=_PROOF,
    ),
    "share": move("Unlocks the cards of other seats for them.", shares=_SHARES, proof=_PROOF),
    "unlock": {
        **move("Unlocks cards that are turned up, or answers a search.", proof=_PROOF),
        "properties": {
            "proof": _PROOF,
            "shares": _SHARES,
            "positions": {
                **array(POSITION),
                "maxItems": 1,
                "description": "In a search: the card that is sought, or none.",
            },
        },
    },
}
"""What a party says where nobody deals (protocol section 20): a seat, or the house without `seen`."""


def of_seat(body: JsonSchema) -> JsonSchema:
    """The body of a party where a seat says it: with `seen`."""
    return {
        **body,
        "properties": {**body["properties"], "seen": SEEN},
        "required": [*body["required"], "seen"],
    }


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
    "move": _body(
        "Makes a move. Without a dealer it also shows what it opens and claims.",
        {
            "shares": _SHARES,
            "proof": octets(None, "The proof of the shares, and of what the move claims,"),
        },
        move=ref("Move"),
    ),
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
    **{kind: of_seat(body) for kind, body in PARTY_BODIES.items()},
}
"""The body of a message, by its kind."""


def messages() -> Mapping[str, JsonSchema]:
    """A message as it is sent, by kind."""
    return {kind: _message(kind, body) for kind, body in BODIES.items()}


def _message(kind: str, body: JsonSchema) -> JsonSchema:
    return move(
        body["description"], step=STEP, seat=SEAT, kind={"const": kind}, body=body, signature=SIGNATURE
    )
