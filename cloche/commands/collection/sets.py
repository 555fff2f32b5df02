"""`cloche sets`: card sets, their versions, and what each version changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import yaml
from rich.table import Table
from rich.text import Text

from cards.catalog.histories import step_between
from cards.catalog.yaml_dumper import Dumper
from cloche.commands import access
from cloche.commands.errors import UnreadableInput, plain
from cloche.commands.groups import CommandGroup
from cloche.commands.listing import print_table
from cloche.commands.searching import json_option
from cloche.commands.words import number


@click.group(cls=CommandGroup)
def sets() -> None:
    """Look at card sets: list, versions, changes, moved, release."""


def _print(rows: Sequence[dict[str, Any]], columns: dict[str, str], as_json: bool) -> None:
    """Print rows as JSON, or as a table. `columns` has the heading for each member."""
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    table = Table(box=None, pad_edge=False)
    for heading in columns.values():
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(str(row[name]))) for name in columns))
    print_table(table, "There are none.")


@sets.command("list")
@json_option
@access.house_option
@access.passphrase_option
def list_sets(as_json: bool, house: str | None, passphrase_file: Path | None) -> None:
    """List the card sets of a house, and which version it plays with."""
    columns = {"code": "Set", "name": "Name", "version": "Version", "cards": "Cards"}
    with access.at_house(house, passphrase_file) as (_, api):
        _print(api.sets(), columns, as_json)


@sets.command()
@click.argument("code")
@json_option
@access.house_option
@access.passphrase_option
def versions(code: str, as_json: bool, house: str | None, passphrase_file: Path | None) -> None:
    """List all versions of the set CODE, the newest first.

    `cloche cards show CARD --version VERSION` shows a card as it was.
    """
    columns = {"version": "Version", "cards": "Cards", "text": "What it brought"}
    with access.at_house(house, passphrase_file) as (_, api):
        _print(api.versions(code.upper()), columns, as_json)


@sets.command()
@click.argument("code")
@click.argument("version", required=False)
@click.option("--since", metavar="VERSION", help="Compare with this version.  [default: the version before]")
@json_option
@access.house_option
@access.passphrase_option
def changes(
    code: str,
    version: str | None,
    since: str | None,
    as_json: bool,
    house: str | None,
    passphrase_file: Path | None,
) -> None:
    """Show what VERSION of the set CODE changed; by default the newest."""
    with access.at_house(house, passphrase_file) as (_, api):
        found = api.changes(code.upper(), version or api.versions(code.upper())[0]["version"], since)
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    for change in found["changes"]:
        click.echo(plain(change["text"]))
    level = f", {found['level']}" if found["level"] else ""
    since, version = found["since"], found["version"]
    click.echo(f"{number(len(found['changes']), 'change')} from {since} to {version}{level}.", err=True)


@sets.command()
@json_option
@access.house_option
@access.passphrase_option
def moved(as_json: bool, house: str | None, passphrase_file: Path | None) -> None:
    """List ids of cards that have changed: the old id, the new one, since when and why."""
    columns = {"old": "Was", "moved_to": "Is", "kind": "How", "since": "Since", "reason": "Why"}
    with access.at_house(house, passphrase_file) as (_, api):
        found = [{**move, "since": f"{move['set']} {move['version']}"} for move in api.migrations()]
        if found or as_json:
            _print(found, columns, as_json)
        else:
            click.echo("No id has changed yet.", err=True)


@sets.command()
@click.argument("before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def release(before: Path, after: Path) -> None:
    """Print what the file AFTER changes in BEFORE, for the history of a card set that you write.

    Put it at the top of data/card_sets/history/CODE.yaml (docs/cards.md). Reading the cards then names
    the right digest.
    """
    was, now = (_data(path) for path in (before, after))
    try:
        step = {"version": now["set"]["version"], "sha256": "0" * 64, "text": "..."} | step_between(was, now)
    except (KeyError, TypeError):
        raise UnreadableInput("no_card_set", f"{before} and {after} are not both card sets.") from None
    click.echo(yaml.dump([step], Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110), nl=False)


def _data(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_bytes())
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UnreadableInput("unreadable", f"{path}: {' '.join(str(error).split())}") from None
