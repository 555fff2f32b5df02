"""`cloche register`, `decks`, `bot` and `record`, as a player meets them."""

import json
import re
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cards.catalog import card_sets
from client.http import Api
from client.vault import FILE, Vault
from referee import record_bytes, verify_record
from tests.client.guests import PASSPHRASE
from tests.cloche.here_kit import House, invoke, player_environment
from vectors.matches import hearts

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(here: House, home: Path) -> Run:
    """`run("decks", "list")` as the player whose folder is `home`."""

    def invoke(*arguments: str, environment: dict[str, str | None] | None = None, **how: Any) -> Result:
        given = {"CLOCHE_HOUSE": here.url, **(environment or {})}
        return here.run(*arguments, home=home, environment=given, **how)

    return invoke


handles = (f"player{n}" for n in range(1000))


@pytest.fixture
def handle() -> str:
    return next(handles)


@pytest.fixture
def anna(run: Run, handle: str) -> str:
    """A registered player."""
    assert run("register", handle).exit_code == 0
    return handle


@pytest.mark.parametrize("word", ["ab", "hunter2", "aaaaaaaaaaaaaaaaaaaa"])
def test_a_weak_passphrase_makes_no_file(run: Run, home: Path, word: str) -> None:
    result = run("register", "weakling", environment={"CLOCHE_PASSPHRASE": word})
    assert (result.exit_code, "[weak_passphrase]" in result.stderr) == (1, True), result.output
    assert not (home / FILE).exists()


def test_registers_and_says_what_is_lost(run: Run, home: Path, handle: str, here: House) -> None:
    starter = list(card_sets.load().starters.values())[-1]
    result = run("register", handle, "--starter", starter.slug)
    assert result.exit_code == 0, result.output
    backup = home / f"player-backup-{handle}.json"
    for words in (f"Welcome, {handle}", str(home / FILE), str(backup), "Nobody", "passphrase"):
        assert words in result.stdout
    for file in (home / FILE, backup):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert Vault.open(file, PASSPHRASE).identity.handle == handle
    identity = Vault.open(home / FILE, PASSPHRASE).identity
    with Api(here.url, transport=here.transport) as anybody:
        assert anybody.ask("GET", "players", handle)["key"] in result.stdout
    for secret in (identity.password, identity.token or "", PASSPHRASE):
        assert secret not in result.output
    assert starter.name in run("decks", "list").stdout


def test_the_backup_restores_the_player(run: Run, home: Path, anna: str) -> None:
    (home / FILE).unlink()
    lost = run("decks", "list")
    assert (lost.exit_code, "no_file" in lost.stderr) == (1, True)
    (home / f"player-backup-{anna}.json").rename(home / FILE)
    assert run("decks", "list").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["x"], "invalid_registration"),
        (["fine-handle", "--starter", "martian"], "unknown_starter"),
    ],
)
def test_a_refused_registration_leaves_nothing(run: Run, home: Path, arguments: list[str], code: str) -> None:
    result = run("register", *arguments)
    assert result.exit_code == 1
    assert f"[{code}]" in result.stderr
    assert not home.exists() or not list(home.iterdir())


