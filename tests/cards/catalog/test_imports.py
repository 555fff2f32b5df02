"""The room of cards runs where jsonschema is missing, as in a browser's Python."""

from __future__ import annotations

import subprocess
import sys

from tests.paths import ROOT

IMPORT_ALL = """
import pkgutil, sys
sys.modules["jsonschema"] = None  # an import of it fails
import cards
names = [found.name for found in pkgutil.walk_packages(cards.__path__, "cards.")]
for name in names:
    __import__(name)
from cards.catalog.cards import Card, CardSet, Catalog, Printing
from cards.decks.deck_lists import DeckList, faults
text = {"number": 1001, "slug": "rice", "name": "Rice", "type": "ingredient", "provides": {"starch": 1},
        "costs": {}, "kinds": [], "list": [], "bonus": 0, "one_time": False}
printing = Printing(Card.from_text(text), "base", 1, "common", True, "", False)
catalog = Catalog([CardSet(1, "base", "Base", "1.0.0", (printing,), ())])
print(len(names) > 60, [fault.code for fault in faults(DeckList({1001: 3}), catalog)])
"""


def test_cards_can_be_imported_and_used_without_jsonschema() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True ['deck_size']\n", "")
