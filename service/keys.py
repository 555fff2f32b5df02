"""The house's own secrets: its Ed25519 key, the secret of its chains, the seed of its bots.

They lie in one file, `house.json` in the data folder, which its owner alone can read. The first start makes
it. Without it the house can't finish its running games, and later records name another house. So it belongs
in every backup, beside the database.

The three secrets form a generation. `rotate` adds a generation, and the file keeps the older ones, because a
game goes on with the key that its first entry names.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import stat
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import structlog

from crypto import identity
from crypto.encoding import b64, i2osp, parse_timestamp, timestamp, unb64, uuid_bytes
from crypto.fairness import Chain
from crypto.transcript import tuple_hash
from referee.errors import Refused
from referee.succession import Succession, read_successions, write_succession

FILE = "house.json"
KIND = "cloche-house/2"
FIRST_KIND = "cloche-house/1"
"""The older kind of file, which holds a single generation."""
SECRETS = ("signing_key", "chain_secret", "bot_seed")

_log = structlog.get_logger(__name__)


class KeysError(RuntimeError):
    """The file of the house's secrets can't be used. The text says why and names the file."""


class _Mismatch(ValueError):
    """A private key and a public key that don't belong together."""


class UnknownKey(KeysError):
    """A game names a key of the house that is not in its file."""


@dataclass(frozen=True)
class Keys:
    """One generation of a house's secrets, 32 bytes each. `repr` shows none of them."""

    signing_key: bytes = field(repr=False)
    """The Ed25519 private key that signs entries, receipts and certificates."""
    chain_secret: bytes = field(repr=False)
    """The last link of the house's chain of each game is derived from it."""
    bot_seed: bytes = field(repr=False)
    """The keys of the house's bots, and their secrets in each game, are derived from it."""
    since: int | None = None
    """The time when the secrets were made, in milliseconds since 1970; None if the file does not say."""

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

    def party_secret(self, game: str) -> bytes:
        """The secret (32 bytes) of the house as a party that mixes the pack of a game (protocol 20.11)."""
        return tuple_hash("house-party-secret", self.chain_secret, uuid_bytes(game), length=32)

    def booster_chain(self, player: str, number: int, at: int | None) -> Chain:
        """A chain for a player's boosters, to which the house commits at the time `at`.

        `at` is in milliseconds since 1970. v_N = TH("house-booster-chain"; chain secret, player, number, at).
        A house that was restored from a backup may give a number again. The time makes that another chain, of
        which no link is known yet. For chains that are older than this rule `at` is None.
        """
        parts = (self.chain_secret, uuid_bytes(player), i2osp(number, 4))
        return Chain(tuple_hash("house-booster-chain", *parts, *(() if at is None else (i2osp(at, 8),))))

    def bot_key(self, name: str) -> bytes:
        """The Ed25519 private key (32 bytes) of the house's bot with that name."""
        return tuple_hash("house-bot-key", self.bot_seed, name.encode(), length=32)

    def bot_secret(self, game: str, seat: int) -> bytes:
        """The match secret w (32 bytes) of the house's bot at `seat` of a game."""
        return tuple_hash("house-bot-secret", self.bot_seed, uuid_bytes(game), i2osp(seat, 1), length=32)

    def answer_key(self, *request: bytes) -> bytes:
        """The key (32 bytes) under which the answer to a request is kept, derived from the whole request.

        It depends on the house's secret too. Otherwise, if an Idempotency-Key can be guessed, a row of the
        database would serve to try passwords quickly.
        """
        return tuple_hash("house-answer-key", self.chain_secret, *request, length=32)

    def challenge_tag(self, handle: str, purpose: str, rest: bytes) -> bytes:
        """The tag (32 bytes) by which the house knows a challenge of its own again; `rest` is all but it."""
        parts = (handle.encode("utf-8", "surrogatepass"), purpose.encode(), rest)
        return tuple_hash("house-challenge", self.chain_secret, *parts, length=32)

    def webhook_key(self, webhook: str, number: int) -> bytes:
        """The key (32 bytes) that signs deliveries to a webhook (its id): its secret with that number."""
        return tuple_hash(
            "house-webhook-key", self.chain_secret, uuid_bytes(webhook), i2osp(number, 4), length=32
        )


@dataclass(frozen=True)
class KeyGenerations:
    """All generations of a house's secrets, the oldest first, and the successions that are published."""

    generations: tuple[Keys, ...]
    successions: tuple[Succession, ...] = ()

    @property
    def newest(self) -> Keys:
        """The generation of every game that begins now."""
        return self.generations[-1]

    def of(self, house_key: bytes) -> Keys:
        """The generation whose public key a game names; raises `UnknownKey`."""
        for generation in reversed(self.generations):
            if generation.public == house_key:
                return generation
        raise UnknownKey(f"the house's keys do not hold {b64(house_key)}, which a game names")


def fresh(since: int | None = None) -> Keys:
    """New secrets."""
    return Keys(secrets.token_bytes(32), secrets.token_bytes(32), secrets.token_bytes(32), since)


def load(folder: Path) -> Keys:
    """The newest secrets in `folder`. They are made if there are none yet. Raises `KeysError`."""
    return load_generations(folder).newest


