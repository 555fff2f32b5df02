"""`cloche rehearse`: an evening of many players in a new house, and what it leaves."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from cards import games
from cloche.commands.errors import REFUSED, CommandError
from cloche.commands.listing import print_table, table_of
from cloche.commands.measure.progress import progress
from cloche.commands.play.bot import pace_option
from cloche.commands.words import number, title_of
from cloche.operate.child import ended_well

MODES = ("big-c", "flip", "cribbage", "chef")
"""The modes of an evening, unless others are asked for."""


@click.command()
@click.option(
    "--players",
    type=click.IntRange(2, 400),
    default=64,
    show_default=True,
    help="How many players come; an even number, two for each mode at least.",
)
@click.option(
    "--mode",
    "modes",
    multiple=True,
    metavar="MODE",
    help=f"Play this mode from the queue; repeatable.  [default: {', '.join(MODES)}]",
)
@pace_option
@click.option(
    "--processes",
    type=click.IntRange(1, 32),
    default=4,
    show_default=True,
    help="Processes in which the players play.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Make the bots' choices repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def rehearse(
    players: int,
    modes: Sequence[str],
    pace: str,
    processes: int,
    seed: int,
    as_json: bool,
) -> None:
    """Rehearse an evening: bots come to a new house as people would, and its books are checked.

    The players register, sign in by their keys, wait in the queue and play rated games to their
    ends. One worker is killed on the way. At the end every record is verified, all ratings are
    computed again from the records, and the books are audited. The house is then thrown away.
    """
    chosen = tuple(dict.fromkeys(modes)) or MODES
    _require_pairs(chosen, players)
    # Only a house's own libraries can rehearse in it, and help must not wait for them.
    from benchmarks.evening.rehearsal import EveningPlan
    from benchmarks.evening.rehearsal import rehearse as held
    from benchmarks.evening.venue import EveningFailed
    from benchmarks.load.json_process import ProcessEnded
    from benchmarks.load.served import NotOpen

    with (
        ended_well(),
        tempfile.TemporaryDirectory(prefix="cloche-evening-", ignore_cleanup_errors=True) as folder,
        progress() as tick,
    ):
        plan = EveningPlan(players, Path(folder), tick, chosen, pace, processes, seed)
        try:
            found = held(plan)
        except (NotOpen, ProcessEnded, EveningFailed) as fault:
            raise CommandError("rehearsal_failed", str(fault)) from None
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        show(found)
    sys.exit(0 if found.right else REFUSED)


def _require_pairs(modes: Sequence[str], players: int) -> None:
    for mode in modes:
        if mode not in games.names():
            raise click.UsageError(f"There is no mode {mode}; there are {', '.join(games.names())}.")
        low, high = games.find(mode).facts.seats
        if not low <= 2 <= high:
            raise click.UsageError(f"{title_of(mode)} is not for two players.")
    if players % 2 or players < 2 * len(modes):
        text = f"{len(modes)} modes need an even number of players, {2 * len(modes)} at least."
        raise click.UsageError(f"--players {players}: {text}")


def show(found: Any) -> None:
    """Print what an evening was, and what it has left."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]An evening of {found.players} players[/]\n")
    shown = table_of("Game", "Games", "Entries", "Waited", "Longest wait")
    for mode in dict.fromkeys(game.mode for game in found.games.values()):
        played = [game for game in found.games.values() if game.mode == mode]
        waits = found.waits.get(mode, [0.0])
        entries = sum(game.entries for game in played)
        cells = (str(len(played)), str(entries), f"{median(waits):.1f} s", f"{max(waits):.1f} s")
        shown.add_row(title_of(mode), *cells)
    print_table(shown, "No game has ended.")
    console.print()
    for kill in found.kills:
        after = number(kill.after, "game")
        console.print(f"A worker was killed after {after}; another one worked {kill.seconds:.1f} s later.")
    took = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in found.seconds.items())
    console.print(f"It took: {took}.\n")
    for check in found.checks:
        mark = "[green]right[/]" if check.right else "[bold red]wrong[/]"
        console.print(f"  {mark}  {check.what:9} {escape(check.said)}")
    for fault in found.faults:
        console.print(f"  [bold red]wrong[/]  {'Player':9} {escape(fault)}")
