"""`cloche modes`: every registered game, for people and for programs."""

import json

import pytest
from click.testing import CliRunner

from bots import bots_for
from cards import games
from cloche.main import main


def test_json_tells_every_fact_of_every_mode() -> None:
    result = CliRunner().invoke(main, ["modes", "--json"])
    assert result.exit_code == 0
    told = {entry["name"]: entry for entry in json.loads(result.output)}
    assert list(told) == games.names()
    for name, entry in told.items():
        facts = games.find(name).facts
        assert (entry["title"], entry["rules"]) == (facts.title, facts.rules)
        assert entry["seats"] == list(facts.seats)
        assert entry["cards"] == ("own decks" if facts.own_decks else "house pack")
        assert entry["bots"] == [*bots_for(name)]
        assert [*entry["levels"]] == ["easy", "medium", "hard", "best"]
        assert {*entry["levels"].values()} <= {*entry["bots"]}
        assert [option["name"] for option in entry["options"]] == [option.name for option in facts.options]
        for option, shown in zip(facts.options, entry["options"], strict=True):
            assert shown["default"] == option.default
            assert shown.get("low") == option.low
            assert shown.get("high") == option.high


@pytest.mark.parametrize("name", games.names())
def test_the_list_for_people_names_it(name: str) -> None:
    result = CliRunner().invoke(main, ["modes"], env={"COLUMNS": "120"})
    assert result.exit_code == 0
    assert name in result.output
    assert games.find(name).facts.title in result.output
