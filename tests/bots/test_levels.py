"""Levels of play: a bot for each word, whatever bots a mode has."""

from __future__ import annotations

import pytest

from bots import RandomBot, bots_for, levels_of
from bots.exploiters import exploiters_for
from bots.hearts import Careful
from bots.levels import Level, by_level
from cards.games import names


def leveled(level: Level) -> RandomBot:
    class Bot(RandomBot):
        """A bot that says that it plays so well."""

    setattr(Bot, "level", level)  # noqa: B010
    return Bot()


def test_a_level_without_a_bot_gets_the_strongest_below_or_else_the_weakest() -> None:
    random, careful = RandomBot(), Careful()
    assert by_level({"careful": careful, "random": random}) == {
        "easy": "random",
        "medium": "careful",
        "hard": "careful",
        "best": "careful",
    }
    hard = {"ace": leveled(Level.HARD), "king": leveled(Level.HARD)}
    assert by_level(hard) == {"easy": "king", "medium": "king", "hard": "ace", "best": "ace"}
    assert by_level({}) == {}


def test_a_bot_that_teaches_stands_for_no_level() -> None:
    assert "tutor" in bots_for("flip")
    assert "tutor" not in levels_of("flip").values()


@pytest.mark.parametrize("mode", names())
def test_every_mode_has_a_bot_for_every_level(mode: str) -> None:
    assert [*levels_of(mode)] == ["easy", "medium", "hard", "best"]
    assert levels_of(mode)["best"] == next(iter(bots_for(mode)))
    assert not {*exploiters_for(mode)} & {*bots_for(mode)}
