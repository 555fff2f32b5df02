"""The earlier versions of card sets, and the rules that hold from one version to the next.

A history (`data/card_sets/history/CODE.yaml`, newest version first) says of each version what it added, and
how everything that it changed was before. The file of a set and its history thus give every version that was
published, and only changes are written twice. The history also has each version's digest. So a change to
what was published, without a new version, is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from cards.catalog.cards import FOLDER, CardSet, Flaw, IdMove
from cards.catalog.changes import LEVELS, changes, digest, greatest, raised
from cards.catalog.yaml_files import SchemaFile, read_yaml

SUBFOLDER = "history"
SCHEMA = SchemaFile(FOLDER / SUBFOLDER / "schema.json", refers_to=FOLDER / "schema.json")

Build = Callable[[str, Mapping[str, Any], list[Flaw]], CardSet]
"""Builds a card set from the name and the data of a file, and adds its flaws to a list."""


@dataclass(frozen=True, slots=True)
class History:
    """The content of a history's file; `versions` are as in its schema, newest first."""

    file: str
    code: str
    versions: tuple[Mapping[str, Any], ...]


def _locate(data: Any, path: list[str | int]) -> tuple[str, str]:
    """The version that a path of the schema means, and the field of it."""
    if len(path) < 2:
        return "history", "/".join(map(str, path))
    item = data["versions"][path[1]]
    named = item.get("version", path[1]) if isinstance(item, dict) else path[1]
    return f"version {named}", "/".join(map(str, path[2:]))


def read(folder: Path, flaws: list[Flaw]) -> dict[str, History]:
    """Read the histories of the sets of a folder, by the set's code. A set need not have one."""
    found: dict[str, History] = {}
    for path in sorted((folder / SUBFOLDER).glob("*.yaml")):
        data = read_yaml(path, SCHEMA, _locate, flaws)
        if data is None:
            continue
        history = History(path.name, data["set"], tuple(data["versions"]))
        if history.code in found:
            text = f"{history.code} has a history already, {found[history.code].file}"
            flaws.append(Flaw(path.name, "history", "set", text))
        found[history.code] = history
    return found


def stray(past: Mapping[str, History], sets: Iterable[tuple[str, CardSet]]) -> Iterator[Flaw]:
    """Flaws of histories without a set, and of ids that moved twice, in a circle or to no card."""
    every = [card_set for _, card_set in sets]
    codes = {card_set.code for card_set in every}
    for history in past.values():
        if history.code not in codes:
            yield Flaw(history.file, "history", "set", f"there is no set {history.code}")
    cards = {p.card.slug: p for card_set in every for p in card_set.printings}
    moved: dict[str, str] = {}
    for card_set in every:
        for move in card_set.moves:
            at = (past[move.set_code].file, f"version {move.version}", "moved")
            if move.old in moved:
                yield Flaw(*at, f"{move.old} has moved before; an id moves once")
            moved[move.old] = move.new
            if move.kind == "renamed" and move.old in cards:
                yield Flaw(*at, f"{move.old} is a card again; an old slug is never used again")
            if move.kind != "renamed" and not (move.old in cards and cards[move.old].retired):
                yield Flaw(*at, f"{move.old} must stay, marked retired")
    for old in moved:
        end, seen = old, {old}
        while end in moved and moved[end] not in seen:
            end = moved[end]
            seen.add(end)
        if end in moved or end not in cards:
            file = next(past[s.code].file for s in every if any(m.old == old for m in s.moves))
            yield Flaw(file, "history", "moved", f"{old} leads to no card")


def recall(
    card_set: CardSet, data: Mapping[str, Any], history: History, build: Build, flaws: list[Flaw]
) -> CardSet:
    """The set with all its earlier versions; `data` is the content of its file."""
    versions = history.versions
    if versions[0]["version"] != card_set.version:
        text = f"the set is at {card_set.version}; this version must come first, with what it has changed"
        flaws.append(Flaw(history.file, f"version {versions[0]['version']}", "version", text))
        return card_set
    known = [card_set]
    for step, below in pairwise(versions):
        found: list[Flaw] = []
        data = _rewind(data, step, below["version"], history.file, found)
        if not found:
            known.append(build(f"{history.file}, version {below['version']}", data, found))
        flaws += found
        if found:
            return card_set
    for step, each in zip(versions, known, strict=True):
        if digest(each) != step["sha256"]:
            text = (
                f"the digest of this version is {digest(each)}; if it was published with another, the changes"
                " since need a new version, which has them in `added` or `before`"
            )
            flaws.append(Flaw(history.file, f"version {each.version}", "sha256", text))
    for step, (newer, older) in zip(versions, pairwise(known), strict=False):
        flaws += (
            Flaw(history.file, f"version {newer.version}", field, text)
            for field, text in _step_flaws(older, newer, step.get("moved", ()))
        )
    return _described(card_set, known, versions)


