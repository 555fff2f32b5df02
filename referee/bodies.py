"""The bodies of messages and entries, field by field (protocol section 10).

Every reader is strict: a body must have exactly the fields of its kind, each in
its exact form. A refusal points to the wrong field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cards.games.contract import DECK_SIZE
from crypto.encoding import EncodingError, canonical, parse_timestamp, unb64
from crypto.envelope import OVERHEAD
from crypto.group import decode_scalar
from referee.errors import Refused, need

Fields = Mapping[str, Any]
"""A JSON object as it was sent."""

DIGEST = 64
POINT = 48
SCALAR = 32
KEY = 32
SIGNATURE = 64
SHUFFLE_PROOF = 7 * POINT + (3 * DECK_SIZE + 2) * SCALAR
BODY_LIMIT = 64 * 1024
"""The largest size of a message's canonical body, in bytes."""
ENVELOPE_LIMIT = 8 * 1024
"""The largest size of an envelope in bytes: nearly twice a reveal that opens all 40 cards of a deck."""


def fields(body: object, names: Sequence[str], pointer: str = "", optional: Sequence[str] = ()) -> Fields:
    """`body` as an object with exactly these fields."""
    if not isinstance(body, Mapping):
        raise Refused("bad_shape", "the value must be an object", pointer)
    for name in names:
        need(name in body, "missing_field", f"the field {name} is missing", f"{pointer}/{name}")
    for name in body:
        if name not in names and name not in optional:
            raise Refused("unknown_field", "there is no such field", f"{pointer}/{escaped(name)}")
    return body


def escaped(name: str) -> str:
    """A field's name as a part of a JSON pointer (RFC 6901), in characters that UTF-8 can encode."""
    return name.encode(errors="replace").decode().replace("~", "~0").replace("/", "~1")


def same_json(one: object, other: object) -> bool:
    """Tell whether two JSON values are the same. Python's `==` would take `true` for 1."""
    return canonical(one) == canonical(other)


def integer(value: object, pointer: str, low: int = 0, high: int = 2**53 - 1) -> int:
    """A JSON integer between `low` and `high`."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Refused("bad_integer", f"the value must be a whole number from {low} to {high}", pointer)
    return value


def text(value: object, pointer: str, longest: int = 200) -> str:
    """A string of 1 to `longest` characters."""
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise Refused("bad_text", f"the value must be a text of 1 to {longest} characters", pointer)
    return value


def listing(value: object, pointer: str, length: int | None = None) -> Sequence[Any]:
    """A list, of `length` items if given."""
    if not isinstance(value, list):
        raise Refused("bad_list", "the value must be a list", pointer)
    need(length is None or len(value) == length, "bad_length", f"the list must have {length} items", pointer)
    return value


def octets(value: object, pointer: str, length: int | None = None) -> bytes:
    """A byte string in base64url without padding, of `length` bytes if given."""
    try:
        return unb64(value, length)
    except EncodingError as error:
        raise Refused("bad_bytes", str(error), pointer) from None


def scalar(value: object, pointer: str) -> int:
    """A scalar below the group order (protocol section 1)."""
    try:
        return decode_scalar(octets(value, pointer, SCALAR))
    except EncodingError as error:
        raise Refused("bad_scalar", str(error), pointer) from None


def instant(value: object, pointer: str) -> int:
    """A time, in milliseconds since 1970."""
    try:
        return parse_timestamp(text(value, pointer))
    except EncodingError as error:
        raise Refused("bad_time", str(error), pointer) from None


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest entry that a message's sender has verified."""

    seq: int
    digest: bytes


def seen(body: Fields) -> Seen:
    """Read a message's `seen`; the body's reader has checked that it is there."""
    given = fields(body["seen"], ("seq", "digest"), "/seen")
    return Seen(
        integer(given["seq"], "/seen/seq", high=2**32 - 1), octets(given["digest"], "/seen/digest", DIGEST)
    )


@dataclass(frozen=True, slots=True)
class Enter:
    """`enter` where the house has the pack: the anchor of the seat's chain."""

    anchor: bytes


def enter(body: Fields) -> Enter:
    """Read an `enter` of a game with a pack of the house."""
    fields(body, ("anchor", "seen"))
    return Enter(octets(body["anchor"], "/anchor", DIGEST))


@dataclass(frozen=True, slots=True)
class EnterWithDeck:
    """`enter` where players bring their own decks: the anchor of the seat's chain, and its match deck."""

    anchor: bytes
    certificate: Fields
    positions: tuple[bytes, ...]
    proof: bytes


def enter_with_deck(body: Fields) -> EnterWithDeck:
    """Read an `enter` of a game with the players' own decks."""
    fields(body, ("anchor", "certificate", "positions", "proof", "seen"))
    if not isinstance(body["certificate"], Mapping):
        raise Refused("bad_shape", "the value must be an object", "/certificate")
    positions = listing(body["positions"], "/positions", DECK_SIZE)
    return EnterWithDeck(
        octets(body["anchor"], "/anchor", DIGEST),
        body["certificate"],
        tuple(octets(p, f"/positions/{i}", POINT) for i, p in enumerate(positions)),
        octets(body["proof"], "/proof", SHUFFLE_PROOF),
    )


