"""`cloche sign-in`, `cloche password`, `cloche sessions`: how a player is signed in at the house."""

from __future__ import annotations

import secrets
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cloche.commands import access
from cloche.commands.errors import command_errors, plain
from cloche.commands.groups import CommandGroup


@click.command("sign-in")
@click.option("--key", "by_key", is_flag=True, help="Sign in by your key alone: no password is needed.")
@access.passphrase_option
def sign_in(by_key: bool, passphrase_file: Path | None) -> None:
    """Sign in at your house again, and keep the new token in your file.

    Commands sign in by themselves when they must. With --key this works even if you have lost your
    password.
    """
    with command_errors():
        vault = access.open_vault(passphrase_file)
        with access.reach(vault.identity.house) as api:
            access.recognize(vault, api)
            (access.renew_by_key if by_key else access.renew_by_password)(vault, api)
    click.echo(f"You are signed in at {vault.identity.house} as {vault.identity.handle}.")


@click.command()
@click.option(
    "--password-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file whose first line is the new password.  [default: a random password]",
)
@access.passphrase_option
def password(password_file: Path | None, passphrase_file: Path | None) -> None:
    """Change your password for the house. All other sessions end.

    Your key shows that the account is yours, so this works even if you have lost your password. Your
    passphrase, which locks your file, stays as it is.
    """
    fresh = first_line(password_file) if password_file is not None else secrets.token_urlsafe(24)
    with access.signed_in(passphrase_file) as (vault, api):
        who = vault.identity
        answer = api.answer(who.private, who.house_key, who.handle, "password")
        api.change_password(fresh, answer=answer)
        vault.keep_password(fresh)
    click.echo(f"Your file {vault.path} has the new password. All other sessions are over.")


def first_line(file: Path) -> str:
    """The first line of a file, which is a password. Raises `click.UsageError` if it is empty."""
    lines = file.read_text().splitlines()
    if not lines or not lines[0]:
        raise click.UsageError("The password is empty.")
    return lines[0]


@click.group(cls=CommandGroup)
def sessions() -> None:
    """Look at the devices and programs that are signed in as you, and end their sessions."""


@sessions.command("list")
@access.passphrase_option
def list_(passphrase_file: Path | None) -> None:
    """List your sessions, newest first. The star marks the one of this file."""
    with access.signed_in(passphrase_file) as (_, api):
        found = api.sessions()
    table = Table("", "session", "name", "began", "used", "until", box=None, pad_edge=False)
    for each in found:
        times = ((each.get(name) or "-")[:10] for name in ("created_at", "used_at", "expires_at"))
        star = "*" if each["current"] else ""
        table.add_row(star, *(Text(plain(text)) for text in (each["id"][:8], each["label"], *times)))
    Console().print(table)


@sessions.command()
@click.argument("session", required=False)
@click.option("--others", is_flag=True, help="End all sessions but the one of this file.")
@access.passphrase_option
def end(session: str | None, others: bool, passphrase_file: Path | None) -> None:
    """End SESSION, by its id or the beginning of it. It stops working at once."""
    if (session is None) is not others:
        raise click.UsageError("Name a session, or give --others.")
    with access.signed_in(passphrase_file) as (_, api):
        if session is None:
            api.end_sessions(others=True)
            click.echo("All other sessions are over.")
            return
        ids = [each["id"] for each in api.sessions() if each["id"].startswith(session)]
        if len(ids) != 1:
            raise click.UsageError("No session has this id." if not ids else "Several sessions begin so.")
        api.end_session(ids[0])
    click.echo("That session is over.")
