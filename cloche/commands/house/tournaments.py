"""`cloche admin tournaments`: the operator looks after tournaments as their directors do."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from cloche.commands.errors import plain
from cloche.commands.groups import CommandGroup
from cloche.commands.house import options
from cloche.commands.house.opened import opened
from cloche.commands.listing import print_table, table_of
from cloche.commands.words import number, title_of
from crypto.encoding import timestamp
from service.operations import tournaments as operations
from service.operations.tournaments import ListedEntry, ListedMatch, ListedTournament
from service.operations.tournaments.directing import RULINGS

STATES = ("open", "running", "over", "cancelled")
MOST = 256
"""The most lines of a tournament: as many as it may have players."""

_id = click.argument("tournament", metavar="ID")
_reason = click.option("--reason", required=True, help="The reason, for the log; the players read it.")
_handle = click.argument("handle")


@click.group("tournaments", cls=CommandGroup)
def tournaments() -> None:
    """List tournaments, show one, start or cancel it, and correct its results and players."""


@tournaments.command("list")
@click.option("--state", type=click.Choice(STATES), help="List only these.  [default: all]")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="The most lines.")
@options.data_option
def list_tournaments(state: str | None, limit: int, data: Path | None) -> None:
    """List the newest tournaments."""
    with opened(data) as house, house.read() as session:
        found = operations.newest(session, state=state, player_id=None, before=None, limit=limit)
    table = table_of(
        "Tournament", "Name", "Mode", "System", "State", "Round", "Players", "Director", "Starts"
    )
    for listed, _ in found:
        row = listed.tournament
        cells = (
            row.id,
            row.name,
            row.mode,
            row.system.replace("_", " "),
            row.state,
            f"{row.round}/{row.rounds or '-'}",
            f"{row.entered}/{row.places}",
            listed.director,
            timestamp(row.starts_at)[:16].replace("T", " "),
        )
        table.add_row(*(escape(plain(cell)) for cell in cells))
    print_table(table, "There is no such tournament.")


@tournaments.command()
@_id
@click.option(
    "--round",
    "round_number",
    type=click.IntRange(1),
    help="List the matches of this round.  [default: the newest]",
)
@options.data_option
def show(tournament: str, round_number: int | None, data: Path | None) -> None:
    """Show a tournament: its terms and coins, the matches of a round, and the standings."""
    with opened(data) as house, house.read() as session:
        found = operations.find(session, tournament)
        wanted = round_number or found.tournament.round
        matches = operations.matches(session, tournament, wanted, 0, MOST) if wanted else []
        standings = operations.standings(session, tournament, 0, MOST)
    _tell(found)
    if matches:
        click.echo(f"\nRound {wanted}")
        _print_matches(matches)
    click.echo("")
    _print_standings(standings)


def _tell(found: ListedTournament) -> None:
    row = found.tournament
    click.echo(f"{plain(row.name)}: {title_of(row.mode)}, {row.system.replace('_', ' ')}, {row.state}.")
    if row.reason is not None:
        click.echo(f"It was cancelled: {plain(row.reason)}")
    rounds = "" if row.rounds is None else f" of {row.rounds}"
    when = f"starts {timestamp(row.starts_at)}" if row.state == "open" else f"round {row.round}{rounds}"
    players = f"{row.entered} of {number(row.places, 'player')}"
    click.echo(f"{players}; {when}; directed by {plain(found.director)}.")
    shares = ", ".join(f"{share} %" for share in row.prizes) or "none"
    click.echo(f"Fee {row.fee}, added {row.added}; prizes {shares}.")


def _print_matches(matches: list[ListedMatch]) -> None:
    table = table_of("Board", "First", "Second", "State", "Result", "Game", "Ruling")
    for each in matches:
        match = each.match
        cells = (
            str(match.board),
            each.first,
            each.second or "",
            match.state,
            match.result or "",
            match.game_id or "",
            match.ruling or "",
        )
        table.add_row(*(escape(plain(cell)) for cell in cells))
    print_table(table, "")


def _print_standings(standings: list[ListedEntry]) -> None:
    table = table_of("Place", "Player", "Points", "Buchholz", "Sonneborn", "Won", "Paid", "Prize", "Out")
    for each in standings:
        entry = each.entry
        out = "" if entry.out_round is None else f"{entry.out_reason} (round {entry.out_round})"
        cells = (
            str(entry.place or "-"),
            each.handle,
            f"{entry.points / 2:g}",
            f"{entry.buchholz / 2:g}",
            f"{entry.sonneborn / 4:g}",
            str(entry.wins),
            str(entry.paid),
            str(entry.prize),
            out,
        )
        table.add_row(*(escape(plain(cell)) for cell in cells))
    print_table(table, "Nobody has entered yet.")


@tournaments.command()
@_id
@options.data_option
def start(tournament: str, data: Path | None) -> None:
    """Have the workers start a tournament before its time."""
    with opened(data) as house:
        operations.start(house, None, tournament)
    click.echo("The workers start it now.")


@tournaments.command()
@_id
@_reason
@options.data_option
def cancel(tournament: str, reason: str, data: Path | None) -> None:
    """Cancel a tournament. Everybody gets their coins back."""
    with opened(data) as house:
        operations.cancel(house, None, tournament, reason)
    click.echo("The tournament is cancelled, and everything is given back.")


@tournaments.command()
@_id
@click.argument("round_number", metavar="ROUND", type=click.IntRange(1))
@click.argument("board", type=click.IntRange(1))
@click.argument("result", type=click.Choice(RULINGS))
@_reason
@options.data_option
def correct(
    tournament: str, round_number: int, board: int, result: str, reason: str, data: Path | None
) -> None:
    """Set the RESULT of a match by hand: first, second, draw or neither. It counts instead of the game."""
    with opened(data) as house:
        found = operations.rule(house, None, tournament, round_number, board, result, reason)
    click.echo(f"{plain(found.first)} against {plain(found.second or '')}: {result}.")


@tournaments.command()
@_id
@_handle
@_reason
@options.data_option
def drop(tournament: str, handle: str, reason: str, data: Path | None) -> None:
    """Take the player HANDLE out of a tournament."""
    with opened(data) as house:
        operations.drop(house, None, tournament, handle, reason)
    click.echo(f"{plain(handle)} is out.")


@tournaments.command()
@_id
@_handle
@_reason
@options.data_option
def restore(tournament: str, handle: str, reason: str, data: Path | None) -> None:
    """Take the player HANDLE in again who is out of a tournament."""
    with opened(data) as house:
        operations.restore(house, None, tournament, handle, reason)
    click.echo(f"{plain(handle)} takes part again.")
