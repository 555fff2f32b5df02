"""One whole game of every mode, written down: a review shows every change in it."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from cards.games import find, names
from tests.cards.games.golden_games import FOLDER, golden, read

FOREIGN = {entry.name for entry in entry_points(group="cloche.modes")}


@pytest.mark.parametrize("name", [name for name in names() if name not in FOREIGN])
def test_the_golden_game(name: str) -> None:
    script, text = read(name)
    assert golden(script) == text


def test_every_golden_game_is_of_a_mode() -> None:
    for path in FOLDER.glob("*.txt"):
        assert find(path.stem).facts.name == path.stem


def test_a_golden_game_is_told_apart_from_another() -> None:
    """A change of the seed shows, as a change of the rules would."""
    script, text = read("hearts")
    other = text.replace(f"seed: {script.seed}\n", "seed: 999\n", 1)
    assert golden(type(script).read("hearts", other)) != other
