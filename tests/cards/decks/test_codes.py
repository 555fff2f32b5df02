"""Deck codes: each deck has one code, and every other text is refused with its error code (docs/cards.md)."""

from __future__ import annotations

import json
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.decks.codes import PREFIX, DeckCodeError, Uncodable, crc24, decode, encode
from cards.decks.deck_lists import DeckList
from tests.paths import DOCS, VECTORS
from vectors.deck_codes import FALSE_BYTES, FALSE_TEXTS, coded_bytes

VECTORS = json.loads((VECTORS / "deck_codes.json").read_text())
ALPHABET = string.ascii_letters + string.digits + "-_"

numbers = st.builds(
    lambda index, number: index * 1000 + number,
    st.one_of(st.integers(1, 5), st.integers(1, 4294966)),
    st.integers(1, 999),
)
deck_lists = st.dictionaries(numbers, st.integers(1, 4), max_size=60).map(DeckList)


def refused(text: str) -> DeckCodeError:
    with pytest.raises(DeckCodeError) as caught:
        decode(text)
    return caught.value


def test_the_checksum_is_openpgps() -> None:
    """The check value of CRC-24/OPENPGP."""
    assert crc24(b"123456789") == 0x21CF02
    assert crc24(b"") == 0xB704CE


def test_the_example_of_the_page() -> None:
    deck = DeckList({1001: 3, 1002: 3, 1120: 2})
    assert encode(deck) == "PK1.EAEBAwIC1QNQ_wk"
    assert decode("PK1.EAEBAwIC1QNQ_wk") == deck


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_published_vectors(vector: dict[str, dict[str, object]]) -> None:
    asked, answer = vector["input"], vector["output"]
    if "code" in asked:
        error = refused(str(asked["code"]))
        assert (error.code, error.position) == (answer["error"], answer["position"])
        return
    deck = DeckList({int(n): count for n, count in dict(asked["cards"]).items()})
    if "code" in answer:
        assert encode(deck) == answer["code"]
        assert decode(str(answer["code"])) == deck
    else:
        with pytest.raises(Uncodable) as caught:
            encode(deck)
        found = [{"code": fault.code, "pointer": fault.pointer} for fault in caught.value.faults]
        assert found == answer["errors"]


def test_every_error_code_has_a_vector() -> None:
    documented = DeckCodeError.__doc__.partition("\n\n")[2]
    named = set(documented.replace(",", " ").replace(".", " ").split())
    assert {vector["output"]["error"] for vector in VECTORS if "error" in vector["output"]} == named


@pytest.mark.parametrize("starter", load().starters.values(), ids=lambda starter: starter.slug)
def test_a_starter_deck_fits_into_a_line_and_every_wrong_character_is_found(starter) -> None:
    deck = DeckList(starter.counts)
    code = encode(deck)
    assert len(code) < 60
    assert decode(code) == deck
    for at, right in enumerate(code):
        for wrong in f"{ALPHABET}.=+/ ":
            if wrong != right:
                refused(code[:at] + wrong + code[at + 1 :])
    for at in range(len(PREFIX), len(code) - 1):
        if code[at] != code[at + 1]:
            refused(code[:at] + code[at + 1] + code[at] + code[at + 2 :])


@settings(deadline=None)
@given(deck_lists)
def test_a_deck_list_comes_back(deck: DeckList) -> None:
    assert decode(encode(deck)) == deck


def _by_the_page(deck: DeckList) -> str:
    """The code of a deck, made bit by bit as docs/cards.md says, without our own code."""

    def varint(n: int) -> str:
        groups = [f"{n >> shift & 127:07b}" for shift in range(0, max(n.bit_length(), 1), 7)]
        return "".join("1" + group for group in groups[:-1]) + "0" + groups[-1]

    sets = sorted({number // 1000 for number in deck.counts})
    bits = "00010000" + varint(len(sets))
    for index in sets:
        held = sorted(number % 1000 for number in deck.counts if number // 1000 == index)
        bits += varint(index) + varint(len(held))
        for before, number in zip([0, *held], held, strict=False):
            bits += varint((number - before - 1) * 4 + deck.counts[index * 1000 + number] - 1)
    crc = 0xB704CE
    for bit in bits:
        crc = crc << 1 ^ (0x864CFB if (crc >> 23 & 1) != int(bit) else 0)
        crc &= 0xFFFFFF
    bits += f"{crc:024b}"
    bits += "0" * (-len(bits) % 6)
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    return "PK1." + "".join(alphabet[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))


@settings(deadline=None)
@given(deck_lists)
def test_who_has_the_page_alone_writes_the_same(deck: DeckList) -> None:
    assert _by_the_page(deck) == encode(deck)


@settings(deadline=None)
@given(deck_lists, st.data())
def test_a_code_with_one_other_character_is_refused(deck: DeckList, data: st.DataObject) -> None:
    code = encode(deck)
    at = data.draw(st.integers(0, len(code) - 1))
    other = data.draw(st.one_of(st.sampled_from(ALPHABET), st.characters()).filter(lambda c: c != code[at]))
    refused(code[:at] + other + code[at + 1 :])


def _same_again(text: str) -> None:
    """A text is either refused with an error code, or is the one code of its deck."""
    try:
        deck = decode(text)
    except DeckCodeError:
        return
    assert encode(deck) == text


@settings(deadline=None)
@given(st.binary(max_size=40))
def test_any_bytes_with_a_right_checksum(body: bytes) -> None:
    _same_again(coded_bytes(b"\x10" + body))
    _same_again(coded_bytes(body))


@settings(deadline=None)
@given(st.one_of(st.text(), st.text(ALPHABET + "=").map(PREFIX.__add__)))
def test_any_text(text: str) -> None:
    _same_again(text)


def test_small_bodies_are_codes_or_refused() -> None:
    """Many of thousands of short bodies with a right checksum are codes, and the others are refused."""
    rng = random.Random(7)
    valid = 0
    for _ in range(20_000):
        body = b"\x10" + bytes(
            rng.choice((0, 1, 1, 2, 3, 5, 0x7F, 0x80, 0x81)) for _ in range(rng.randrange(1, 9))
        )
        try:
            deck = decode(coded_bytes(body))
        except DeckCodeError:
            continue
        valid += 1
        assert encode(deck) == coded_bytes(body)
    assert valid > 100


def test_the_false_ones_are_false_for_one_reason_each() -> None:
    """A refused vector is wrong in one place; with that mended, it is a code."""
    assert decode(coded_bytes(bytes.fromhex("100101010a")))
    assert len({refused(coded_bytes(bytes.fromhex(b))).code for b in FALSE_BYTES.values()}) >= 10
    assert len({refused(text).code for text in FALSE_TEXTS.values()}) >= 7


def test_what_no_code_can_say_is_named_card_by_card() -> None:
    with pytest.raises(Uncodable) as caught:
        encode(DeckList({1001: 5, 1002: 4, 1003: 0, 27: 1, 2000: 1, 4294967001: 1}))
    assert [(f.code, f.pointer) for f in caught.value.faults] == [
        ("uncodable_number", "/27"),
        ("uncodable_count", "/1001"),
        ("uncodable_count", "/1003"),
        ("uncodable_number", "/2000"),
        ("uncodable_number", "/4294967001"),
    ]


def test_the_page_names_every_error() -> None:
    page = (DOCS / "cards.md").read_text()
    section = page.partition("### Deck codes")[2].partition("\n## ")[0]
    named = {vector["output"]["error"] for vector in VECTORS if "error" in vector["output"]}
    assert all(f"`{code}`" in section for code in {*named, "uncodable_count", "uncodable_number"})
