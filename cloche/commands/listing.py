"""Lists that commands print: a table with headings, or a sentence where there is nothing to list."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table


def table_of(first: str, *headings: str, width: int = 0) -> Table:
    """A table without lines. Its first column has ids, which are never broken, so that they can be copied.

    `width` is the least number of characters of the first column.
    """
    table = Table(box=None, pad_edge=False)
    table.add_column(first, no_wrap=True, min_width=width or None)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def print_table(table: Table, nothing: str) -> None:
    """Print a table; if it has no row, say `nothing` on standard error instead of headings over nothing."""
    if table.row_count:
        Console().print(table)
    else:
        click.echo(nothing, err=True)