def load_generations(folder: Path) -> KeyGenerations:
    """The secrets in `folder`. They are made if there are none yet.

    Several processes may call this at once; all get the same secrets. Raises `KeysError` if the file can't be
    read, written or understood.
    """
    path = folder / FILE
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            with alone_in(folder):
                if not path.exists():
                    _write(path, KeyGenerations((fresh(_now()),)))
                    _log.info("house_keys_made", path=str(path))
        keep_private(path)
        return read(path)
    except OSError as fault:
        raise KeysError(f"{path}: {fault.strerror}") from fault


def rotate(folder: Path, *, succession: bool = True) -> KeyGenerations:
    """Add a new generation to the file in `folder`; returns all generations.

    The old signing key and the new one sign a succession, unless `succession` is False. Without it, no client
    that knows the old key accepts the new one by itself. Raises `KeysError`. The file changes as a whole or
    not at all.
    """
    path = folder / FILE
    try:
        with alone_in(folder):
            house_keys = read(path)
            # If the clock was set back, the new succession must still not be older than the last one.
            now = max([_now(), *(item.at for item in house_keys.successions)])
            new = fresh(now)
            old = house_keys.newest.signing_key
            added = (write_succession(old, new.signing_key, now),) if succession else ()
            rotated = KeyGenerations((*house_keys.generations, new), (*house_keys.successions, *added))
            _write(path, rotated)
    except OSError as fault:
        raise KeysError(f"{path}: {fault.strerror}") from fault
    _log.info("house_keys_rotated", path=str(path), public_key=b64(new.public), succession=succession)
    return rotated


class KeyFile:
    """The file of keys, as one process reads it: when it is first needed, and after each replacement.

    If the file is gone, or can't be read because it is just being copied, the keys read before stay in use.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._path = folder, folder / FILE
        self._lock = threading.Lock()
        self._stamp: tuple[int, ...] | None = None
        self._generations: KeyGenerations | None = None

    def generations(self) -> KeyGenerations:
        """The secrets as they are in the file now. The first call makes them if there are none."""
        stamp = _stamp(self._path)
        if self._generations is not None and stamp in (self._stamp, None):
            return self._generations
        with self._lock:
            if self._generations is not None and stamp == self._stamp:
                return self._generations
            try:
                self._generations = load_generations(self._folder)
            except KeysError as fault:
                if self._generations is None:
                    raise
                _log.error("house_keys_unreadable", fault=str(fault))
            else:
                # This stamp is from before the reading, so a file that was replaced meanwhile is read again.
                self._stamp = stamp or _stamp(self._path)
            return self._generations


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _now() -> int:
    return time.time_ns() // 1_000_000


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a lock on a folder, for which other processes wait."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write(path: Path, house_keys: KeyGenerations) -> None:
    content = {
        "kind": KIND,
        "warning": "Secret. Keep it private and keep a copy: running games can't go on without it.",
        "generations": [_generation(keys) for keys in house_keys.generations],
        "successions": [item.json() for item in house_keys.successions],
    }
    write_private(path, json.dumps(content, indent=2) + "\n")


def _generation(keys: Keys) -> dict[str, Any]:
    return {
        "public_key": b64(keys.public),
        "since": None if keys.since is None else timestamp(keys.since),
        **{name: b64(getattr(keys, name)) for name in SECRETS},
    }


def write_private(path: Path, text: str) -> None:
    """Replace a file as a whole; only its owner can read it. Nobody ever finds half of it there."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    # The name appears once the file is complete, and both survive a power cut.
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def readable_by_others(path: Path) -> bool:
    """Tell whether others than its owner may read a file."""
    return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def keep_private(path: Path) -> None:
    """Take away the permissions of others to read a file; log it if that fails."""
    if not readable_by_others(path):
        return
    with suppress(PermissionError):
        path.chmod(0o600)
    if readable_by_others(path):  # the file system has no permissions, or the file is another account's
        _log.warning("house_keys_readable_by_others", path=str(path), mode=f"{path.stat().st_mode:o}")


def read(path: Path) -> KeyGenerations:
    """The secrets in a file, which stays as it is. Raises `KeysError`, and OSError if it can't be read."""
    try:
        content = json.loads(path.read_text())
        if content["kind"] == FIRST_KIND:
            house_keys = KeyGenerations((_read_generation(content),))
        elif content["kind"] == KIND:
            listed = tuple(_read_generation(item) for item in content["generations"])
            house_keys = KeyGenerations(listed, read_successions(content["successions"]))
        else:
            raise KeysError(f"{path}: not a file of house secrets of this version")
        if not house_keys.generations:
            raise ValueError
    except _Mismatch:
        text = f"{path}: damaged (its keys don't belong together); restore it from a backup"
        raise KeysError(text) from None
    except (ValueError, KeyError, TypeError, Refused) as fault:
        # Only the type of the exception is shown: its text could quote the file.
        raise KeysError(f"{path}: damaged ({type(fault).__name__}); restore it from a backup") from None
    return house_keys


def _read_generation(content: Mapping[str, Any]) -> Keys:
    since = content.get("since")
    signing, chain, bots = (unb64(content[name], 32) for name in SECRETS)
    keys = Keys(signing, chain, bots, None if since is None else parse_timestamp(since))
    if keys.public != unb64(content["public_key"], 32):
        raise _Mismatch
    return keys
