"""Errors of the command line: one line with a stable code on standard error, and the exit code.

Exit codes: 0 done; 1 refused, or a record that does not hold; 2 wrong usage, or a file that
can't be read; 3 the house can't be reached; 4 the house broke the protocol.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import click

from client.transport import Untrusted
from client.vault import home
from cloche.commands.fitting import echo
from player.house import ApiProblem, HouseFault, Unreachable
from player.vault_format import VaultError
from referee import Refused, Unreadable, verify_record

REFUSED, UNREADABLE = 1, 2
"""Exit codes of a command that was refused, and of one that can't read what it was given."""


def plain(text: str) -> str:
    """Text from elsewhere, without characters that would steer a terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


class CommandError(click.ClickException):
    """A command that can't do what it was asked: one line with a code, and a line for each further fault."""

    exit_code = REFUSED

    def __init__(self, code: str, text: str, more: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.code = code
        self.more = more

    def show(self, file: Any = None) -> None:
        """Print the error to standard error."""
        click.secho("Error ", fg="red", err=True, nl=False)
        echo(f"[{plain(self.code)}]: {plain(self.message)}", err=True, at=len("Error "))
        for line in self.more:
            echo(f"  {plain(line)}", err=True)


class UnreadableInput(CommandError):
    """A file that can't be read."""

    exit_code = UNREADABLE


class HouseUnreachable(CommandError):
    """The house can't be reached."""

    exit_code = 3


class HouseMisbehaved(CommandError):
    """The house broke the protocol."""

    exit_code = 4


@contextmanager
def command_errors() -> Iterator[None]:
    """Turn what the client's code raises into a `CommandError`."""
    try:
        yield
    except ApiProblem as problem:
        faults = tuple(_fault(error) for error in problem.errors)
        one = len(faults) == 1 and problem.errors[0].get("detail") == problem.detail
        raise CommandError(problem.code, problem.detail, () if one else faults) from None
    except Refused as fault:
        other = "If you sat down at this table with another deck, name that one: --deck DECK."
        advice = (other,) if fault.code == "wrong_card" else ()
        raise CommandError(fault.code, f"{fault.pointer}: {fault.text}".removeprefix(": "), advice) from None
    except Untrusted as fault:
        raise HouseUnreachable("untrusted", str(fault)) from None
    except Unreachable as fault:
        raise HouseUnreachable("unreachable", str(fault)) from None
    except VaultError as fault:
        raise CommandError(fault.code, fault.text) from None
    except HouseFault as fault:
        text = f"The house broke the protocol: {fault.text}."
        raise HouseMisbehaved(fault.code, text, (f"Evidence: {_evidence(fault)}",)) from None


def _fault(error: Any) -> str:
    where = error.get("pointer") or error.get("parameter")
    return f"[{error.get('code')}] {where + ': ' if where else ''}{error.get('detail')}"


def _evidence(fault: HouseFault) -> str:
    """Write the evidence beside the player's vault; returns its path, or the evidence if that fails."""
    evidence = fault.json()
    path = home() / f"evidence-{uuid4()}.json"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(evidence, file)
    except OSError:
        return json.dumps(evidence)
    return str(path)


def must_be_valid(record: bytes) -> None:
    """Verify a record file, which may be unfinished; raises `CommandError` with what is wrong."""
    try:
        report = verify_record(record, unfinished=True)
    except Unreadable as error:
        raise UnreadableInput("unreadable", f"The file can't be read as a record: {error}.") from None
    fault = report.fault
    if fault is not None:
        where = "" if fault.entry is None else f", entry {fault.entry}"
        raise CommandError(fault.code, f"The record is not valid{where}: {fault.text}.")
