"""Deterministic examples of deck codes, as plain JSON values: a group of the published test vectors."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from cards.decks.codes import PREFIX, DeckCodeError, Uncodable, crc24, decode, encode
from cards.decks.deck_lists import DeckList
from vectors.example import Vector

DECKS: Mapping[str, Mapping[int, int]] = {
    "three cards": {1001: 3, 1002: 3, 1120: 2},
    "nothing": {},
    "every count, legal or not": {1001: 1, 1002: 2, 1003: 3, 1004: 4},
    "the last card of a set": {1999: 4},
    "several sets": {1005: 2, 2001: 1, 2031: 1, 300999: 3},
    "the last set": {4294966999: 1},
    "forty cards": {1000 + n: 2 for n in range(1, 160, 8)},
}

NOT_CODED: Mapping[str, Mapping[int, int]] = {
    "five copies": {1001: 5},
    "no copy": {1001: 0},
    "number 0 of a set": {2000: 1},
    "a set that can't be": {27: 1},
    "two at once": {1001: 9, 1002: 1, 5000: 1},
}
"""Deck lists that no code can say."""

FALSE_TEXTS = {
    "nothing at all": "",
    "another prefix": "PK2.EAEBAwIC1QNQ_wk",
    "small letters before the dot": "pk1.EAEBAwIC1QNQ_wk",
    "a blank at the end": "PK1.EAEBAwIC1QNQ_wk ",
    "base64 in its other alphabet": "PK1.EAEBAwIC1QNQ/wk",
    "padding": "PK1.EAEBAwIC1QNQ_wk=",
    "an impossible length": "PK1.EAEBAwIC1QNQ_wkAA",
    "bits after the last byte": "PK1.EAEBAwIC1QNQ_wl",
    "the prefix alone": "PK1.",
    "four bytes": "PK1.EAAAAA",
    "another count": "PK1.EAEBAwIB1QNQ_wk",
    "two characters swapped": "PK1.EAEBAwICQ1NQ_wk",
}

FALSE_BYTES = {
    "version 2": "200101010a",
    "flag 1": "110101010a",
    "the second set is missing": "100201010a",
    "a varint without its end": "10010101ca",
    "a varint with a byte too many": "10018100010a",
    "a varint of five bytes": "1001818080800001",
    "set 0": "100100010a",
    "a set whose numbers are too large": "1001c79286020100",
    "the same set twice": "100201010a01010a",
    "sets in the wrong order": "100202010a01010a",
    "a set without cards": "10010100",
    "number 1000": "100101019c1f",
    "two sets' worth of bytes in one": "100101010a02010a",
}
"""The bytes before the checksum, in hexadecimal digits. The checksum is right."""


def deck_codes() -> list[Vector]:
    """Deck codes and their decks, deck lists without a code, and texts that are no code (docs/cards.md)."""
    coded = [_case(name, {"cards": _json(cards)}, _encoded(cards)) for name, cards in DECKS.items()]
    refused = [_case(name, {"cards": _json(cards)}, _encoded(cards)) for name, cards in NOT_CODED.items()]
    texts = FALSE_TEXTS | {name: coded_bytes(bytes.fromhex(data)) for name, data in FALSE_BYTES.items()}
    return coded + refused + [_case(name, {"code": text}, _decoded(text)) for name, text in texts.items()]


def coded_bytes(body: bytes) -> str:
    """The text of a code that holds these bytes and their checksum, whatever they say."""
    data = body + crc24(body).to_bytes(3, "big")
    return PREFIX + base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _encoded(cards: Mapping[int, int]) -> dict[str, Any]:
    try:
        return {"code": encode(DeckList(cards))}
    except Uncodable as error:
        return {"errors": [{"code": fault.code, "pointer": fault.pointer} for fault in error.faults]}


def _decoded(text: str) -> dict[str, Any]:
    try:
        return {"cards": _json(decode(text).counts)}
    except DeckCodeError as error:
        return {"error": error.code, "position": error.position}


def _json(cards: Mapping[int, int]) -> dict[str, int]:
    return DeckList(cards).to_json()


def _case(name: str, given: dict[str, Any], output: dict[str, Any]) -> Vector:
    return {"name": name, "input": given, "output": output}


GROUPS: dict[str, Callable[[], list[Vector]]] = {"deck_codes": deck_codes}