def _rewind(
    data: Mapping[str, Any], step: Mapping[str, Any], version: str, file: str, flaws: list[Flaw]
) -> dict[str, Any]:
    """The data of the version before a step; a change that can't be undone is a flaw."""
    added, before = step.get("added", {}), step.get("before", {})
    whole: dict[str, Any] = {
        "set": {**data["set"], "version": version, "name": before.get("name", data["set"]["name"])}
    }
    for part, key, new in (
        ("cards", "number", _numbers(added.get("cards", ()))),
        ("starters", "slug", added.get("starters", ())),
    ):
        entries = {entry[key]: entry for entry in data.get(part, ())}
        flaws += (
            Flaw(file, f"version {step['version']}", f"added/{part}", f"there is no {each}")
            for each in new
            if entries.pop(each, None) is None
        )
        for entry in before.get(part, ()):
            if part == "cards" and entry[key] not in entries:
                text = f"{entry[key]} is not a card that both versions have"
                flaws.append(Flaw(file, f"version {step['version']}", f"before/{part}", text))
            entries[entry[key]] = entry
        whole[part] = list(entries.values())
    return whole


def _numbers(listed: Iterable[int | str]) -> list[int]:
    """The numbers of a list that may have ranges: [3, "5-7"] means 3, 5, 6, 7."""
    numbers: list[int] = []
    for item in listed:
        first, _, last = str(item).partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def step_between(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The `added` and `before` of a version as a history has them, from the data of both files."""
    step: dict[str, Any] = {}
    if was["set"]["name"] != now["set"]["name"]:
        step.setdefault("before", {})["name"] = was["set"]["name"]
    for part, key in (("cards", "number"), ("starters", "slug")):
        old, new = ({entry[key]: entry for entry in data.get(part, ())} for data in (was, now))
        if added := [each for each in new if each not in old]:
            step.setdefault("added", {})[part] = _ranges(added) if part == "cards" else sorted(added)
        if before := [entry for each, entry in old.items() if entry != new.get(each)]:
            step.setdefault("before", {})[part] = before
    return step


def _ranges(numbers: Iterable[int]) -> list[int | str]:
    """The list that `_numbers` reads, with neighbouring numbers as ranges."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def _step_flaws(
    older: CardSet, newer: CardSet, moves: Iterable[Mapping[str, str]]
) -> Iterator[tuple[str, str]]:
    """The rules that a version breaks with respect to the one before: (field, why)."""
    step, found = raised(older.version, newer.version), changes(older, newer)
    needed = greatest(found)
    if step is None:
        yield "version", f"must be above {older.version}"
    elif needed is not None and LEVELS.index(step) > LEVELS.index(needed):
        first = next(change for change in found if change.level == needed)
        yield "version", f"this needs a new {needed} version: {first}"
    for change in found:
        if change.what == "card" and change.kind == "removed":
            yield "added/cards", f"{change} A number is permanent: mark the card retired instead."
    was = {printing.card.slug: printing for printing in older.printings}
    renamed = {p.card.slug: new.card.slug for p, new in _both(older, newer) if p.card.slug != new.card.slug}
    for move in moves:
        if move["old"] not in was:
            yield "moved", f"{older.version} had no card {move['old']}"
        if move["kind"] == "renamed" and renamed.pop(move["old"], None) != move["new"]:
            yield "moved", f"{move['new']} is not the card that {move['old']} was"
    for old, new in renamed.items():
        yield "moved", f"{old} is {new} now, and `moved` does not say so"


def _both(older: CardSet, newer: CardSet) -> Iterator[tuple[Any, Any]]:
    """The printings of every card that both versions have."""
    now = {printing.card.number: printing for printing in newer.printings}
    for printing in older.printings:
        if printing.card.number in now:
            yield printing, now[printing.card.number]


def _described(card_set: CardSet, known: list[CardSet], versions: Iterable[Mapping[str, Any]]) -> CardSet:
    """The set with its versions, each with the text and the moves of its history."""
    made: list[CardSet] = []
    moves: tuple[IdMove, ...] = ()
    older: CardSet | None = None
    for each, step in reversed([*zip(known, versions, strict=True)]):
        names = {p.card.slug: p.card.name for p in older.printings} if older else {}
        moves += tuple(
            IdMove(
                card_set.code,
                each.version,
                move["kind"],
                move["old"],
                names.get(move["old"], move["old"]),
                move["new"],
                move["reason"],
            )
            for move in step.get("moved", ())
        )
        older = replace(each, text=step["text"], moves=moves)
        made.append(older)
    *earlier, newest = made
    return replace(newest, earlier=tuple(reversed(earlier)))
