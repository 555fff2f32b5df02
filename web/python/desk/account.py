"""The player of this browser: registering, unlocking, the file, and its box at the house."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

import kitchen
from disk import BrowserDisk, DiskInMemory
from wire import BrowserWire

from client.http import Api
from client.leaving import leave
from crypto.encoding import b64
from crypto.identity import new_private_key
from desk.calls import DeskFault, call, passing
from player.house import ApiProblem, HouseFault, HouseInfo, Unreachable
from player.passwords import check_passphrase, password_of
from player.vault import PlayerVault
from player.vault_format import Identity, LockedBox, VaultContents, VaultError
from referee.sign_in import write_sign_in

WORDS = 6
LABEL = "browser"
AGAIN_MS = 10_000
"""Milliseconds after which a box that could not be renewed is tried again."""


@dataclass
class KitchenPlayer:
    """The player's file and the house, as this kitchen knows them."""

    disk: BrowserDisk = field(default_factory=BrowserDisk)
    wire: BrowserWire = field(default_factory=BrowserWire)
    vault: PlayerVault | None = None
    api: Api | None = None
    box_tag: str | None = None
    """The ETag of the box; None while it must be read before it is renewed."""
    boxed: bool = False
    """True if the house keeps a file for the player."""
    ours: bool = True
    """False if that file is no copy of ours, and does not open with our passphrase: it stays as it is."""


PLAYER = KitchenPlayer()


def anybody() -> Api:
    """The house, asked as nobody in particular."""
    return Api(kitchen.origin(), patience=0.0, transport=PLAYER.wire)


def house() -> Api:
    """The house, asked as the player if there is one."""
    return PLAYER.api or anybody()


def opened() -> tuple[PlayerVault, Api]:
    """The player's vault and the house. Raises `DeskFault` no_account, locked."""
    if PLAYER.vault is None or PLAYER.api is None:
        if PLAYER.disk.there():
            raise DeskFault("locked", "Your kitchen is locked: unlock it with your passphrase.")
        raise DeskFault("no_account", "There is no player in this browser.")
    return PLAYER.vault, PLAYER.api


def told() -> dict[str, Any] | None:
    """The account as `Account` of page/desk; None where there is none."""
    vault = PLAYER.vault
    if vault is None:
        if not PLAYER.disk.there():
            return None
        none: dict[str, Any] = {"boxed": None, "key": None, "house_key": None, "games": []}
        return {"handle": "", "house": kitchen.origin(), "locked": True, **none}
    who = vault.identity
    return {
        "handle": who.handle,
        "house": who.house,
        "locked": False,
        "boxed": PLAYER.boxed,
        "key": b64(who.public),
        "house_key": b64(who.house_key),
        "games": list(vault.contents.games),
    }


def first_key(shown: HouseInfo) -> bytes:
    """The first key in the house's line of successions: it stays when the house changes its key."""
    olds, news = {step.old for step in shown.successions}, {step.new for step in shown.successions}
    first = olds - news
    return min(first) if first else shown.key


def token() -> str | None:
    """The player's token; None while there is none."""
    return None if PLAYER.vault is None else PLAYER.vault.identity.token


