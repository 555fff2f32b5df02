"""Changes of a card set, one after another, for the tests of histories and sets."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from cards.catalog.card_sets import load
from cards.catalog.cards import FOLDER, Catalog
from cards.catalog.changes import digest
from cards.catalog.histories import step_between

Data = dict[str, Any]
Edit = Callable[[Data], object]


def read(path: Path) -> Data:
    """The data of a YAML file, read by libyaml where it is there: Python takes many times as long."""
    data: Data = yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return data


WHOLE = read(FOLDER / "base.yaml")
SAMPLE_SLUGS = ("tuna", "mayo", "tuna-sandwich", "salmon")


def sample() -> Data:
    """A set of the Basic Ingredients, three ingredients and a recipe, with a starter deck."""
    cards = [c for c in WHOLE["cards"] if c.get("basic") or c["slug"] in SAMPLE_SLUGS]
    counts = {card["slug"]: 3 for card in cards[:13]} | {"tuna": 1}
    starter = {"slug": "lunch", "name": "Lunch", "text": "At noon.", "cards": counts}
    about = {"index": 1, "code": "PB", "name": "Sample", "version": "1.0.0"}
    return copy.deepcopy({"set": about, "cards": cards, "starters": [starter]})


def card(data: Data, slug: str) -> Data:
    return next(entry for entry in data["cards"] if entry["slug"] == slug)


def new_card(number: int = 900) -> Data:
    return {
        "number": number,
        "slug": f"new-{number}",
        "name": f"New {number}",
        "type": "ingredient",
        "rarity": "rare",
        "provides": {"oil": 1},
        "flavour": "Fresh.",
    }


def published(folder: Path, *versions: Data, moved: dict[str, list[Data]] | None = None) -> None:
    """Write the last of these versions as a set's file, with the history of all versions."""
    alone = folder / "alone"
    (folder / "history").mkdir(exist_ok=True)
    alone.mkdir(exist_ok=True)
    steps: list[Data] = []
    for older, newer in zip((None, *versions), versions, strict=False):
        (alone / "set.yaml").write_text(json.dumps(newer), encoding="utf-8")
        made = digest(load(alone).sets[0])
        version = newer["set"]["version"]
        step = {"version": version, "sha256": made, "text": f"Version {version}."}
        step |= step_between(older, newer) if older else {}
        step |= {"moved": moved[version]} if moved and version in moved else {}
        steps.insert(0, step)
    (folder / "set.yaml").write_text(json.dumps(versions[-1]), encoding="utf-8")
    history = {"set": "PB", "versions": steps}
    (folder / "history" / "PB.yaml").write_text(json.dumps(history), encoding="utf-8")


def after(data: Data, version: str, *edits: Edit) -> Data:
    """The set in a new version."""
    newer = copy.deepcopy(data)
    newer["set"]["version"] = version
    for edit in edits:
        edit(newer)
    return newer


RENAMED = {"kind": "renamed", "old": "salmon", "new": "trout", "reason": "It was a trout."}
REPLACED = {"kind": "replaced", "old": "tuna", "new": "new-900", "reason": "Tuna is rare by now."}


def renaming(old: str, new: str) -> Edit:
    return lambda d: card(d, old).update(slug=new, name=new.title())


def withdrawing(d: Data) -> None:
    card(d, "tuna")["retired"] = True
    d["starters"].clear()
    d["cards"] += [new_card() | {"kinds": ["Fish"], "provides": {"protein": 1}}]


def moving(folder: Path) -> Catalog:
    """Three versions: salmon becomes trout and then char, and a new card replaces tuna."""
    first = sample()
    second = after(first, "2.0.0", renaming("salmon", "trout"), withdrawing)
    third = after(second, "3.0.0", renaming("trout", "char"))
    again = {"kind": "renamed", "old": "trout", "new": "char", "reason": "It was a char."}
    published(folder, first, second, third, moved={"2.0.0": [RENAMED, REPLACED], "3.0.0": [again]})
    return load(folder)
