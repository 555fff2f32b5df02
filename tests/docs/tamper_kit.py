"""Records that were tampered with by somebody who has every key."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from crypto.encoding import b64
from referee import Entry, record_bytes, write_message
from referee.record import GENESIS, write_entry
from tests.referee.table import Table


def lines_of(record: list[Entry]) -> list[Line]:
    """The entries of a record before they are signed."""
    return [Line(e.at, e.step, e.actor, e.kind, deepcopy(dict(e.body))) for e in record]


@dataclass
class Line:
    """An entry before it is signed."""

    at: int
    step: int
    actor: str
    kind: str
    body: Any


def tampered_leaf(value: Any, rng: Random) -> Any:
    """A JSON value, changed somewhere."""
    if isinstance(value, dict) and value:
        key = rng.choice(sorted(value))
        change = rng.random()
        if change < 0.1:
            return {k: v for k, v in value.items() if change < 0.05 or k != key} | (
                {"more": 1} if change < 0.05 else {}
            )
        return {**value, key: tampered_leaf(value[key], rng)}
    if isinstance(value, list) and value:
        i, change = rng.randrange(len(value)), rng.random()
        if change < 0.3:
            return value[:i] + (value[i + 1 :] if change < 0.15 else [value[i], *value[i:]])
        return [*value[:i], tampered_leaf(value[i], rng), *value[i + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 0, 1, True])
    return rng.choice([None, 0, [], {}, "", "seal"])


def tamper(lines: list[Line], rng: Random) -> None:
    """One change that a record might not bear: of a field, of the order, of a time."""
    i = rng.randrange(1, len(lines))
    change = rng.choice(["leaf", "leaf", "swap", "drop", "double", "step", "at", "later", "seen", "move"])
    match change:
        case "leaf":
            lines[i].body = tampered_leaf(lines[i].body, rng)
        case "swap":
            j = min(i + 1, len(lines) - 1)
            lines[i], lines[j] = lines[j], lines[i]
        case "drop":
            del lines[i]
            _follow(lines, i, -1)
        case "double":
            lines.insert(i, deepcopy(lines[i]))
            _follow(lines, i, 1)
        case "step":
            lines[i].step = max(0, lines[i].step + rng.choice([-2, -1, 1]))
        case "at":
            lines[i].at += rng.choice([-1000, -1, 1, 1000, 40_000, 130_000])
        case "later":
            gap = rng.choice([1, 5_000, 29_000, 31_000, 61_000, 121_000])
            for line in lines[i:]:
                line.at += gap
        case "seen" if isinstance(lines[i].body.get("seen"), dict):
            seen = lines[i].body["seen"]
            seen["seq"] = max(0, seen["seq"] + rng.choice([-7, -3, -2, -1, 1, 2]))
        case "move":
            lines.insert(rng.randrange(1, len(lines)), lines.pop(i))


def _follow(lines: list[Line], first: int, by: int) -> None:
    """Let every `seen` of an entry from `first` on name the same entry as before."""
    for line in lines:
        if "seen" in line.body and line.body["seen"]["seq"] >= first:
            line.body["seen"]["seq"] += by


def signed_anew(lines: list[Line], table: Table) -> bytes:
    """The record of these entries, every signature and digest made to fit."""
    game, entries = table.game.header.game, list[Any]()
    for line in lines:
        head = (entries[-1].seq, entries[-1].digest) if entries else (-1, GENESIS)
        body, signature = line.body, None
        if line.actor != "house":
            seen = body.get("seen") if isinstance(body, dict) else None
            seq = seen.get("seq") if isinstance(seen, dict) else None
            if type(seq) is int and 0 <= seq < len(entries):
                body = {**body, "seen": {**seen, "digest": b64(entries[seq].digest)}}
            seat = int(line.actor)
            message = write_message(table.seats[seat].private, game, line.step, seat, line.kind, body)
            signature = message.signature
        step = (line.step, line.actor, line.kind, body, signature)
        entries.append(write_entry(table.keeper.private, head, line.at, *step))
    return record_bytes(entries)
