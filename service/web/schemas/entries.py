"""Entries of a game's record by kind (docs/protocol.md, section 10)."""

from __future__ import annotations

from collections.abc import Mapping

from cards.games.schemas import INTEGER, POSITION, SEAT, JsonSchema, array, maybe, thing
from service.web.schemas.messages import BODIES, PARTY_BODIES, of_seat
from service.web.schemas.parts import DEAL, NAME, SEQ, SIGNATURE, STEP, TIME, octets, one_of, ref, uuid

OUTCOME = thing(
    "The end of a game. A draw lists all as winners, a void game nobody.",
    points=array(INTEGER),
    winners=array(SEAT),
    reason={"type": "string"},
)
_FACES = array(thing("A card.", position=POSITION, card={"type": "string", "description": "Its face."}))
_DRAWN = {
    "type": "object",
    "description": "The cards that one draw brought; without a seat, from the table's pack.",
    "required": ["seat", "count"],
    "properties": {
        "seat": maybe(SEAT),
        "count": INTEGER,
        "positions": {**array(INTEGER), "description": "The cards of the seat's own deck, as drawn."},
    },
}

_CLAUSES = {
    "type": "array",
    "items": {"enum": ["away", "links"]},
    "description": "Rules that came later, by name. A game without this field has none of them.",
}

HOUSE_BODIES: Mapping[str, JsonSchema] = {
    "open": thing(
        "Opens the game, and pins all that it is played by.",
        game=uuid("The game."),
        mode={"type": "string"},
        rules={"type": "string", "description": "The version of the rules."},
        options={"type": "object", "description": "The options of the table, as /modes explains them."},
        early_links={"type": "boolean", "description": "True if a reveal may bring the next link."},
        seats=array(thing("A seat.", name=NAME, key=octets(32, "The player's Ed25519 key,"))),
        house_key=octets(32, "The Ed25519 key by which the house signs this game,"),
        envelope_key=maybe(octets(32, "The X25519 key to which reveals may be encrypted,")),
        anchor=octets(64, "The anchor of the house's chain,"),
        cards={
            **array({"type": "object"}),
            "description": "The cards in play, where decks are the players' own.",
        },
        set_digest=octets(64, "The digest of the cards,"),
    ),
    "deal": thing(
        "Deals cards.",
        deal=DEAL,
        link={**maybe(octets(64, "The house's link,")), "description": "Null while it stays secret."},
        drawn=array(_DRAWN),
    ),
    "turn": thing("Turns cards face-up.", faces=_FACES),
    "shown": thing("Shows the house's link of a secret deal.", deal=DEAL, link=octets(64, "The link,")),
    "timeout": thing(
        "Plays for a seat that was silent.",
        seat=SEAT,
        kind={"type": "string", "description": "The kind of message that was asked for."},
        move={**maybe(ref("Move")), "description": "The move that the house has played for it, if any."},
    ),
    "away": thing(
        "Says that the house was away. Clocks and banks stood still.",
        **{"from": TIME, "until": TIME},
    ),
    "annul": thing(
        "Voids the deal in play, where nobody deals: these seats were silent too often.",
        deal=DEAL,
        seats=array(SEAT),
    ),
    "account": thing("Accounts for a round.", points=array(INTEGER), lines=array(ref("Line"))),
    "result": thing("Ends the game.", outcome=OUTCOME),
}
"""The body of an entry of the house, by its kind."""
HOUSE_BODIES["open"]["properties"]["clauses"] = _CLAUSES  # records of before lack the field


def components() -> dict[str, JsonSchema]:
    """An entry, its variants, and a signed statement of a seat's own cards."""
    bodies = {**{kind: (body, False) for kind, body in BODIES.items()}}
    bodies |= {kind: (body, True) for kind, body in HOUSE_BODIES.items()}
    found = {f"{kind.capitalize()}Entry": _entry(kind, *each) for kind, each in bodies.items()}
    found |= {f"{kind.capitalize()}Entry": _of_party(kind, body) for kind, body in PARTY_BODIES.items()}
    kinds = {kind: ref(f"{kind.capitalize()}Entry") for kind in bodies}
    return {
        "Entry": one_of("kind", "An entry of a game's record.", kinds),
        **found,
        "FacesStatement": thing(
            "Cards of one secret deal, signed by the house.",
            deal=DEAL,
            seat=SEAT,
            faces=_FACES,
            signature=SIGNATURE,
        ),
    }


def _of_party(kind: str, body: JsonSchema) -> JsonSchema:
    """An entry that a seat sends, or that the house appends as a party."""
    both = [_entry(kind, of_seat(body), house=False), _entry(kind, body, house=True)]
    return {"type": "object", "description": body["description"], "anyOf": both}


def _entry(kind: str, body: JsonSchema, house: bool) -> JsonSchema:
    return thing(
        body["description"],
        seq=SEQ,
        prev=octets(64, "The digest of the entry before,"),
        at=TIME,
        step=STEP,
        actor={"const": "house"} if house else {"type": "string", "description": "A seat, in digits."},
        kind={"const": kind},
        body=body,
        player_signature={"type": "null"} if house else SIGNATURE,
        house_signature=SIGNATURE,
    )
