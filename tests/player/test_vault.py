"""A player's vault on any disk: what it keeps, how copies are merged, and who can open it."""

import json
from dataclasses import replace

import pytest

from crypto.encoding import b64, unb64
from player.seat import SealedChoice
from player.vault import PlayerVault
from player.vault_format import COST, LOWEST_COST, GameNote, Identity, LockedBox, VaultContents, VaultError
from tests.player.memory_disk import MemoryDisk

PASSPHRASE = "correct horse battery staple"
SECRET = bytes(range(32))
IDENTITY = Identity("Anna", "http://house:8040", bytes(32), SECRET, "house password", "token")
KEPT = SealedChoice(11, {"dishes": [{"course": 1, "recipe": 4, "ingredients": [1, 2]}]}, bytes([7]) * 32)
NOTE = GameNote(1, bytes([9]) * 32, {1001: 3, 1042: 1}, KEPT, (20, bytes([5]) * 64))
GAME = "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"


@pytest.fixture
def disk() -> MemoryDisk:
    return MemoryDisk()


@pytest.fixture
def vault(disk: MemoryDisk) -> PlayerVault:
    made = PlayerVault.create_on(disk, PASSPHRASE, IDENTITY, LOWEST_COST)
    made.keep(GAME, NOTE)
    return made


def test_reads_back_what_was_written(disk: MemoryDisk, vault: PlayerVault) -> None:
    again = PlayerVault.open_on(disk, PASSPHRASE)
    assert again.identity == IDENTITY
    assert again.note(GAME) == NOTE
    assert NOTE.head is not None
    later = replace(NOTE, head=(NOTE.head[0] + 1, NOTE.head[1]))
    assert again.keep(GAME, later) == later
    assert again.keep(GAME, replace(NOTE, kept=None, head=None)) == later, "what is sealed is never lost"
    assert vault.note(GAME) == NOTE
    assert vault.reread(GAME) == PlayerVault.open_on(disk, PASSPHRASE).note(GAME) == later
    again.forget(GAME)
    assert PlayerVault.open_on(disk, PASSPHRASE).contents.games == {}


def test_the_members_of_the_box_keep_their_names() -> None:
    """Other versions of this program, and the browser, read the same file."""
    contents = VaultContents(IDENTITY, {GAME: NOTE}).json()
    assert contents["identity"].keys() == {"handle", "house", "house_key", "private", "password", "token"}
    note = contents["games"][GAME]
    assert note.keys() == {"seat", "match_secret", "deck", "kept", "head", "house_key", "said"}
    assert note["kept"].keys() == {"step", "choice", "fresh"}
    assert VaultContents.load(json.loads(json.dumps(contents))).games == {GAME: NOTE}


def test_a_note_of_an_older_version_is_read() -> None:
    """It has no house key, and says nothing about messages."""
    old = NOTE.json()
    del old["house_key"], old["said"]
    assert GameNote.load(GAME, old) == NOTE


def test_shows_no_secret(disk: MemoryDisk, vault: PlayerVault) -> None:
    text = disk.read().decode() + repr(vault) + repr(vault.contents) + repr(NOTE)
    for secret in (SECRET, NOTE.match_secret, KEPT.fresh):
        assert b64(secret) not in text
        assert repr(secret) not in text
    for word in ("house password", "dishes", PASSPHRASE):
        assert word not in text


def test_every_writing_has_its_own_nonce(disk: MemoryDisk, vault: PlayerVault) -> None:
    nonces = set()
    for _ in range(5):
        vault.keep(GAME, NOTE)
        nonces.add(json.loads(disk.read())["nonce"])
    assert len(nonces) == 5


@pytest.mark.parametrize("wrong", ["", "Correct horse battery staple", PASSPHRASE + " "])
def test_wrong_passphrases_do_not_open_it(disk: MemoryDisk, vault: PlayerVault, wrong: str) -> None:
    with pytest.raises(VaultError) as caught:
        PlayerVault.open_on(disk, wrong)
    assert caught.value.code == "cant_open"
    assert caught.value.text.startswith("this page does not open")


