"""The account of Cribbage as data: what was pegged, with each thing that scored as a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cards.games.accounts import Section, Told, told_of
from cards.games.contract import Line
from cards.games.cribbage import score

_RUNS: dict[str, tuple[int, int]] = {item.name: (length, 1) for length, item in score.RUNS.items()} | {
    name + (f" of {score.LENGTHS[length]}" if length > 3 else ""): (length, times)
    for times, name in score.TIMES.items()
    if times > 1
    for length in (3, 4)
}
"""Length and number of the runs that an item's name tells."""

_CODES = {
    item.name: item.name.replace(" ", "_").replace("-", "_")
    for item in (
        score.FIFTEEN,
        score.THIRTY_ONE,
        score.GO,
        score.LAST,
        score.HEELS,
        score.NOBS,
        *score.PAIRS.values(),
        *score.FLUSHES.values(),
    )
}

_KINDS = ("cut", "dealer", "recut", "heels", "play", "go", "muggins", "hand", "crib", "game")
TOLD = frozenset({*_CODES.values(), "run", *_KINDS})
"""The codes of what these sections tell."""


def sections(lines: Sequence[Line]) -> tuple[Section, ...]:
    """One section; a game that was won has its own, with the seat that won it for its side."""
    told = tuple(_told(line) for line in lines if line["kind"] != "game")
    won = tuple(Section(told_of(line), (), (line["seat"],)) for line in lines if line["kind"] == "game")
    return (*([Section(None, told)] if told else []), *won)


def _told(line: Line) -> Told:
    if line["kind"] == "dealer" and line["seat"] is None:
        return told_of(line, "recut")
    return told_of(line, "", [_item(item) for item in line.get("items", ())])


def _item(item: Mapping[str, Any]) -> Told:
    """A thing that scores; runs are told by length and number."""
    name, points = item["name"], item["points"]
    text = f"{name} {points}"
    if name in _RUNS:
        length, times = _RUNS[name]
        return Told("run", {"length": length, "times": times, "points": points}, text)
    return Told(_CODES[name], {"points": points}, text)
