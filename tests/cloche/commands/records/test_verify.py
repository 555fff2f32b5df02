"""`cloche verify`: 0 for a valid record, 1 with the place and the reason, 2 for what can't be read."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cloche.main import main
from crypto.encoding import b64, canonical, unb64
from crypto.identity import new_private_key, public_key
from player.house import HouseFault
from referee import record_bytes, was_away, write_receipt
from referee.succession import write_succession
from tests.paths import VECTORS
from tests.referee.table import START, Table, quietly
from vectors.matches import chef, hearts


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


def test_a_former_key_of_the_house_that_is_expected(file: Path, tmp_path: Path) -> None:
    former = unb64(json.loads(run(str(file), "--json").stdout)["house_key"])
    present = new_private_key()
    succession = write_succession(chef().keeper.private, present, 0)
    assert succession.old == former
    key, shown = b64(public_key(present)), tmp_path / "house.json"
    shown.write_text(json.dumps({"house_key": key, "successions": [succession.json()]}))
    assert run(str(file), "--house", key).exit_code == 1
    found = run(str(file), "--house", key, "--succession", str(shown))
    assert found.exit_code == 0
    assert "another key of the house expected" in found.stdout
    shown.write_text(json.dumps([succession.json()]))
    assert run(str(file), "--house", key, "--succession", str(shown)).exit_code == 0
    stranger = b64(public_key(new_private_key()))
    assert run(str(file), "--house", stranger, "--succession", str(shown)).exit_code == 1


@pytest.mark.parametrize("text", ["", "{}", "[{}]", "[1.5]"])
def test_successions_that_can_not_be_read(file: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "shown.json").write_text(text)
    assert run(str(file), "--succession", str(tmp_path / "shown.json")).exit_code == 2
    assert run(str(file), "--succession", str(tmp_path / "none.json")).exit_code == 2


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


# Several files


def test_several_records_have_a_line_each(file: Path, tmp_path: Path) -> None:
    other, broken, none = tmp_path / "hearts.json", tmp_path / "broken.json", tmp_path / "none.json"
    other.write_bytes(a_record("hearts"))
    result = run(str(file), str(other))
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{file} is valid: Pancake, game ")
    assert second.startswith(f"{other} is valid: Chinese Hearts, game ")
    given = json.loads(file.read_bytes())
    given["entries"][5]["at"] = "2026-11-20T10:00:00.000Z"
    broken.write_bytes(canonical(given))
    result = run(str(file), str(broken), str(none), str(other))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [str(path) for path in (file, broken, none, other)]
    assert "is valid" in lines[0]
    assert f"{broken} is not valid [" in lines[1]
    assert "/entries/5/" in lines[1]
    assert lines[2] == f"{none} can't be read [unreadable] the file: No such file or directory"
    assert "is valid" in lines[3]
    assert run(str(file), str(none)).exit_code == 2
    assert run(str(none), str(none)).exit_code == 2


def test_several_records_as_json_are_a_report_a_line(file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(b"{}")
    result = run(str(file), str(broken), "-", "--json", input=a_record("hearts"))
    assert result.exit_code == 1
    reports = [json.loads(line) for line in result.stdout.splitlines()]
    assert [report.pop("file") for report in reports] == [str(file), str(broken), "-"]
    assert reports[0] == json.loads(run(str(file), "--json").stdout)
    assert [report["valid"] for report in reports] == [True, False, True]
    assert reports[1]["fault"]["code"] == "missing_field"


def test_several_records_of_one_house(file: Path, tmp_path: Path) -> None:
    key = json.loads(run(str(file), "--json").stdout)["house_key"]
    unfinished = tmp_path / "unfinished.json"
    given = json.loads(file.read_bytes())
    unfinished.write_bytes(canonical({**given, "entries": given["entries"][:-1]}))
    files = [str(file), str(unfinished)]
    assert run(*files, "--house", key, "--unfinished").exit_code == 0
    assert run(*files, "--house", key).exit_code == 1
    other = run(*files, "--house", b64(bytes(32)), "--unfinished")
    assert other.exit_code == 1
    assert other.stdout.count("wrong_house") == 2


def test_no_text_of_a_record_or_a_name_steers_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "[red]x\x1b[2J.json"
    given = json.loads(a_record("chef"))
    given["entries"][0]["\x1b[2J[bold]"] = 1
    path.write_bytes(canonical(given))
    for files in ([str(path)], [str(path), str(path)]):
        result = run(*files)
        assert "\x1b" not in result.stdout
        assert "[red]x" in result.stdout
        assert "[bold]" in result.stdout


def test_without_a_file_nothing_is_verified() -> None:
    assert run().exit_code == 2


def test_opened_boosters_are_verified_too(tmp_path: Path, file: Path) -> None:
    boosters, bad = (tmp_path / name for name in ("boosters.json", "bad.json"))
    vectors = VECTORS
    good = json.loads((vectors / "boosters.json").read_text())[-1]["input"]["file"]
    worse = json.loads((vectors / "bad_boosters.json").read_text())[0]["input"]["file"]
    boosters.write_bytes(canonical(good))
    bad.write_bytes(canonical(worse))
    result = run(str(boosters))
    assert result.exit_code == 0, result.output
    for word in ("is valid", "6 boosters of player", "openings", "links", "draws", "House"):
        assert word in result.stdout, word
    assert run("-", input=boosters.read_bytes()).exit_code == 0
    report = json.loads(run(str(boosters), "--json").stdout)
    assert (report["valid"], len(report["boosters"])) == (True, 6)
    refused = run(str(bad))
    assert refused.exit_code == 1
    assert "[wrong_cards]" in refused.stdout
    assert "/openings/1/cards" in refused.stdout
    several = run(str(bad), str(file), str(boosters), str(tmp_path / "none"))
    assert several.exit_code == 1
    lines = several.stdout.splitlines()
    words = ("is not valid [wrong_cards]", "is valid: Pancake", "is valid: 6 boosters", "can't be read")
    assert len(lines) == len(words)
    assert all(word in line for word, line in zip(words, lines, strict=True)), several.stdout
    key = b64(public_key(new_private_key()))
    assert run(str(boosters), "--house", key).exit_code == 1
    assert run(str(file), "-", input=boosters.read_bytes()).exit_code == 0


def test_where_a_copy_came_from_is_verified_too(tmp_path: Path) -> None:
    path = tmp_path / "copy.json"
    vectors = VECTORS
    path.write_bytes(canonical(json.loads((vectors / "copies.json").read_text())[-1]["input"]["file"]))
    result = run(str(path))
    assert result.exit_code == 0, result.output
    for word in ("is valid: copy 17 of PB 27 (card 1027)", "origins", "owners", "House", "Owner", "As of"):
        assert word in result.stdout, word
    worse = json.loads((vectors / "bad_copies.json").read_text())[1]["input"]["file"]
    path.write_bytes(canonical(worse))
    refused = run(str(path))
    assert refused.exit_code == 1
    assert "[bad_signature]" in refused.stdout
    assert "/owners/1/signature" in refused.stdout


def a_game_away(seed: int, began: int, long: int) -> bytes:
    """A game of hearts during which the house is away, and somebody is late; all of one house's key."""
    table = Table.open("hearts", 3, seed=5, sister=seed)
    table.choose = quietly
    table.until("move", topic="card")
    if long:
        table.now = max(table.now, began)
        game, entries = was_away(table.keeper, table.game, began, began + long, began + long)
        table.now = began + long
        table.add(game, entries)
    else:
        table.now = began
    table.lapse()
    table.send(table.seats[0].resign(table.views[0]))
    return record_bytes(table.record)


