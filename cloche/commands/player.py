"""What the commands of a player share: passphrase, vault, house, and refusals in one clear line.

Exit codes: 0 done; 1 refused, or a record that does not hold; 2 wrong usage, or a file that
can't be read; 3 the house can't be reached; 4 the house broke the protocol.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import click

from client.follow import HouseFault
from client.http import Api, ApiProblem, Unreachable
from client.vault import COST, FILE, HIGHEST_COST, LOWEST_COST, Vault, VaultError, check_file, home
from crypto.encoding import b64
from referee import Refused, Unreadable, verify_record

REFUSED, UNREADABLE = 1, 2
HOUSE = "http://127.0.0.1:8040"
"""Where `cloche serve` listens unless told otherwise."""

F = TypeVar("F", bound=Callable[..., Any])

house_option = click.option(
    "--house", envvar="CLOCHE_HOUSE", metavar="URL", help=f"The house's address.  [default: {HOUSE}]"
)
_passphrase_file = click.option(
    "--passphrase-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file whose first line is the passphrase; else CLOCHE_PASSPHRASE, else it is asked for.",
)


def passphrase_option(command: F) -> F:
    """The option from which `passphrase` reads."""
    return _passphrase_file(command)


def plain(text: str) -> str:
    """Text that came from elsewhere, without what would steer a terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


