"""The house's notes held against the chain, and reading on after an alarm: `cloche admin pantry`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlmodel import col, delete, update

from cloche.main import main
from service import migrations
from service.db import Database
from service.models import ChainHead, Trip
from service.operations import pantry, pantry_audit
from service.problems import Problem
from tests.chain.house_kit import ANNA, BEN
from tests.chain.world_kit import World


def _out(world: World) -> str:
    """Bring Anna's copy out; returns its token."""
    statement = world.leave()
    world.bring_out(statement)
    world.chain.finalize()
    assert world.look() == 1
    return statement.trips[0].token


def _codes(world: World) -> list[str]:
    return [finding.code for finding in pantry_audit.against_chain(world.house).findings]


def _command(world: World, *arguments: str) -> Result:
    settings = world.house.settings
    environment = {
        "CLOCHE_DATA": str(settings.data),
        "CLOCHE_DATABASE": settings.database,
        "CLOCHE_CHAIN_ID": str(settings.chain_id),
        "CLOCHE_CHAIN_PANTRY": settings.chain_pantry,
        "CLOCHE_CHAIN_NODES": settings.chain_nodes,
        "CLOCHE_CHAIN_FIRST": str(settings.chain_first),
    }
    return CliRunner().invoke(main, ["admin", "pantry", *arguments], env=environment, catch_exceptions=False)


def test_what_the_house_has_noted_agrees_with_the_chain_before_and_after_a_way_back(world: World) -> None:
    assert pantry_audit.against_chain(world.house).trips == 0
    statement = world.leave()
    world.bring_out(statement)
    world.chain.finalize()
    assert _codes(world) == []  # the house has not read this block, so it does not count yet
    world.look()
    found = pantry_audit.against_chain(world.house)
    assert (found.trips, found.outside, found.findings) == (1, 1, [])
    world.burn(statement, world.ben.id, ANNA)
    world.chain.finalize()
    world.look()
    found = pantry_audit.against_chain(world.house)
    assert (found.trips, found.outside, found.findings) == (1, 0, [])


def test_every_difference_between_notes_and_chain_is_found(world: World) -> None:
    token = _out(world)
    with world.house.write() as session:
        session.execute(update(Trip).values(state="back"))
    assert _codes(world) == ["trip_differs"]
    with world.house.write() as session:
        session.execute(update(Trip).values(state="outside", trip=2))
    assert _codes(world) == ["trip_unknown", "trip_missing"]
    with world.house.write() as session:
        session.execute(delete(Trip))
    [finding] = pantry_audit.against_chain(world.house).findings
    assert (finding.code, finding.about) == ("trip_unknown", f"token {token}")
    with world.house.write() as session:
        session.execute(update(ChainHead).where(col(ChainHead.id) == 1).values(hash="00" * 32))
    assert _codes(world) == ["block_changed"]


def test_a_house_that_has_read_nothing_has_nothing_to_compare(world: World) -> None:
    with world.house.write() as session:
        session.execute(update(ChainHead).values(number=-1))
    with pytest.raises(Problem) as refused:
        pantry_audit.against_chain(world.house)
    assert refused.value.code == "chain_unread"
    assert "has read no block" in _command(world).stdout


def test_an_alarm_is_shown_and_reading_on_skips_nothing(world: World) -> None:
    """The same block raises it again; once it says what can be, the reader goes on where it stopped."""
    statement = world.leave()
    world.bring_out(statement)
    world.chain.finalize()
    with world.house.read() as session:
        row = session.get_one(Trip, (statement.trips[0].statement_id, 0)).model_dump()
    with world.house.write() as session:
        session.execute(update(Trip).values(state="lapsed"))
    assert pantry.read(world.house) == 0
    alarm = world.head().alarm
    assert alarm is not None
    assert "knows of no such statement" in alarm
    shown = _command(world)
    assert shown.exit_code == 1
    assert f"The reader has stopped: {alarm}." in shown.stdout
    over = _command(world, "--read-on")
    assert (over.exit_code, world.head().alarm) == (0, None)
    assert f"It was: {alarm}." in over.stdout
    assert (pantry.read(world.house), world.head().alarm) == (0, alarm)
    with world.house.write() as session:
        session.execute(update(Trip).values(state=row["state"]))
    told = json.loads(_command(world, "--read-on", "--json").stdout)
    assert (told["alarm"], told["alarm_over"]) == (None, alarm)
    assert world.look() == 1
    again = _command(world, "--read-on", "--check")
    assert again.exit_code == 0
    assert "There was no alarm." in again.stdout
    assert "Its notes agree with the chain: 1 way out in" in again.stdout


def test_a_difference_ends_the_command_with_1_and_says_which(world: World) -> None:
    token = _out(world)
    with world.house.write() as session:
        session.execute(update(Trip).values(state="lost"))
    done = _command(world, "--check", "--json")
    assert done.exit_code == 1
    [finding] = json.loads(done.stdout)["check"]["findings"]
    assert (finding["code"], finding["about"]) == ("trip_differs", f"token {token}")
    assert "[trip_differs]" in _command(world, "--check").stdout


def test_a_token_that_was_passed_on_stays_one_that_is_outside(world: World) -> None:
    statement = world.leave()
    world.bring_out(statement)
    world.transfer(statement, ANNA, BEN)
    world.chain.finalize()
    world.look()
    assert (_codes(world), pantry_audit.against_chain(world.house).outside) == ([], 1)


def test_a_house_without_a_pantry_says_so(tmp_path: Path) -> None:
    migrations.upgrade(Database(f"sqlite:///{tmp_path}/house.sqlite3").engine)
    environment = {"CLOCHE_DATA": str(tmp_path), "CLOCHE_DATABASE": f"sqlite:///{tmp_path}/house.sqlite3"}
    done = CliRunner().invoke(main, ["admin", "pantry"], env=environment)
    assert done.exit_code == 1
    assert "This house has no pantry on a chain." in done.stderr