@dataclass(frozen=True, slots=True)
class Link:
    """`link`: the seat's chain link of a deal."""

    deal: int
    link: bytes


def link(body: Fields) -> Link:
    """Read a `link`."""
    fields(body, ("deal", "link", "seen"))
    return Link(integer(body["deal"], "/deal", 1, 1024), octets(body["link"], "/link", DIGEST))


@dataclass(frozen=True, slots=True)
class MoveBody:
    """`move`: the mode's own object, and what it must show at a table without a dealer."""

    move: dict[str, Any]
    shares: bytes | None = None
    """The shares of the hidden cards that it opens, 48 bytes each."""
    proof: bytes | None = None


def move(body: Fields, dealerless: bool) -> MoveBody:
    """Read a `move`; only where nobody deals may it have shares and a proof (protocol section 20.8)."""
    fields(body, ("move", "seen"), optional=("shares", "proof") if dealerless else ())
    if not isinstance(body["move"], dict):
        raise Refused("bad_shape", "the value must be an object", "/move")
    shown = {name: octets(body[name], f"/{name}") for name in ("shares", "proof") if name in body}
    return MoveBody(body["move"], shown.get("shares"), shown.get("proof"))


@dataclass(frozen=True, slots=True)
class Seal:
    """`seal`: the commitment B and its proof, and the reveal in an envelope if one is enclosed."""

    seal: bytes
    proof: bytes
    envelope: bytes | None = None


def proof_size(hand: int, boxes: int) -> int:
    """The bytes of a meal proof for `hand` cards in hand and `boxes` courses (protocol section 8)."""
    return POINT * (3 + boxes) + SCALAR * (hand * boxes + boxes + 2 + 2 * boxes)


def seal(body: Fields, envelopes: bool) -> Seal:
    """Read a `seal`. An envelope is refused if the house has named no key for envelopes."""
    fields(body, ("seal", "proof", "seen"), optional=("envelope",))
    given = Seal(octets(body["seal"], "/seal", POINT), octets(body["proof"], "/proof"))
    if "envelope" not in body:
        return given
    need(envelopes, "no_envelopes", "this game has no envelope key", "/envelope", "protocol 11")
    envelope = octets(body["envelope"], "/envelope")
    fits = OVERHEAD < len(envelope) <= ENVELOPE_LIMIT
    text = f"an envelope has more than {OVERHEAD} bytes and at most {ENVELOPE_LIMIT}"
    need(fits, "bad_length", text, "/envelope", "protocol 11")
    return replace(given, envelope=envelope)


@dataclass(frozen=True, slots=True)
class Opening:
    """One card of a reveal: its index in the deck, its number, the blinding of its position."""

    position: int
    number: int
    blinding: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """`reveal`: what was sealed."""

    choice: dict[str, Any]
    blinding: int
    openings: tuple[Opening, ...]
    link: bytes | None = None
    """The link of the next deal, if the game allows early links and the seat sent one."""


def reveal(body: Fields, early_links: bool) -> Reveal:
    """Read a `reveal` (protocol section 9); a game with early links adds the field `link`."""
    names = ("choice", "blinding", "openings", "seen")
    fields(body, (*names, "link") if early_links else names)
    if not isinstance(body["choice"], dict):
        raise Refused("bad_shape", "the value must be an object", "/choice")
    openings = []
    for i, given in enumerate(listing(body["openings"], "/openings")):
        at = f"/openings/{i}"
        fields(given, ("position", "number", "blinding"), at)
        openings.append(
            Opening(
                integer(given["position"], f"{at}/position", 0, DECK_SIZE - 1),
                integer(given["number"], f"{at}/number", 1, 2**32 - 1),
                scalar(given["blinding"], f"{at}/blinding"),
            )
        )
    blinding = scalar(body["blinding"], "/blinding")
    link = None if body.get("link") is None else octets(body["link"], "/link", DIGEST)
    return Reveal(body["choice"], blinding, tuple(openings), link)


@dataclass(frozen=True, slots=True)
class Ready:
    """`ready`: the seat has checked what the others entered with."""


@dataclass(frozen=True, slots=True)
class Resign:
    """`resign`: the seat gives up."""


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """`draw`: the seat offers to end the game as a draw."""


def bare(body: Fields) -> None:
    """Read a body that has no field but `seen`: ready, resign, draw."""
    fields(body, ("seen",))


Body = Enter | EnterWithDeck | Ready | Link | MoveBody | Seal | Reveal | Resign | DrawOffer


def read(
    kind: str,
    body: Fields,
    *,
    own_decks: bool,
    envelopes: bool,
    early_links: bool,
    dealerless: bool,
) -> Body:
    """Read the body of a message of this kind, in a game with these options; raises `Refused`."""
    match kind:
        case "enter":
            return enter_with_deck(body) if own_decks else enter(body)
        case "link":
            return link(body)
        case "move":
            return move(body, dealerless)
        case "seal":
            return seal(body, envelopes)
        case "reveal":
            return reveal(body, early_links)
        case "ready" | "resign" | "draw":
            bare(body)
            return Ready() if kind == "ready" else Resign() if kind == "resign" else DrawOffer()
    raise Refused("bad_kind", "there is no message of this kind", "/kind")
