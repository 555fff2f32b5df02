"""Certificates: the house's signed statement that a hidden deck is legal and owned (protocol section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cards.catalog.cards import Card
from cards.games.contract import DECK_SIZE
from crypto.certificate import card_points, opened
from crypto.encoding import EncodingError, b64, canonical, timestamp
from crypto.group import decode_point
from crypto.identity import sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import DIGEST, KEY, POINT, SIGNATURE, fields, instant, integer, listing, octets
from referee.errors import Refused, need
from referee.header import Header

FIELDS = ("game", "seat", "key", "set_digest", "cards", "at", "signature")


def certificate_text(certificate: Mapping[str, Any]) -> bytes:
    """What the house signs of a certificate: its canonical JSON without signature."""
    return canonical({k: v for k, v in certificate.items() if k != "signature"})


def certificate_digest(certificate: Mapping[str, Any]) -> bytes:
    """TH("certificate"; canonical JSON without signature)."""
    return tuple_hash("certificate", certificate_text(certificate))


def certify(
    house_private: bytes, header: Header, seat: int, deck: Sequence[Card], seed: bytes, at: int
) -> dict[str, Any]:
    """The house's signed certificate of a seat's 40 cards, by number, blinded from the owner's 32-byte seed.

    `at` is its time in milliseconds since 1970.
    """
    points = card_points(seed, [card.vector for card in sorted(deck, key=lambda card: card.number)])
    unsigned: dict[str, Any] = {
        "game": header.game,
        "seat": seat,
        "key": b64(header.players[seat].key),
        "set_digest": b64(header.set_digest),
        "cards": [b64(point) for point in points],
        "at": timestamp(at),
    }
    return {**unsigned, "signature": b64(sign(house_private, certificate_digest(unsigned)))}


def check_certificate(
    header: Header, seat: int, certificate: Mapping[str, Any], pointer: str = ""
) -> tuple[bytes, ...]:
    """Check that this house certified a deck for this game and seat; return the points D_0..D_39.

    Raises `Refused`; `pointer` is where the certificate stands in the message.
    """
    given = fields(certificate, FIELDS, pointer)
    need(given["game"] == header.game, "wrong_game", "the certificate is for another game", f"{pointer}/game")
    need(
        integer(given["seat"], f"{pointer}/seat") == seat,
        "wrong_seat",
        "the certificate is for another seat",
        f"{pointer}/seat",
    )
    key = octets(given["key"], f"{pointer}/key", KEY)
    need(key == header.players[seat].key, "wrong_key", "the certificate is for another key", f"{pointer}/key")
    digest = octets(given["set_digest"], f"{pointer}/set_digest", DIGEST)
    need(
        digest == header.set_digest,
        "wrong_set_digest",
        "the certificate is for another set of cards",
        f"{pointer}/set_digest",
    )
    instant(given["at"], f"{pointer}/at")
    points = []
    for i, value in enumerate(listing(given["cards"], f"{pointer}/cards", DECK_SIZE)):
        point = octets(value, f"{pointer}/cards/{i}", POINT)
        try:
            decode_point(point)
        except EncodingError as error:
            raise Refused("bad_point", str(error), f"{pointer}/cards/{i}") from None
        points.append(point)
    signature = octets(given["signature"], f"{pointer}/signature", SIGNATURE)
    signed = verify(header.house_key, certificate_digest(given), signature)
    need(
        signed,
        "bad_signature",
        "the certificate is not signed by the house",
        f"{pointer}/signature",
        "protocol 5",
    )
    return tuple(points)


def owner_checks(
    header: Header, seat: int, certificate: Mapping[str, Any], deck: Sequence[Card], seed: bytes
) -> tuple[bytes, ...]:
    """Check as the deck's owner that every D_j commits to the right card under the owner's seed.

    Only the owner can check this. Returns D_0..D_39, as `check_certificate` does; raises `Refused`.
    """
    points = check_certificate(header, seat, certificate)
    vectors = [card.vector for card in sorted(deck, key=lambda card: card.number)]
    for j, own in enumerate(opened(points, seed, vectors)):
        need(own, "wrong_card", "the house certified another card", f"/cards/{j}", "protocol 5")
    return points
