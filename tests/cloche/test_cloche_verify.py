"""`cloche verify`: 0 for a valid record, 1 with the place and the reason, 2 for what can't be read."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cloche.main import main
from crypto.encoding import b64, canonical
from referee import record_bytes
from referee.sample_match import chef, hearts


def run(*arguments: str, **how: Any) -> Result:
    result = CliRunner().invoke(main, ["verify", *arguments], **how)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def a_record(mode: str) -> bytes:
    """The example record of a mode."""
    tables = {"chef": chef, "hearts": hearts}
    return record_bytes(tables[mode]().entries)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "record.json"
    path.write_bytes(a_record("chef"))
    return path


@pytest.mark.parametrize("mode", ["chef", "hearts"])
def test_a_valid_record(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(a_record(mode))
    result = run(str(path))
    assert result.exit_code == 0
    for word in ("is valid", "entries", "signatures", "draws", "results", "House", "Seat 1"):
        assert word in result.stdout, word
    assert ("proofs" in result.stdout) == (mode == "chef")
    assert run("-", input=path.read_bytes()).exit_code == 0


def test_as_json(file: Path) -> None:
    result = run(str(file), "--json")
    report = json.loads(result.stdout)
    assert report["valid"]
    assert report["mode"] == "chef"
    assert report["checked"]["proofs"] >= 2
    assert result.exit_code == 0


def test_the_house_that_is_expected(file: Path) -> None:
    key = json.loads(run(str(file), "--json").stdout)["house_key"]
    known = run(str(file), "--house", key)
    assert known.exit_code == 0
    assert "as expected" in known.stdout
    other = run(str(file), "--house", b64(bytes(32)))
    assert other.exit_code == 1
    assert "wrong_house" in other.stdout
    assert run(str(file), "--house", "no key").exit_code == 2


def test_an_unfinished_record(file: Path) -> None:
    given = json.loads(file.read_bytes())
    file.write_bytes(canonical({**given, "entries": given["entries"][:-1]}))
    refused = run(str(file))
    assert refused.exit_code == 1
    assert "unfinished" in refused.stdout
    accepted = run(str(file), "--unfinished")
    assert accepted.exit_code == 0
    assert "none yet" in accepted.stdout


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\xff\xfe", b'{"protocol":'])
def test_what_can_not_be_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(data)
    assert run(str(path)).exit_code == 2
    report = json.loads(run(str(path), "--json").stdout)
    assert (report["valid"], report["fault"]["code"]) == (False, "unreadable")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = run(str(tmp_path / "none.json"))
    assert result.exit_code == 2
    assert "No such file" in result.stdout


def test_the_place_and_the_reason(file: Path) -> None:
    given = json.loads(file.read_bytes())
    at, account = next((i, e) for i, e in enumerate(given["entries"]) if e["kind"] == "account")
    account["body"]["points"][0] += 1
    file.write_bytes(canonical(given))
    result = run(str(file))
    assert result.exit_code == 1
    assert f"/entries/{at}/" in result.stdout
    assert "Why" in result.stdout
    report = json.loads(run(str(file), "--json").stdout)
    assert report["fault"]["entry"] == at


@pytest.mark.parametrize("mode", ["chef", "hearts"])
def test_any_changed_byte_is_found(tmp_path: Path, mode: str) -> None:
    data, rng = a_record(mode), Random(f"changed {mode}")
    path = tmp_path / "record.json"
    for _ in range(25):
        at = rng.randrange(len(data))
        other = rng.choice([byte for byte in range(32, 127) if byte != data[at]])
        path.write_bytes(data[:at] + bytes([other]) + data[at + 1 :])
        result = run(str(path))
        assert result.exit_code in (1, 2), (at, chr(data[at]), chr(other))
        assert "[" in result.stdout


def test_names_can_not_steer_the_terminal(file: Path) -> None:
    given = json.loads(file.read_bytes())
    given["entries"][0]["body"]["seats"][0]["name"] = "\x1b[2J[bold]Anna"
    file.write_bytes(canonical(given))
    assert "\x1b" not in run(str(file)).stdout
