"""`cloche market`: a card sold at the terminal, a deck priced, and refusals that say what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sqlmodel import select

from cloche.commands.collection.market import _side
from service.models import Player
from service.operations import collection
from tests.cloche.here_kit import House
from tests.service.service_kit import give_coins

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("text", "cards", "coins"),
    [
        ("2 tuna, saffron, 30 coins", {"tuna": 2, "saffron": 1}, 30),
        ("1 coin", {}, 1),
        ("3 x Olive Oil,olive oil", {"olive-oil": 4}, 0),
        ("-", {}, 0),
        ("12x tuna", {"tuna": 12}, 0),
    ],
)
def test_a_side_is_read_as_it_is_typed(text: str, cards: dict[str, int], coins: int) -> None:
    assert _side(text) == {"cards": cards, "coins": coins}


@pytest.fixture(scope="module")
def run(here: House, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """`run("ada", "market", "list")` as a player of the house who has goods."""
    folder = tmp_path_factory.mktemp("players")

    def invoke(who: str, *arguments: str, **how: Any) -> Result:
        return here.run(*arguments, home=folder / who, **how)

    house = here.runtime
    for who in ("ada", "ben"):
        assert invoke(who, "register", who, "--house", here.url).exit_code == 0
        with house.read() as session:
            player = session.exec(select(Player).where(Player.handle == who)).one()
        counts = {house.catalog.by_slug("tuna").number: 3}
        with house.write() as session:
            collection.give(
                session, player.id, counts, "booster:test", house.now(), kind="opening", soulbound=False
            )
        give_coins(house, player.id, 50)
    return invoke


def made(result: Result) -> str:
    """The id of the offer that a command tells of."""
    assert result.exit_code == 0, result.output
    return result.output.split()[0]


def test_a_card_is_sold(run: Run, tmp_path: Path) -> None:
    offer = made(run("ada", "market", "offer", "2 tuna", "30 coins", "--hours", "2"))
    listed = run("ben", "market", "list", "--card", "tuna")
    assert offer[:8] in listed.output
    assert "2 tuna" in listed.output
    assert "30 coins" in listed.output
    asked = run("ben", "market", "accept", offer[:8], input="n\n")
    assert asked.exit_code == 1
    assert "Give 30 coins, get 2 tuna?" in asked.output
    taken = run("ben", "market", "accept", offer[:8], "--yes")
    assert "accepted by ben" in taken.output
    assert "tuna number" in run("ben", "market", "show", offer).output
    assert re.search(r"tuna .* 2 +30 +15", run("ada", "market", "prices", "tuna").output)
    drawing = tmp_path / "tuna.svg"
    assert run("ada", "market", "prices", "tuna", "--svg", str(drawing)).exit_code == 0
    assert drawing.read_text().startswith("<svg")


def test_an_offer_to_one_player_is_refused_and_another_taken_back(run: Run) -> None:
    offer = made(run("ada", "market", "offer", "5 coins", "tuna", "--to", "ben"))
    assert "to ben" in run("ben", "market", "list", "--mine").output
    assert "declined" in run("ben", "market", "decline", offer[:8]).output
    offer = made(run("ben", "market", "offer", "tuna", "saffron"))
    assert "withdrawn" in run("ben", "market", "withdraw", offer).output
    again = run("ben", "market", "withdraw", offer)
    assert again.exit_code == 1
    assert "offer_closed" in again.output


def test_wishes_and_what_they_would_cost(run: Run) -> None:
    made(run("ben", "market", "offer", "tuna", "7 coins"))
    told = run("ada", "market", "wishes", "tuna", "9")
    assert told.output.startswith("9 tuna")
    assert re.search(r"\d+ copies are missing, \d+ of them are not offered: 7 coins\.", told.output)
    priced = run("ada", "market", "cost", "--file", "-", input="9 tuna\n200 salt\n")
    assert "free to mint" in priced.output
    assert run("ada", "market", "wishes", "tuna", "0").output == "You have no wishes.\n"


def test_what_is_refused_says_why(run: Run) -> None:
    refused = run("ada", "market", "offer", "unicorn", "5 coins")
    assert refused.exit_code == 1
    assert "There is no card unicorn." in refused.output
    refused = run("ada", "market", "offer", "900 coins", "tuna")
    assert "This costs 900 coins" in refused.output
