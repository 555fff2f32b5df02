"""The sign-in password of a player who has only a passphrase: the same on every device.

A player who signs in on a new device knows a handle and a passphrase, and has no file yet. scrypt makes the
password from both, and from the first key of the house, so that another house gets another password. The
file itself has a salt of its own (`player.vault_format`). A house that has the password must guess
passphrases at scrypt's cost, as a thief of the locked file must.
"""

from __future__ import annotations

from Crypto.Protocol.KDF import scrypt

from crypto.encoding import b64
from crypto.transcript import tuple_hash
from player.vault_format import COST, VaultError

LEAST = 14
"""The fewest characters of a passphrase of the player's own. Six drawn words have more."""
LEAST_DIFFERENT = 6
_SALT, _PASSWORD, _R, _P = 16, 32, 8, 1


def check_passphrase(passphrase: str) -> None:
    """Raise `VaultError` weak_passphrase unless a passphrase is long enough to outlast guesses."""
    if len(passphrase) < LEAST or len(set(passphrase.casefold())) < LEAST_DIFFERENT:
        text = f"A passphrase has at least {LEAST} characters, and {LEAST_DIFFERENT} different ones."
        raise VaultError("weak_passphrase", text)


def password_of(passphrase: str, handle: str, first_key: bytes, cost: int = COST) -> str:
    """The sign-in password: 32 bytes from scrypt with N = 2^`cost`, in base64url.

    `first_key` is the Ed25519 key that the house had first, 32 bytes. It stays when the house's key changes.
    """
    salt = tuple_hash("sign-in password", handle.casefold().encode(), first_key, length=_SALT)
    return b64(bytes(scrypt(passphrase.encode(), salt, _PASSWORD, 2**cost, _R, _P)))
