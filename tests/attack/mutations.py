"""Mutations of JSON by its structure: a node of a real message, changed by somebody who knows the decoders.

A node is any value in it. Its possible changes depend on its type: a number has neighbours and limits,
a base64url text decoded bytes, padding and spare bits, a text look-alikes, a list an order and a length.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crypto.encoding import EncodingError, b64, parse_timestamp, timestamp, unb64
from crypto.group import ORDER

Path = tuple[str | int, ...]
Pick = Callable[[Sequence[Any]], Any]
"""Takes one of several: hypothesis does."""
GONE = object()
"""The sign, in the place of a node, that the node is taken out."""
_ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    "",
    "0",
    "house",
    "null",
    [],
    {},
    2**53,
    1.5,
    "QS",
    "\x00",
)
_LIMITS = (2**8, 2**16, 2**31, 2**32, 2**53 - 1, 2**53, 2**53 + 1, 2**64, 10**40)
_ALIKE = str.maketrans(
    {"a": "а", "e": "е", "o": "о", "s": "ѕ", "c": "с", "p": "р", "i": "і", "0": "０", "1": "１"}
)
"""Letters and digits exchanged for others that look the same."""


def nodes(value: Any, at: Path = ()) -> Iterator[Path]:
    """The path of every node, the whole first."""
    yield at
    if isinstance(value, Mapping):
        for key in value:
            yield from nodes(value[key], (*at, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from nodes(item, (*at, i))


def node(value: Any, path: Path) -> Any:
    """Return what lies at a path; KeyError, IndexError or TypeError where there is no such path."""
    for part in path:
        value = value[part]
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """The value with another node at a path, or without it (`GONE`)."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if not rest and new is GONE:
        if isinstance(value, Mapping):
            return {k: v for k, v in value.items() if k != first}
        return [item for i, item in enumerate(value) if i != first]
    if isinstance(value, Mapping):
        return {**value, first: put(value[first], rest, new)}
    assert isinstance(first, int)
    return [*value[:first], put(value[first], rest, new), *value[first + 1 :]]


def mutated(pick: Pick, value: Any, donors: Sequence[Any] = (), below: Path = ()) -> Any:
    """The value with one node at or under `below` changed; `donors` are real values of the same kind."""
    paths = [path for path in nodes(value) if path[: len(below)] == below]
    # Lists of points are long: their nodes are picked less often than the fields beside them.
    short = [path for path in paths if sum(isinstance(part, int) for part in path) < 2]
    path = pick(pick((short, short, paths)))
    old = node(value, path)
    match pick(("odd", "elsewhere", "own", "own", "own", "own", "gone")):
        case "odd":
            new = pick((*_ODD, [old], {"x": old}, json.dumps(old)))
        case "elsewhere":
            new = _elsewhere(pick, value, path, donors)
        case "own":
            new = _of_its_kind(pick, old)
        case _:
            new = GONE if path else {}
    return put(value, path, new)


def _elsewhere(pick: Pick, value: Any, path: Path, donors: Sequence[Any]) -> Any:
    """Return what stands at the same place of another such message, or at another place of this one."""
    if donors and pick((True, True, False)):
        try:
            return node(pick(donors), path)
        except (KeyError, IndexError, TypeError):
            return None
    return node(value, pick([other for other in nodes(value) if other[:1] == path[:1] or len(other) == 1]))


def _of_its_kind(pick: Pick, old: Any) -> Any:
    if isinstance(old, bool) or old is None:
        return pick((not old, 0, 1, "true", None, b64(bytes(64)), {}))
    if isinstance(old, int):
        near = (old + 1, old - 1, -old, old + 2, 2 * old, old ^ 1, bool(old), float(old), str(old), old + 40)
        return pick((*near, *_LIMITS, old + 2**32, old + 2**53, old + 256))
    if isinstance(old, str):
        data = _decoded(old)
        return _bytes(pick, old, data) if data and pick((True, True, False)) else _text(pick, old)
    if isinstance(old, list):
        return _list(pick, old)
    return _object(pick, dict(old))


def _time(pick: Pick, at: int) -> Any:
    """Another time: just before or after, a whole clock away, the first and the last that can be written."""
    shifts = (-1, 1, 999, -1000, 1000, 30_001, 60_001, 120_001, 604_800_000)
    later = timestamp(max(0, at + pick(shifts)))
    return pick((later, later, later, timestamp(0), "9999-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"))


def _text(pick: Pick, old: str) -> Any:
    try:
        if pick((True, True, False)):
            return _time(pick, parse_timestamp(old))
    except EncodingError:
        pass
    form = pick(("same", "NFC", "NFD", "NFKC", "NFKD"))
    if form != "same":
        return unicodedata.normalize(form, old.translate(_ALIKE))
    changed = [
        old.upper(),
        old.capitalize(),
        old + " ",
        " " + old,
        old + "\n",
        old + "\x00",
        old[:-1],
        old + old,
    ]
    return pick(
        [
            *changed,
            old.translate(_ALIKE),
            old + "\u200b",
            "\ufeff" + old,
            old + "\ud800",
            old[::-1],
            old.encode().hex(),
        ]
    )


