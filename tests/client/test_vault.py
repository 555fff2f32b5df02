"""A player's file: private, whole, and closed to everyone without the passphrase."""

import json
import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from client.vault import Vault, check_file, home
from crypto.encoding import b64, unb64
from player.seat import SealedChoice
from player.vault_format import COST, LOWEST_COST, GameNote, Identity, VaultError

PASSPHRASE = "correct horse battery staple"
SECRET = bytes(range(32))
IDENTITY = Identity("Anna", "http://house:8040", bytes(32), SECRET, "house password", "token")
KEPT = SealedChoice(11, {"dishes": [{"course": 1, "recipe": 4, "ingredients": [1, 2]}]}, bytes([7]) * 32)
NOTE = GameNote(1, bytes([9]) * 32, {1001: 3, 1042: 1}, KEPT, (20, bytes([5]) * 64))
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
    assert again.identity == IDENTITY
    assert again.note(GAME) == NOTE
    assert NOTE.head is not None
    later = replace(NOTE, head=(NOTE.head[0] + 1, NOTE.head[1]))
    assert again.keep(GAME, later) == later
    assert again.keep(GAME, replace(NOTE, kept=None, head=None)) == later, "what is sealed is never lost"
    assert vault.note(GAME) == NOTE
    assert vault.reread(GAME) == Vault.open(path, PASSPHRASE).note(GAME) == later
    again.forget(GAME)
    assert Vault.open(path, PASSPHRASE).contents.games == {}


def test_belongs_to_its_owner_alone(path: Path, vault: Vault) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    Vault.open(path, PASSPHRASE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_shows_no_secret(path: Path, vault: Vault) -> None:
    text = path.read_text() + repr(vault) + repr(vault.contents) + repr(NOTE)
    for secret in (SECRET, NOTE.match_secret, KEPT.fresh):
        assert b64(secret) not in text
        assert repr(secret) not in text
    for word in ("house password", "dishes", PASSPHRASE):
        assert word not in text


def test_every_writing_has_its_own_nonce(path: Path, vault: Vault) -> None:
    nonces = set()
    for _ in range(5):
        vault.keep(GAME, NOTE)
        nonces.add(json.loads(path.read_text())["nonce"])
    assert len(nonces) == 5


@pytest.mark.parametrize("wrong", ["", "Correct horse battery staple", PASSPHRASE + " "])
def test_wrong_passphrases_do_not_open_it(path: Path, vault: Vault, wrong: str) -> None:
    with pytest.raises(VaultError) as caught:
        Vault.open(path, wrong)
    assert caught.value.code == "cant_open"


def test_a_change_anywhere_is_found(path: Path, vault: Vault) -> None:
    given = json.loads(path.read_text())
    box = unb64(given["box"])
    changes: dict[str, tuple[object, str]] = {
        "box": (b64(bytes([box[0] ^ 1]) + box[1:]), "cant_open"),
        "nonce": (b64(bytes(12)), "cant_open"),
        "salt": (b64(bytes(16)), "cant_open"),
        "log2_n": (LOWEST_COST + 1, "cant_open"),
        "kind": ("cloche-player/2", "not_a_vault"),
        "kdf": ("argon2id", "not_a_vault"),
        "cipher": ("none", "not_a_vault"),
        "r": (16, "not_a_vault"),
        "p": (2, "not_a_vault"),
        "extra": (1, "not_a_vault"),
    }
    for name, (value, code) in changes.items():
        path.write_text(json.dumps({**given, name: value}))
        with pytest.raises(VaultError) as caught:
            Vault.open(path, PASSPHRASE)
        assert (name, caught.value.code) == (name, code)
    for end in (1, 16, len(box) - 1):
        path.write_text(json.dumps({**given, "box": b64(box[:-end])}))
        with pytest.raises(VaultError):
            Vault.open(path, PASSPHRASE)


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"kind": "cloche-player/1"}', "\0"])
def test_other_files_are_named_as_such(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(VaultError) as caught:
        check_file(path)
    assert caught.value.code == "not_a_vault"


@pytest.mark.parametrize("cost", [9, 21, 31, -1, True, "17", None])
def test_a_cost_out_of_range_is_not_tried(path: Path, vault: Vault, cost: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), "log2_n": cost}))
    with pytest.raises(VaultError) as caught:
        Vault.open(path, PASSPHRASE)
    assert caught.value.code == "not_a_vault"


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
    with pytest.raises(VaultError):
        vault.back_up(path)
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


def test_the_usual_cost_takes_its_time(path: Path) -> None:
    Vault.create(path, PASSPHRASE, IDENTITY)
    assert json.loads(path.read_text())["log2_n"] == COST == 17


def test_where_it_is() -> None:
    assert home({"CLOCHE_HOME": "/somewhere"}) == Path("/somewhere")
    assert home({"XDG_CONFIG_HOME": "/conf"}) == Path("/conf/cloche")
    assert home({}) == Path.home() / ".config" / "cloche"
