"""`cloche vault export` and `import`: a player's file on another device."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.vault import FILE, Vault
from cloche.main import main
from crypto.identity import new_private_key
from player.seat import SealedChoice
from player.vault_format import LOWEST_COST, GameNote, Identity, VaultError

WORD = "correct horse battery staple"
GAME = "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"
OTHER = "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b02"


def make(folder: Path, private: bytes | None = None) -> Vault:
    identity = Identity("ada", "http://127.0.0.1:1", bytes(32), private or new_private_key(), "password", "t")
    return Vault.create(folder / FILE, WORD, identity, LOWEST_COST)


def sealed(step: int, secret: int = 1, choice: int = 0) -> GameNote:
    kept = SealedChoice(step, {"dishes": [choice]}, bytes(32)) if step else None
    return GameNote(0, bytes([secret]) * 32, {1001: 3}, kept, (step + 3, bytes(64)))


def run(home: Path, *arguments: str, word: str = WORD) -> Result:
    environment = {"CLOCHE_HOME": str(home), "CLOCHE_PASSPHRASE": word}
    result = CliRunner().invoke(main, ["vault", *arguments], env=environment)
    assert "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_file_goes_to_a_device_that_has_none(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "carried.json"
    make(here).keep(GAME, sealed(5))
    exported = run(here, "export", str(file))
    assert exported.exit_code == 0, exported.output
    assert "one running game" in exported.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for secret in ("dishes", "password", WORD):
        assert secret not in file.read_text()
    assert run(there, "import", str(file)).exit_code == 0
    assert Vault.open(there / FILE, WORD).contents == Vault.open(here / FILE, WORD).contents


def test_import_adds_games_and_keeps_the_later_seal(tmp_path: Path) -> None:
    private = new_private_key()
    here, there = make(tmp_path / "here", private), make(tmp_path / "there", private)
    here.keep(GAME, sealed(7))
    here.keep(OTHER, sealed(9, secret=2, choice=1))
    there.keep(GAME, sealed(9))
    there.keep(OTHER, sealed(9, secret=2, choice=2))
    file = tmp_path / "carried.json"
    here.export(file)
    result = run(tmp_path / "there", "import", str(file))
    assert result.exit_code == 0, result.output
    assert "no running game added" in result.output
    notes = Vault.open(tmp_path / "there" / FILE, WORD).contents.games
    assert notes == {GAME: sealed(9), OTHER: sealed(9, secret=2, choice=2)}
    back = tmp_path / "back.json"
    there.export(back)
    assert "one running game added" in run(tmp_path / "here", "import", str(back)).output
    assert Vault.open(tmp_path / "here" / FILE, WORD).note(GAME) == sealed(9)


def test_another_player_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    make(tmp_path / "here").keep(GAME, sealed(5))
    make(tmp_path / "other").keep(OTHER, sealed(5))
    before = (tmp_path / "here" / FILE).read_bytes()
    result = run(tmp_path / "here", "import", str(tmp_path / "other" / FILE))
    assert (result.exit_code, "[other_player]" in result.stderr) == (1, True)
    assert (tmp_path / "here" / FILE).read_bytes() == before


def test_two_secrets_of_one_game_are_refused(tmp_path: Path) -> None:
    private = new_private_key()
    here, there = make(tmp_path / "here", private), make(tmp_path / "there", private)
    here.keep(GAME, sealed(5))
    there.keep(GAME, sealed(5, secret=2))
    with pytest.raises(VaultError) as caught:
        here.take_in(replace(there.contents))
    assert caught.value.code == "two_secrets"
    assert Vault.open(tmp_path / "here" / FILE, WORD).note(GAME) == sealed(5)


def test_mistakes_are_named(tmp_path: Path) -> None:
    make(tmp_path / "here")
    file = tmp_path / "carried.json"
    file.write_text("{}")
    exists = run(tmp_path / "here", "export", str(file))
    assert (exists.exit_code, "[file_exists]" in exists.stderr) == (1, True)
    unreadable = run(tmp_path / "here", "import", str(file))
    assert (unreadable.exit_code, "[not_a_vault]" in unreadable.stderr) == (1, True)
    wrong = run(tmp_path / "there", "import", str(tmp_path / "here" / FILE), word="wrong")
    assert (wrong.exit_code, "[cant_open]" in wrong.stderr) == (1, True)
    assert not (tmp_path / "there").exists()
