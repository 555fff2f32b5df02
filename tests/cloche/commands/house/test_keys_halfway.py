"""`cloche keys rotate` where something fails on the way: the old keys stay, and a second call does it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cloche.main import main
from service import keys, migrations
from service.config import Settings
from service.operations import envelopes
from service.runtime import Runtime
from worker import keyring

OLDER = "0008"
"""A revision whose tables know keys for envelopes, and are not today's."""


def rotate(folder: Path, *arguments: str) -> Result:
    environment = {name: None for name in os.environ if name.startswith("CLOCHE_")}
    return CliRunner().invoke(main, ["keys", "rotate", "--data", str(folder), *arguments], env=environment)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with both files of keys, and without a database."""
    path = tmp_path / "var"
    keys.load(path)
    keyring.add(path)
    return path


@pytest.fixture
def house(folder: Path) -> Runtime:
    return Runtime.open(Settings(data=folder, database=f"sqlite:///{folder / 'cloche.sqlite3'}"))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.json")}


def is_new(house: Runtime, folder: Path, before: keys.KeyGenerations) -> None:
    """Exactly one generation has come, and new games name a key for envelopes that the folder has."""
    after = keys.load_generations(folder)
    assert after.generations[:-1] == before.generations
    assert len(after.successions) == len(before.successions) + 1
    with house.read() as session:
        assert envelopes.newest(session) == keyring.load(folder).newest
    house.close()


def test_without_a_database_nothing_is_made(folder: Path) -> None:
    before = files(folder)
    result = rotate(folder)
    assert (result.exit_code, files(folder)) == (1, before)
    assert "There is no" in result.output
    assert not (folder / "cloche.sqlite3").exists()


def test_without_the_tables_of_today_nothing_is_made(folder: Path, house: Runtime) -> None:
    migrations.upgrade(house.database.engine, OLDER)
    before, known = files(folder), keys.load_generations(folder)
    result = rotate(folder)
    assert (result.exit_code, files(folder)) == (1, before)
    assert "does not have today's tables" in result.output
    migrations.upgrade(house.database.engine)
    assert rotate(folder).exit_code == 0
    is_new(house, folder, known)


def test_a_second_call_finishes_what_the_first_could_not_write(folder: Path, house: Runtime) -> None:
    migrations.upgrade(house.database.engine)
    known = keys.load_generations(folder)
    in_the_way = folder / f"{keys.FILE}.{os.getpid()}.new"
    in_the_way.mkdir()
    result = rotate(folder)
    assert result.exit_code == 1
    assert keys.FILE in result.output
    assert keys.load_generations(folder) == known
    in_the_way.rmdir()
    assert rotate(folder).exit_code == 0
    is_new(house, folder, known)


def test_a_house_without_a_key_for_envelopes_needs_no_tables(tmp_path: Path) -> None:
    keys.load(tmp_path)
    assert rotate(tmp_path).exit_code == 0
    assert len(keys.load_generations(tmp_path).generations) == 2
