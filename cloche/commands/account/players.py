"""`cloche players`: keep other players away, or report them to the moderators of the house."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from client.people import People
from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.groups import CommandGroup
from cloche.commands.listing import print_table, table_of

KINDS = ("cheating", "collusion", "stalling", "bad_name", "harassment", "other")


@click.group(cls=CommandGroup)
def players() -> None:
    """Keep other players away, or report them: block, unblock, blocked, report, reports."""


_handle = click.argument("handle")


@contextmanager
def _people(passphrase_file: Path | None) -> Iterator[People]:
    with access.signed_in(passphrase_file) as (_, api):
        yield People(api)


def _text(value: Any) -> str:
    return escape(plain(str(value)))


@players.command()
@_handle
@access.passphrase_option
def block(handle: str, passphrase_file: Path | None) -> None:
    """Block the player HANDLE: you meet at no table and in no trade. The player is not told."""
    with _people(passphrase_file) as people:
        click.echo(f"You have blocked {plain(people.block(handle)['handle'])}.")


@players.command()
@_handle
@access.passphrase_option
def unblock(handle: str, passphrase_file: Path | None) -> None:
    """Lift a block."""
    with _people(passphrase_file) as people:
        people.unblock(handle)
        click.echo(f"You have not blocked {plain(handle)} any more.")


@players.command("blocked")
@access.passphrase_option
def list_blocked(passphrase_file: Path | None) -> None:
    """List the players whom you have blocked."""
    with _people(passphrase_file) as people:
        shown = table_of("Player", "Since")
        for each in people.blocked():
            shown.add_row(_text(each["handle"]), _text(each["created_at"]))
        print_table(shown, "You have blocked nobody.")


@players.command()
@_handle
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS))
@click.option("--note", default="", help="What happened, in at most 500 characters.")
@click.option("--game", metavar="ID", help="A game in which the player played.")
@click.option("--deck", metavar="ID", help="A deck of the player that you may see.")
@click.option("--table", metavar="ID", help="A table at which the player sits.")
@access.passphrase_option
def report(
    handle: str,
    kind: str,
    note: str,
    game: str | None,
    deck: str | None,
    table: str | None,
    passphrase_file: Path | None,
) -> None:
    """Report the player HANDLE to the moderators of the house: for cheating, stalling, a bad name ..."""
    with _people(passphrase_file) as people:
        people.report(handle, kind, note, game=game, deck=deck, table=table)
        click.echo("The moderators have your report. `cloche players reports` shows what becomes of it.")


@players.command("reports")
@access.passphrase_option
def list_reports(passphrase_file: Path | None) -> None:
    """List your newest reports, with their verdicts."""
    with _people(passphrase_file) as people:
        shown = table_of("At", "Player", "Kind", "State", "Verdict")
        for each in people.reports():
            cells = (
                each["created_at"],
                each["about"] or "-",
                each["kind"],
                each["state"],
                each["verdict"] or "",
            )
            shown.add_row(*map(_text, cells))
        print_table(shown, "You have reported nobody.")
