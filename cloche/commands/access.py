"""The options and functions by which a command finds the player's vault and house, and signs in."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from client.http import Api
from client.transport import Transport
from client.vault import FILE, Vault, check_file, home
from cloche.commands.errors import CommandError, command_errors
from crypto.encoding import b64
from player.house import ApiProblem, HouseFault
from player.passwords import check_passphrase
from player.vault_format import COST, HIGHEST_COST, LOWEST_COST, VaultError
from referee.sign_in import write_sign_in

HOUSE = "http://127.0.0.1:8040"
"""The address at which `cloche serve` listens unless told otherwise."""

F = TypeVar("F", bound=Callable[..., Any])

house_option = click.option(
    "--house", envvar="CLOCHE_HOUSE", metavar="URL", help=f"The house's address.  [default: {HOUSE}]"
)
_passphrase_file = click.option(
    "--passphrase-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file whose first line is your passphrase.  [default: CLOCHE_PASSPHRASE, or you are asked]",
)


def passphrase_option(command: F) -> F:
    """The option from which `passphrase` reads."""
    return _passphrase_file(command)


def vault_path() -> Path:
    """The path of this player's vault."""
    return home() / FILE


def cost() -> int:
    """log2 of scrypt's N for a new vault: CLOCHE_VAULT_COST where it is set, which is meant for tests."""
    text = os.environ.get("CLOCHE_VAULT_COST", str(COST))
    if not text.isdecimal() or not LOWEST_COST <= int(text) <= HIGHEST_COST:
        raise click.UsageError(f"CLOCHE_VAULT_COST must be a number from {LOWEST_COST} to {HIGHEST_COST}.")
    return int(text)


def passphrase(file: Path | None, new: bool = False) -> str:
    """The passphrase: from a file, from CLOCHE_PASSPHRASE, or typed by the player (a new one twice).

    A new one must be long enough to outlast guesses. A player who types is asked again; else this raises
    `VaultError` weak_passphrase.
    """
    if file is not None:
        lines = file.read_text().splitlines()
        found = lines[0] if lines else ""
    elif "CLOCHE_PASSPHRASE" in os.environ:
        found = os.environ["CLOCHE_PASSPHRASE"]
    elif sys.stdin.isatty():
        how: dict[str, Any] = {"confirmation_prompt": True, "value_proc": _strong} if new else {}
        found = click.prompt("Passphrase", hide_input=True, err=True, **how)
    else:
        raise click.UsageError("No passphrase: set CLOCHE_PASSPHRASE or give --passphrase-file.")
    if not found:
        raise click.UsageError("The passphrase is empty.")
    if new:
        check_passphrase(found)
    return found


def _strong(typed: str) -> str:
    """A new passphrase as it was typed. click asks again after a `UsageError`."""
    try:
        check_passphrase(typed)
    except VaultError as fault:
        raise click.UsageError(fault.text) from None
    return typed


def open_vault(file: Path | None) -> Vault:
    """Open this player's vault."""
    path = vault_path()
    check_file(path)
    return Vault.open(path, passphrase(file))


def reach(url: str, token: str | None = None) -> Api:
    """A client of the house at `url`, over the transport that the command was run with.

    `main(obj=transport)` runs a command over another `Transport` than the network.
    """
    context = click.get_current_context(silent=True)
    given = None if context is None else context.obj
    return Api(url, token, transport=given if isinstance(given, Transport) else None)


@contextmanager
def signed_in(file: Path | None, house: str | None = None) -> Iterator[tuple[Vault, Api]]:
    """The player's vault, and their house with a token that works; errors become a `CommandError`."""
    with command_errors():
        vault = open_vault(file)
        identity = vault.identity
        with reach(house or identity.house, identity.token) as api:
            sign_in(vault, api)
            yield vault, api


@contextmanager
def at_house(house: str | None, file: Path | None) -> Iterator[tuple[Vault | None, Api]]:
    """The player's house, signed in; or, as nobody, the house that is named, or the usual one."""
    if house is None and vault_path().exists():
        with signed_in(file) as (vault, api):
            yield vault, api
        return
    with command_errors(), reach(house or HOUSE) as api:
        yield None, api


@contextmanager
def signed_in_from(folder: Path, house: str) -> Iterator[tuple[Vault, Api]]:
    """Another player's vault, in the folder that is their CLOCHE_HOME, and the same house.

    At a terminal the player types the passphrase; elsewhere it is the one of CLOCHE_PASSPHRASE.
    """
    path = folder / FILE
    check_file(path)
    given = click.prompt("Passphrase", hide_input=True, err=True) if sys.stdin.isatty() else passphrase(None)
    vault = Vault.open(path, given)
    if vault.identity.house != house:
        raise CommandError("another_house", f"This player is at {vault.identity.house}, not at {house}.")
    with reach(house, vault.identity.token) as api:
        sign_in(vault, api)
        yield vault, api


def sign_in(vault: Vault, api: Api) -> None:
    """Check that the house is the one the player knows and that the token works; else fetch a new token."""
    recognize(vault, api)
    try:
        if vault.identity.token is not None:
            api.me()
            return
    except ApiProblem as problem:
        if problem.status != 401:
            raise
    renew(vault, api)


def renew(vault: Vault, api: Api) -> None:
    """Fetch a new token into the vault, with a proof that the player has the key of the account.

    If the password was changed on another device, the key alone signs in.
    """
    try:
        renew_by_password(vault, api)
    except ApiProblem as problem:
        if problem.code != "wrong_password":
            raise
        renew_by_key(vault, api)


def renew_by_key(vault: Vault, api: Api) -> None:
    """Fetch a new token into the vault for an answer to a challenge; no password is needed."""
    identity = vault.identity
    vault.renew(api.issue_token_by_key(identity.handle, identity.private, identity.house_key, "cloche"))


def renew_by_password(vault: Vault, api: Api) -> None:
    """Fetch a new token into the vault for the password in it."""
    identity = vault.identity
    proof = write_sign_in(identity.private, identity.house_key, time.time_ns() // 1_000_000)
    vault.renew(api.issue_token(identity.handle, identity.password, "cloche", proof))


def recognize(vault: Vault, api: Api) -> None:
    """Check the house's key: the one in the vault, or one for which both the old and the new key vouch.

    The vault then remembers the new key, and the player is told. Raises `HouseFault` for any other key.
    """
    shown, known = api.house(), vault.identity.house_key
    if shown.key == known:
        return
    if not shown.succeeds(known):
        raise HouseFault(
            "wrong_house",
            f"{api.url} is not the house that you registered at: its key is {b64(shown.key)}, yours to"
            f" trust is {b64(known)}, and nothing leads from one to the other."
            " If the operator confirms the new key to you in person, `cloche trust` accepts it",
        )
    vault.trust(shown.key)
    click.echo(f"The house has a new key, and its old one vouches for it: {b64(shown.key)}.", err=True)
