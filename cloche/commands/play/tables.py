"""`cloche tables`: the tables of a house, the player's own and those of others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.groups import CommandGroup
from cloche.commands.play.bot import deck_for, options_of, options_option, seats_of
from cloche.commands.words import listed
from player.house import TableInfo


@click.group(cls=CommandGroup)
def tables() -> None:
    """Find and open tables, and find games to watch: list, show, open, leave, cancel, live."""


ID_LENGTH = 36
"""Characters of an id."""

_id = click.argument("table_id", metavar="TABLE")
_mode = click.option("--mode", help="List only this mode.")


@tables.command("list")
@_mode
@click.option(
    "--mine", is_flag=True, help="List only tables where you sit or a seat is kept for you, private ones too."
)
@access.passphrase_option
def list_tables(mode: str | None, mine: bool, passphrase_file: Path | None) -> None:
    """List the tables with a free seat."""
    with access.signed_in(passphrase_file) as (_, api):
        shown = _columns("Id", "Mode", "Decks", "Seats", "Who sits there", "")
        for found in api.tables(mode, mine):
            taken = [seat["name"] for seat in found.seats if seat is not None]
            kind = "rematch" if found.rematch_of else "private" if found.private else ""
            seats = f"{len(taken)} of {len(found.seats)}"
            shown.add_row(found.id, plain(found.mode), plain(found.format or ""), seats, listed(taken), kind)
        Console().print(shown)


@tables.command()
@click.argument("table_id", metavar="[TABLE]", required=False)
@click.option("--invitation", metavar="CODE", help="Show the private table of this invitation.")
@access.passphrase_option
def show(table_id: str | None, invitation: str | None, passphrase_file: Path | None) -> None:
    """Show a table: who sits there, and its options."""
    if (table_id is None) == (invitation is None):
        raise click.UsageError("Give a table, or --invitation.")
    with access.signed_in(passphrase_file) as (_, api):
        found = api.table(table_id) if table_id is not None else api.invitation(invitation or "")
        known = next((item["options"] for item in api.modes() if item["name"] == found.mode), ())
        texts = {option["name"]: option["text"] for option in known}
        _tell(found)
        for name, value in sorted(found.options.items()):
            click.echo(f"  {plain(name)} = {plain(str(value))}  {plain(texts.get(name, ''))}".rstrip())


@tables.command("open")
@click.argument("mode")
@click.option("--private", is_flag=True, help="Open the table by invitation only.")
@click.option(
    "--spectators/--no-spectators",
    default=None,
    help="Let everybody watch, or not.  [default: yes, unless the table is private]",
)
@click.option(
    "--against", multiple=True, metavar="NAME", help="A bot of the house that sits down too; repeatable."
)
@click.option(
    "--seats", type=click.IntRange(1, 12), help="The number of seats.  [default: as few as possible]"
)
@options_option
@click.option("--deck", metavar="DECK", help="Your deck, by id or name.  [default: your first]")
@click.option(
    "--format", metavar="NAME", help="Allow only decks of this format; `cloche decks formats` lists them."
)
@access.passphrase_option
def open_table(
    mode: str,
    private: bool,
    spectators: bool | None,
    against: Sequence[str],
    seats: int | None,
    options: Sequence[str],
    deck: str | None,
    format: str | None,
    passphrase_file: Path | None,
) -> None:
    """Open a table of MODE and sit down. `cloche play --table TABLE` plays there."""
    with access.signed_in(passphrase_file) as (_, api):
        held = deck_for(api, mode, deck)
        own = None if held is None else held.id
        how: dict[str, Any] = {"private": private, "spectators": spectators, "format": format}
        how["options"] = options_of(mode, options)
        seats = seats_of(mode, seats, against, private=private)
        _tell(api.open_table(mode, deck=own, seats=seats, bots=against, **how))


@tables.command()
@_id
@access.passphrase_option
def leave(table_id: str, passphrase_file: Path | None) -> None:
    """Leave a table whose game has not begun."""
    with access.signed_in(passphrase_file) as (_, api):
        api.leave(table_id)
        click.echo("You have left the table.")


@tables.command()
@_id
@access.passphrase_option
def cancel(table_id: str, passphrase_file: Path | None) -> None:
    """Cancel a table that you opened and whose game has not begun."""
    with access.signed_in(passphrase_file) as (_, api):
        api.cancel(table_id)
        click.echo("The table is cancelled.")


@tables.command()
@_mode
@access.passphrase_option
def live(mode: str | None, passphrase_file: Path | None) -> None:
    """List running games that everybody may watch."""
    with access.signed_in(passphrase_file) as (_, api):
        shown = _columns("Game", "Mode", "Between", "Since")
        for found in api.live(mode):
            shown.add_row(found["id"], plain(found["mode"]), listed(found["names"]), found["created_at"])
        Console().print(shown)


def _columns(first: str, *headings: str) -> Table:
    """A table whose first column has ids. They are never broken, so that they can be copied."""
    table = Table(box=None, pad_edge=False)
    table.add_column(first, no_wrap=True, min_width=ID_LENGTH)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _tell(found: TableInfo) -> None:
    """Print a table in a few lines."""
    seats = ", ".join("free" if seat is None else plain(seat["name"]) for seat in found.seats)
    click.echo(f"Table {found.id}: {plain(found.mode)}, {found.state}, opened by {plain(found.opened_by)}.")
    click.echo(f"Seats: {seats}.")
    if found.format is not None:
        click.echo(f"For decks of the format {plain(found.format)}.")
    click.echo("Everybody may watch." if found.spectators else "Only its players see the game.")
    if found.invitation is not None:
        click.echo(f"Invitation: {found.invitation}")
    if found.rematch_of is not None:
        click.echo(f"A rematch of game {found.rematch_of}.")
    if found.game is not None:
        click.echo(f"Game {found.game}.")
