"""`cloche demo`: the main job from end to end, by the command that shows it."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cloche.main import main
from referee import verify_record


@pytest.mark.parametrize(("mode", "players", "more"), [("chef", 2, []), ("hearts", 4, ["--rounds", "1"])])
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
    assert " is not valid [" in text or " can't be read [" in text
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


def test_an_unknown_mode_is_named() -> None:
    result = CliRunner().invoke(main, ["demo", "--mode", "chess"])
    assert result.exit_code == 1
    assert "[unknown_mode]" in result.stderr


def test_the_record_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["demo", "--rounds", "1", "--out", str(tmp_path / "no" / "file")])
    assert result.exit_code == 1
    assert "[cant_write]" in result.stderr
