"""What a contract is called with, and what it answers: the encoding of Solidity's ABI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.on_chain import address, checksummed, keccak256

__all__ = ["CallResult", "Reverted", "address", "checksummed", "decode", "encode", "keccak256", "reason"]
WORD = 32
MOST_GAS = 16_777_216
"""The most gas of one transaction, since Osaka (EIP-7825)."""
_ARRAY = re.compile(r"(.+)\[(\d*)\]")
_ERROR = bytes.fromhex("08c379a0")
"""What the data of a revert with a reason begins with: the selector of Error(string)."""


class Reverted(Exception):
    """A call that the contract refused. The text is its reason, where it gave one."""

    def __init__(self, why: str, data: bytes = b"") -> None:
        super().__init__(why)
        self.data = data
        """What it gave back, with the reason in it."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call gave back, and the gas that it used as a transaction."""

    data: bytes
    gas: int


def _dynamic(kind: str) -> bool:
    array = _ARRAY.fullmatch(kind)
    if array:
        return not array[2] or _dynamic(array[1])
    return kind in ("bytes", "string")


def _size(kind: str) -> int:
    """The bytes that a value takes in a tuple: one word for where a dynamic one begins."""
    array = _ARRAY.fullmatch(kind)
    if array and not _dynamic(kind):
        return int(array[2]) * _size(array[1])
    return WORD


def _word(kind: str, value: Any) -> bytes:
    if isinstance(value, bytes):
        return value.rjust(WORD, b"\0") if kind == "address" else value.ljust(WORD, b"\0")
    return int(value).to_bytes(WORD, "big")


def _one(kind: str, value: Any) -> bytes:
    array = _ARRAY.fullmatch(kind)
    if array:
        body = encode([array[1]] * len(value), value)
        return body if array[2] else len(value).to_bytes(WORD, "big") + body
    if kind in ("bytes", "string"):
        data = value.encode() if isinstance(value, str) else bytes(value)
        return len(data).to_bytes(WORD, "big") + data + bytes(-len(data) % WORD)
    return _word(kind, value)


def encode(kinds: Sequence[str], values: Sequence[Any]) -> bytes:
    """Values as a tuple of these kinds: `uint256`, `bytesN`, `address`, `bool`, `bytes`, `string`, arrays."""
    head, tail = [], b""
    at = sum(_size(kind) for kind in kinds)
    for kind, value in zip(kinds, values, strict=True):
        data = _one(kind, value)
        if _dynamic(kind):
            head.append((at + len(tail)).to_bytes(WORD, "big"))
            tail += data
        else:
            head.append(data)
    return b"".join(head) + tail


def _read(kind: str, data: bytes, at: int) -> Any:
    array = _ARRAY.fullmatch(kind)
    if array:
        count = int(array[2]) if array[2] else int.from_bytes(data[at : at + WORD], "big")
        start = at if array[2] else at + WORD
        return list(_values([array[1]] * count, data[start:]))
    if kind in ("bytes", "string"):
        size = int.from_bytes(data[at : at + WORD], "big")
        found = data[at + WORD : at + WORD + size]
        return found.decode() if kind == "string" else found
    word = data[at : at + WORD]
    if kind == "address":
        return word[-20:]
    if kind.startswith("bytes"):
        return word[: int(kind[5:])]
    return bool(word[-1]) if kind == "bool" else int.from_bytes(word, "big")


def _values(kinds: Sequence[str], data: bytes) -> Iterator[Any]:
    at = 0
    for kind in kinds:
        start = int.from_bytes(data[at : at + WORD], "big") if _dynamic(kind) else at
        yield _read(kind, data, start)
        at += _size(kind)


def decode(kinds: Sequence[str], data: bytes) -> tuple[Any, ...]:
    """The values of a tuple of these kinds; ValueError if data is missing."""
    if len(data) < sum(_size(kind) for kind in kinds):
        raise ValueError(f"the answer has {len(data)} bytes, too few for {', '.join(kinds)}")
    return tuple(_values(kinds, data))


def reason(data: bytes) -> str:
    """The reason in the data of a revert; empty where there is none."""
    if not data.startswith(_ERROR):
        return ""
    try:
        return str(decode(["string"], data[len(_ERROR) :])[0])
    except ValueError:
        return ""
