"""A player's vault as a file: where it lies, and copies of it for other devices."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from client.disk import FileDisk
from player.vault import PlayerVault
from player.vault_format import COST, Identity, LockedBox, VaultError

FILE = "player.json"


def home(environment: Mapping[str, str] | None = None) -> Path:
    """The folder of a player's files: CLOCHE_HOME, or `cloche` in the user's folder for settings."""
    given = os.environ if environment is None else environment
    if given.get("CLOCHE_HOME"):
        return Path(given["CLOCHE_HOME"])
    return Path(given.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "cloche"


def check_file(path: Path) -> None:
    """Raise `VaultError` no_file or not_a_vault unless `path` is a player's file.

    No passphrase is needed for that.
    """
    disk = FileDisk(path)
    LockedBox.parse(disk.read(), str(disk))


class Vault(PlayerVault):
    """A player's vault in a file."""

    @property
    def path(self) -> Path:
        """The path of the file: a file's name is its path."""
        return Path(str(self.disk))

    @classmethod
    def create(cls, path: Path, passphrase: str, identity: Identity, cost: int = COST) -> Self:
        """Write a new file. Raises `VaultError` file_exists, cant_write."""
        if path.exists():
            text = f"{path} holds a player already; set CLOCHE_HOME to another folder for a second one."
            raise VaultError("file_exists", text)
        return cls.create_on(FileDisk(path), passphrase, identity, cost)

    @classmethod
    def open(cls, path: Path, passphrase: str) -> Self:
        """Open a file with its passphrase. Raises `VaultError` no_file, not_a_vault, cant_open."""
        return cls.open_on(FileDisk(path), passphrase)

    def back_up(self, path: Path) -> None:
        """Write a copy of the identity, without games, under the same passphrase. Raises `VaultError`."""
        _require_free(path)
        self.copy_to(FileDisk(path), games=False)

    def export(self, path: Path) -> None:
        """Write a copy of everything under the same passphrase. Raises `VaultError`.

        The copy has the notes of running games too, as any process wrote them last.
        """
        _require_free(path)
        self.refresh()
        self.copy_to(FileDisk(path))


def _require_free(path: Path) -> None:
    if path.exists():
        raise VaultError("file_exists", f"{path} is there already.")
