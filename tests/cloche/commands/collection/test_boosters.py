"""`cloche boosters` and `cloche collection`: bought, opened and checked, and the files that prove it."""

from __future__ import annotations

import json
import re
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sqlmodel import select

from client.http import Api
from crypto.encoding import b64
from player.house import Unreachable
from service.models import BoosterOpening, Player
from service.operations import boosters
from service.runtime import Runtime
from tests.cloche.here_kit import House, quietly
from tests.service.service_kit import give_coins

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)

Run = Callable[..., Result]


@pytest.fixture
def run(house: Runtime, tmp_path: Path) -> Iterator[Run]:
    """`run("boosters", "list")` as a player of the house."""
    here = House(house)
    with quietly():
        registered = here.run("register", "ada", "--house", here.url, home=tmp_path / "home")
        assert registered.exit_code == 0, registered.output
        yield partial(here.run, home=tmp_path / "home")


def rich(house: Runtime, count: int) -> None:
    """Give ada the coins for so many boosters."""
    with house.read() as session:
        player = session.exec(select(Player.id)).one()
    give_coins(house, player, house.settings.booster_price * count)


def test_odds_and_an_empty_shelf(run: Run) -> None:
    shown = run("boosters", "odds")
    assert shown.exit_code == 0, shown.output
    for word in ("PB: 50 coins", "legendary", "12.50%", "2.50%", "booster 20"):
        assert word in shown.output, word
    listed = run("boosters", "list")
    assert "0 coins" in listed.output
    assert "no unopened booster" in listed.output
    assert "[too_few_coins]" in run("boosters", "buy").output
    assert "[no_booster]" in run("boosters", "open").output


def test_bought_opened_and_proven(run: Run, house: Runtime, tmp_path: Path) -> None:
    rich(house, 3)
    bought = run("boosters", "buy", "--count", "3")
    assert bought.exit_code == 0, bought.output
    assert "0 coins left" in bought.output
    listed, odds = run("boosters", "list").output, run("boosters", "odds").output
    digest = odds.split("Rules ")[1][:16]
    assert listed.count(f"bought  rules {digest}...") == 3
    assert bought.output.count(f"PB  rules {digest}...") == 3
    one = run("boosters", "open")
    assert f"by the rules {digest}..." in one.output
    assert one.exit_code == 0, one.output
    assert one.output.count("common ") >= 5
    rest = run("boosters", "open", "--all")
    assert rest.output.count("The house is bound") == 2
    file = tmp_path / "boosters.json"
    assert run("boosters", "record", "--out", str(file)).exit_code == 0
    verified = run("verify", str(file), "--house", b64(house.keys.public))
    assert verified.exit_code == 0, verified.output
    assert "3 boosters" in verified.output
    assert len(json.loads(file.read_text())["asked"]) == 3


def test_a_house_that_says_otherwise_is_caught(run: Run, house: Runtime, tmp_path: Path) -> None:
    """The cards of an earlier opening are other ones by now: the next check finds it."""
    rich(house, 2)
    assert run("boosters", "buy", "--count", "2").exit_code == 0
    assert run("boosters", "open").exit_code == 0
    with house.write() as session:
        row = session.exec(select(BoosterOpening)).one()
        row.opening = {**row.opening, "cards": row.opening["cards"][::-1]}
        session.add(row)
    caught = run("boosters", "open")
    assert caught.exit_code == 4
    assert "[bad_signature]" in caught.output
    [file] = (tmp_path / "home").glob("evidence-*.json")
    assert str(file) in caught.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    papers = json.loads(file.read_text())
    assert papers["code"] == "bad_signature"
    assert papers["evidence"]["file"]["openings"][0]["cards"] == row.opening["cards"]


def nobody(*_: object) -> None:
    """Instead of a request: the house is not there any more."""
    raise Unreachable("Nobody answers.")


def test_an_opening_that_was_cut_short_comes_to_its_end(
    run: Run, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house dies when it has given its receipt. The next command opens that booster first."""
    rich(house, 2)
    bought = run("boosters", "buy", "--count", "2").output
    first, second = re.findall(r"^(\S{36})  PB", bought, re.MULTILINE)
    with monkeypatch.context() as dying:
        dying.setattr(Api, "open_booster", nobody)
        assert run("boosters", "open", first).exit_code == 3
    opened = run("boosters", "open", second)
    assert opened.exit_code == 0, opened.output
    assert f"Booster {first}, which was asked for before, holds:" in opened.output
    assert opened.output.count("uncommon ") == 4
    again = run("boosters", "open", first)
    assert again.exit_code == 0, again.output
    assert again.output.count("uncommon ") == 2
    assert "The house is bound" not in again.output


def test_what_the_house_has_forgotten_is_said(run: Run, house: Runtime, tmp_path: Path) -> None:
    """Its books are of before a purchase. The player hears what the booster held, and the file shows both."""
    rich(house, 2)
    [second] = re.findall(r"^(\S{36})  PB", run("boosters", "buy").output, re.MULTILINE)
    place = house.settings.database.removeprefix("sqlite:///")
    with closing(sqlite3.connect(place)) as live, closing(sqlite3.connect(tmp_path / "copy")) as copy:
        live.backup(copy)
    [first] = re.findall(r"^(\S{36})  PB", run("boosters", "buy").output, re.MULTILINE)
    shown = run("boosters", "open", first, second)
    assert shown.exit_code == 0, shown.output
    with closing(sqlite3.connect(place)) as live, closing(sqlite3.connect(tmp_path / "copy")) as copy:
        copy.backup(live)
    with house.write() as session:
        boosters.retire_chains(session)
    anew = run("boosters", "open")
    assert anew.exit_code == 0, anew.output
    assert f"The house has given up chain 1 and has forgotten opening 1, of booster {first}." in anew.output
    cards = re.findall(r"^  \S+ +\S.*$", shown.output, re.MULTILINE)
    assert all(anew.output.count(card) >= cards.count(card) for card in cards)
    file = tmp_path / "boosters.json"
    assert run("boosters", "record", "--out", str(file)).exit_code == 0
    verified = run("verify", str(file))
    assert verified.exit_code == 0, verified.output
    assert "Chain   1 was given up before its end" in verified.output
    assert verified.output.count("would have given") == 2
    assert "is not open in this file" in verified.output
    assert "as opening 1, which you asked for anew" in verified.output


def test_where_a_copy_came_from(run: Run, house: Runtime, tmp_path: Path) -> None:
    listed = run("collection", "copies")
    assert listed.exit_code == 0, listed.output
    first = next(line for line in listed.output.splitlines() if "starter:" in line)
    assert "(bound)" in first
    copy, file = first.split()[0], tmp_path / "copy.json"
    assert run("collection", "provenance", copy, "--out", str(file)).exit_code == 0
    assert json.loads(file.read_text())["origin"]["copy"] == copy
    assert run("verify", str(file), "--house", b64(house.keys.public)).exit_code == 0
    token = tmp_path / "token.json"
    assert run("collection", "metadata", copy, "--out", str(token)).exit_code == 0
    assert json.loads(token.read_text())["certificate"]["origin"]["copy"] == copy
    unknown: Any = run("collection", "provenance", "x")
    assert unknown.exit_code == 1
    assert "[not_found]" in unknown.output
