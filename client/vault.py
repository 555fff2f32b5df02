"""A player's own file: signing key, and per game the match secret and what was sealed.

One JSON object: a header that says how the key is derived (scrypt, RFC 7914) and a
box under AES-256-GCM whose associated data is the canonical form of that header, so
neither can be changed without the passphrase. The file belongs to its owner alone
(mode 0600) and is replaced whole, so a power cut leaves the old one or the new one.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from Crypto.Cipher import AES
from Crypto.Protocol.KDF import scrypt

from crypto.encoding import EncodingError, b64, canonical, parse, unb64
from crypto.identity import public_key
from player.seat import Kept
from player.sent_log import Said

FILE = "player.json"
KIND = "cloche-player/1"

COST = 17
"""log2 of scrypt's N; with r = 8 and p = 1 that takes 128 MiB and about half a second."""
LOWEST_COST, HIGHEST_COST = 10, 20
"""What is accepted: low ones are for tests, higher ones would let a changed file exhaust the memory."""
_R, _P = 8, 1
_KEY, _SALT, _NONCE, _TAG = 32, 16, 12, 16


class VaultError(RuntimeError):
    """The file can't be used, or not for this. `code` is stable.

    no_file, not_a_vault, cant_open, file_exists, cant_write; other_player, two_secrets (`take_in`);
    elsewhere, game_over (`Session.start`).

    A wrong passphrase and a changed box can't be told apart (that is what GCM promises):
    both are cant_open. A header that no version of this program writes is not_a_vault.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def home(environment: Mapping[str, str] | None = None) -> Path:
    """The folder of a player's files: CLOCHE_HOME, or cloche in the user's folder for settings."""
    given = os.environ if environment is None else environment
    if given.get("CLOCHE_HOME"):
        return Path(given["CLOCHE_HOME"])
    return Path(given.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "cloche"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who plays, and at which house."""

    handle: str
    house: str
    """The address of the house: http://HOST:PORT."""
    house_key: bytes
    """Its Ed25519 public key: the one at registration, or what that has led to by successions."""
    private: bytes = field(repr=False)
    """The player's Ed25519 private key, 32 bytes."""
    password: str = field(repr=False)
    """What the house asks for when a new token is needed; it says nothing about the passphrase."""
    token: str | None = field(default=None, repr=False)

    @property
    def public(self) -> bytes:
        """The player's public key."""
        return public_key(self.private)

    def json(self) -> dict[str, Any]:
        """As it stands in the box."""
        return {
            "handle": self.handle,
            "house": self.house,
            "house_key": b64(self.house_key),
            "private": b64(self.private),
            "password": self.password,
            "token": self.token,
        }


@dataclass(frozen=True, slots=True)
class GameNote:
    """What a player must not lose while a game runs."""

    seat: int
    match_secret: bytes = field(repr=False)
    """32 random bytes, of this game only (protocol section 12)."""
    deck: Mapping[int, int] = field(default_factory=dict, repr=False)
    """Copies by card number; empty with a house pack."""
    kept: Kept | None = field(default=None, repr=False)
    """The newest seal: its step, choice and fresh bytes."""
    head: tuple[int, bytes] | None = None
    """Seq and digest of the newest entry when this was written: the record must still hold it."""
    house_key: bytes | None = None
    """The key that the game names: it stays this one, whatever key the house has by now."""
    said: tuple[Said, ...] = field(default=(), repr=False)
    """What was sent last, with its receipts: so that it is sent again as it was, and none of it denied."""

    def json(self) -> dict[str, Any]:
        """As it stands in the box."""
        return {
            "seat": self.seat,
            "match_secret": b64(self.match_secret),
            "deck": {str(number): count for number, count in self.deck.items()},
            "kept": self.kept and self.kept.json(),
            "head": self.head and [self.head[0], b64(self.head[1])],
            "house_key": self.house_key and b64(self.house_key),
            "said": [item.json() for item in self.said],
        }


@dataclass(frozen=True, slots=True)
class Contents:
    """All that is in the box."""

    identity: Identity
    games: Mapping[str, GameNote] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """As it is encrypted."""
        return {
            "identity": self.identity.json(),
            "games": {game: note.json() for game, note in self.games.items()},
        }


def _read_note(game: str, data: Mapping[str, Any]) -> GameNote:
    head, key = data["head"], data.get("house_key")
    return GameNote(
        seat=data["seat"],
        match_secret=unb64(data["match_secret"], 32),
        deck={int(number): count for number, count in data["deck"].items()},
        kept=Kept.load(data["kept"]) if data["kept"] else None,
        head=head and (head[0], unb64(head[1], 64)),
        house_key=key and unb64(key, 32),
        said=tuple(Said.load(game, item) for item in data.get("said", ())),
    )


