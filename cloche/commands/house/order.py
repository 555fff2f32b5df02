"""The commands of `cloche admin` that keep order: roles, sanctions, hidden names, and the log of acts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from cloche.commands.errors import plain
from cloche.commands.house import options
from cloche.commands.house.opened import opened
from cloche.commands.listing import print_table, table_of
from cloche.commands.words import number
from crypto.encoding import timestamp
from service.operations import acts, moderation, roles
from service.operations.sanctions import FROZEN, SUSPENDED

_handle = click.argument("handle")
_reason = click.option("--reason", required=True, help="The reason, for the log; the player may read it.")
_hours = click.option(
    "--hours",
    type=click.IntRange(*moderation.HOURS),
    help="The hours until its end.  [default: until it is lifted]",
)
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_sort = click.argument("sort", metavar="deck|table", type=click.Choice(("deck", "table")))
_id = click.argument("thing", metavar="ID")


@click.command()
@_handle
@click.argument("name", metavar="admin|moderator|none", type=click.Choice((*roles.ROLES, "none")))
@options.data_option
def role(handle: str, name: str, data: Path | None) -> None:
    """Give the player HANDLE a role, or with `none` take it."""
    with opened(data) as house:
        if name == "none":
            roles.take(house, None, handle)
            click.echo(f"{handle} has no role.")
        else:
            kept = roles.give(house, None, handle, name)
            click.echo(f"{kept.handle} is {'an admin' if name == roles.ADMIN else 'a moderator'}.")


def _impose(data: Path | None, handle: str, kind: str, reason: str, hours: int | None, done: str) -> None:
    with opened(data) as house:
        row = moderation.impose(house, None, handle, kind, reason=reason, hours=hours)
        end = "until it is lifted" if row.until is None else f"until {timestamp(row.until)}"
        click.echo(f"{handle} {done} {end}.")


@click.command()
@_handle
@_reason
@_hours
@options.data_option
def suspend(handle: str, reason: str, hours: int | None, data: Path | None) -> None:
    """Suspend the player HANDLE, who then begins no game and does not trade. Running games go on."""
    _impose(data, handle, SUSPENDED, reason, hours, "is suspended")


@click.command()
@_handle
@_reason
@_hours
@options.data_option
def freeze(handle: str, reason: str, hours: int | None, data: Path | None) -> None:
    """Freeze the trades of the player HANDLE, who then makes and takes no offer."""
    _impose(data, handle, FROZEN, reason, hours, "does not trade")


@click.command()
@_handle
@options.data_option
def lift(handle: str, data: Path | None) -> None:
    """Lift the sanctions against the player HANDLE: a suspension, and frozen trades."""
    with opened(data) as house:
        for kind in (SUSPENDED, FROZEN):
            moderation.lift(house, None, handle, kind)
        click.echo(f"No sanction stands against {handle}.")


@click.command()
@_handle
@_reason
@options.data_option
def revoke(handle: str, reason: str, data: Path | None) -> None:
    """Revoke all access tokens of the player HANDLE, who must sign in anew."""
    with opened(data) as house:
        gone = moderation.revoke_tokens(house, None, handle, reason)
        click.echo(f"{number(gone, 'token')} revoked.")


@click.command()
@_handle
@click.argument("new")
@_reason
@options.data_option
def rename(handle: str, new: str, reason: str, data: Path | None) -> None:
    """Give the player HANDLE the handle NEW. The former one is shown nowhere any more."""
    with opened(data) as house:
        click.echo(f"{handle} is {moderation.rename(house, None, handle, new, reason).handle} now.")


def _hide(data: Path | None, sort: str, thing: str, reason: str, *, hidden: bool) -> None:
    act = moderation.hide_deck if sort == "deck" else moderation.hide_table
    with opened(data) as house:
        act(house, None, thing, hidden, reason)
        click.echo(
            f"The {'name of the deck' if sort == 'deck' else 'table'} is {'hidden' if hidden else 'shown'}."
        )


@click.command()
@_sort
@_id
@_reason
@options.data_option
def hide(sort: str, thing: str, reason: str, data: Path | None) -> None:
    """Hide the name of a deck from all but its owner, or take a table out of the lists."""
    _hide(data, sort, thing, reason, hidden=True)


@click.command()
@_sort
@_id
@_reason
@options.data_option
def show(sort: str, thing: str, reason: str, data: Path | None) -> None:
    """Show the name of a deck again, or put a table back into the lists."""
    _hide(data, sort, thing, reason, hidden=False)


@click.command("acts")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="The most acts.")
@_as_json
@options.data_option
def list_acts(limit: int, as_json: bool, data: Path | None) -> None:
    """List what admins, moderators and the operator have done, newest first."""
    with opened(data) as house, house.read() as session:
        found = acts.newest(session, limit=limit)
    if as_json:
        click.echo(json.dumps([_json(listed) for listed in found], indent=2, ensure_ascii=False))
        return
    table = table_of("Act", "At", "By", "Did", "Upon", "Details")
    for listed in found:
        act = listed.act
        details = ", ".join(f"{name} {value}" for name, value in act.details.items() if value is not None)
        upon = listed.about or f"{act.subject} {act.subject_id}"
        said = (timestamp(act.at), listed.by or act.actor, act.kind.replace("_", " "), upon, details)
        table.add_row(str(act.seq), *(escape(plain(text)) for text in said))
    print_table(table, "Nobody has acted yet.")


def _json(listed: acts.ListedAct) -> dict[str, Any]:
    return {**listed.act.model_dump(), "by": listed.by, "handle": listed.about}


COMMANDS = (role, suspend, freeze, lift, revoke, rename, hide, show, list_acts)
"""The commands of this file, in the order of the help."""
