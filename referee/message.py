"""Players' signed messages, and the house's receipts for them (protocol section 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from crypto.encoding import b64, canonical, i2osp, timestamp, uuid_bytes
from crypto.identity import sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import BODY_LIMIT, DIGEST, SIGNATURE, fields, instant, integer, octets, text
from referee.errors import Refused, need
from referee.record import MESSAGE_KINDS, MOST_SEATS, PARTY_KINDS


def message_parts(game: str, step: int, seat: int, kind: str, body: Mapping[str, Any]) -> tuple[bytes, ...]:
    """The parts of a message's digest: game id, step, seat, kind, canonical JSON of body."""
    return uuid_bytes(game), i2osp(step, 4), i2osp(seat, 1), kind.encode(), canonical(body)


def message_digest(game: str, step: int, seat: int, kind: str, body: Mapping[str, Any]) -> bytes:
    """The digest that a player signs: TH("message"; the parts of the message)."""
    return tuple_hash("message", *message_parts(game, step, seat, kind, body))


@dataclass(frozen=True, slots=True)
class Message:
    """A player's signed message to a game."""

    game: str
    step: int
    seat: int
    kind: str
    body: Mapping[str, Any]
    signature: bytes
    digest: bytes = field(compare=False, repr=False)

    def json(self) -> dict[str, Any]:
        """The message in the JSON form in which it is sent."""
        return {
            "step": self.step,
            "seat": self.seat,
            "kind": self.kind,
            "body": dict(self.body),
            "signature": b64(self.signature),
        }


def write_message(
    private: bytes, game: str, step: int, seat: int, kind: str, body: Mapping[str, Any]
) -> Message:
    """A message, signed with the player's private key."""
    digest = message_digest(game, step, seat, kind, body)
    return Message(game, step, seat, kind, body, sign(private, digest), digest)


def read_message(game: str, data: object) -> Message:
    """Read a message from its JSON; raises `Refused`. `validation.examine` checks its signature."""
    given = fields(data, ("step", "seat", "kind", "body", "signature"))
    step = integer(given["step"], "/step", high=2**32 - 1)
    seat = integer(given["seat"], "/seat", high=MOST_SEATS - 1)
    kind = text(given["kind"], "/kind")
    kinds = (*MESSAGE_KINDS, *PARTY_KINDS)
    need(kind in kinds, "bad_kind", f"the kind must be one of {', '.join(kinds)}", "/kind")
    if not isinstance(given["body"], dict):
        raise Refused("bad_shape", "the body must be an object", "/body")
    signature = octets(given["signature"], "/signature", SIGNATURE)
    try:
        size = len(canonical(given["body"]))
        digest = message_digest(game, step, seat, kind, given["body"])
    except ValueError:
        raise Refused("bad_body", "the body has no canonical form (RFC 8785)", "/body") from None
    need(size <= BODY_LIMIT, "too_large", f"a body has at most {BODY_LIMIT} bytes", "/body")
    return Message(game, step, seat, kind, given["body"], signature, digest)


def receipt_digest(message: bytes, at: int) -> bytes:
    """The digest that the house signs in a receipt: TH("receipt"; message digest, time)."""
    return tuple_hash("receipt", message, timestamp(at).encode())


@dataclass(frozen=True, slots=True)
class Receipt:
    """The house's signed statement that a message arrived at `at` (milliseconds since 1970).

    It proves that the house may not sign a time-out in place of this message.
    """

    message: bytes
    at: int
    signature: bytes

    def json(self) -> dict[str, Any]:
        """The receipt in the JSON form in which the house answers with it."""
        return {"message": b64(self.message), "at": timestamp(self.at), "signature": b64(self.signature)}


def write_receipt(house_private: bytes, message: bytes, at: int) -> Receipt:
    """A signed receipt for the message with the digest `message`, which arrived at `at`."""
    return Receipt(message, at, sign(house_private, receipt_digest(message, at)))


def read_receipt(data: object) -> Receipt:
    """Read a receipt from its JSON; raises `Refused`. `receipt_holds` checks its signature."""
    given = fields(data, ("message", "at", "signature"))
    return Receipt(
        octets(given["message"], "/message", DIGEST),
        instant(given["at"], "/at"),
        octets(given["signature"], "/signature", SIGNATURE),
    )


def receipt_holds(receipt: Receipt, house_key: bytes) -> bool:
    """Tell whether the house signed this receipt."""
    return verify(house_key, receipt_digest(receipt.message, receipt.at), receipt.signature)