class Failure(click.ClickException):
    """A refusal: one line with its code, and a line for each further fault."""

    exit_code = 1

    def __init__(self, code: str, text: str, more: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.code = code
        self.more = more

    def show(self, file: Any = None) -> None:
        """Print it to standard error."""
        click.echo(f"{click.style('Error', fg='red')} [{plain(self.code)}]: {plain(self.message)}", err=True)
        for line in self.more:
            click.echo(f"  {plain(line)}", err=True)


class Unusable(Failure):
    """A file that can't be read."""

    exit_code = 2


class Away(Failure):
    """The house can't be reached."""

    exit_code = 3


class Broken(Failure):
    """The house broke the protocol."""

    exit_code = 4


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what clients raise into a `Failure`."""
    try:
        yield
    except ApiProblem as problem:
        faults = tuple(_fault(error) for error in problem.errors)
        one = len(faults) == 1 and problem.errors[0].get("detail") == problem.detail
        raise Failure(problem.code, problem.detail, () if one else faults) from None
    except Refused as fault:
        other = "If you sat down at this table with another deck, name that one: --deck DECK."
        advice = (other,) if fault.code == "wrong_card" else ()
        raise Failure(fault.code, f"{fault.pointer} {fault.text}".strip(), advice) from None
    except Unreachable as fault:
        raise Away("unreachable", str(fault)) from None
    except VaultError as fault:
        raise Failure(fault.code, fault.text) from None
    except HouseFault as fault:
        text = f"The house broke the protocol: {fault.text}."
        raise Broken(fault.code, text, (f"Evidence: {_written(fault)}",)) from None


def _written(fault: HouseFault) -> str:
    """Where the evidence is: in a file of its owner's beside the player's; where that can't be, itself."""
    papers = fault.papers()
    path = home() / f"evidence-{uuid4()}.json"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(papers, file)
    except OSError:
        return json.dumps(papers)
    return str(path)


def _fault(error: Any) -> str:
    where = error.get("pointer") or error.get("parameter")
    return f"[{error.get('code')}] {where + ': ' if where else ''}{error.get('detail')}"


def vault_path() -> Path:
    """Where this player's file is."""
    return home() / FILE


def cost() -> int:
    """log2 of scrypt's N for a new file: CLOCHE_VAULT_COST where it is set, which is meant for tests."""
    text = os.environ.get("CLOCHE_VAULT_COST", str(COST))
    if not text.isdecimal() or not LOWEST_COST <= int(text) <= HIGHEST_COST:
        raise click.UsageError(f"CLOCHE_VAULT_COST is from {LOWEST_COST} to {HIGHEST_COST}.")
    return int(text)


def passphrase(file: Path | None, new: bool = False) -> str:
    """The passphrase: from a file, from CLOCHE_PASSPHRASE, or asked for (a new one twice)."""
    if file is not None:
        lines = file.read_text().splitlines()
        found = lines[0] if lines else ""
    elif "CLOCHE_PASSPHRASE" in os.environ:
        found = os.environ["CLOCHE_PASSPHRASE"]
    elif sys.stdin.isatty():
        found = click.prompt("Passphrase", hide_input=True, confirmation_prompt=new, err=True)
    else:
        raise click.UsageError("No passphrase: set CLOCHE_PASSPHRASE or give --passphrase-file.")
    if not found:
        raise click.UsageError("The passphrase is empty.")
    return found


def open_vault(file: Path | None) -> Vault:
    """This player's file, opened."""
    path = vault_path()
    check_file(path)
    return Vault.open(path, passphrase(file))


@contextmanager
def signed_in(file: Path | None, house: str | None = None) -> Iterator[tuple[Vault, Api]]:
    """The player's file and their house, with a token that works; refusals become a `Failure`."""
    with refusals():
        vault = open_vault(file)
        identity = vault.identity
        with Api(house or identity.house, identity.token) as api:
            sign_in(vault, api)
            yield vault, api


@contextmanager
def at_house(house: str | None, file: Path | None) -> Iterator[tuple[Vault | None, Api]]:
    """The player's house, signed in; or as nobody the one named, or the usual one without a file."""
    if house is None and vault_path().exists():
        with signed_in(file) as (vault, api):
            yield vault, api
        return
    with refusals(), Api(house or HOUSE) as api:
        yield None, api


@contextmanager
def signed_in_from(folder: Path, house: str) -> Iterator[tuple[Vault, Api]]:
    """Another player's file, in the folder that is their CLOCHE_HOME, and the same house.

    The passphrase is asked for at a terminal; elsewhere it is the one of CLOCHE_PASSPHRASE.
    """
    path = folder / FILE
    check_file(path)
    given = click.prompt("Passphrase", hide_input=True, err=True) if sys.stdin.isatty() else passphrase(None)
    vault = Vault.open(path, given)
    if vault.identity.house != house:
        raise Failure("another_house", f"This player is at {vault.identity.house}, not at {house}.")
    with Api(house, vault.identity.token) as api:
        sign_in(vault, api)
        yield vault, api


def sign_in(vault: Vault, api: Api) -> None:
    """See that the house is the one we know and that our token works; else ask for a new one."""
    recognize(vault, api)
    try:
        if vault.identity.token is not None:
            api.me()
            return
    except ApiProblem as problem:
        if problem.status != 401:
            raise
    vault.renew(api.issue_token(vault.identity.handle, vault.identity.password, "cloche"))


def recognize(vault: Vault, api: Api) -> None:
    """See that the house has the key that we know, or one that both it and the new key say follows.

    Then that one is known from now on, and the player is told. Raises `HouseFault` for any other.
    """
    shown, known = api.house(), vault.identity.house_key
    if shown.key == known:
        return
    if not shown.succeeds(known):
        raise HouseFault(
            "wrong_house",
            f"{api.url} is not the house that you registered at: its key is {b64(shown.key)}, yours to"
            f" trust is {b64(known)}, and nothing leads from one to the other."
            " If whoever runs it confirms the new key to you in person, `cloche trust` takes it",
        )
    vault.trust(shown.key)
    click.echo(f"The house has a new key, and its old one vouches for it: {b64(shown.key)}.", err=True)


def must_be_valid(record: bytes) -> None:
    """Verify a record file, which may be unfinished; raises `Failure` with what is wrong."""
    try:
        report = verify_record(record, unfinished=True)
    except Unreadable as error:
        raise Unusable("unreadable", f"That is no record: {error}.") from None
    fault = report.fault
    if fault is not None:
        where = "" if fault.entry is None else f", entry {fault.entry}"
        raise Failure(fault.code, f"The record is not valid{where}: {fault.text}.")
