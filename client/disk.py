"""A vault's disk as a POSIX file: its owner's alone, replaced whole, one writer at a time."""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from player.vault_format import VaultError


@dataclass(frozen=True, slots=True)
class FileDisk:
    """One file of mode 0600 (see `player.vault.Disk`)."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    def read(self) -> bytes:
        """All of its bytes. Raises `VaultError` no_file."""
        try:
            data = self.path.read_bytes()
            if stat.S_IMODE(self.path.stat().st_mode) & 0o077:  # others could read it
                self.path.chmod(0o600)
        except FileNotFoundError:
            raise VaultError("no_file", f"There is no {self.path}; `cloche register` makes it.") from None
        except OSError as error:
            raise VaultError("no_file", f"{self.path}: {error.strerror}.") from None
        return data

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep every other process from writing, by a lock on the file's folder."""
        handle = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def replace(self, data: bytes) -> None:
        """Replace the file whole. Raises `VaultError` cant_write.

        The bytes are on disk under another name before they get the file's name.
        """
        path = self.path
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise VaultError("cant_write", f"{path} can't be written: {error.strerror}.") from None
