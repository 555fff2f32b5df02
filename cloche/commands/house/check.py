"""`cloche check`: check the settings before anything starts."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

import click

from cloche.commands.house import options
from cloche.commands.words import number
from cloche.operate import checks
from cloche.operate.checks.finding import Finding

ROLES = ("serve", "worker", "events")
COLOURS = {"ok": "green", "warning": "yellow", "error": "red"}


@click.command()
@click.argument("command", type=click.Choice(ROLES), default="serve")
@options.data_option
@click.option(
    "--for-others", is_flag=True, help="Also say what is missing before others can reach the house."
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(command: str, data: Path | None, for_others: bool, as_json: bool) -> None:
    """Check the settings of COMMAND (by default: serve), and say what to do about each fault.

    The check reads the variables that COMMAND would read, and looks at what they name: database, broker,
    keys, folders, port. It changes nothing. It exits with 1 if there is an error.
    """
    found: list[Finding] = []
    for finding in checks.everything(command, dict(os.environ), data, for_others=for_others):
        found.append(finding)
        if not as_json:
            _print(finding)
    counts = Counter(finding.level for finding in found)
    if as_json:
        listed = [finding.json() for finding in found]
        click.echo(json.dumps({"ok": not counts["error"], "findings": listed}, indent=2, ensure_ascii=False))
    else:
        click.echo(f"\n{number(counts['error'], 'error')}, {number(counts['warning'], 'warning')}.")
    if counts["error"]:
        sys.exit(1)


def _print(finding: Finding) -> None:
    level = click.style(finding.level.ljust(8), fg=COLOURS[finding.level])
    click.echo(f"{level} {finding.about.ljust(10)} {finding.text}")
    if finding.do:
        click.echo(f"{' ' * 20}{click.style(finding.do, dim=True)}")
