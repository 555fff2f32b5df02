"""Tables that are not what was asked for, and games that are not what their table said."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from cards import games
from player.house import HouseFault, TableInfo
from player.table_terms import require_request, require_terms
from referee import complete_options
from tests.referee.table import Table


def table_of(mode: str = "hearts", seats: int = 3, **options: Any) -> TableInfo:
    return TableInfo(
        id="1",
        mode=mode,
        options=complete_options(games.find(mode), options),
        seats=[{"name": "ada", "bot": None}, *[None] * (seats - 1)],
        state="open",
        game=None,
        opened_by="ada",
        private=False,
        spectators=True,
        invitation=None,
        rematch_of=None,
        format=None,
    )


def test_the_game_that_was_agreed_to() -> None:
    game = Table.hearts(3, options={"card": 77})
    require_terms(game.game, table_of(card=77), game.record)
    slow = Table.chef(options={"early_links": True})
    require_terms(slow.game, table_of("chef", 2, early_links=True), slow.record)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (table_of(card=78), "card"),
        (table_of(card=77, bank=600), "bank"),
        (table_of(seats=4, card=77), "seats"),
        (replace(table_of(card=77), mode="cribbage"), "mode"),
    ],
)
def test_another_game_than_was_agreed_to(table: TableInfo, why: str) -> None:
    begun = Table.hearts(3, options={"card": 77})
    with pytest.raises(HouseFault, match=f": {why}$") as caught:
        require_terms(begun.game, table, begun.record)
    assert caught.value.code == "wrong_table"
    assert caught.value.json()["record"]["entries"] == [entry.json() for entry in begun.record]


def test_early_links_that_nobody_asked_for() -> None:
    """A client that believed the record would send its links with its reveals."""
    begun = Table.chef(options={"early_links": True})
    with pytest.raises(HouseFault, match="early_links"):
        require_terms(begun.game, table_of("chef", 2), begun.record)


def test_a_dealer_whom_nobody_asked_for() -> None:
    """A house that deals where nobody should would know every hand."""
    terms = {dealer: table_of(dealer=dealer) for dealer in ("house", "nobody")}
    for dealer, other in (("house", "nobody"), ("nobody", "house")):
        begun = Table.hearts(3, options={"dealer": dealer})
        require_terms(begun.game, terms[dealer], begun.record)
        with pytest.raises(HouseFault, match="dealer") as caught:
            require_terms(begun.game, terms[other], begun.record)
        assert caught.value.code == "wrong_table"


def test_the_table_that_was_asked_for() -> None:
    require_request(table_of(card=77), "hearts", {"card": 77}, private=False)
    for asked in (("hearts", {"card": 30}, False), ("chef", {}, False), ("hearts", {}, True)):
        with pytest.raises(HouseFault) as caught:
            require_request(table_of(card=77), *asked)
        assert caught.value.code == "wrong_table"
        json.dumps(caught.value.json())
