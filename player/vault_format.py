"""The format of a player's file: what is in it, how two copies are merged, and how it is encrypted.

The file is one JSON object: a header that says how the key is derived (scrypt, RFC 7914), and a
box under AES-256-GCM. The header's canonical form is the box's associated data, so neither can be
changed without the passphrase.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from Crypto.Cipher import AES
from Crypto.Protocol.KDF import scrypt

from crypto.encoding import EncodingError, b64, canonical, parse, unb64
from crypto.identity import public_key
from player.booster_notes import BoosterNotes
from player.one_history import LockNote
from player.seat import SealedChoice
from player.sent_log import SentMessage

KIND = "cloche-player/1"

COST = 17
"""log2 of scrypt's N. With r = 8 and p = 1 that takes 128 MiB and about half a second."""
LOWEST_COST, HIGHEST_COST = 10, 20
"""The costs that are accepted. Low ones are for tests; higher ones could exhaust the memory."""
_R, _P = 8, 1
_KEY, _SALT, _NONCE, _TAG = 32, 16, 12, 16


class VaultError(RuntimeError):
    """A player's file can't be used, or not for this. `code` is stable.

    The codes are no_file, not_a_vault, cant_open, file_exists, cant_write; other_player and two_secrets
    from merging two files; elsewhere and game_over from `Session.start`.

    A wrong passphrase and a changed box can't be told apart, which is what GCM promises: both are
    cant_open. A header that no version of this program writes is not_a_vault.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(frozen=True, slots=True)
class Identity:
    """The player who plays, and the house."""

    handle: str
    house: str
    """The house's address: http://HOST:PORT."""
    house_key: bytes
    """The house's Ed25519 public key: the one at registration, or one that successions lead to from it."""
    private: bytes = field(repr=False)
    """The player's Ed25519 private key, 32 bytes."""
    password: str = field(repr=False)
    """The password that the house asks for when a new token is needed.

    It says nothing about the passphrase.
    """
    token: str | None = field(default=None, repr=False)

    @property
    def public(self) -> bytes:
        """The player's Ed25519 public key, 32 bytes."""
        return public_key(self.private)

    def json(self) -> dict[str, Any]:
        """Return it as it stands in the box."""
        return {
            "handle": self.handle,
            "house": self.house,
            "house_key": b64(self.house_key),
            "private": b64(self.private),
            "password": self.password,
            "token": self.token,
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Identity:
        """Read it from its JSON."""
        return cls(
            handle=data["handle"],
            house=data["house"],
            house_key=unb64(data["house_key"], 32),
            private=unb64(data["private"], 32),
            password=data["password"],
            token=data["token"],
        )


@dataclass(frozen=True, slots=True)
class GameNote:
    """The data that a player must not lose while a game runs."""

    seat: int
    match_secret: bytes = field(repr=False)
    """32 random bytes, of this game only (protocol section 12)."""
    deck: Mapping[int, int] = field(default_factory=dict, repr=False)
    """Copies by card number; empty with a house pack."""
    kept: SealedChoice | None = field(default=None, repr=False)
    """The choice and secrets that open the newest seal."""
    head: tuple[int, bytes] | None = None
    """Seq and digest of the newest entry when this was written. The record must still hold that entry."""
    house_key: bytes | None = None
    """The house key that the game names. It stays the same, even if the house's key has changed since."""
    lock: LockNote | None = field(default=None, repr=False)
    """Where nobody deals: the random bytes of our newest lock."""
    older_locks: tuple[LockNote, ...] = field(default=(), repr=False)
    """Those of our locks on older cards that are in play too."""
    sent: tuple[SentMessage, ...] = field(default=(), repr=False)
    """The newest messages with their receipts, to send again unchanged and to prove what the house took."""

    def json(self) -> dict[str, Any]:
        """Return it as it stands in the box."""
        return {
            "seat": self.seat,
            "match_secret": b64(self.match_secret),
            "deck": {str(number): count for number, count in self.deck.items()},
            "kept": self.kept and self.kept.json(),
            "head": self.head and [self.head[0], b64(self.head[1])],
            "house_key": self.house_key and b64(self.house_key),
            **({} if self.lock is None else {"lock": self.lock.json()}),
            **({"older_locks": [note.json() for note in self.older_locks]} if self.older_locks else {}),
            "said": [item.json() for item in self.sent],
        }

    @classmethod
    def load(cls, game: str, data: Mapping[str, Any]) -> GameNote:
        """Read it from its JSON. Files of older versions have no `house_key`, `said`, or notes of locks."""
        head, key = data["head"], data.get("house_key")
        return cls(
            seat=data["seat"],
            match_secret=unb64(data["match_secret"], 32),
            deck={int(number): count for number, count in data["deck"].items()},
            kept=SealedChoice.load(data["kept"]) if data["kept"] else None,
            head=head and (head[0], unb64(head[1], 64)),
            house_key=key and unb64(key, 32),
            lock=LockNote.load(data["lock"]) if "lock" in data else None,
            older_locks=tuple(map(LockNote.load, data.get("older_locks", ()))),
            sent=tuple(SentMessage.load(game, item) for item in data.get("said", ())),
        )


@dataclass(frozen=True, slots=True)
class VaultContents:
    """Everything in the box."""

    identity: Identity
    games: Mapping[str, GameNote] = field(default_factory=dict)
    """The notes of running games, by game id."""
    boosters: BoosterNotes = field(default_factory=BoosterNotes)

    def json(self) -> dict[str, Any]:
        """Return it as it is encrypted."""
        return {
            "identity": self.identity.json(),
            "games": {game: note.json() for game, note in self.games.items()},
            "boosters": self.boosters.json(),
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> VaultContents:
        """Read it from its JSON. Files of older versions have no `boosters`."""
        games = {game: GameNote.load(game, note) for game, note in data["games"].items()}
        boosters = BoosterNotes.load(data["boosters"]) if "boosters" in data else BoosterNotes()
        return cls(Identity.load(data["identity"]), games, boosters)

    def merged(self, theirs: VaultContents) -> VaultContents:
        """Return these contents with the games and boosters of another file of the same player.

        `newer` merges two notes of a game. Raises `VaultError` other_player, two_secrets.
        """
        ours = self.identity
        if (theirs.identity.public, theirs.identity.house_key) != (ours.public, ours.house_key):
            owner = f"{theirs.identity.handle} at {theirs.identity.house}"
            raise VaultError("other_player", f"That file belongs to {owner}, not to {ours.handle}.")
        games = dict(self.games)
        for game, note in theirs.games.items():
            games[game] = newer(game, games.get(game), note)
        return replace(self, games=games, boosters=self.boosters.merged(theirs.boosters))


def newer(game: str, ours: GameNote | None, theirs: GameNote) -> GameNote:
    """Merge two notes of a game: the one with the later seal wins, ours where both have the same.

    Only a sealed choice can open its seal, so a note that knows the later seal is never replaced.
    The head, the lock and the sent log come from the note that has read further.
    Raises `VaultError` two_secrets: no two devices can have begun one game.
    """
    if ours is None:
        return theirs
    if (ours.seat, ours.match_secret) != (theirs.seat, theirs.match_secret):
        raise VaultError("two_secrets", f"The two files have different secrets of game {game}.")
    later = theirs.kept is not None and (ours.kept is None or theirs.kept.step > ours.kept.step)
    further = theirs if _read_to(theirs) > _read_to(ours) else ours
    return replace(
        theirs if later else ours,
        head=further.head,
        lock=further.lock,
        older_locks=further.older_locks,
        sent=further.sent,
    )


def _read_to(note: GameNote) -> int:
    """The number of the newest entry that the note knows; -1 for none."""
    return -1 if note.head is None else note.head[0]


@dataclass(frozen=True, slots=True)
class LockedBox:
    """A player's file as it was read, before any passphrase is asked for."""

    header: Mapping[str, Any]
    box: bytes
    """Ciphertext and tag."""

    @property
    def cost(self) -> int:
        """log2 of scrypt's N."""
        cost: int = self.header["log2_n"]
        return cost

    @property
    def salt(self) -> bytes:
        """scrypt's salt, 16 bytes."""
        return unb64(self.header["salt"], _SALT)

    @classmethod
    def parse(cls, data: bytes, name: str) -> LockedBox:
        """The bytes of a file. Raises `VaultError` not_a_vault, which names the file by `name`."""
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
            text = f"{name} is not a player's file of this version of Cloche, or it has been damaged."
            raise VaultError("not_a_vault", text) from None
        return cls(header, box)


@dataclass(frozen=True)
class PassphraseKey:
    """A passphrase with its salt and cost: it encrypts and decrypts a player's file."""

    passphrase: str = field(repr=False)
    cost: int
    """log2 of scrypt's N."""
    salt: bytes
    """16 bytes."""

    @classmethod
    def new(cls, passphrase: str, cost: int = COST) -> PassphraseKey:
        """A key with a fresh salt. Raises ValueError for a cost that is not accepted."""
        if not LOWEST_COST <= cost <= HIGHEST_COST:
            raise ValueError(f"the cost is from {LOWEST_COST} to {HIGHEST_COST}")
        return cls(passphrase, cost, secrets.token_bytes(_SALT))

    @cached_property
    def key(self) -> bytes:
        """32 bytes from scrypt, derived once a process."""
        derived: bytes = scrypt(self.passphrase.encode(), self.salt, _KEY, 2**self.cost, _R, _P)
        return derived

    def encrypt(self, contents: VaultContents) -> bytes:
        """The bytes of the file. Every call draws its own nonce."""
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
        return (json.dumps({**header, "box": b64(box + tag)}, indent=1) + "\n").encode()

    def decrypt(self, locked: LockedBox, name: str) -> VaultContents:
        """Return what is in a file.

        Raises `VaultError` cant_open, not_a_vault, which names the file by `name`.
        """
        nonce = unb64(locked.header["nonce"])
        cipher = AES.new(self.key, AES.MODE_GCM, nonce=nonce, mac_len=_TAG)
        cipher.update(canonical(dict(locked.header)))
        try:
            plain = cipher.decrypt_and_verify(locked.box[:-_TAG], locked.box[-_TAG:])
        except ValueError:
            text = f"{name} does not open: the passphrase is wrong, or the file has been damaged."
            raise VaultError("cant_open", text) from None
        try:
            return VaultContents.load(parse(plain))
        except (EncodingError, KeyError, TypeError, ValueError, AttributeError):
            raise VaultError("not_a_vault", f"{name} was written by another version of Cloche.") from None