def _decoded(text: str) -> bytes:
    try:
        return unb64(text)
    except EncodingError:
        return b""


def _bytes(pick: Pick, old: str, data: bytes) -> Any:
    """Another text of the same bytes, or other bytes."""
    match pick(("text", "bytes", "flip")):
        case "text":
            alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            spare = old[:-1] + alphabet[alphabet.index(old[-1]) ^ 1]
            other = old.replace("-", "+").replace("_", "/")
            return pick((old + "=", old + "==", spare, other, f"{old[:4]}\n{old[4:]}"))
        case "bytes":
            sizes = (data[:-1], data + b"\x00", b"\x00" + data)
            # A point's sign; infinity; a scalar with the order added.
            points = (bytes([data[0] ^ 0x20]) + data[1:], b"\xc0" + bytes(len(data) - 1))
            more = (int.from_bytes(data, "big") + ORDER) % 256 ** len(data)
            others = (bytes(len(data)), b"\xff" * len(data), data[::-1], more.to_bytes(len(data), "big"))
            return b64(pick((*sizes, *points, *others)))
    changed = bytearray(data)
    bit = pick(range(8 * len(data)))
    changed[bit // 8] ^= 1 << bit % 8
    return b64(bytes(changed))


def _list(pick: Pick, old: list[Any]) -> Any:
    if not old:
        return pick(([None], [0], [{}], {}))
    i, j = pick(range(len(old))), pick(range(len(old)))
    swapped = list(old)
    swapped[i], swapped[j] = swapped[j], swapped[i]
    cut = (old[::-1], old[:-1], old[1:], old[:i] + old[i + 1 :], [])
    return pick(
        (*cut, swapped, swapped, [*old[:i], old[j], *old[i:]], [*old, *old], [old], [*old, None], {"0": old})
    )


def _object(pick: Pick, old: dict[str, Any]) -> Any:
    more: list[Any] = [
        {**old, "x": 1},
        {**old, "": None},
        {**old, "link": None},
        {**old, "envelope": "QUFB" * 20},
    ]
    more += [{**old, "deal": 1}, [old], [list(item) for item in old.items()], list(old)]
    if not old:
        return pick(more)
    key, other = pick(list(old)), pick(list(old))
    rest = {k: v for k, v in old.items() if k != key}
    more += [{**rest, name: old[key]} for name in (key.upper(), key.translate(_ALIKE), key + " ", "")]
    more += [{**old, other: old[key]}, {**old, key: old[other], other: old[key]}, rest]
    return pick(more)


def rewritten_text(pick: Pick, text: str) -> str:
    """A JSON text written otherwise: now the same value, now another, now none."""
    at = pick([i for i, c in enumerate(text) if c in '{}[],:"'])
    match pick(("space", "escape", "double", "double", "comma", "number", "mark", "cut", "comment")):
        case "space":
            return text[:at] + pick((" ", "\n", "\t", "\r", "\x0b", "\u00a0")) + text[at:]
        case "escape":
            i = pick([i for i, c in enumerate(text) if c.isalpha()])
            return f"{text[:i]}\\u{ord(text[i]):04x}{text[i + 1 :]}"
        case "double":
            return _doubled(pick, text)
        case "comma":
            return text[:at] + "," + text[at:]
        case "number":
            i = pick([i for i, c in enumerate(text) if c.isdigit() and text[i - 1] in ":,["])
            return text[:i] + pick(("0", "-", "+", "1e", "0x", ".", "00", "-0")) + text[i:]
        case "mark":
            return str(pick(("\ufeff" + text, text + "\x00", text + "\n", text + "{}", "\x1e" + text)))
        case "cut":
            return text[:at]
    return text[:at] + pick(("/**/", "//\n", "NaN", "Infinity", "null")) + text[at:]


def _doubled(pick: Pick, text: str) -> str:
    """A member of some object twice: with the same value, with another, or under an escaped name."""
    value = json.loads(text)
    path = pick([path for path in nodes(value) if isinstance(node(value, path), dict) and node(value, path)])
    members = node(value, path)
    name = pick(sorted(members))
    again = pick((members[name], None, 0, "x"))
    spelled = pick((json.dumps(name), f'"\\u{ord(name[0]):04x}{name[1:]}"'))
    mark = "@twice@"
    marked = json.dumps(put(value, path, {**members, mark: again}), ensure_ascii=False, separators=(",", ":"))
    return marked.replace(json.dumps(mark), spelled)
