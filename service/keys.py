"""The house's own secrets: its Ed25519 key, the secret of its chains, the seed of its bots.

They lie in one file, `house.json` in the data folder, that only its owner
can read. It is made at the first start. Whoever loses it can't finish the
games that run, and later records name another house; so it belongs in every
backup, beside the database.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import structlog

from crypto import identity
from crypto.encoding import EncodingError, b64, i2osp, unb64, uuid_bytes
from crypto.fairness import Chain
from crypto.transcript import tuple_hash

FILE = "house.json"
KIND = "cloche-house/1"
SECRETS = ("signing_key", "chain_secret", "bot_seed")

_log = structlog.get_logger(__name__)


class KeysError(RuntimeError):
    """The file of the house's secrets can't be used; the text says why and names the file."""


@dataclass(frozen=True)
class Keys:
    """The secrets of a house, 32 bytes each. None of them is shown by `repr`."""

    signing_key: bytes = field(repr=False)
    """Ed25519 private key: signs entries, receipts, certificates."""
    chain_secret: bytes = field(repr=False)
    """From it comes the end of the house's chain of every game."""
    bot_seed: bytes = field(repr=False)
    """From it come the keys of the house's bots, and their secrets game by game."""

    @cached_property
    def public(self) -> bytes:
        """The public key, 32 bytes: the `house_key` of an opening entry."""
        return identity.public_key(self.signing_key)

    def sign(self, message: bytes) -> bytes:
        """The house's signature, 64 bytes."""
        return identity.sign(self.signing_key, message)

    def chain(self, game: str) -> Chain:
        """The house's chain for a game: v_N = TH("house-chain"; chain secret, game id)."""
        return Chain(tuple_hash("house-chain", self.chain_secret, uuid_bytes(game)))

    def bot_key(self, name: str) -> bytes:
        """The Ed25519 private key (32 bytes) of the house's bot of that name."""
        return tuple_hash("house-bot-key", self.bot_seed, name.encode(), length=32)

    def bot_secret(self, game: str, seat: int) -> bytes:
        """The match secret w (32 bytes) of the house's bot at `seat` of a game."""
        return tuple_hash("house-bot-secret", self.bot_seed, uuid_bytes(game), i2osp(seat, 1), length=32)


def fresh() -> Keys:
    """New secrets."""
    return Keys(*(secrets.token_bytes(32) for _ in SECRETS))


def load(folder: Path) -> Keys:
    """The secrets in `folder`, made there if there are none yet.

    Any number of processes may ask at once; all get the same. Raises
    `KeysError` when the file can't be read, written or understood.
    """
    path = folder / FILE
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            with _alone_in(folder):
                if not path.exists():
                    _write(path, fresh())
                    _log.info("house_keys_made", path=str(path))
        _keep_private(path)
        return _read(path)
    except OSError as fault:
        raise KeysError(f"{path}: {fault.strerror}") from fault


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write(path: Path, keys: Keys) -> None:
    text = json.dumps(
        {
            "kind": KIND,
            "warning": "Secret. Keep it private and keep a copy: running games can't go on without it.",
            "public_key": b64(keys.public),
            **{name: b64(getattr(keys, name)) for name in SECRETS},
        },
        indent=2,
    )
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    # The name appears only with the whole file behind it, and both survive a power cut.
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _keep_private(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & 0o077:
        return
    with suppress(PermissionError):
        path.chmod(0o600)
    if stat.S_IMODE(path.stat().st_mode) & 0o077:  # a file system without permissions, or another's file
        _log.warning("house_keys_readable_by_others", path=str(path), mode=f"{mode:o}")


def _read(path: Path) -> Keys:
    try:
        values = json.loads(path.read_text())
        if values["kind"] != KIND:
            raise KeysError(f"{path}: not a file of house secrets of this version")
        keys = Keys(*(unb64(values[name], 32) for name in SECRETS))
        stated = unb64(values["public_key"], 32)
    except (ValueError, KeyError, TypeError, EncodingError) as fault:
        # Only the kind of fault: its text could quote the file.
        raise KeysError(f"{path}: damaged ({type(fault).__name__}); restore it from a backup") from None
    if keys.public != stated:
        raise KeysError(f"{path}: damaged (its keys don't belong together); restore it from a backup")
    return keys