def _read_contents(data: Mapping[str, Any]) -> Contents:
    given = data["identity"]
    identity = Identity(
        handle=given["handle"],
        house=given["house"],
        house_key=unb64(given["house_key"], 32),
        private=unb64(given["private"], 32),
        password=given["password"],
        token=given["token"],
    )
    return Contents(identity, {game: _read_note(game, note) for game, note in data["games"].items()})


class Vault:
    """A player's file, opened: reads of `contents` are the newest, `change` writes at once."""

    def __init__(self, path: Path, lock: _Lock, contents: Contents) -> None:
        self.path = path
        self._lock = lock
        self._contents = contents

    def __repr__(self) -> str:
        return f"Vault({self.path})"

    @classmethod
    def create(cls, path: Path, passphrase: str, identity: Identity, cost: int = COST) -> Vault:
        """A new file; raises `VaultError` file_exists where there is one, cant_write where that fails."""
        if not LOWEST_COST <= cost <= HIGHEST_COST:
            raise ValueError(f"the cost is from {LOWEST_COST} to {HIGHEST_COST}")
        if path.exists():
            text = f"{path} holds a player already; set CLOCHE_HOME to another folder for a second one."
            raise VaultError("file_exists", text)
        lock = _Lock(passphrase, cost, secrets.token_bytes(_SALT))
        vault = cls(path, lock, Contents(identity))
        _write(path, lock.close(vault.contents))
        return vault

    @classmethod
    def open(cls, path: Path, passphrase: str) -> Vault:
        """The file, opened with its passphrase; raises `VaultError`."""
        header, box = _read(path)
        lock = _Lock(passphrase, header["log2_n"], unb64(header["salt"], _SALT))
        return cls(path, lock, lock.open(path, header, box))

    @property
    def contents(self) -> Contents:
        """What is in it."""
        return self._contents

    @property
    def identity(self) -> Identity:
        """Whose it is."""
        return self._contents.identity

    def change(self, how: Callable[[Contents], Contents]) -> Contents:
        """Change what is in it, on top of what other processes wrote; it is on disk when this returns."""
        with _alone(self.path):
            header, box = _read(self.path)
            if header["salt"] == b64(self._lock.salt):
                self._contents = self._lock.open(self.path, header, box)
            else:
                text = f"{self.path} has been replaced by another file meanwhile."
                raise VaultError("cant_open", text)
            self._contents = how(self._contents)
            _write(self.path, self._lock.close(self._contents))
        return self._contents

    def note(self, game: str) -> GameNote | None:
        """What is kept of a game."""
        return self._contents.games.get(game)

    def begin(self, game: str, note: GameNote) -> GameNote:
        """Write down that a game begins, unless another process has: that one's secrets are the game's."""
        return self._merge(game, lambda held: held or note)

    def keep(self, game: str, note: GameNote) -> GameNote:
        """Write down what must not be lost of a game, beside what other processes know of it (`newer`)."""
        return self._merge(game, lambda held: note if held is None else newer(game, note, held))

    def reread(self, game: str) -> GameNote | None:
        """What is kept of a game, by whichever process."""
        self._contents = self._lock.open(self.path, *_read(self.path))
        return self.note(game)

    def _merge(self, game: str, how: Callable[[GameNote | None], GameNote]) -> GameNote:
        found = self.change(lambda held: replace(held, games={**held.games, game: how(held.games.get(game))}))
        return found.games[game]

    def forget(self, game: str) -> None:
        """Drop a game that is over: its secrets are of no use any more, but to a thief."""
        self.change(
            lambda held: replace(held, games={g: note for g, note in held.games.items() if g != game})
        )

    def renew(self, token: str) -> None:
        """Keep a new token."""
        self.change(lambda held: replace(held, identity=replace(held.identity, token=token)))

    def trust(self, house_key: bytes) -> None:
        """Know the house by another key from now on."""
        self.change(lambda held: replace(held, identity=replace(held.identity, house_key=house_key)))

    def back_up(self, path: Path) -> None:
        """A copy of the identity, without games, under the same passphrase; raises `VaultError`."""
        if path.exists():
            raise VaultError("file_exists", f"{path} is there already.")
        _write(path, self._lock.close(Contents(self.identity)))

    def export(self, path: Path) -> None:
        """A copy of everything, running games too, under the same passphrase; raises `VaultError`.

        What another process has written last is in it.
        """
        if path.exists():
            raise VaultError("file_exists", f"{path} is there already.")
        self._contents = self._lock.open(self.path, *_read(self.path))
        _write(path, self._lock.close(self._contents))

    def take_in(self, theirs: Contents) -> tuple[str, ...]:
        """Take in the games of another file of the same player; returns those that changed here.

        What was sealed last stays (`newer`). Raises `VaultError` other_player, two_secrets; then nothing
        has changed.
        """
        ours = self.identity
        if (theirs.identity.public, theirs.identity.house_key) != (ours.public, ours.house_key):
            text = f"That file is {theirs.identity.handle}'s at {theirs.identity.house}, not {ours.handle}'s."
            raise VaultError("other_player", text)
        taken: list[str] = []

        def merge(held: Contents) -> Contents:
            games = dict(held.games)
            for game, note in theirs.games.items():
                games[game] = newer(game, games.get(game), note)
            taken[:] = [game for game in games if games[game] != held.games.get(game)]
            return replace(held, games=games)

        self.change(merge)
        return tuple(taken)


