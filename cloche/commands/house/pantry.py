"""`cloche admin pantry`: how far the house has read its chain, whether its notes agree, and reading on."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from chain.nodes import NodeFault
from cloche.commands.errors import CommandError
from cloche.commands.house import options
from cloche.commands.house.opened import opened
from cloche.commands.words import number
from crypto.encoding import timestamp
from service.operations import pantry as reader
from service.operations import pantry_audit
from service.operations.pantry_audit import ChainAudit
from service.runtime import Runtime


@click.command()
@click.option("--check", is_flag=True, help="Compare the house's notes with all that the chain has logged.")
@click.option("--read-on", is_flag=True, help="Let the reader go on after an alarm.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@options.data_option
def pantry(check: bool, read_on: bool, as_json: bool, data: Path | None) -> None:
    """Show how far the house has read its pantry on the chain, and the alarm that has stopped it, if any.

    The house may be open. It exits with 1 while the reader is stopped, or if --check finds a difference.
    --read-on skips nothing: blocks that say what can't be raise the same alarm again.
    """
    with opened(data) as house:
        over = reader.read_on(house) if read_on else None
        found = _checked(house) if check else None
        state = reader.state(house)
    if as_json:
        click.echo(json.dumps(_json(state, over, found), indent=2))
    else:
        click.echo(_text(state, over, read_on, found))
    sys.exit(1 if state.alarm is not None or (found is not None and found.findings) else 0)


def _checked(house: Runtime) -> ChainAudit:
    """Compare notes and chain, with a bar of the blocks; raises `CommandError` for a node's fault."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading blocks")
        try:
            return pantry_audit.against_chain(
                house, lambda done, total: bar.update(task, completed=done, total=total)
            )
        except NodeFault as fault:
            raise CommandError(fault.code, f"The chain can't be read: {fault.text}.") from None


def _json(state: reader.PantryState, over: str | None, found: ChainAudit | None) -> dict[str, object]:
    told: dict[str, object] = {
        "place": state.place,
        "block": state.block,
        "time": None if state.time is None else timestamp(state.time * 1000),
        "alarm": state.alarm,
        "alarm_over": over,
    }
    if found is not None:
        told["check"] = {
            "blocks": found.blocks,
            "trips": found.trips,
            "outside": found.outside,
            "findings": [{"code": f.code, "about": f.about, "text": f.text} for f in found.findings],
        }
    return told


def _text(state: reader.PantryState, over: str | None, read_on: bool, found: ChainAudit | None) -> str:
    lines = []
    if state.time is None:
        lines.append("The house has read no block of its pantry yet.")
    else:
        read = f"up to block {state.block}, of {timestamp(state.time * 1000)}"
        lines.append(f"The house has read {state.place} {read}.")
    if over is not None:
        lines.append(f"The alarm is over, and the house reads on within a minute. It was: {over}.")
    elif state.alarm is not None:
        lines.append(f"The reader has stopped: {state.alarm}.")
    elif read_on:
        lines.append("There was no alarm.")
    if found is not None:
        said = f"{number(found.trips, 'way')} out in {number(found.blocks, 'block')}, {found.outside} outside"
        if not found.findings:
            lines.append(f"Its notes agree with the chain: {said}.")
        else:
            lines.append(f"Its notes differ from the chain ({said}):")
            lines += [f"  {finding}" for finding in found.findings]
    return "\n".join(lines)
