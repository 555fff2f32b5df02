"""The parts that `cloche cards search` and `cloche decks search` share: asking, errors, the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from client.decks import SearchResult
from cloche.commands.errors import CommandError, plain
from cloche.commands.words import number
from player.house import ApiProblem

QUERY: dict[str, Any] = {"ignore_unknown_options": True}
"""The settings of a command that takes a query, in which -t:recipe is no option but a part of the query."""

query_argument = click.argument("query", nargs=-1, required=True, type=click.UNPROCESSED)
json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")

Column = tuple[str, Callable[[dict[str, Any]], str], int, bool]
"""A heading, the text of an item, the width of terminal that the column needs, whether it is a number."""


def ask(search: Callable[[str], SearchResult], query: Sequence[str]) -> SearchResult:
    """Fetch what a query finds. An error points at its column in the query; ignored parts are reported."""
    text = " ".join(query)
    try:
        found = search(text)
    except ApiProblem as problem:
        columns = [error["column"] for error in problem.errors if isinstance(error.get("column"), int)]
        if not columns:
            raise
        raise CommandError(problem.code, problem.detail, (text, " " * (columns[0] - 1) + "^")) from None
    for warning in found.warnings:
        where = f"column {warning.get('column')}"
        click.echo(f"Ignored [{plain(warning['code'])}]: {where}: {plain(warning['detail'])}", err=True)
    return found


def show(
    found: SearchResult, columns: Sequence[Column], as_json: bool, what: str, nothing: str | None = None
) -> None:
    """Print what was found, as JSON or in as many columns as fit the terminal; or say `nothing`."""
    if as_json:
        data = {"query": found.query, "warnings": list(found.warnings), "items": list(found.items)}
        click.echo(json.dumps(data, ensure_ascii=False, indent=1))
        return
    if not found.items:
        click.echo(nothing or f"No {what} fits: {plain(found.query)}", err=True)
        return
    console = Console()
    shown = [column for column in columns if console.width >= column[2]]
    table = Table(box=None, pad_edge=False)
    for heading, _, _, numeric in shown:
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for item in found.items:
        table.add_row(*(Text(plain(cell(item))) for _, cell, _, _ in shown))
    console.print(table)
    click.echo(f"{number(len(found.items), what)}.", err=True)
