"""The commands of `cloche admin` that list: players, games, tables, grants, stock, settings, reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from rich.markup import escape

from cloche.commands.errors import plain
from cloche.commands.house import options
from cloche.commands.house.opened import opened
from cloche.commands.listing import print_table, table_of
from crypto.encoding import timestamp
from service.operations import overview, reports

_limit = click.option(
    "--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="The most lines."
)


def _print(headings: Sequence[str], rows: Iterable[Sequence[str]], nothing: str) -> None:
    table = table_of(*headings)
    for row in rows:
        table.add_row(*(escape(plain(cell)) for cell in row))
    print_table(table, nothing)


def _time(at: int | None) -> str:
    return "-" if at is None else timestamp(at)[:16].replace("T", " ")


@click.command("players")
@click.argument("search", default="")
@_limit
@options.data_option
def list_players(search: str, limit: int, data: Path | None) -> None:
    """List the newest players, or those whose handles contain SEARCH."""
    with opened(data) as house, house.read() as session:
        found = overview.players(session, house.now(), search, limit)
    rows = [
        (
            p.handle,
            _time(p.created_at),
            p.role or "",
            ", ".join(p.sanctions).replace("_", " "),
            str(p.running),
        )
        for p in found
    ]
    _print(("Player", "Since", "Role", "Sanctions", "Running games"), rows, "There is no such player.")


@click.command("games")
@_limit
@options.data_option
def list_games(limit: int, data: Path | None) -> None:
    """List the running games, the one whose time comes first at the top."""
    with opened(data) as house, house.read() as session:
        found = overview.games(session, limit)
    rows = [
        (g.id, g.mode, _time(g.created_at), _time(g.due_at), str(g.seq + 1), ", ".join(g.names))
        for g in found
    ]
    _print(("Game", "Mode", "Since", "Due", "Entries", "Players"), rows, "No game is running.")


@click.command("tables")
@_limit
@options.data_option
def list_tables(limit: int, data: Path | None) -> None:
    """List the open tables, private and hidden ones too; the one that waits for longest comes first."""
    with opened(data) as house, house.read() as session:
        found = overview.tables(house, session, limit)
    rows = []
    for each in found:
        marks = [name for name, is_so in (("private", each.private), ("hidden", each.hidden)) if is_so]
        rows.append((each.id, each.mode, _time(each.created_at), each.opened_by, ", ".join(marks)))
    _print(("Table", "Mode", "Since", "Opened by", ""), rows, "No table is open.")


@click.command("grants")
@click.argument("search", default="")
@_limit
@options.data_option
def list_grants(search: str, limit: int, data: Path | None) -> None:
    """List what players were given, the newest first, or what those got whose handles contain SEARCH."""
    with opened(data) as house, house.read() as session:
        found = overview.grants(session, search, limit)
    rows = [
        (
            _time(each.grant.at),
            each.handle,
            str(each.grant.coins),
            str(each.grant.boosters),
            str(each.grant.copies),
            each.grant.name or "",
        )
        for each in found
    ]
    _print(("At", "Player", "Coins", "Boosters", "Copies", "Once for"), rows, "Nobody was given anything.")


@click.command()
@options.data_option
def stock(data: Path | None) -> None:
    """List the boosters that players have, closed and opened ones, by set."""
    with opened(data) as house, house.read() as session:
        found = overview.stock(session)
    rows = [(each.set_code, str(each.closed), str(each.opened)) for each in found]
    _print(("Set", "Closed", "Opened"), rows, "Nobody has had a booster yet.")


@click.command()
@options.data_option
def settings(data: Path | None) -> None:
    """List the settings in force for this command, by variable. No password and no token is printed."""
    found = overview.settings(options.settings(data))
    _print(("Variable", "Value"), [(f"CLOCHE_{name.upper()}", value) for name, value in found], "")


@click.command("reports")
@click.option(
    "--state", type=click.Choice(reports.STATES), default="open", show_default=True, help="List only these."
)
@_limit
@options.data_option
def list_reports(state: str, limit: int, data: Path | None) -> None:
    """List the reports about players, the oldest first."""
    with opened(data) as house, house.read() as session:
        found = reports.queue(session, None, state, None, limit)
    rows = []
    for each in found:
        row = each.report
        things = (("game", row.game_id), ("deck", row.deck_id), ("table", row.table_id))
        named = "; ".join([row.note, *(f"{name} {thing}" for name, thing in things if thing is not None)])
        people = (each.about or "-", each.reporter or "-", each.handler or "")
        rows.append((row.id, _time(row.created_at), row.kind, *people, named))
    _print(("Report", "At", "Kind", "About", "By", "In hand", "Note"), rows, "There is no such report.")


@click.command()
@click.argument("report", metavar="ID")
@click.argument("verdict", metavar="|".join(reports.VERDICTS), type=click.Choice(reports.VERDICTS))
@click.option("--remark", default="", help="Words about the verdict, for moderators.")
@options.data_option
def close(report: str, verdict: str, remark: str, data: Path | None) -> None:
    """Close the report ID with a verdict, of which the reporter is told."""
    with opened(data) as house:
        reports.take(house, None, report)
        reports.close(house, None, report, verdict, remark)
        click.echo(f"Closed as {verdict}.")


COMMANDS = (list_players, list_games, list_tables, list_grants, stock, settings, list_reports, close)
"""The commands of this file, in the order of the help."""