def newer(game: str, ours: GameNote | None, theirs: GameNote) -> GameNote:
    """Of two notes of a game the one whose seal is of the later step; ours where they are alike.

    A choice that was sealed is needed to open it, so the note that knows the later seal is never
    replaced. How far the record had come, and what was said then, is of the note that has read further.
    Raises `VaultError` two_secrets: no two devices can have begun one game.
    """
    if ours is None:
        return theirs
    if (ours.seat, ours.match_secret) != (theirs.seat, theirs.match_secret):
        raise VaultError("two_secrets", f"The two files have different secrets of game {game}.")
    later = theirs.kept is not None and (ours.kept is None or theirs.kept.step > ours.kept.step)
    further = theirs if _read_to(theirs) > _read_to(ours) else ours
    return replace(theirs if later else ours, head=further.head, said=further.said)


def _read_to(note: GameNote) -> int:
    return -1 if note.head is None else note.head[0]


@dataclass(frozen=True)
class _Lock:
    """A passphrase with its salt and cost: opens and closes boxes."""

    passphrase: str = field(repr=False)
    cost: int
    salt: bytes

    @cached_property
    def key(self) -> bytes:
        """32 bytes from scrypt, once a process."""
        derived: bytes = scrypt(self.passphrase.encode(), self.salt, _KEY, 2**self.cost, _R, _P)
        return derived

    def close(self, contents: Contents) -> dict[str, Any]:
        """The file's object: a nonce of its own for every writing."""
        header = {
            "kind": KIND,
            "kdf": "scrypt",
            "log2_n": self.cost,
            "r": _R,
            "p": _P,
            "salt": b64(self.salt),
            "cipher": "AES-256-GCM",
            "nonce": b64(secrets.token_bytes(_NONCE)),
        }
        cipher = AES.new(self.key, AES.MODE_GCM, nonce=unb64(header["nonce"]), mac_len=_TAG)
        cipher.update(canonical(header))
        box, tag = cipher.encrypt_and_digest(canonical(contents.json()))
        return {**header, "box": b64(box + tag)}

    def open(self, path: Path, header: Mapping[str, Any], box: bytes) -> Contents:
        """What is in a box; raises `VaultError`."""
        cipher = AES.new(self.key, AES.MODE_GCM, nonce=unb64(header["nonce"]), mac_len=_TAG)
        cipher.update(canonical(dict(header)))
        try:
            plain = cipher.decrypt_and_verify(box[:-_TAG], box[-_TAG:])
        except ValueError:
            text = f"{path} does not open: the passphrase is wrong, or the file has been damaged."
            raise VaultError("cant_open", text) from None
        try:
            return _read_contents(parse(plain))
        except (EncodingError, KeyError, TypeError, ValueError, AttributeError):
            raise VaultError("not_a_vault", f"{path} was written by another version of Cloche.") from None


def _read(path: Path) -> tuple[dict[str, Any], bytes]:
    """Header and box, before any passphrase is asked for; raises `VaultError`."""
    try:
        data = path.read_bytes()
        _keep_private(path)
    except FileNotFoundError:
        raise VaultError("no_file", f"There is no {path}; `cloche register` makes it.") from None
    except OSError as error:
        raise VaultError("no_file", f"{path}: {error.strerror}.") from None
    try:
        header = parse(data)
        box = unb64(header.pop("box"))
        nonce, salt = unb64(header["nonce"], _NONCE), unb64(header["salt"], _SALT)
        expected = {"kind": KIND, "kdf": "scrypt", "r": _R, "p": _P, "cipher": "AES-256-GCM"}
        expected |= {"log2_n": header["log2_n"], "salt": b64(salt), "nonce": b64(nonce)}
        known = header == expected and type(header["log2_n"]) is int and len(box) > _TAG
        if not known or not LOWEST_COST <= header["log2_n"] <= HIGHEST_COST:
            raise ValueError
    except (EncodingError, KeyError, TypeError, ValueError, AttributeError):
        text = f"{path} is not a player's file of this version of Cloche, or it has been damaged."
        raise VaultError("not_a_vault", text) from None
    return header, box


def check_file(path: Path) -> None:
    """Whether there is a player's file at all, before its passphrase is asked for; raises `VaultError`."""
    _read(path)


def _keep_private(path: Path) -> None:
    """What others can read is made the owner's alone, where the file system knows owners."""
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One writer at a time, among all processes."""
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write(path: Path, data: Mapping[str, Any]) -> None:
    """Replace the file whole: it is on disk under another name before it gets its own."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w") as file:
                file.write(json.dumps(data, indent=1) + "\n")
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
