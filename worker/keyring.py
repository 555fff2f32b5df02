"""The workers' own secrets: the X25519 keys that open envelopes (protocol section 11).

They lie in one file, `envelope.json` in the workers' data folder, which its owner alone can read. All workers
of a house share it. The API never reads it. Older keys stay in it, so that running games can go on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from crypto import envelope
from crypto.encoding import EncodingError, b64, timestamp, unb64
from service.keys import KeysError, alone_in, keep_private, write_private
from service.runtime import now_ms

FILE = "envelope.json"
KIND = "cloche-envelope/1"

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Keyring:
    """The private keys of a file by their public keys, 32 bytes each, the newest last. `repr` shows none."""

    keys: Mapping[bytes, bytes] = field(default_factory=dict, repr=False)

    @property
    def newest(self) -> bytes | None:
        """The public key that was made last; None if there is none."""
        return [*self.keys][-1] if self.keys else None

    def private(self, public: bytes) -> bytes | None:
        """The private key of a public one; None if the file lacks it."""
        return self.keys.get(public)


def load(folder: Path) -> Keyring:
    """The keys in `folder`; no keys if there is no file.

    Raises `KeysError` if the file can't be read or understood.
    """
    path = folder / FILE
    try:
        if not path.exists():
            return Keyring()
        keep_private(path)
        return read(path)
    except OSError as fault:
        raise KeysError(f"{path}: {fault.strerror}") from fault


def read(path: Path) -> Keyring:
    """The keys in a file, which stays as it is. Raises `KeysError`, and OSError if it can't be read."""
    return Keyring({public: private for public, private, _ in _read(path)})


def add(folder: Path) -> bytes:
    """Add a new key to the file and return its public key, which the caller has to publish.

    Several processes may do so at once. Raises `KeysError`.
    """
    path = folder / FILE
    private = envelope.new_private_key()
    public = envelope.public_key(private)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with alone_in(folder):
            known = _read(path) if path.exists() else []
            _write(path, [*known, (public, private, timestamp(now_ms()))])
    except OSError as fault:
        raise KeysError(f"{path}: {fault.strerror}") from fault
    log.info("envelope_key_made", path=str(path), public_key=b64(public))
    return public


def _write(path: Path, keys: list[tuple[bytes, bytes, str]]) -> None:
    listed = [
        {"public_key": b64(public), "private_key": b64(private), "made_at": made_at}
        for public, private, made_at in keys
    ]
    warning = "Secret, the workers' alone. Without it the envelopes of running games can't be opened."
    write_private(path, json.dumps({"kind": KIND, "warning": warning, "keys": listed}, indent=2) + "\n")


def _read(path: Path) -> list[tuple[bytes, bytes, str]]:
    try:
        content = json.loads(path.read_text())
        if content["kind"] != KIND:
            raise KeysError(f"{path}: not a file of envelope keys of this version")
        keys = [
            (unb64(item["public_key"], 32), unb64(item["private_key"], 32), str(item["made_at"]))
            for item in content["keys"]
        ]
    except (ValueError, KeyError, TypeError, EncodingError) as fault:
        # Only the type of the exception is shown: its text could quote the file.
        raise KeysError(f"{path}: damaged ({type(fault).__name__}); restore it from a backup") from None
    if any(envelope.public_key(private) != public for public, private, _ in keys):
        raise KeysError(f"{path}: damaged (its keys don't belong together); restore it from a backup")
    return keys
