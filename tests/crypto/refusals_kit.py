"""Statements and decks from the published refusals, read into the types of the verifier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vectors.example import Vector
from vectors.primitives import GROUPS


def meal_of(vector: Vector) -> tuple[bytes, list[bytes], int, bytes, bytes]:
    given = vector["input"]
    points = [bytes.fromhex(point) for point in given["points"]]
    ctx, seal, proof = (bytes.fromhex(given[name]) for name in ("ctx", "seal", "proof"))
    return ctx, points, given["courses"], seal, proof


def shuffles() -> Iterator[tuple[Vector, tuple[bytes, list[bytes], list[bytes], bytes]]]:
    """Each vector with the statement that it describes, put together as the README says."""
    (base,) = GROUPS["shuffle"]()
    own: dict[str, Any] = {**base["input"], **base["output"]}

    def changed(field: str, given: Any) -> list[bytes]:
        if isinstance(given, list):
            return [bytes.fromhex(item) for item in given]
        items = [bytes.fromhex(item) for item in own[field]]
        for index, item in given.items():
            items[int(index)] = bytes.fromhex(item)
        return items

    for vector in GROUPS["bad_shuffles"]():
        given = vector["input"]
        proof = given.get("proof", {})
        if isinstance(proof, str):
            sent = bytes.fromhex(proof)
        else:
            buffer = bytearray.fromhex(own["proof"])
            for offset, item in proof.items():
                part = bytes.fromhex(item)
                buffer[int(offset) : int(offset) + len(part)] = part
            sent = bytes(buffer)
        cards, positions = (changed(field, given.get(field, {})) for field in ("cards", "positions"))
        yield vector, (bytes.fromhex(given.get("ctx", own["ctx"])), cards, positions, sent)
