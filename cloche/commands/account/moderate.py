"""`cloche moderate`: keep order at a house, as one of its moderators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from client.moderation import Moderation
from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.groups import CommandGroup
from cloche.commands.listing import print_table, table_of
from cloche.commands.words import number

SUSPENSION, FREEZE = "suspension", "freeze"
STATES = ("open", "taken", "closed")
VERDICTS = ("upheld", "dismissed", "duplicate")

_handle = click.argument("handle")
_report = click.argument("report", metavar="ID")
_reason = click.option("--reason", required=True, help="The reason, for the log; the player may read it.")
_hours = click.option(
    "--hours", type=click.IntRange(1), help="The hours until its end.  [default: until it is lifted]"
)
_limit = click.option(
    "--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="The most."
)
_sort = click.argument("sort", metavar="deck|table", type=click.Choice(("deck", "table")))
_id = click.argument("thing", metavar="ID")


@click.group(cls=CommandGroup)
def moderate() -> None:
    """Keep order at your house, if you are one of its moderators: reports, sanctions, names."""


@contextmanager
def _order(passphrase_file: Path | None) -> Iterator[Moderation]:
    with access.signed_in(passphrase_file) as (_, api):
        yield Moderation(api)


def _text(value: Any) -> str:
    return escape(plain("" if value is None else str(value)))


@moderate.command("reports")
@click.option(
    "--state", type=click.Choice(STATES), default="open", show_default=True, help="List only these."
)
@_limit
@access.passphrase_option
def list_reports(state: str, limit: int, passphrase_file: Path | None) -> None:
    """List the reports about players, the oldest first."""
    with _order(passphrase_file) as order:
        found = order.reports(state, limit)
    shown = table_of("Report", "At", "Kind", "About", "By", "In hand", "Note")
    for each in found:
        things = [f"{name} {each[name]}" for name in ("game", "deck", "table") if each[name] is not None]
        people = (each[who] for who in ("about", "reporter", "handler"))
        cells = (each["created_at"][:16], each["kind"], *people, "; ".join([each["note"], *things]))
        shown.add_row(_text(each["id"]), *map(_text, cells))
    print_table(shown, "There is no such report.")


@moderate.command()
@_report
@access.passphrase_option
def take(report: str, passphrase_file: Path | None) -> None:
    """Take the report ID into your hands, so that nobody else works on it."""
    with _order(passphrase_file) as order:
        order.decide(report, "take")
    click.echo("The report is in your hands.")


@moderate.command()
@_report
@access.passphrase_option
def release(report: str, passphrase_file: Path | None) -> None:
    """Put the report ID back into the queue."""
    with _order(passphrase_file) as order:
        order.decide(report, "release")
    click.echo("The report waits again.")


@moderate.command()
@_report
@click.argument("verdict", metavar="|".join(VERDICTS), type=click.Choice(VERDICTS))
@click.option("--remark", default="", help="Words about the verdict, for moderators.")
@access.passphrase_option
def close(report: str, verdict: str, remark: str, passphrase_file: Path | None) -> None:
    """Close the report ID, which you have taken, with a verdict. The reporter is told."""
    with _order(passphrase_file) as order:
        order.decide(report, "close", verdict=verdict, remark=remark)
    click.echo(f"Closed as {verdict}.")


@moderate.command("player")
@_handle
@access.passphrase_option
def show_player(handle: str, passphrase_file: Path | None) -> None:
    """Show what matters of the player HANDLE: sanctions, what is open, what is unusual in rated games."""
    with _order(passphrase_file) as order:
        found, unusual = order.conduct(handle), order.signals(handle)
    role = "" if found["role"] is None else f", {found['role']}"
    click.echo(f"{plain(found['handle'])}{role}")
    counts = (
        number(found["running_games"], "running game"),
        number(found["open_tables"], "open table"),
        number(found["open_offers"], "open offer"),
        number(found["tokens"], "token"),
    )
    click.echo(f"  {', '.join(counts)}")
    for each in found["sanctions"]:
        until = each["until"] or "it is lifted"
        click.echo(f"  {each['kind'].replace('_', ' ')} until {plain(until)}: {plain(each['reason'])}")
    for each in unusual:
        against = "" if each["opponent"] is None else f" against {plain(each['opponent'])}"
        share = "" if each["share"] is None else f", {each['share']:.0%}"
        games = number(each["games"], "game")
        click.echo(f"  unusual: {each['code'].replace('_', ' ')}{against}, {games}{share}")


def _impose(passphrase_file: Path | None, handle: str, kind: str, reason: str, hours: int | None) -> str:
    with _order(passphrase_file) as order:
        until = order.impose(handle, kind, reason, hours)["until"]
    return "until it is lifted" if until is None else f"until {plain(until)}"


@moderate.command()
@_handle
@_reason
@_hours
@access.passphrase_option
def suspend(handle: str, reason: str, hours: int | None, passphrase_file: Path | None) -> None:
    """Suspend the player HANDLE, who then begins no game and does not trade. Running games go on."""
    end = _impose(passphrase_file, handle, SUSPENSION, reason, hours)
    click.echo(f"{plain(handle)} is suspended {end}.")


@moderate.command()
@_handle
@_reason
@_hours
@access.passphrase_option
def freeze(handle: str, reason: str, hours: int | None, passphrase_file: Path | None) -> None:
    """Freeze the trades of the player HANDLE, who then makes and takes no offer."""
    end = _impose(passphrase_file, handle, FREEZE, reason, hours)
    click.echo(f"{plain(handle)} does not trade {end}.")


@moderate.command()
@_handle
@access.passphrase_option
def lift(handle: str, passphrase_file: Path | None) -> None:
    """Lift the sanctions against the player HANDLE: a suspension, and frozen trades."""
    with _order(passphrase_file) as order:
        for kind in (SUSPENSION, FREEZE):
            order.lift(handle, kind)
    click.echo(f"No sanction stands against {plain(handle)}.")


@moderate.command()
@_handle
@click.argument("new")
@_reason
@access.passphrase_option
def rename(handle: str, new: str, reason: str, passphrase_file: Path | None) -> None:
    """Give the player HANDLE the handle NEW. The former one is shown nowhere any more."""
    with _order(passphrase_file) as order:
        click.echo(f"{plain(handle)} is {plain(order.rename(handle, new, reason)['handle'])} now.")


@moderate.command()
@_handle
@_reason
@access.passphrase_option
def revoke(handle: str, reason: str, passphrase_file: Path | None) -> None:
    """Revoke all access tokens of the player HANDLE, who must sign in anew."""
    with _order(passphrase_file) as order:
        click.echo(f"{number(order.revoke(handle, reason), 'token')} revoked.")


def _hide(passphrase_file: Path | None, sort: str, thing: str, reason: str, *, hidden: bool) -> None:
    with _order(passphrase_file) as order:
        order.hide(sort, thing, reason, hidden=hidden)
    what = "name of the deck" if sort == "deck" else "table"
    click.echo(f"The {what} is {'hidden' if hidden else 'shown'}.")


@moderate.command()
@_sort
@_id
@_reason
@access.passphrase_option
def hide(sort: str, thing: str, reason: str, passphrase_file: Path | None) -> None:
    """Hide the name of a deck from all but its owner, or take a table out of the lists."""
    _hide(passphrase_file, sort, thing, reason, hidden=True)


@moderate.command()
@_sort
@_id
@_reason
@access.passphrase_option
def show(sort: str, thing: str, reason: str, passphrase_file: Path | None) -> None:
    """Show the name of a deck again, or put a table back into the lists."""
    _hide(passphrase_file, sort, thing, reason, hidden=False)


@moderate.command("acts")
@_limit
@access.passphrase_option
def list_acts(limit: int, passphrase_file: Path | None) -> None:
    """List what admins, moderators and the operator have done, newest first."""
    with _order(passphrase_file) as order:
        found = order.acts(limit)
    shown = table_of("Act", "At", "By", "Did", "Upon", "Details")
    for each in found:
        details = ", ".join(f"{name} {value}" for name, value in each["details"].items() if value is not None)
        upon = each["handle"] or f"{each['subject']} {each['subject_id']}"
        cells = (each["at"][:16], each["by"] or "-", each["kind"].replace("_", " "), upon, details)
        shown.add_row(str(each["seq"]), *map(_text, cells))
    print_table(shown, "Nobody has acted yet.")
