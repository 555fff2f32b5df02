"""`cloche play` at a real terminal, in a real house: the screen is read as a person reads it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cards import games
from client.vault import Vault
from cloche.main import main
from referee import verify_record
from tests.client.guests import PASSPHRASE, Guest, Invite
from tests.cloche.here_kit import House, Newcomer
from tests.cloche.terminal import ROOT, TERM, Terminal
from tests.stack import Stack
from tests.waiting import until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


def to_the_meal(table: Terminal) -> None:
    """Keep the opening hand."""
    table.sees(r"redraw>")
    table.types("keep")
    table.sees(r"meal>")


def newest(guest: Guest) -> str:
    return str(next(guest.api.games())["id"])


def test_a_round_a_refusal_and_the_end(invite: Invite) -> None:
    guest = invite()
    with Terminal(["play", "chef", "--against", "gourmet"], guest.environment) as table:
        table.sees(r"Your turn: keep or redraw")
        to_the_meal(table)
        table.types("entree No Such Dish: Tuna")
        table.sees(r"You have no card called No Such Dish")
        table.types("menu")
        table.sees(r"can be cooked")
        table.types("suggest")
        table.sees(r"`serve` seals it|Your meal so far")
        table.types("serve")
        table.sees(r"Seal .*\[y/N\]")
        table.types("y")
        table.sees(r"You have sealed at \d\d:\d\d:\d\d, fingerprint [0-9a-f]{8}\.\.[0-9a-f]{2}")
        table.sees(r"Round 1\n")
        table.sees(r"Pancake · round 2")
        table.types("resign")
        table.sees(r"Give up this game\? \[y/N\]")
        table.types("n")
        table.sees(r"Left as it was")
        table.types("resign")
        table.types("yes")
        table.sees(r"gourmet \(house\) wins \(\w+ \d+, gourmet \(house\) \d+\): by resignation")
        table.types("quit")
        assert table.ends() == 0
    game = newest(guest)
    assert verify_record(guest.api.record(game)).valid
    assert Vault.open(guest.vault.path, PASSPHRASE).contents.games == {}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["chess"], "unknown_mode"),
        (["chef", "--against", "kasparov"], "unknown_bot"),
        (["chef", "--deck", "none"], "unknown_deck"),
        (["chef", "--option", "speed=9"], "unknown_option"),
        (["chef", "--option", "seal"], "bad_option"),
        (["chef", "--option", "seal=1"], "bad_option"),
        (["--invitation", "nonsense"], "not_found"),
        (["--game", "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"], "not_found"),
        ([], "nothing_runs"),
    ],
)
def test_mistakes_are_named(here: House, newcomer: Newcomer, arguments: list[str], code: str) -> None:
    result = here.run("play", *arguments, home=newcomer().folder)
    assert result.exit_code == 1, result.output
    assert f"[{code}]" in result.stderr


def test_a_mode_that_only_the_house_knows_is_not_begun(
    invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = invite()
    here = [name for name in games.names() if name != "hearts"]
    monkeypatch.setattr(games, "names", lambda: here)
    for arguments in (["play", "hearts"], ["bot", "hearts"], ["tables", "open", "hearts"]):
        result = CliRunner().invoke(main, arguments, env={**guest.environment})
        assert (result.exit_code, "[mode_missing]" in result.stderr) == (1, True), result.output
    assert not list(guest.api.tables(mine=True))


def test_a_game_that_is_over_is_not_played_but_replayed(invite: Invite, tmp_path: Path) -> None:
    guest = invite()
    table = guest.api.open_table("chef", deck=guest.deck.id, bots=["greedy"], options={"enter": 5})
    assert table.game is not None
    until(lambda: guest.api.game(str(table.game))["over"])  # nobody enters for us
    late = CliRunner().invoke(main, ["play", "--game", table.game], env=guest.environment)
    assert (late.exit_code, "[game_over]" in late.stderr) == (1, True)
    shown = CliRunner().invoke(main, ["replay", table.game, "--auto", "0"], env=guest.environment)
    assert shown.exit_code == 0, shown.output
    who = f"({guest.vault.identity.handle} 0, greedy (house) 0)"
    assert f"Nobody wins {who}: a player did not take their seat." in " ".join(shown.stdout.split())
    record = tmp_path / "record.json"
    record.write_bytes(guest.api.record(table.game).replace(b'"enter":5', b'"enter":6'))
    forged = CliRunner().invoke(main, ["replay", str(record)])
    assert forged.exit_code == 1
    assert "The record is not valid" in forged.stderr


def test_alone_at_a_table_by_what_a_newcomer_types(invite: Invite) -> None:
    guest = invite()
    with Terminal(["play", "flip", "--option", "turn=300"], guest.environment, columns=60) as table:
        table.sees(r"Pancakes \(flip\) alone, game")
        table.sees(r"cook>")
        table.types("?")
        table.sees(r"`help look`\s+explains\s+a\s+topic")
        table.types("exit")
        table.sees(r"  cloche play --game [0-9a-f-]{36}")
        assert table.ends() == 0


def test_an_option_that_is_one_of_several_words_may_look_like_a_number(invite: Invite) -> None:
    guest = invite()
    options = ["--option", "target=61", "--option", "cut=300"]
    with Terminal(["play", "cribbage", "--against", "counter", *options], guest.environment) as table:
        table.sees(r"0 of 61$")
        table.types("lay")
        table.sees(r"You have no card to lay")
        table.types("accept")
        table.sees(r"That is not asked now\. Your turn: cut for the deal")
        table.types("17")
        table.sees(r"You: cut: lift 17")
        assert "Traceback" not in table.text()


def test_a_refusal_in_the_rules_words_with_its_section(invite: Invite) -> None:
    guest = invite()
    with Terminal(["play", "chef", "--against", "greedy"], guest.environment) as table:
        to_the_meal(table)
        table.types("entree 1")  # recipes come first in a hand; one alone does not pay its costs
        table.sees(r"(lacking|too much)\.\s+\(chef\s+4,\s+`rules\s+4`\)")
        table.types("rules 4")
        table.sees(r"^4\. Dishes$")
        table.types("why")
        table.sees(r"(lacking|too much)\.\s+\(chef\s+4,\s+`rules\s+4`\)")
        table.types("quit")
        table.sees(r"  cloche play --game [0-9a-f-]{36}")
        assert table.ends() == 0


def test_who_learns_is_hinted_at_what_is_not_legal_too(invite: Invite) -> None:
    with Terminal(["play", "flip", "--teach"], invite().environment) as table:
        table.sees(r"`forfeit` says that\s+you\s+have\s+no\s+play")  # never while there is a Draw Pile
        table.types("forfeit")
        table.sees(r"No\. `why` tells the reason")
        table.types("may forfeit")
        table.sees(r"No\. `why` tells the reason")
        table.types("resign")
        table.sees(r"Give up this game")
        table.types("y")
        table.sees(r"tutor \(house\) wins")
        table.types("quit")
        assert table.ends() == 0


def test_plain_lines_without_a_terminal(invite: Invite) -> None:
    guest = invite()
    lines = "keep\nmoves\nsuggest\nserve\ny\nresign\ny\n"
    played = subprocess.run(
        [sys.executable, "-m", "cloche", "play", "chef", "--against", "greedy"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=180,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **TERM, **guest.environment},
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert "\x1b" not in played.stdout
    assert "You have sealed at" in played.stdout
    assert "by resignation" in played.stdout


@pytest.mark.long
def test_a_whole_match_of_chef(invite: Invite) -> None:
    guest = invite()
    with Terminal(["play", "chef", "--against", "greedy"], guest.environment, rows=50) as table:
        to_the_meal(table)
        served = 0
        while not re.search(r"You win \(|wins \(|A draw \(", table.text()):
            table.sees(rf"round {served + 1}\b|You win \(|wins \(|A draw \(")
            if re.search(rf"round {served + 1}\b", table.text()):
                table.types("suggest")
                table.types("serve")
                table.types("y")
                served += 1
                table.sees(rf"Round {served}\b")
                table.read(1.0)
        assert served > 3
        table.types("quit")
        assert table.ends() == 0
    record = guest.api.record(newest(guest))
    assert verify_record(record).valid
    kinds = [entry["kind"] for entry in json.loads(record)["entries"]]
    assert "timeout" not in kinds
    until(lambda: Vault.open(guest.vault.path, PASSPHRASE).contents.games == {})


def test_forty_columns_of_ascii_without_colours_and_an_envelope(invite: Invite) -> None:
    guest = invite()
    plain = {"LANG": "C", "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    command = ["play", "chef", "--against", "greedy", "--option", "seal=300"]
    with Terminal(command, {**guest.environment, **plain}, columns=40) as table:
        to_the_meal(table)
        table.types("envelope on")
        table.sees(r"You\s+have\s+to\s+trust\s+it")
        table.types("suggest")
        table.types("serve")
        table.sees(r"\[y/N\]")
        table.types("y")
        table.sees(r"-- Pancake - round 2 --")
        table.types("help")
        table.sees(r"may\s+shorten")
        table.sees(r"^\d:\d\d left - ")  # the clock has its place before what may be cut off
        table.types("resign")
        table.types("y")
        table.sees(r"by\s+resignation")
        assert table.text().isascii()
        assert "Traceback" not in table.text()
    record = json.loads(guest.api.record(newest(guest)))
    seals = [entry for entry in record["entries"] if entry["kind"] == "seal" and entry["actor"] == "0"]
    assert len(seals) == 1
    assert "envelope" in seals[0]["body"]
