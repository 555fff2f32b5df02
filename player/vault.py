"""A player's vault, opened: key and game notes, written to a disk at every change.

`Disk` is the seam to storage. `client.disk.FileDisk` is a file; a browser brings its own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol, Self

from player.booster_notes import BoosterNotes
from player.vault_format import (
    COST,
    GameNote,
    Identity,
    LockedBox,
    PassphraseKey,
    VaultContents,
    VaultError,
    newer,
)


class Disk(Protocol):
    """The place where one vault lies."""

    def __str__(self) -> str:
        """The name by which its player knows it, for texts: a path, for example."""
        ...

    def read(self) -> bytes:
        """All of its bytes. Raises `VaultError` no_file."""
        ...

    def replace(self, data: bytes) -> None:
        """Replace all of its bytes at once; they outlast a power cut when this returns.

        A power cut before that leaves the old bytes or the new ones. Raises `VaultError` cant_write.
        """
        ...

    def alone(self) -> AbstractContextManager[object]:
        """Keep every other process from writing for as long as the context lasts."""
        ...


class PlayerVault:
    """A player's vault on some disk. `contents` answers from memory; every change is written at once."""

    def __init__(self, disk: Disk, key: PassphraseKey, contents: VaultContents) -> None:
        self.disk = disk
        self._key = key
        self._contents = contents

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.disk})"

    @classmethod
    def create_on(cls, disk: Disk, passphrase: str, identity: Identity, cost: int = COST) -> Self:
        """Write a new vault, over whatever the disk holds. Raises `VaultError` cant_write."""
        vault = cls(disk, PassphraseKey.new(passphrase, cost), VaultContents(identity))
        vault.copy_to(disk)
        return vault

    @classmethod
    def open_on(cls, disk: Disk, passphrase: str) -> Self:
        """Open the vault of a disk. Raises `VaultError` no_file, not_a_vault, cant_open."""
        locked = LockedBox.parse(disk.read(), str(disk))
        key = PassphraseKey(passphrase, locked.cost, locked.salt)
        return cls(disk, key, key.decrypt(locked, str(disk)))

    @property
    def contents(self) -> VaultContents:
        """Everything in the vault, as this process read or wrote it last."""
        return self._contents

    @property
    def identity(self) -> Identity:
        """The player whose vault this is."""
        return self._contents.identity

    def change(self, how: Callable[[VaultContents], VaultContents]) -> VaultContents:
        """Change what other processes wrote last, and write it. It is on disk when this returns."""
        with self.disk.alone():
            locked = LockedBox.parse(self.disk.read(), str(self.disk))
            if locked.salt != self._key.salt:
                text = f"Another file has replaced {self.disk} meanwhile."
                raise VaultError("cant_open", text)
            self._contents = how(self._key.decrypt(locked, str(self.disk)))
            self.copy_to(self.disk)
        return self._contents

    def refresh(self) -> None:
        """Read what other processes wrote last."""
        self._contents = self._key.decrypt(LockedBox.parse(self.disk.read(), str(self.disk)), str(self.disk))

    def read_copy(self, data: bytes) -> VaultContents | None:
        """The contents of another copy of this very file; None for a file with a salt of its own.

        No passphrase is needed: the copy has the key of this one. Raises `VaultError` as `open_on` does.
        """
        locked = LockedBox.parse(data, "the copy")
        return self._key.decrypt(locked, "the copy") if locked.salt == self._key.salt else None

    def copy_to(self, disk: Disk, *, games: bool = True) -> None:
        """Write the contents to a disk under the same passphrase, with the notes of games or without."""
        contents = self._contents if games else VaultContents(self.identity)
        disk.replace(self._key.encrypt(contents))

    def note(self, game: str) -> GameNote | None:
        """The note of a game."""
        return self._contents.games.get(game)

    def begin(self, game: str, note: GameNote) -> GameNote:
        """Write the first note of a game. If another process has begun the game, its note stays."""
        return self._change_note(game, lambda held: held or note)

    def keep(
        self, game: str, note: GameNote, check: Callable[[GameNote], None] = lambda held: None
    ) -> GameNote:
        """Write a note, merged with what other processes know of the game (`newer`).

        `check` is given what they wrote last. If it raises, nothing is written.
        """

        def merged(held: GameNote | None) -> GameNote:
            if held is None:
                return note
            check(held)
            return newer(game, note, held)

        return self._change_note(game, merged)

    def reread(self, game: str) -> GameNote | None:
        """The note of a game as any process wrote it last."""
        self.refresh()
        return self.note(game)

    def _change_note(self, game: str, how: Callable[[GameNote | None], GameNote]) -> GameNote:
        found = self.change(lambda held: replace(held, games={**held.games, game: how(held.games.get(game))}))
        return found.games[game]

    @property
    def boosters(self) -> BoosterNotes:
        """The notes about boosters."""
        return self._contents.boosters

    def keep_boosters(self, notes: BoosterNotes) -> BoosterNotes:
        """Write notes about boosters, merged with what other processes know; returns all of them."""
        return self.change(lambda held: replace(held, boosters=notes.merged(held.boosters))).boosters

    def forget(self, game: str) -> None:
        """Drop the note of a game that is over. Its secrets could only help a thief now."""
        self.change(
            lambda held: replace(held, games={g: note for g, note in held.games.items() if g != game})
        )

    def renew(self, token: str) -> None:
        """Keep a new token."""
        self.change(lambda held: replace(held, identity=replace(held.identity, token=token)))

    def rename(self, handle: str) -> None:
        """Know the player by another handle from now on."""
        self.change(lambda held: replace(held, identity=replace(held.identity, handle=handle)))

    def keep_password(self, password: str) -> None:
        """Keep a new password for the house."""
        self.change(lambda held: replace(held, identity=replace(held.identity, password=password)))

    def relock(self, passphrase: str, password: str, cost: int = COST) -> None:
        """Lock the vault under another passphrase, and keep the password for the house that goes with it.

        It gets a salt of its own. Copies elsewhere stay under the old passphrase, and are no copies of this
        vault any more. Raises `VaultError` cant_write; then nothing has changed.
        """
        with self.disk.alone():
            self.refresh()
            key = PassphraseKey.new(passphrase, cost)
            held = replace(self._contents, identity=replace(self._contents.identity, password=password))
            self.disk.replace(key.encrypt(held))
            self._key, self._contents = key, held

    def trust(self, house_key: bytes) -> None:
        """Know the house by another key from now on."""
        self.change(lambda held: replace(held, identity=replace(held.identity, house_key=house_key)))

    def take_in(self, theirs: VaultContents) -> tuple[str, ...]:
        """Merge the games of another file of the same player; returns the ids of those that changed here.

        Raises `VaultError` other_player, two_secrets; then nothing has changed.
        """
        changed: list[str] = []

        def merge(held: VaultContents) -> VaultContents:
            merged = held.merged(theirs)
            changed[:] = [game for game, note in merged.games.items() if note != held.games.get(game)]
            return merged

        self.change(merge)
        return tuple(changed)
