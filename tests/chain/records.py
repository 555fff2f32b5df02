"""The published records, and falsified ones, as files."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from crypto.encoding import canonical
from tests.paths import VECTORS

PROTOCOL = "cloche/v1"


@cache
def published() -> dict[str, list[Any]]:
    """The entries of every published record by its name."""
    listed = json.loads((VECTORS / "records.json").read_text())
    return {item["name"]: item["output"]["record"]["entries"] for item in listed}


def as_file(entries: list[Any]) -> bytes:
    return canonical({"protocol": PROTOCOL, "entries": entries})


def falsified(group: str) -> list[Any]:
    """The vectors of a group that end in a refused entry of a record."""
    listed = json.loads((VECTORS / f"{group}.json").read_text())
    return [item for item in listed if "keep" in item["input"]]


def with_tail(given: dict[str, Any]) -> bytes:
    """The record of a falsified vector: the first entries of a good one, then others."""
    return as_file([*published()[given["record"]][: given["keep"]], *given["entries"]])
