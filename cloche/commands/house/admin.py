"""`cloche admin`: what only the operator of a house can do."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from cloche.commands.groups import CommandGroup
from cloche.commands.house import options
from cloche.commands.words import number
from cloche.operate import logs
from service.operations import audit as books
from service.runtime import Runtime


@click.group(cls=CommandGroup)
def admin() -> None:
    """Look after the house.

    Run this on the machine that has the house's folder.
    """


@admin.command()
@options.data_option
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def audit(data: Path | None, as_json: bool) -> None:
    """Check the books: every movement of coins and copies, and whether today's balances follow from them.

    The house may be open, and nothing is changed. If anything is wrong, it exits with 1 and says what.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    console = Console(stderr=True)
    try:
        with (
            options.database_errors(settings),
            house.read() as session,
            Progress(console=console, transient=True, disable=not console.is_terminal) as bar,
        ):
            task = bar.add_task("Auditing")

            def tell(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            found = books.audit(session, tell)
    finally:
        house.close()
    click.echo(_json(found) if as_json else _text(found))
    sys.exit(1 if found.findings else 0)


def _json(found: books.Audit) -> str:
    wrong = [{"code": f.code, "about": f.about, "text": f.text} for f in found.findings]
    figures = {"transactions": found.transactions, "transfers": found.transfers, "coins": found.minted}
    return json.dumps({**figures, "copies": found.copies, "findings": wrong}, indent=2)


def _text(found: books.Audit) -> str:
    figures = (
        number(found.transactions, "transaction"),
        number(found.transfers, "transfer"),
        number(found.minted, "coin"),
        number(found.copies, "copy", "copies"),
    )
    said = ", ".join(figures)
    if not found.findings:
        return f"The books are right: {said}."
    wrong = "\n".join(f"  {finding}" for finding in found.findings)
    return f"The books are wrong ({said}):\n{wrong}"
