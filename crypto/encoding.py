"""Bytes and their text forms: integers, base64url, canonical JSON, UUIDs, times (protocol section 1).

Every decoder accepts exactly one form of each value. A reader can therefore reproduce the bytes that
were signed or hashed from the values that it read.
"""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import rfc8785

MAX_INTEGER = 2**53 - 1
"""The largest integer allowed in JSON; -MAX_INTEGER is the smallest."""

MAX_DEPTH = 64
"""The deepest nesting allowed in JSON. It does not depend on the interpreter's recursion limit."""

_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_NOT_STRUCTURE = bytes(set(range(256)) - set(b'"[]{}'))
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
LAST_MS = (datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC) - _EPOCH) // _MILLISECOND
"""The last time that can be written, in milliseconds since 1970."""


class EncodingError(ValueError):
    """Bytes, a text or a JSON value that is not in the one form that the protocol allows."""


def i2osp(n: int, k: int) -> bytes:
    """`n` in `k` bytes, big-endian; EncodingError unless 0 <= n < 256^k."""
    try:
        return n.to_bytes(k, "big")
    except OverflowError:
        raise EncodingError(f"{n} does not fit into {k} unsigned bytes") from None


def b64(data: bytes) -> str:
    """`data` in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unb64(text: object, length: int | None = None) -> bytes:
    """The bytes of an unpadded base64url text, which must be exactly `length` if that is given.

    Raises EncodingError for anything but a text, for padding and other characters outside base64url,
    for an impossible length, and for trailing bits that are not zero.
    """
    if not isinstance(text, str):
        raise EncodingError("the value is not a base64url text")
    if not _BASE64URL.fullmatch(text):
        raise EncodingError("the text has a character outside unpadded base64url")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise EncodingError("no base64url text has this length") from None
    if b64(data) != text:
        raise EncodingError("the trailing bits of a base64url text must be zero")
    if length is not None and len(data) != length:
        raise EncodingError(f"the value has {len(data)} bytes where {length} belong")
    return data


def _check_plain(value: Any) -> None:
    """Check a JSON value that contains no others."""
    if isinstance(value, float):
        raise EncodingError("the JSON number is not an integer")
    if isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise EncodingError("a JSON integer must be below 2^53 in size")
    elif value is not None and not isinstance(value, str):
        raise EncodingError(f"JSON has no {type(value).__name__}")


def _check(value: Any, depth: int = 0) -> bool:
    """Check numbers, names and depth; return whether all names are ASCII.

    The depth is counted here, because the interpreter's recursion limit may be set to anything.
    """
    ascii_only, items = True, value
    if isinstance(value, dict):
        try:
            ascii_only, items = "".join(value).isascii(), value.values()
        except TypeError:
            raise EncodingError("the names in a JSON object must be texts") from None
    elif not isinstance(value, (list, tuple)):
        _check_plain(value)
        return True
    if depth == MAX_DEPTH:
        raise EncodingError("the JSON is nested too deeply")
    for item in items:
        # Most items are texts or integers. Testing for those first halves the time.
        kind = type(item)
        if kind is str:
            continue
        if kind is int:
            if not -MAX_INTEGER <= item <= MAX_INTEGER:
                raise EncodingError("a JSON integer must be below 2^53 in size")
        elif not _check(item, depth + 1):
            ascii_only = False
    return ascii_only


def canonical(obj: Any) -> bytes:
    """The canonical JSON of `obj` by RFC 8785, in UTF-8.

    Raises EncodingError for floats, integers of 2^53 or more, values that JSON lacks, texts that UTF-8
    can't encode, and nesting deeper than MAX_DEPTH.
    """
    try:
        if _check(obj):
            # The standard library's encoder is faster, since it is written in C. Without floats its output
            # differs only in the order of names: it sorts by code points, RFC 8785 by UTF-16 units. For
            # ASCII names both orders are the same.
            return _ENCODER.encode(obj).encode()
        return rfc8785.dumps(obj)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise EncodingError(str(error)) from None


def too_deep(data: bytes) -> bool:
    """Tell whether the arrays and objects in `data` are nested deeper than MAX_DEPTH, found without
    recursion.

    Call this before a JSON parser: a recursive parser may run out of stack. For bytes that are not JSON,
    the depth found is at least what a parser would have reached before it failed.
    """
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return False
    unescaped = _ESCAPED.sub(b"", data) if b"\\" in data else data
    # Every second piece between quotes is the inside of a text, where brackets mean nothing.
    outside = b"".join(unescaped.translate(None, _NOT_STRUCTURE).split(b'"')[::2])
    depth = 0
    for bracket in outside:
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def loads(data: bytes | str) -> Any:
    """The value of JSON that an outsider wrote, floats included.

    Raises ValueError for invalid JSON and for nesting deeper than MAX_DEPTH.
    """
    if too_deep(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data):
        raise EncodingError("the JSON is nested too deeply")
    return json.loads(data)


def _no_float(text: str) -> Any:
    raise EncodingError(f"the JSON number {text[:40]} is not an integer")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise EncodingError("a JSON object names a member twice")
    return value


def parse(data: bytes) -> Any:
    """The JSON value in `data` (UTF-8), in any layout.

    Raises EncodingError for invalid JSON, repeated members, floats, integers of 2^53 or more, and
    nesting deeper than MAX_DEPTH.
    """
    if too_deep(data):
        raise EncodingError("the JSON is nested too deeply")
    try:
        value = json.loads(
            data.decode("utf-8"), object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float
        )
        _check(value)
    except EncodingError:
        raise
    except ValueError as error:
        raise EncodingError(f"the text is not JSON: {error}") from None
    return value


def uuid_bytes(text: object) -> bytes:
    """The 16 bytes of a UUID in its usual text form, lower case; EncodingError for any other form."""
    if not isinstance(text, str) or not _UUID.fullmatch(text):
        raise EncodingError("the value is not a UUID in lower case")
    return UUID(text).bytes


def timestamp(ms: int) -> str:
    """The RFC 3339 text in UTC, such as `2026-11-20T10:00:00.000Z`, of `ms` milliseconds since 1970."""
    if not 0 <= ms <= LAST_MS:
        raise EncodingError("a time must lie from 1970 to 9999")
    moment = _EPOCH + ms * _MILLISECOND
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def parse_timestamp(text: object) -> int:
    """Milliseconds since 1970 of a time that `timestamp` could have written; EncodingError otherwise."""
    if not isinstance(text, str) or not _TIME.fullmatch(text):
        raise EncodingError("the text is not a time in UTC with milliseconds and Z")
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise EncodingError("there is no such time") from None
    ms = (moment - _EPOCH) // _MILLISECOND
    if timestamp(ms) != text:
        raise EncodingError("there is no such time")
    return ms