def test_a_change_anywhere_is_found(disk: MemoryDisk, vault: PlayerVault) -> None:
    given = json.loads(disk.read())
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
        disk.data = json.dumps({**given, name: value}).encode()
        with pytest.raises(VaultError) as caught:
            PlayerVault.open_on(disk, PASSPHRASE)
        assert (name, caught.value.code) == (name, code)
    for end in (1, 16, len(box) - 1):
        disk.data = json.dumps({**given, "box": b64(box[:-end])}).encode()
        with pytest.raises(VaultError):
            PlayerVault.open_on(disk, PASSPHRASE)


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"kind": "cloche-player/1"}', "\0"])
def test_other_files_are_named_as_such(text: str) -> None:
    with pytest.raises(VaultError) as caught:
        LockedBox.parse(text.encode(), "this page")
    assert caught.value.code == "not_a_vault"


@pytest.mark.parametrize("cost", [9, 21, 31, -1, True, "17", None])
def test_a_cost_out_of_range_is_not_tried(disk: MemoryDisk, vault: PlayerVault, cost: object) -> None:
    disk.data = json.dumps({**json.loads(disk.read()), "log2_n": cost}).encode()
    with pytest.raises(VaultError) as caught:
        PlayerVault.open_on(disk, PASSPHRASE)
    assert caught.value.code == "not_a_vault"


def test_a_vault_exchanged_meanwhile_is_not_written_over(disk: MemoryDisk, vault: PlayerVault) -> None:
    PlayerVault.create_on(disk, PASSPHRASE, replace(IDENTITY, handle="Ben"), LOWEST_COST)
    with pytest.raises(VaultError) as caught:
        vault.forget(GAME)
    assert caught.value.code == "cant_open"
    assert PlayerVault.open_on(disk, PASSPHRASE).identity.handle == "Ben"


def test_a_copy_without_games_is_the_identity_under_the_same_passphrase(vault: PlayerVault) -> None:
    other = MemoryDisk()
    vault.copy_to(other, games=False)
    opened = PlayerVault.open_on(other, PASSPHRASE)
    assert opened.identity == IDENTITY
    assert opened.contents.games == {}


def test_the_games_of_another_copy_are_taken_in(vault: PlayerVault) -> None:
    elsewhere = VaultContents(IDENTITY, {"another": NOTE, GAME: replace(NOTE, kept=None, head=None)})
    assert vault.take_in(elsewhere) == ("another",)
    assert vault.contents.games == {GAME: NOTE, "another": NOTE}
    assert vault.take_in(elsewhere) == ()


def test_a_copy_of_the_file_is_read_without_the_passphrase(disk: MemoryDisk, vault: PlayerVault) -> None:
    """So two devices with one file can merge what lies in the house's box while both are unlocked."""
    old = disk.read()
    vault.begin("later", GameNote(0, bytes(32)))
    other = MemoryDisk()
    other.replace(disk.read())
    copy = PlayerVault.open_on(other, PASSPHRASE)
    found = copy.read_copy(old)
    assert found is not None
    assert "later" not in found.games
    assert found.identity == vault.identity
    strange = MemoryDisk()
    PlayerVault.create_on(strange, PASSPHRASE, vault.identity, LOWEST_COST)
    assert vault.read_copy(strange.read()) is None


def test_other_words_lock_everything_anew(disk: MemoryDisk, vault: PlayerVault) -> None:
    """A copy under the old words stays as it is, and is no copy of this vault any more."""
    old = disk.read()
    vault.relock("another horse battery staple", "another password", LOWEST_COST)
    with pytest.raises(VaultError, match="passphrase"):
        PlayerVault.open_on(disk, PASSPHRASE)
    opened = PlayerVault.open_on(disk, "another horse battery staple")
    assert opened.identity == replace(IDENTITY, password="another password") == vault.identity
    assert opened.note(GAME) == NOTE
    assert vault.read_copy(old) is None
    vault.begin("later", GameNote(0, bytes(32)))
    assert "later" in PlayerVault.open_on(disk, "another horse battery staple").contents.games


def test_only_the_same_player_with_the_same_secrets_is_taken_in(vault: PlayerVault) -> None:
    stranger = replace(IDENTITY, private=bytes([1]) * 32)
    other_secret = replace(NOTE, match_secret=bytes(32))
    for theirs, code in (
        (VaultContents(stranger, {"another": NOTE}), "other_player"),
        (VaultContents(IDENTITY, {"another": NOTE, GAME: other_secret}), "two_secrets"),
    ):
        with pytest.raises(VaultError) as caught:
            vault.take_in(theirs)
        assert caught.value.code == code
        assert vault.contents.games == {GAME: NOTE}


def test_the_usual_cost_takes_its_time(disk: MemoryDisk) -> None:
    PlayerVault.create_on(disk, PASSPHRASE, IDENTITY)
    assert json.loads(disk.read())["log2_n"] == COST == 17
