"""A player's vault as a file: its owner's alone, replaced whole, written by one process at a time."""

import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from client.vault import Vault, check_file, home
from player.vault_format import LOWEST_COST, GameNote, Identity, VaultError

PASSPHRASE = "correct horse battery staple"
IDENTITY = Identity("Anna", "http://house:8040", bytes(32), bytes(range(32)), "house password", "token")
NOTE = GameNote(1, bytes([9]) * 32, {1001: 3, 1042: 1}, None, (20, bytes([5]) * 64))
GAME = "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "player.json"


@pytest.fixture
def vault(path: Path) -> Vault:
    made = Vault.create(path, PASSPHRASE, IDENTITY, LOWEST_COST)
    made.keep(GAME, NOTE)
    return made


def test_reads_back_what_was_written(path: Path, vault: Vault) -> None:
    again = Vault.open(path, PASSPHRASE)
    assert (again.path, again.identity, again.note(GAME)) == (path, IDENTITY, NOTE)
    again.forget(GAME)
    assert vault.reread(GAME) is None


def test_belongs_to_its_owner_alone(path: Path, vault: Vault) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    Vault.open(path, PASSPHRASE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_other_files_are_named_as_such(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("nonsense")
    with pytest.raises(VaultError) as caught:
        check_file(path)
    assert caught.value.code == "not_a_vault"
    assert str(path) in caught.value.text


def test_a_missing_file_is_named(path: Path) -> None:
    with pytest.raises(VaultError) as caught:
        Vault.open(path, PASSPHRASE)
    assert caught.value.code == "no_file"
    assert str(path) in caught.value.text


def test_a_player_is_never_overwritten(path: Path, vault: Vault) -> None:
    before = path.read_bytes()
    with pytest.raises(VaultError) as caught:
        Vault.create(path, "another", IDENTITY, LOWEST_COST)
    assert caught.value.code == "file_exists"
    for copy in (vault.back_up, vault.export):
        with pytest.raises(VaultError):
            copy(path)
    assert path.read_bytes() == before


def test_a_failed_writing_leaves_the_old_file(
    path: Path, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(VaultError) as caught:
        vault.forget(GAME)
    assert caught.value.code == "cant_write"
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_backup_is_the_identity_under_the_same_passphrase(
    path: Path, vault: Vault, tmp_path: Path
) -> None:
    backup = tmp_path / "elsewhere" / "backup.json"
    vault.back_up(backup)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    opened = Vault.open(backup, PASSPHRASE)
    assert opened.identity == IDENTITY
    assert opened.contents.games == {}


def test_an_export_has_what_another_process_wrote_last(path: Path, vault: Vault, tmp_path: Path) -> None:
    Vault.open(path, PASSPHRASE).keep("another", NOTE)
    vault.export(tmp_path / "export.json")
    assert Vault.open(tmp_path / "export.json", PASSPHRASE).contents.games == {GAME: NOTE, "another": NOTE}


def test_writers_do_not_undo_each_other(path: Path, vault: Vault) -> None:
    others = [Vault.open(path, PASSPHRASE) for _ in range(4)]

    def work(i: int) -> None:
        for n in range(10):
            others[i].keep(f"{i}-{n}", NOTE)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Vault.open(path, PASSPHRASE).contents.games) == 41


def test_a_file_exchanged_meanwhile_is_not_written_over(path: Path, vault: Vault) -> None:
    path.unlink()
    Vault.create(path, PASSPHRASE, replace(IDENTITY, handle="Ben"), LOWEST_COST)
    with pytest.raises(VaultError) as caught:
        vault.forget(GAME)
    assert caught.value.code == "cant_open"
    assert Vault.open(path, PASSPHRASE).identity.handle == "Ben"


def test_where_it_is() -> None:
    assert home({"CLOCHE_HOME": "/somewhere"}) == Path("/somewhere")
    assert home({"XDG_CONFIG_HOME": "/conf"}) == Path("/conf/cloche")
    assert home({}) == Path.home() / ".config" / "cloche"
