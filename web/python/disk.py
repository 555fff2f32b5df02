"""The player's file in the browser: the disk of a `PlayerVault`."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import kitchen
from pyodide.ffi import JsException, to_js

from player.vault_format import VaultError


class BrowserDisk:
    """The origin's private file system. The worker holds the file, so no other tab can write it."""

    def __str__(self) -> str:
        return "this browser"

    def there(self) -> bool:
        """Tell whether there is a file."""
        return kitchen.store_read() is not None

    def read(self) -> bytes:
        """All of its bytes. Raises `VaultError` no_file."""
        found = kitchen.store_read()
        if found is None:
            raise VaultError("no_file", "There is no player in this browser.")
        return found.to_bytes()

    def replace(self, data: bytes) -> None:
        """Replace the file. Raises `VaultError` cant_write."""
        try:
            kitchen.store_write(to_js(data))
        except JsException as error:
            raise VaultError("cant_write", f"This browser can't write the player's file: {error}.") from None
        kitchen.box()

    def remove(self) -> None:
        """Remove the file from this browser."""
        kitchen.store_write(to_js(b""))

    def alone(self) -> AbstractContextManager[None]:
        """The handle of the file is the lock."""
        return nullcontext()


class DiskInMemory:
    """A disk in memory, for a copy that goes elsewhere."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = data

    def __str__(self) -> str:
        return "the file"

    def read(self) -> bytes:
        """All of its bytes."""
        return self.data

    def replace(self, data: bytes) -> None:
        """Replace all of them."""
        self.data = data

    def alone(self) -> AbstractContextManager[None]:
        """Nobody else knows it."""
        return nullcontext()
