"""Bytes and their text forms (protocol section 1)."""

import base64
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crypto.encoding import (
    EncodingError,
    b64,
    canonical,
    i2osp,
    parse,
    parse_timestamp,
    timestamp,
    unb64,
    uuid_bytes,
)


def test_i2osp_is_big_endian_and_bounded() -> None:
    assert i2osp(258, 4) == bytes([0, 0, 1, 2])
    assert i2osp(255, 1) == b"\xff"
    for n, k in ((256, 1), (-1, 4), (2**32, 4)):
        with pytest.raises(EncodingError):
            i2osp(n, k)


@given(st.binary(max_size=70))
def test_base64url_round_trip(data: bytes) -> None:
    text = b64(data)
    assert "=" not in text
    assert unb64(text) == data
    assert unb64(text, len(data)) == data
    with pytest.raises(EncodingError):
        unb64(text, len(data) + 1)


@pytest.mark.parametrize(
    "text",
    [
        "AA==",
        "AA=",
        "A",
        "AB",
        "AAB",
        "AA+A",
        "AA/A",
        "AA A",
        "AA\n",
        " AAA",
        "AAAA\n",
        "ÄAAA",
        None,
        7,
        b"AAAA",
    ],
)
def test_base64url_has_one_form(text: object) -> None:
    with pytest.raises(EncodingError):
        unb64(text)


def test_base64url_refuses_trailing_bits() -> None:
    data = b"\x00"
    assert b64(data) == "AA"
    for last in "BCDEFGHIJKLMNOP":
        assert base64.urlsafe_b64decode(f"A{last}==") == data
        with pytest.raises(EncodingError):
            unb64(f"A{last}")


def test_canonical_json_by_rfc_8785() -> None:
    # Section 3.2.3 of the RFC: members in the order of their UTF-16 code units.
    names = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
    order = ["\\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    written = canonical(names).decode()
    assert [written.index(f'"{name}"') for name in order] == sorted(written.index(f'"{n}"') for n in order)
    assert (
        canonical({"b": [True, None, 'é\x0f"\\'], "a": -5})
        == '{"a":-5,"b":[true,null,"é\\u000f\\"\\\\"]}'.encode()
    )


@pytest.mark.parametrize(
    "value", [1.0, 0.5, float("nan"), 2**53, -(2**53), {"a": [{"b": 1e3}]}, {1: 2}, "\ud800", {"a"}]
)
def test_canonical_json_refuses(value: object) -> None:
    with pytest.raises(EncodingError):
        canonical(value)


def test_canonical_json_takes_the_last_integers() -> None:
    assert canonical([2**53 - 1, 1 - 2**53]) == b"[9007199254740991,-9007199254740991]"


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1,"a":1}',
        b"1.0",
        b"1e3",
        b"NaN",
        b"[Infinity]",
        b"9007199254740992",
        b"\xff",
        b"",
        b"{",
        b"[1,]",
        b"1 2",
        b'"\\ud800"x',
        b"[" * 100_000,
        b"1" * 5000,
    ],
)
def test_parse_refuses(data: bytes) -> None:
    with pytest.raises(EncodingError):
        parse(data)


def test_nesting_beyond_the_interpreter_is_malformed() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(EncodingError):
        canonical(deep)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_canonical_json_reads_back_and_is_its_own_canonical_form(value: object) -> None:
    data = canonical(value)
    assert parse(data) == value
    assert canonical(parse(data)) == data


def test_uuid() -> None:
    assert uuid_bytes("00010203-0405-0607-0809-0a0b0c0d0e0f") == bytes(range(16))
    for text in (
        "00010203-0405-0607-0809-0A0B0C0D0E0F",
        "000102030405060708090a0b0c0d0e0f",
        "{00010203-0405-0607-0809-0a0b0c0d0e0f}",
        "00010203-0405-0607-0809-0a0b0c0d0e0f\n",
        "00010203-0405-0607-0809-0a0b0c0d0e0٣",
        None,
    ):
        with pytest.raises(EncodingError):
            uuid_bytes(text)


@given(st.integers(0, 253402300799999))
def test_time_round_trip(ms: int) -> None:
    text = timestamp(ms)
    assert len(text) == 24
    assert parse_timestamp(text) == ms


def test_time_example_and_refusals() -> None:
    assert timestamp(1795168800000) == "2026-11-20T10:00:00.000Z"
    assert timestamp(0) == "1970-01-01T00:00:00.000Z"
    for text in (
        "2026-11-20T10:00:00Z",
        "2026-11-20T10:00:00.00Z",
        "2026-11-20T10:00:00.0000Z",
        "2026-11-20T10:00:00.000z",
        "2026-11-20t10:00:00.000Z",
        "2026-11-20 10:00:00.000Z",
        "2026-11-20T10:00:00.000+00:00",
        "2026-02-30T10:00:00.000Z",
        "2026-11-20T24:00:00.000Z",
        "2026-12-31T23:59:60.000Z",
        "1969-12-31T23:59:59.999Z",
        "0000-01-01T00:00:00.000Z",
        "2026-11-20T10:00:00.000Z\n",
        20261120,
    ):
        with pytest.raises(EncodingError):
            parse_timestamp(text)
    for ms in (-1, 253402300800000):
        with pytest.raises(EncodingError):
            timestamp(ms)


def test_json_is_nested_64_deep_at_most_whatever_the_stack_allows() -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        assert parse(b"[" * 64 + b"]" * 64)
        assert parse(b'["' + b"[" * 100 + b'", "\\"' + b"{" * 100 + b'"]')
        with pytest.raises(EncodingError, match="nested too deeply"):
            parse(b"[" * 65 + b"]" * 65)
        with pytest.raises(EncodingError, match="nested too deeply"):
            parse(b'{"a":' * 5000 + b"1" + b"}" * 5000)
    finally:
        sys.setrecursionlimit(before)
