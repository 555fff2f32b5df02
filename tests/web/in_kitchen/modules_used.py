"""Name the files of the standard library that are loaded once every module of the rooms is."""

import importlib
import json
import sys
from pathlib import Path

import desk

for room in ("cards", "crypto", "referee", "player", "client", "bots", "desk"):
    for path in Path(importlib.import_module(room).__path__[0]).rglob("*.pyc"):
        parts = path.relative_to(Path(importlib.import_module(room).__path__[0]).parent).with_suffix("").parts
        importlib.import_module(".".join(parts).removesuffix(".__init__"))
for name, given in (
    ("cards.all", {}),
    ("cards.search", {"query": "t:recipe cost<=3"}),
    ("decks.check", {"cards": {"bread": 3}, "format": "open"}),
    ("decks.statistics", {"cards": {"bread": 3}, "rounds": 2}),
    ("pictures.cards", {"slugs": ["bread"]}),
):
    told = json.loads(desk.calls.answer(name, json.dumps(given), None))
    assert "value" in told, (name, told)
for path in sorted(Path("/given/records").iterdir()):
    assert json.loads(desk.calls.answer("verify.record", "{}", path.read_bytes()))["value"]["valid"]
found = sorted(
    {
        module.__spec__.origin.partition(".zip/")[2]
        for module in list(sys.modules.values())
        if getattr(module, "__spec__", None) and module.__spec__.origin and ".zip/" in module.__spec__.origin
    }
)
