"""Bytes and their text forms (protocol section 1)."""

import base64
import json
import subprocess
import sys

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from crypto.encoding import (
    EncodingError,
    b64,
    canonical,
    i2osp,
    loads,
    parse,
    parse_timestamp,
    timestamp,
    too_deep,
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


def test_base64url_takes_away_nothing_but_padding() -> None:
    for data in (b"\0\0\x17", b"\x5d\x75\xd7"):
        assert b64(data).endswith("X")
        assert unb64(b64(data)) == data


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
    for inside in ([names], [[names]], {"a": names}, {"a": [1, names], "b": {}}, [names, {"a": 1}]):
        assert canonical(inside) == rfc8785.dumps(inside)
        assert written in canonical(inside).decode()
    assert (
        canonical({"b": [True, None, 'é\x0f"\\'], "a": -5})
        == '{"a":-5,"b":[true,null,"é\\u000f\\"\\\\"]}'.encode()
    )


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        0.5,
        float("nan"),
        2**53,
        -(2**53),
        {"a": [{"b": 1e3}]},
        (0.5,),
        {1: 2},
        "\ud800",
        {"\ud800": 1},
        {"ä": "\ud800"},
        {"a"},
    ],
)
def test_canonical_json_refuses(value: object) -> None:
    with pytest.raises(EncodingError):
        canonical(value)


def test_canonical_json_takes_the_last_integers() -> None:
    assert canonical([2**53 - 1, 1 - 2**53]) == b"[9007199254740991,-9007199254740991]"
    assert canonical(2**53 - 1) == b"9007199254740991"
    assert canonical(1 - 2**53) == b"-9007199254740991"


@pytest.mark.parametrize("before", ["a", 1, None, [], {}])
@pytest.mark.parametrize("value", [0.5, float("nan"), 2**53, -(2**53), {"a"}, [0.5], {"a": 0.5}, b""])
def test_nothing_is_overlooked_behind_other_values(before: object, value: object) -> None:
    assert canonical([before, 1, (True, "b")]) == canonical([before, 1, [True, "b"]])
    for whole in ([before, value], (before, value), {"a": before, "b": value}, {"ä": before, "b": value}):
        with pytest.raises(EncodingError):
            canonical(whole)


def test_a_number_that_is_not_an_integer_is_called_one() -> None:
    for value in (0.5, [0.5], {"a": [1e3]}):
        with pytest.raises(EncodingError, match="not an integer"):
            canonical(value)


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


awkward = st.text(st.sampled_from('aZ\x00\x1f\x7f"\\/\b\t\u00e9\u2028\ue000\ufb33\U0001f600'), max_size=6)


@given(st.recursive(st.integers(-9, 9) | awkward, lambda v: st.lists(v) | st.dictionaries(awkward, v)))
def test_canonical_json_is_what_the_library_of_rfc_8785_writes(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [b"bytes", {"a": {1}}, [object()], {"a": {None: 1}}, {("a",): 1}, "\udfff"])
def test_canonical_json_refuses_what_is_no_json(value: object) -> None:
    with pytest.raises(EncodingError):
        canonical(value)


def depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, (dict, list)) + max(map(depth, inner), default=0)


@given(json_values, st.integers(58, 66), st.text(st.sampled_from('[]{}"\\a'), max_size=80))
def test_too_deep_is_counted_outside_of_texts(value: object, around: int, text: str) -> None:
    for _ in range(around):
        value = {text: [text], "a": value}
    data = json.dumps(value, ensure_ascii=bool(around % 2)).encode()
    assert too_deep(data) == (depth(value) > 64)


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
    assert type(parse_timestamp(text)) is int
    assert parse_timestamp(text) == ms


def test_time_example_and_refusals() -> None:
    assert timestamp(1795168800000) == "2026-11-20T10:00:00.000Z"
    assert timestamp(0) == "1970-01-01T00:00:00.000Z"
    assert timestamp(253402300799999) == "9999-12-31T23:59:59.999Z"
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
        assert canonical(json.loads("[" * 64 + "]" * 64)) == b"[" * 64 + b"]" * 64
        with pytest.raises(EncodingError, match="nested too deeply"):
            canonical(json.loads("[" * 65 + "]" * 65))
        with pytest.raises(EncodingError, match="nested too deeply"):
            canonical(json.loads("[" * 5000 + "]" * 5000))
    finally:
        sys.setrecursionlimit(before)


def test_what_outsiders_send_may_be_any_json() -> None:
    assert loads('[1.5, {"a": null}]') == loads(b'[1.5, {"a": null}]') == [1.5, {"a": None}]
    assert loads('"\udcff"') == "\udcff"
    for text in ("[" * 64 + "]" * 64, '{"a":' * 64 + "1" + "}" * 64):
        assert loads(text) == loads(text.encode())
        for deeper in (f"[{text}]", f"[{text}]".encode()):
            with pytest.raises(EncodingError, match="nested too deeply"):
                loads(deeper)


def test_what_outsiders_send_is_not_read_when_it_is_too_deep() -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        for data in (b"[" * 1_000_000, "[" * 1_000_000, b'{"a":' * 500_000):
            with pytest.raises(ValueError, match="nested too deeply"):
                loads(data)
    finally:
        sys.setrecursionlimit(before)


def test_the_curve_library_does_not_let_the_process_recurse_until_its_stack_ends() -> None:
    program = (
        "import sys; from crypto.engines import PyEcc; print(sys.getrecursionlimit());"
        "PyEcc().hash_to_curve(b'', b'cloche'); print(sys.getrecursionlimit())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    before, after = done.stdout.split()
    assert before == after


@pytest.mark.parametrize(("opens", "closes"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")])
def test_depth_is_counted_outside_texts_and_by_what_is_open(opens: bytes, closes: bytes) -> None:
    half = 64 // (opens.count(b"[") + opens.count(b"{"))
    wide = b"[" + b"[]," * 70 + b'{"a":{}},' * 70 + b"7]"
    texts = b'["' + b"[{" * 70 + b'","\\"' + b"[{" * 70 + b'"]'
    for beside in (b"7", wide, texts):
        nested = opens * half + b"7" + closes * half
        assert too_deep(b"[" + beside + b"," + nested + b"]") is True
        assert too_deep(b"[" + nested + b"," + beside + b"]") is True
        nested = opens * (half - 1) + b"7" + closes * (half - 1)
        assert too_deep(b"[" + beside + b"," + nested + b"]") is False
        assert too_deep(b"[" + nested + b"," + beside + b"," + nested + b"]") is False
    assert too_deep(b"[" * 60 + b"[]," + b"[" * 5 + b"]" * 65) is True
    assert too_deep(b"[" * 60 + b"[]," + b"[" * 4 + b"]" * 64) is False
    assert too_deep(b"[" * 64 + b"]" * 64) is False
    assert too_deep(b"[" * 64 + b"],[" * 9 + b"]" * 64) is False
