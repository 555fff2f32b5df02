"""`cloche demo`: the main job from end to end, by the command that shows it."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cloche.commands.errors import CommandError
from cloche.commands.play.without_dealer import search
from cloche.main import main
from referee import verify_record
from tests.waiting import PATIENCE, until


@pytest.mark.processes
@pytest.mark.parametrize(
    ("mode", "players", "more"),
    [
        ("chef", 2, []),
        ("cribbage", 4, ["--rounds", "1"]),
        pytest.param("hearts", 4, ["--rounds", "1"], marks=pytest.mark.long),
    ],
)
def test_a_demonstration(tmp_path: Path, mode: str, players: int, more: list[str]) -> None:
    file = tmp_path / "record.json"
    result = CliRunner().invoke(main, ["demo", "--mode", mode, "--out", str(file), "--seed", "7", *more])
    assert result.exit_code == 0, result.output
    text = result.stdout
    processes = re.findall(r"process (\d+), key", text)
    assert len(set(processes)) == players
    assert "A house is open at http://127.0.0.1:" in text
    assert "Points: " in text
    assert " is valid: " in text
    # The last character of a value in Base64 may have another form of the same bytes.
    assert re.search(r"falsified\.json (is not valid|can't be read|has another form) \[", text)
    assert "Why " in text
    report = verify_record(file.read_bytes())
    assert report.valid
    assert report.game is not None
    assert len(report.game.header.players) == players
    entries = json.loads(file.read_bytes())["entries"]
    assert not [entry for entry in entries if entry["kind"] == "timeout"]
    if mode == "chef":
        rounds = len([e for e in entries if e["kind"] == "reveal"]) // players
        assert re.findall(r"Round (\d+)", text)[-1] == str(rounds)
        assert text.count(" seals ") == 2 * rounds


@pytest.mark.processes
@pytest.mark.parametrize(
    "mode", ["hearts", *(pytest.param(mode, marks=pytest.mark.long) for mode in ("cribbage", "flip"))]
)
def test_a_player_vanishes_where_nobody_deals_and_the_house_holds_no_hand(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "record.json"
    more = ["--dealer", "nobody", "--rounds", "1", "--out", str(file), "--seed", "7"]
    result = CliRunner().invoke(main, ["demo", "--mode", mode, *more])
    assert result.exit_code == 0, result.output
    text = result.stdout
    assert re.search(r"process \d+ is killed", text)
    assert re.search(r"\d+ hidden cards by name: none is there", text)
    assert "16 secrets of the players: none is there" in text
    assert "that lie open: all are there" in text
    assert " IS VOID: " in text
    assert " is valid: " in text
    report = verify_record(file.read_bytes())
    assert report.valid
    entries = json.loads(file.read_bytes())["entries"]
    [annul] = [entry for entry in entries if entry["kind"] == "annul"]
    late = [e["body"]["seat"] for e in entries if e["kind"] == "timeout" and e["seq"] < annul["seq"]]
    assert late == annul["body"]["seats"] * 3


@pytest.mark.parametrize("how", ["card", "secret", "in_the_database", "nothing_to_find"])
def test_the_search_finds_a_hand_that_a_house_keeps(tmp_path: Path, how: str) -> None:
    secret = bytes(range(32))
    record = b'{"card":"2C"}'
    (tmp_path / "log").write_bytes(b'{"face":"QS"}' if how == "card" else b"")
    (tmp_path / "record").write_bytes(record if how != "nothing_to_find" else b"")
    with closing(sqlite3.connect(tmp_path / "house.sqlite3")) as database:
        database.execute("CREATE TABLE game (snapshot TEXT, kept BLOB)")
        held = "x" * 9_000 + '"QS"' if how == "in_the_database" else "{}"
        kept = secret if how == "secret" else b""
        database.execute("INSERT INTO game VALUES (?, ?)", (held, kept))
        database.commit()
    found = search(tmp_path, {"QS", "KS"}, {"2C"}, {"Ann's key": secret}, record)
    assert found.there == ({"QS"} if how in ("card", "in_the_database") else set())
    assert found.leaked == (("Ann's key",) if how == "secret" else ())
    code = "search_failed" if how == "nothing_to_find" else "hand_found"
    with pytest.raises(CommandError) as error:
        found.require_clean()
    assert error.value.code == code


def test_a_mode_that_needs_its_dealer_is_named() -> None:
    result = CliRunner().invoke(main, ["demo", "--mode", "chef", "--dealer", "nobody"])
    assert result.exit_code == 1
    assert "[dealer_needed]" in result.stderr


def test_an_unknown_mode_is_named() -> None:
    result = CliRunner().invoke(main, ["demo", "--mode", "chess"])
    assert result.exit_code == 1
    assert "[unknown_mode]" in result.stderr


def test_the_record_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["demo", "--rounds", "1", "--out", str(tmp_path / "no" / "file")])
    assert result.exit_code == 1
    assert "[cant_write]" in result.stderr


def test_nothing_is_left_behind_when_it_is_ended(tmp_path: Path) -> None:
    output = tmp_path / "output"
    with output.open("wb") as file:
        demo = subprocess.Popen(
            [sys.executable, "-m", "cloche", "demo"],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
    try:
        until(lambda: "Points: " in output.read_text(), what="a round")
    finally:
        demo.terminate()
        status = demo.wait(PATIENCE)
    assert status == 1
    processes = re.findall(r"process (\d+), key", output.read_text())
    assert "Aborted!" in output.read_text()
    assert len(processes) == 2
    assert not [pid for pid in processes if Path(f"/proc/{pid}").exists()]
    assert [path.name for path in tmp_path.iterdir()] == ["output"]
