"""A table's defaults keep honest players' links: as long as the longest choice, early where reveals are."""

from __future__ import annotations

from typing import Any

import pytest

from cards import games
from referee import Refused, all_options, complete_options, table_options

CHOSEN: list[tuple[str, dict[str, Any], int]] = [
    ("chef", {}, 120),
    ("hearts", {}, 60),
    ("cribbage", {}, 30),
    ("flip", {}, 30),
    ("big-c", {}, 30),
    ("chef", {"seal": 86400}, 86400),
    ("chef", {"seal": 5, "choice": 5, "reveal": 5}, 30),
    ("hearts", {"card": 600, "link": 10}, 10),
]


@pytest.mark.parametrize(("mode", "given", "link"), CHOSEN)
def test_links_have_as_long_as_the_longest_choice_unless_the_table_says_otherwise(
    mode: str, given: dict[str, Any], link: int
) -> None:
    options = table_options(games.find(mode), given)
    assert options["link"] == link
    assert given.items() <= options.items()


def test_links_come_early_where_decks_are_the_players_own() -> None:
    assert table_options(games.find("chef"), {})["early_links"] is True
    assert table_options(games.find("chef"), {"early_links": False})["early_links"] is False
    assert "early_links" not in table_options(games.find("hearts"), {})


@pytest.mark.parametrize("mode", games.names())
def test_what_tables_are_told_is_what_they_get(mode: str) -> None:
    """The clock for mixes is an option only of tables where nobody deals."""
    rules = games.find(mode)
    told = {option.name: option.default for option in all_options(rules)}
    assert {name: value for name, value in told.items() if name != "mix"} == table_options(rules, {})
    assert ("mix" in told) is bool(rules.facts.traits)
    if rules.facts.traits:
        assert table_options(rules, {"dealer": "nobody"}) == told | {"dealer": "nobody"}


def test_the_defaults_of_records_never_change() -> None:
    chef = complete_options(games.find("chef"), {})
    assert (chef["link"], chef["early_links"], chef["enter"], chef["bank"]) == (30, False, 60, 0)


def test_a_wrong_option_is_refused_all_the_same() -> None:
    for given, code in (({"link": 4}, "bad_option"), ({"tips": 1}, "unknown_option")):
        with pytest.raises(Refused) as refused:
            table_options(games.find("hearts"), given)
        assert refused.value.code == code
