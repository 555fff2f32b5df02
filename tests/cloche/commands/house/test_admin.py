"""`cloche admin grant`: the operator gives a player something, and the player has it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from service.runtime import Runtime
from tests.service.conftest import ann, app, seat
from tests.service.service_kit import Guest
from tests.stack import STOP, Process

__all__ = ["ann", "app", "seat"]

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@dataclass(frozen=True)
class Result:
    """A command that has ended."""

    exit_code: int
    output: str


Run = Callable[..., Result]


def admin(arguments: list[str], environment: dict[str, str], output: Path) -> Result:
    """Run `cloche admin` in a process of its own: it sets up the log of its process."""
    process = Process(["admin", *arguments], os.environ | environment, output)
    return Result(process.popen.wait(STOP), process.text())


@pytest.fixture
def run(house: Runtime, tmp_path: Path) -> Run:
    """`run("audit")` as the operator, while the house is open."""
    environment = {"CLOCHE_DATABASE": house.settings.database, "CLOCHE_DATA": str(house.settings.data)}
    numbers = count()

    def call(*arguments: str) -> Result:
        return admin(list(arguments), environment, tmp_path / f"admin-{next(numbers)}.txt")

    return call


@ONE
def test_a_player_has_what_was_granted(run: Run, ann: Guest) -> None:
    before = ann.get("/feed").json["newest"]
    done = run("grant", "ann", "--coins", "5", "--boosters", "1", "--card", "tuna=2", "--card", "caviar")
    assert (done.exit_code, done.output) == (0, "ann has received 5 coins, 1 booster, 3 copies.\n")
    assert ann.get("/wallet").json["coins"] == 5
    assert len(ann.get("/boosters").json["items"]) == 1
    granted = [
        copy["card"]
        for copy in ann.get("/collection/copies?limit=200").json["items"]
        if copy["origin"].startswith("granted:")
    ]
    assert sorted(granted) == ["caviar", "tuna", "tuna"]
    (told,) = ann.get(f"/feed?after={before}").json["events"]
    assert told["event"] == "grant.received"
    audited = json.loads(run("audit", "--json").output)
    assert audited["findings"] == []


@ONE
def test_an_occasion_is_granted_once(run: Run, ann: Guest) -> None:
    first = run("grant", "ann", "--coins", "5", "--once", "cup")
    again = run("grant", "ann", "--coins", "5", "--once", "cup")
    assert first.output == "ann has received 5 coins.\n"
    assert (again.exit_code, again.output) == (
        0,
        "ann already had this grant (5 coins). Nothing was changed.\n",
    )
    assert ann.get("/wallet").json["coins"] == 5


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["ann"], 1, "[bad_grant]"),
        (["nobody-here", "--coins", "1"], 1, "[not_found]"),
        (["ann", "--card", "tunna"], 1, "There is no card tunna."),
        (["ann", "--card", "tuna=x"], 2, "tuna=2"),
        (["ann", "--boosters", "1", "--set", "XX"], 1, "Sets with boosters: PB"),
        (["ann", "--coins", "-1"], 2, "--coins"),
    ],
)
@ONE
def test_a_slip_is_named_and_gives_nothing(
    run: Run, ann: Guest, arguments: list[str], code: int, said: str
) -> None:
    refused = run("grant", *arguments)
    assert refused.exit_code == code, refused.output
    assert said in refused.output
    assert ann.get("/wallet").json["coins"] == 0


def test_a_house_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    asked = ["grant", "ann", "--coins", "1", "--data", str(tmp_path / "none")]
    refused = admin(asked, {}, tmp_path / "admin.txt")
    assert refused.exit_code == 1
    assert not (tmp_path / "none").exists()
