"""Changes of the account: another handle, other words. Each needs the words of today.

The sign-in password follows from words and handle, so it changes with either. A house that does not answer
half-way costs nothing: the file opens with the words with which it opened before, the key signs in without
a password, and the same call goes on where it ended.
"""

from __future__ import annotations

from typing import Any

import kitchen
from disk import DiskInMemory

from client.http import Api
from desk import account
from desk.calls import call
from player.house import ApiProblem
from player.passwords import check_passphrase, password_of
from player.vault import PlayerVault

TRIES = 3
"""How often a box is renewed that other devices change at the same moment."""
CHANGED = 412


@call("account.rename")
def rename(handle: str, passphrase: str) -> dict[str, Any] | None:
    """Take another handle. From now on it signs in on new devices, with the same words."""
    vault, api = account.opened()
    _require_words(passphrase)
    if handle != vault.identity.handle:
        account.renew()  # a token that has run out must not end this half-way
        vault.rename(str(api.rename(handle)["handle"]))
    vault.keep_password(_set_password(vault, api, passphrase))
    return account.told()


@call("account.change_words")
def change_words(passphrase: str, words: str) -> dict[str, Any] | None:
    """Lock the file under other words. All other sessions end; copies elsewhere keep the old words."""
    vault, api = account.opened()
    _require_words(passphrase)
    check_passphrase(words)
    account.renew()
    boxed = account.PLAYER.boxed and (account.PLAYER.box_tag is not None or account.look_into_box())
    password = _set_password(vault, api, words)
    before = PlayerVault.open_on(DiskInMemory(account.PLAYER.disk.read()), passphrase)
    vault.relock(words, password)
    if boxed:
        _exchange_box(before, api)
    return account.told()


def _require_words(passphrase: str) -> None:
    """Raise `VaultError` cant_open unless these are the words of the file."""
    PlayerVault.open_on(DiskInMemory(account.PLAYER.disk.read()), passphrase)


def _set_password(vault: PlayerVault, api: Api, words: str) -> str:
    """Give the house the sign-in password of these words, on a proof by the key; returns it."""
    who = vault.identity
    password = password_of(words, who.handle, account.first_key(api.house()))
    api.change_password(password, answer=api.answer(who.private, who.house_key, who.handle, "password"))
    return password


def _exchange_box(before: PlayerVault, api: Api) -> None:
    """Put the file into its box in place of the copy under the old words, whose games are taken in."""
    player = account.PLAYER
    for left in reversed(range(TRIES)):
        file, tag = api.box()
        theirs = None if file is None else before.read_copy(file.encode())
        if theirs is not None:
            account.take_in(theirs)
        try:
            player.box_tag = api.put_box(player.disk.read().decode(), tag)
        except ApiProblem as problem:
            if problem.status != CHANGED or not left:
                raise
        else:
            player.boxed, player.ours = True, True
            kitchen.box()
            return
