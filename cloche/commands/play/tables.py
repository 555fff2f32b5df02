"""`cloche tables`: the tables of a house, the player's own and those of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.groups import CommandGroup
from cloche.commands.listing import print_table, table_of
from cloche.commands.play.bot import deck_for, options_of, options_option, pace_option, seats_of
from cloche.commands.qr import qr_code
from cloche.commands.words import listed, span
from player.house import TableInfo


@click.group(cls=CommandGroup)
def tables() -> None:
    """Find and open tables, and find games to watch: list, show, open, leave, cancel, live."""


ID_LENGTH = 36
"""Characters of an id."""

_id = click.argument("table_id", metavar="TABLE")
_mode = click.option("--mode", help="List only this mode.")
_qr = click.option("--qr", is_flag=True, help="Draw the address of its page as a QR code, for a phone.")


@tables.command("list")
@_mode
@click.option(
    "--mine", is_flag=True, help="List only tables where you sit or a seat is kept for you, private ones too."
)
@access.passphrase_option
def list_tables(mode: str | None, mine: bool, passphrase_file: Path | None) -> None:
    """List the tables with a free seat."""
    with access.signed_in(passphrase_file) as (_, api):
        shown = table_of("Id", "Mode", "Decks", "Seats", "Who sits there", "", width=ID_LENGTH)
        for found in api.tables(mode, mine):
            taken = [seat["name"] for seat in found.seats if seat is not None]
            kind = "rematch" if found.rematch_of else "private" if found.private else ""
            seats = f"{len(taken)} of {len(found.seats)}"
            shown.add_row(found.id, plain(found.mode), plain(found.format or ""), seats, listed(taken), kind)
        none = "You sit at no open table." if mine else "No table has a free seat now."
        print_table(shown, f"{none} `cloche tables open MODE` opens one.")


@tables.command()
@click.argument("table_id", metavar="[TABLE]", required=False)
@click.option("--invitation", metavar="CODE", help="Show the private table of this invitation.")
@_qr
@access.passphrase_option
def show(table_id: str | None, invitation: str | None, qr: bool, passphrase_file: Path | None) -> None:
    """Show a table: who sits there, and its options."""
    if (table_id is None) == (invitation is None):
        raise click.UsageError("Give a table, or --invitation.")
    with access.signed_in(passphrase_file) as (_, api):
        found = api.table(table_id) if table_id is not None else api.invitation(invitation or "")
        known = next((item["options"] for item in api.modes() if item["name"] == found.mode), ())
        options = {option["name"]: option for option in known}
        _tell(found)
        if qr:
            _draw(api.url, found.id, invitation or found.invitation)
        for name, value in sorted(found.options.items()):
            click.echo(_option(name, value, options.get(name, {})))


@tables.command("open")
@click.argument("mode")
@click.option("--private", is_flag=True, help="Open the table by invitation only.")
@click.option(
    "--spectators/--no-spectators",
    default=None,
    help="Let everybody watch, or not.  [default: yes, unless the table is private]",
)
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help="A bot of the house that sits down too, by name or level (easy to best); repeatable.",
)
@click.option("--rated", is_flag=True, help="Let the game change its players' ratings.")
@click.option(
    "--seats", type=click.IntRange(1, 12), help="The number of seats.  [default: as few as possible]"
)
@pace_option
@options_option
@click.option("--deck", metavar="DECK", help="Your deck, by id or name.  [default: your first]")
@click.option(
    "--format", metavar="NAME", help="Allow only decks of this format; `cloche decks formats` lists them."
)
@_qr
@access.passphrase_option
def open_table(
    mode: str,
    private: bool,
    spectators: bool | None,
    against: Sequence[str],
    rated: bool,
    seats: int | None,
    pace: str,
    options: Sequence[str],
    deck: str | None,
    format: str | None,
    qr: bool,
    passphrase_file: Path | None,
) -> None:
    """Open a table of MODE and sit down. `cloche play --table TABLE` plays there."""
    with access.signed_in(passphrase_file) as (_, api):
        held = deck_for(api, mode, deck)
        own = None if held is None else held.id
        how: dict[str, Any] = {"private": private, "spectators": spectators, "format": format}
        how["rated"] = rated
        how["options"] = options_of(mode, options)
        how["pace"] = None if pace == "usual" else pace
        seats = seats_of(mode, seats, against, private=private)
        opened = api.open_table(mode, deck=own, seats=seats, bots=against, **how)
        _tell(opened)
        if qr:
            _draw(api.url, opened.id, opened.invitation)


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
        shown = table_of("Game", "Mode", "Between", "Since", width=ID_LENGTH)
        for found in api.live(mode):
            shown.add_row(found["id"], plain(found["mode"]), listed(found["names"]), found["created_at"])
        print_table(shown, "There is no game to watch at the moment.")


def _draw(house: str, table: str, code: str | None) -> None:
    """Print the address of a table's page, and the same as a QR code. An invitation stands behind the `#`."""
    address = f"{house}/#/table/{table}" if code is None else f"{house}/#/invite/{quote(code, safe='')}"
    click.echo(f"\n{address}\n\n{qr_code(address)}")


def _option(name: str, value: object, known: Mapping[str, Any]) -> str:
    """An option of a table with its text, in a line. Clocks are in words."""
    shown, text = str(value), str(known.get("text", ""))
    if known.get("kind") == "seconds" and isinstance(value, int):
        shown, text = span(value), text.replace("Seconds", "Time", 1)
    return f"  {plain(name)} = {plain(shown)}  {plain(text)}".rstrip()


def _tell(found: TableInfo) -> None:
    """Print a table in a few lines."""
    seats = ", ".join("free" if seat is None else plain(seat["name"]) for seat in found.seats)
    click.echo(f"Table {found.id}: {plain(found.mode)}, {found.state}, opened by {plain(found.opened_by)}.")
    click.echo(f"Seats: {seats}.")
    if found.format is not None:
        click.echo(f"For decks of the format {plain(found.format)}.")
    click.echo("Everybody may watch." if found.spectators else "Only its players see the game.")
    if found.rated:
        click.echo("The game is rated.")
    if found.invitation is not None:
        click.echo(f"Invitation: {found.invitation}")
    if found.rematch_of is not None:
        click.echo(f"A rematch of game {found.rematch_of}.")
    if found.game is not None:
        click.echo(f"Game {found.game}.")