def test_time_outs_and_absences_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(a_game_away(1, START + 20_000, 7_200_000))
    said = run(str(path)).output
    assert "let the time pass once: 1 move." in said
    assert "The house was away for 2 h in all." in said
    told = json.loads(run("--json", str(path)).output)
    assert sorted(map(str, told["timeouts"])) == ["{'move': 1}", "{}", "{}"]
    assert told["away_ms"] == 7_200_000


def test_an_absence_that_another_record_belies(tmp_path: Path) -> None:
    """The house signs an entry of one game while it says in another that it was away."""
    honest, false = tmp_path / "honest.json", tmp_path / "false.json"
    honest.write_bytes(a_game_away(1, START + 600_000, 0))
    false.write_bytes(a_game_away(2, START + 20_000, 7_200_000))
    for path in (honest, false):
        assert run(str(path)).exit_code == 0, "each by itself is valid"
    result = run(str(honest), str(false))
    assert result.exit_code == 1
    assert "false.json is not valid [was_there]" in result.output
    assert result.output.rstrip().endswith("honest.json")
    last = json.loads(run("--json", str(honest), str(false)).output.splitlines()[-1])
    assert (last["belied_by"], last["fault"]["code"]) == (str(honest), "was_there")


def test_another_form_is_told_apart_from_a_false_record(file: Path, tmp_path: Path) -> None:
    pretty, false = tmp_path / "pretty.json", tmp_path / "false.json"
    content = json.loads(file.read_bytes())
    pretty.write_text(json.dumps(content, indent=2))
    content["entries"][3]["at"] = content["entries"][2]["at"]
    false.write_text(json.dumps(content, indent=2))
    result = run(str(pretty))
    assert result.exit_code == 1
    assert "has another form [not_canonical]" in result.output
    assert "its content is valid" in result.output
    assert json.loads(run("--json", str(pretty)).output)["content"] == "valid"
    assert "its content is not valid either" in run(str(false)).output
    assert json.loads(run("--json", str(false)).output)["content"] == "invalid"


def test_evidence_is_verified_too(tmp_path: Path) -> None:
    table = Table.open("hearts", 3, seed=5)
    table.choose = quietly
    table.until("link")
    message = table.message(1)
    receipt = write_receipt(table.keeper.private, message.digest, table.now)
    table.answer(0, 2)
    entry = next(entry for entry in table.lapse() if entry.kind == "timeout")
    papers = {"entry": entry.json(), "message": message.json(), "receipt": receipt.json()}
    path = tmp_path / "evidence-1.json"
    fault = HouseFault("false_timeout", "the house timed out step 2", papers, table.record)
    path.write_text(json.dumps(fault.json()))
    result = run(str(path))
    assert result.exit_code == 0, result.output
    assert "it convicts the house of a false time-out" in result.output
    assert "Keep the file" in result.output
    path.write_text(json.dumps(HouseFault("slow", "it was slow", {}, table.record).json()))
    result = run(str(path))
    assert result.exit_code == 1
    assert "proves nothing [no_conviction]" in result.output