def test_a_house_that_nobody_knows_yet_steers_no_terminal(
    run: Run, handle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first thing that a player sees of a house are its starter decks."""
    starters = Api.starters
    title = "\x1b]0;yours\x07"
    monkeypatch.setattr(Api, "starters", lambda api: [{**deck, "name": title} for deck in starters(api)])
    registered = run("register", handle)
    assert registered.exit_code == 0, registered.output
    assert "yours" in registered.output
    assert "\x1b" not in registered.output


def test_a_taken_handle_is_refused(run: Run, anna: str, tmp_path: Path) -> None:
    result = run("register", anna, environment={"CLOCHE_HOME": str(tmp_path / "other")})
    assert result.exit_code == 1
    assert "taken" in result.stderr


def test_a_second_player_in_one_folder_is_refused(run: Run, anna: str) -> None:
    result = run("register", "somebody-else")
    assert (result.exit_code, "[file_exists]" in result.stderr) == (1, True)


def test_a_registration_that_was_cut_short_goes_on(run: Run, home: Path, anna: str) -> None:
    vault = Vault.open(home / FILE, PASSPHRASE)
    public = vault.identity.public
    # As if the house's answer had never come.
    vault.change(lambda held: replace(held, identity=replace(held.identity, token=None)))
    (home / f"player-backup-{anna}.json").unlink()
    result = run("register", anna)
    assert result.exit_code == 0, result.output
    assert Vault.open(home / FILE, PASSPHRASE).identity.public == public


def test_an_expired_token_is_renewed(run: Run, home: Path, anna: str) -> None:
    Vault.open(home / FILE, PASSPHRASE).renew("no-such-token")
    assert run("decks", "list").exit_code == 0
    assert Vault.open(home / FILE, PASSPHRASE).identity.token != "no-such-token"


def test_passphrases(run: Run, anna: str, tmp_path: Path) -> None:
    wrong = run("decks", "list", environment={"CLOCHE_PASSPHRASE": "wrong"})
    assert (wrong.exit_code, "[cant_open]" in wrong.stderr) == (1, True)
    assert run("decks", "list", environment={"CLOCHE_PASSPHRASE": None}).exit_code == 2
    file = tmp_path / "passphrase"
    file.write_text(PASSPHRASE + "\nanother line\n")
    result = run("decks", "list", "--passphrase-file", str(file), environment={"CLOCHE_PASSPHRASE": "wrong"})
    assert result.exit_code == 0


def test_another_house_at_the_address_is_found(
    run: Run, home: Path, handle: str, migrated_file: Path, tmp_path: Path
) -> None:
    with House.opened(tmp_path, migrated_file) as other:
        assert other.run("register", handle, "--house", other.url, home=home).exit_code == 0
    result = run("decks", "list")
    assert result.exit_code == 4
    assert "[wrong_house]" in result.stderr


def test_a_house_that_is_not_there(home: Path, handle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.http.Api.__init__.__defaults__", (None, 0.2, None))
    result = invoke(("register", handle, "--house", "http://127.0.0.1:9"), player_environment(home))
    assert result.exit_code == 3
    assert "[unreachable]" in result.stderr


def test_a_deck_from_text_and_back(run: Run, anna: str, tmp_path: Path) -> None:
    starter = re.split(r"\s{2,}", run("decks", "list").stdout.splitlines()[1])[1]
    text = run("decks", "show", starter).stdout
    assert re.match(rf"# {re.escape(starter)} \(deck [0-9a-f]{{8}}, revision 1\)\n# Ingredients: \d+\n", text)
    kinds = {
        kind: (int(said), sum(int(line.split()[0]) for line in cards.splitlines()))
        for kind, said, cards in re.findall(r"^# (\w+): (\d+)\n((?:\d+ .*\n?)+)", text, re.MULTILINE)
    }
    assert all(said == counted for said, counted in kinds.values()), kinds
    assert (kinds.keys(), sum(said for said, _ in kinds.values())) == ({"Ingredients", "Recipes"}, 40)
    file = tmp_path / "deck.txt"
    file.write_text(text)
    made = run("decks", "new", "Mine", str(file))
    assert made.exit_code == 0
    assert "Mine: 40 cards" in made.stdout
    assert "A match may be played with it." in made.stdout
    assert run("decks", "show", "mine").stdout.splitlines()[1:] == text.splitlines()[1:]
    deck_id = made.stdout.split()[0]
    assert run("decks", "validate", deck_id[:8]).exit_code == 0
    assert run("decks", "validate", "--file", "-", input=text).exit_code == 0

    lines = text.splitlines()
    edited = run("decks", "edit", "Mine", "-", "--name", "Less", input="\n".join(lines[:-1]))
    assert edited.exit_code == 0
    assert "revision 2" in edited.stdout
    assert "[deck_size]" in edited.stdout
    illegal = run("decks", "validate", "Less")
    assert (illegal.exit_code, "[illegal_deck]" in illegal.stderr) == (1, True)
    assert "[deck_size]" in illegal.stderr
    assert run("decks", "delete", "Less", "--yes").exit_code == 0
    gone = run("decks", "show", "Less")
    assert (gone.exit_code, "[unknown_deck]" in gone.stderr) == (1, True)


def test_every_fault_of_a_text_at_once(run: Run, anna: str) -> None:
    result = run("decks", "new", "Bad", "-", input="3 Tomatoe\nTomato\n2 Tomato\n")
    assert result.exit_code == 1
    assert "[bad_deck_text]" in result.stderr
    assert "[unknown_card] line 1" in result.stderr
    assert "Tomato?" in result.stderr
    assert "[bad_line] line 2" in result.stderr


def test_two_decks_of_one_name_are_told_apart(run: Run, anna: str) -> None:
    ids = [run("decks", "new", "Twin", "-", input="1 Tomato").stdout.split()[0] for _ in range(2)]
    result = run("decks", "show", "Twin")
    assert (result.exit_code, "[ambiguous_deck]" in result.stderr) == (1, True)
    assert all(deck in result.stderr for deck in ids)
    assert run("decks", "show", ids[1]).exit_code == 0


def test_a_match_by_bot_and_its_record(run: Run, here: House, anna: str, tmp_path: Path) -> None:
    with here.working():
        played = run("bot", "--against", "greedy", "--bot", "greedy", "--seed", "3")
    assert played.exit_code == 0, played.output
    assert played.stdout.startswith(f"Pancake between {anna} and greedy (house), game ")
    assert "Round 1" in played.stdout
    found = re.search(r"cloche record (\S+)", played.stdout)
    assert found is not None
    file = tmp_path / "record.json"
    for arguments in ([], ["--house", here.url]):
        assert run("record", found[1], "--out", str(file), *arguments).exit_code == 0
        assert verify_record(file.read_bytes()).valid
    assert run("record", found[1], "--out", "-").stdout_bytes == file.read_bytes()
    unknown = run("record", "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01")
    assert (unknown.exit_code, "[not_found]" in unknown.stderr) == (1, True)


@pytest.mark.parametrize("command", [["record", "--out", "-"], ["replay"], ["pictures"]])
def test_a_record_of_another_game_or_house_is_not_taken(
    run: Run, anna: str, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is valid by itself, under the key and the id that it names."""
    opened = run("tables", "open", "hearts", "--against", "random", "--against", "random")
    found = re.search(r"^Game (\S+)\.$", opened.stdout, re.MULTILINE)
    assert found is not None, opened.output
    ours = found[1]
    entries = hearts().entries
    named = entries[0].body["game"]
    monkeypatch.setattr(Api, "record", lambda api, game: record_bytes(entries))
    given = run(*command[:1], ours, *command[1:])
    assert (given.exit_code, "[wrong_game]" in given.stderr) == (4, True), given.output
    given = run(*command[:1], named, *command[1:])
    assert (given.exit_code, "[wrong_house]" in given.stderr) == (4, True), given.output


def test_nobody_else_sits_down(run: Run, anna: str) -> None:
    result = run("bot", "hearts", "--against", "random", "--seats", "4", "--wait", "0")
    assert (result.exit_code, "[no_game]" in result.stderr) == (1, True)
    assert "Waiting for others at table " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["chess"], "unknown_mode"),
        (["--bot", "kasparov"], "unknown_bot"),
        (["--against", "kasparov"], "unknown_bot"),
        (["--deck", "none"], "unknown_deck"),
        (["--table", "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"], "not_found"),
        (["--game", "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"], "not_found"),
    ],
)
def test_mistakes_are_named(run: Run, anna: str, arguments: list[str], code: str) -> None:
    result = run("bot", *arguments)
    assert result.exit_code == 1
    assert f"[{code}]" in result.stderr
    assert json.dumps(PASSPHRASE) not in result.output
