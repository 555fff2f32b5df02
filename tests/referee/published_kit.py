"""The published records, read into messages and entries."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from crypto.encoding import b64
from referee import Entry, Game, Trusting, apply, read_entry
from tests.paths import VECTORS

FOLDER = VECTORS


def published(name: str) -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return vectors


def whole_entry(vector: dict[str, Any]) -> dict[str, Any]:
    return {**vector["input"]["entry"], "house_signature": vector["output"]["house_signature"]}


def whole_message(vector: dict[str, Any]) -> dict[str, Any]:
    given = {name: vector["input"][name] for name in ("step", "seat", "kind", "body")}
    return {**given, "signature": b64(bytes.fromhex(vector["output"]["signature"]))}


@cache
def entries(record: str) -> list[Entry]:
    """The entries of a published record."""
    vector = next(v for v in published("records") if v["name"] == record)
    return [read_entry(entry) for entry in vector["output"]["record"]["entries"]]


@cache
def games(record: str) -> list[Game | None]:
    """The games after so many of a published record's entries, taken as they are."""
    found: list[Game | None] = [None]
    for entry in entries(record):
        found.append(apply(found[-1], entry, Trusting()))
    return found
