"""Deck codes: a deck list as one short text, `PK1.EAEBAwIC1QNQ_wk`, which can be pasted anywhere.

docs/cards.md describes the bytes. A deck list has exactly one code: the decoder accepts only what the encoder
writes, and refuses everything else, with a code for each error. The checksum covers all bytes before it and
finds every change within 24 neighbouring bits. So one wrong character, or two neighbours swapped, never give
another deck.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import groupby

from cards.catalog.cards import MAX_NUMBER, SET_SIZE
from cards.decks.deck_lists import DeckFault, DeckList

PREFIX = "PK1."
MOST = 4
"""The most copies of a card that a code can express; the rules allow fewer."""

_VERSION, _FLAGS = 1, 0
_HEADER = bytes([_VERSION << 4 | _FLAGS])
_CRC_BYTES = 3
_SHORTEST = len(_HEADER) + 1 + _CRC_BYTES
_LAST_SET = MAX_NUMBER // SET_SIZE - 1
"""The last index of a set all of whose numbers are card numbers."""
_WIDEST = 4
"""The most bytes of a varint: 28 bits, enough for every set's index."""
_ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


class DeckCodeError(ValueError):
    """A text that is no deck code. `code` is stable; `position` is the wrong character, from 1, or None.

    bad_prefix, bad_character, padded, bad_length, trailing_bits, too_short, bad_checksum, unknown_version,
    unknown_flags, cut_short, overlong_number, number_too_large, bad_set, sets_not_ascending, empty_set,
    bad_card, trailing_bytes.
    """

    def __init__(self, code: str, text: str, position: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.position = position


class Uncodable(ValueError):
    """A deck list that has no code. `faults` names every card, as uncodable_count or uncodable_number."""

    def __init__(self, faults: list[DeckFault]) -> None:
        super().__init__(" ".join(fault.text for fault in faults))
        self.faults = tuple(faults)


def encode(deck: DeckList) -> str:
    """The code of a deck list. It need not be legal, and its cards may be unknown. Raises `Uncodable`."""
    if faults := [*_uncodable(deck)]:
        raise Uncodable(faults)
    sets = [(index, [*held]) for index, held in groupby(deck.counts.items(), lambda c: c[0] // SET_SIZE)]
    data = bytearray(_HEADER)
    data += _varint(len(sets))
    for index, held in sets:
        data += _varint(index)
        data += _varint(len(held))
        before = 0
        for number, n in held:
            data += _varint((number % SET_SIZE - before - 1) * MOST + n - 1)
            before = number % SET_SIZE
    data += crc24(data).to_bytes(_CRC_BYTES, "big")
    return PREFIX + base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _uncodable(deck: DeckList) -> Iterator[DeckFault]:
    for number, n in deck.counts.items():
        data = {"number": number, "copies": n}
        if not 1 <= number // SET_SIZE <= _LAST_SET or number % SET_SIZE == 0:
            yield DeckFault(
                "uncodable_number", f"/{number}", f"{number} is not a card's number in a set.", data
            )
        if not 1 <= n <= MOST:
            text = f"{n} copies of card {number}: a deck code allows from 1 to {MOST}."
            yield DeckFault("uncodable_count", f"/{number}", text, {**data, "at_most": MOST})


def decode(text: str) -> DeckList:
    """The deck list of a code, for which `encode` gives the same code. Raises `DeckCodeError`."""
    reader = _Reader(_checked(text))
    counts: dict[int, int] = {}
    before = 0
    for _ in range(reader.varint()):
        index = reader.varint()
        if not 1 <= index <= _LAST_SET:
            raise reader.error("bad_set", f"{index} is not the index of a set")
        if index <= before:
            raise reader.error("sets_not_ascending", f"set {index} comes after set {before}")
        before = index
        counts |= _cards(reader, index)
    reader.end()
    return DeckList(counts)


def _cards(reader: _Reader, index: int) -> Iterator[tuple[int, int]]:
    """The cards of one set: (card number, copies)."""
    held = reader.varint()
    if held == 0:
        raise reader.error("empty_set", f"set {index} is listed without a card")
    number = 0
    for _ in range(held):
        step, spare = divmod(reader.varint(), MOST)
        number += step + 1
        if number >= SET_SIZE:
            raise reader.error("bad_card", f"set {index} can have no card {number}")
        yield index * SET_SIZE + number, spare + 1


def _checked(text: str) -> bytes:
    """The bytes of a code, checksum included, after its text, checksum, version and flags were checked."""
    data = _bytes(text)
    if len(data) < _SHORTEST:
        raise DeckCodeError("too_short", f"a deck code has at least {_SHORTEST} bytes, not {len(data)}")
    body, checksum = data[:-_CRC_BYTES], data[-_CRC_BYTES:]
    if crc24(body) != int.from_bytes(checksum, "big"):
        raise DeckCodeError("bad_checksum", "a character is mistyped, missing or in another place")
    if body[0] >> 4 != _VERSION:
        raise DeckCodeError("unknown_version", f"version {body[0] >> 4} is not known here", _character(0))
    if body[0] & 15 != _FLAGS:
        raise DeckCodeError("unknown_flags", f"the flags {body[0] & 15} are not known here", _character(0))
    return data


def _bytes(text: str) -> bytes:
    """The bytes that a code encodes in base64url."""
    if not text.startswith(PREFIX):
        why = "; capital and small letters differ" if text.upper().startswith(PREFIX) else ""
        raise DeckCodeError("bad_prefix", f'a deck code begins with "{PREFIX}"{why}', 1)
    found = _ALPHABET.match(text, len(PREFIX))
    end = found.end() if found else len(PREFIX)
    if end < len(text):
        if text[end:].strip("=") == "":
            raise DeckCodeError("padded", "a deck code has no = at its end", end + 1)
        raise DeckCodeError("bad_character", f"a deck code never contains {text[end]!r}", end + 1)
    if len(text) % 4 == 1:  # PREFIX has four characters, so it does not matter here.
        raise DeckCodeError("bad_length", "there is one character too many, or too few")
    data = base64.urlsafe_b64decode(text[len(PREFIX) :] + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii") != text[len(PREFIX) :]:
        raise DeckCodeError("trailing_bits", "the bits after the last byte are not zero", len(text))
    return data


class _Reader:
    """Reads the bytes between the header and the checksum, and knows its position for errors."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = self._start = len(_HEADER)
        self._end = len(data) - _CRC_BYTES

    def varint(self) -> int:
        """Read the next number: seven bits a byte, lowest first; the high bit says that more follow."""
        self._start = self._at
        value = 0
        for shift in range(0, 7 * _WIDEST, 7):
            if self._at == self._end:
                raise self.error("cut_short", "the code ends within its list")
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if byte == 0 and shift:
                    raise self.error("overlong_number", f"{value} is written with more bytes than it needs")
                return value
        raise self.error("number_too_large", f"a number has more than {_WIDEST} bytes")

    def end(self) -> None:
        """Check that no byte is left."""
        self._start = self._at
        if self._at != self._end:
            raise self.error("trailing_bytes", f"{self._end - self._at} bytes after the list")

    def error(self, code: str, text: str) -> DeckCodeError:
        """An error at the number that was read last."""
        return DeckCodeError(code, text, _character(self._start))


def _character(byte: int) -> int:
    """The character of the code, from 1, in which a byte, from 0, begins."""
    return len(PREFIX) + byte * 8 // 6 + 1


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        crc = byte << 16
        for _ in range(8):
            crc <<= 1
            if crc & 0x1000000:
                crc ^= 0x1864CFB
        table.append(crc)
    return tuple(table)


_CRC = _crc_table()


def crc24(data: bytes | bytearray) -> int:
    """OpenPGP's CRC-24 (RFC 9580, section 6.1.1): polynomial 0x1864CFB, start value 0xB704CE."""
    crc = 0xB704CE
    for byte in data:
        crc = (crc << 8 & 0xFFFFFF) ^ _CRC[crc >> 16 ^ byte]
    return crc