def renew() -> str:
    """Fetch a new token, with a proof that the player has the key of the account."""
    vault, api = opened()
    who = vault.identity
    proof = write_sign_in(who.private, who.house_key, time.time_ns() // 1_000_000)
    try:
        found = api.issue_token(who.handle, who.password, LABEL, proof)
    except ApiProblem as problem:
        if problem.code != "wrong_password":
            raise
        # It was changed on another device; the key signs in without it.
        found = api.issue_token_by_key(who.handle, who.private, who.house_key, LABEL)
    vault.renew(found)
    return found


def _require_secure() -> None:
    if not kitchen.secure():
        text = "On plain http a browser keeps nothing safe. Use https, or `cloche web` on your own machine."
        raise DeskFault("insecure", text)


def _require_new() -> None:
    if PLAYER.vault is not None or PLAYER.disk.there():
        raise DeskFault("has_account", "There is a player in this browser already.")


def _use(vault: PlayerVault, api: Api) -> None:
    if vault.identity.token is not None:
        api.as_player(vault.identity.token)
    PLAYER.vault, PLAYER.api = vault, api


def forget_player() -> None:
    PLAYER.vault = PLAYER.api = PLAYER.box_tag = None
    PLAYER.boxed, PLAYER.ours = False, True


@call("account.words")
def words() -> dict[str, Any]:
    """Draw six words."""
    known = kitchen.words().to_py()
    return {"words": [secrets.choice(known) for _ in range(WORDS)]}


@call("account.register")
def register(handle: str, passphrase: str, starter: str | None = None) -> dict[str, Any] | None:
    """Become a player. If an earlier attempt was interrupted, it goes on."""
    _require_secure()
    check_passphrase(passphrase)
    api = anybody()
    known = api.house()
    vault = _unfinished(handle, passphrase)
    if vault is None:
        password = password_of(passphrase, handle, first_key(known))
        who = Identity(handle, _address(api), known.key, new_private_key(), password)
        vault = PlayerVault.create_on(PLAYER.disk, passphrase, who)
    PLAYER.vault, PLAYER.api = vault, api
    who = vault.identity
    try:
        api.register(who.handle, who.password, who.private, who.house_key, starter)
    except ApiProblem as problem:
        try:
            renew()  # the earlier attempt has arrived
        except ApiProblem:
            if problem.status in (400, 409, 422):
                PLAYER.disk.remove()  # the house has refused this handle: the file is nobody's
            forget_player()
            raise problem from None
        return told()
    except Unreachable:
        forget_player()
        raise
    renew()
    return told()


def _unfinished(handle: str, passphrase: str) -> PlayerVault | None:
    if not PLAYER.disk.there():
        return None
    vault = PLAYER.vault or PlayerVault.open_on(PLAYER.disk, passphrase)
    if vault.identity.token is not None or vault.identity.handle != handle:
        raise DeskFault("has_account", "There is a player in this browser already.")
    return vault


def _address(api: Api) -> str:
    """The house's own address: a page on the player's own machine passes requests on to it."""
    answer = PLAYER.wire.request("GET", f"{api.url}/house.json", {}, None, 15.0)
    if not answer.good:
        return api.url
    import json

    return json.loads(answer.content).get("url") or api.url


@call("account.sign_in")
def sign_in(handle: str, passphrase: str) -> dict[str, Any] | None:
    """Fetch a known player's file from its box at the house."""
    _require_secure()
    _require_new()
    api = anybody()
    token = api.issue_token(handle, password_of(passphrase, handle, first_key(api.house())), LABEL)
    file, tag = api.box()
    if file is None:
        text = "The house keeps no file of yours. Bring the file from the device where you registered."
        raise DeskFault("no_box", text)
    vault = PlayerVault.open_on(DiskInMemory(file.encode()), passphrase)
    PLAYER.disk.replace(file.encode())
    vault.disk = PLAYER.disk
    vault.renew(token)  # the file has the token of the device that put it there
    _use(vault, api)
    PLAYER.box_tag, PLAYER.boxed = tag, True
    recognize()
    return told()


@call("account.unlock")
def unlock(passphrase: str) -> dict[str, Any] | None:
    """Open the player's file. The house need not answer for that."""
    vault = PlayerVault.open_on(PLAYER.disk, passphrase)
    _use(vault, anybody())
    if vault.identity.token is None:
        forget_player()
        raise DeskFault("no_account", "Registering was interrupted here. Register once more.")
    try:
        recognize()
        _meet_box(passphrase)
    except Unreachable:
        # The album and running games wait until the house is back, and so does the box, if there is one.
        PLAYER.boxed = True
        kitchen.box(AGAIN_MS)
    return told()


def recognize() -> None:
    """Check the house's key, or that the known key vouches for it. Raises `HouseFault`."""
    vault, api = opened()
    shown = api.house()
    if shown.key == vault.identity.house_key:
        return
    if not shown.succeeds(vault.identity.house_key):
        text = (
            "This is not the house at which you registered: nothing leads from its key to the one you know."
        )
        raise HouseFault("wrong_house", text)
    vault.trust(shown.key)


def _meet_box(passphrase: str) -> None:
    """Take in what another device has put into the box. It may have a salt of its own."""
    _, api = opened()
    try:
        file, PLAYER.box_tag = api.box()
    except ApiProblem as problem:
        if problem.status != 401:
            return  # a house of an older version has no box
        renew()
        file, PLAYER.box_tag = api.box()
    PLAYER.boxed, PLAYER.ours = file is not None, True
    if file is None or file.encode() == PLAYER.disk.read():
        return
    try:
        take_in(PlayerVault.open_on(DiskInMemory(file.encode()), passphrase).contents)
    except VaultError:
        PLAYER.ours = False  # put there under another passphrase: it stays until the player changes it


def look_into_box() -> bool:
    """Take in what another device has put into the box. False if the box has no copy of our file.

    Raises `ApiProblem`, `Unreachable`.
    """
    vault, api = opened()
    file, PLAYER.box_tag = api.box()
    PLAYER.boxed, PLAYER.ours = file is not None, True
    if file is None:
        return False
    try:
        theirs = vault.read_copy(file.encode())
        if theirs is not None:
            take_in(theirs)
    except VaultError:
        theirs = None
    PLAYER.ours = theirs is not None
    return PLAYER.ours


def take_in(theirs: VaultContents) -> None:
    """Merge the games of another copy, and have those that run here look at what is new."""
    vault, _ = opened()
    if vault.contents.merged(theirs) == vault.contents:
        return
    for game in (*vault.take_in(theirs), ""):  # "": those that are not followed yet
        kitchen.later(game, 0)


@call("account.lock")
def lock() -> None:
    """Forget key and passphrase until the next unlock."""
    put_box()
    forget_player()


@call("account.forget")
def forget(sure: str) -> None:
    """Remove the file from this browser."""
    vault, _ = opened()
    if sure.casefold() != vault.identity.handle.casefold():
        raise DeskFault("bad_argument", "Type your name to remove your file.", pointer="/sure")
    PLAYER.disk.remove()
    forget_player()


@call("account.delete")
def delete(sure: str) -> dict[str, int]:
    """Delete the account at the house, and the file here. The player resigns from running games."""
    vault, api = opened()
    if sure.casefold() != vault.identity.handle.casefold():
        raise DeskFault("bad_argument", "Type your name to delete your account.", pointer="/sure")
    renew()  # a token that has run out must not end this half-way
    left = leave(api, vault)
    PLAYER.disk.remove()
    forget_player()
    return {"left": left}


@call("account.export")
def export() -> dict[str, str]:
    """The player's file, to save."""
    vault, _ = opened()
    return {"name": f"cloche-{vault.identity.handle}.json", "text": PLAYER.disk.read().decode()}


@call("account.import")
def take_file(text: str, passphrase: str) -> dict[str, Any] | None:
    """Take a file in: as the player of this browser, or merged if it is the same player's."""
    _require_secure()
    data = text.encode()
    LockedBox.parse(data, "the file")
    found = PlayerVault.open_on(DiskInMemory(data), passphrase)
    if PLAYER.disk.there():
        take_in(found.contents)
        return told()
    PLAYER.disk.replace(data)
    found.disk = PLAYER.disk
    _use(found, anybody())
    recognize()
    renew()  # a token of this device's own, which can be revoked alone
    _meet_box(passphrase)
    return told()


@call("account.box")
def box(on: bool) -> dict[str, Any] | None:
    """Have the house keep the locked file, or delete it there."""
    _, api = opened()
    _, tag = api.box()
    PLAYER.box_tag = api.put_box(PLAYER.disk.read().decode() if on else None, tag)
    PLAYER.boxed, PLAYER.ours = on, True
    return told()


def box_secret() -> None:
    """Have the box renewed at once: the file has a secret without which no other device can go on.

    If we know of no box, we look: another device may have made one, and nobody tells us.
    """
    if not PLAYER.boxed:
        PLAYER.box_tag = None
    kitchen.box(0)


def put_box() -> None:
    """Renew the box, if there is one. What another device has put there meanwhile is taken in first, if it
    is a copy of our file. Where the house does not answer it is tried again.
    """
    api = PLAYER.api
    if PLAYER.vault is None or api is None or not PLAYER.ours:
        return
    try:
        if PLAYER.box_tag is None and not look_into_box():
            return
        if PLAYER.boxed and PLAYER.box_tag is not None:
            PLAYER.box_tag = api.put_box(PLAYER.disk.read().decode(), PLAYER.box_tag)
    except ApiProblem as problem:
        if problem.status == 412:
            PLAYER.box_tag = None
            kitchen.box(0)
        elif passing(problem):
            kitchen.box(AGAIN_MS)
    except Unreachable:
        kitchen.box(AGAIN_MS)
