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
FIRST = 5
"""Places of the tournament that are printed."""


@click.command()
@click.option(
    "--players",
    type=click.IntRange(4, 256),
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
@click.option(
    "--tournament",
    default="big-c",
    show_default=True,
    metavar="MODE",
    help="Play this mode in the tournament.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 20),
    default=5,
    show_default=True,
    help="Rounds of the tournament; fewer than there are players.",
)
@click.option(
    "--database",
    metavar="URL",
    help="Open the house on this PostgreSQL server, in a new database that is dropped at the end.",
)
@click.option(
    "--broker",
    metavar="URL",
    help="Run two workers beside the house, with this RabbitMQ or Redis between them.",
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
    database: str | None,
    broker: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Rehearse an evening: bots come to a new house as people would, and its books are checked.

    The players register, sign in by their keys, wait in the queue and play rated games to their
    ends. Then all enter a Swiss tournament for a fee, and play its rounds for prizes. In both
    parts one worker is killed on the way. At the end every record is verified, standings and
    ratings are computed again from the records, and the books are audited. The house is then
    thrown away.

    The house is on SQLite, with its worker inside. With --database and --broker it is on
    PostgreSQL, with two workers beside it.
    """
    chosen = tuple(dict.fromkeys(modes)) or MODES
    _require_pairs(chosen, players)
    _require_two(asked["tournament"])
    if asked["rounds"] >= players:
        raise click.UsageError(f"{asked['rounds']} rounds need more players than {players}.")
    if (database is None) != (broker is None):
        raise click.UsageError("--database and --broker belong together.")
    # Only a house's own libraries can rehearse in it, and help must not wait for them.
    from benchmarks.evening.rehearsal import EveningPlan
    from benchmarks.evening.rehearsal import rehearse as held
    from benchmarks.evening.venue import EveningFailed, Servers
    from benchmarks.load.json_process import ProcessEnded
    from benchmarks.load.served import NotOpen
    from benchmarks.turns.scratch import NoServer

    servers = None if database is None or broker is None else Servers(database, broker)

    with (
        ended_well(),
        tempfile.TemporaryDirectory(prefix="cloche-evening-", ignore_cleanup_errors=True) as folder,
        progress() as tick,
    ):
        plan = EveningPlan(players, Path(folder), tick, chosen, servers=servers, **asked)
        try:
            found = held(plan)
        except (NotOpen, NoServer, ProcessEnded, EveningFailed) as fault:
            raise CommandError("rehearsal_failed", str(fault)) from None
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        show(found)
    sys.exit(0 if found.right else REFUSED)


def _require_pairs(modes: Sequence[str], players: int) -> None:
    for mode in modes:
        _require_two(mode)
    if players % 2 or players < 2 * len(modes):
        text = f"{len(modes)} modes need an even number of players, {2 * len(modes)} at least."
        raise click.UsageError(f"--players {players}: {text}")


def _require_two(mode: str) -> None:
    if mode not in games.names():
        raise click.UsageError(f"There is no mode {mode}; there are {', '.join(games.names())}.")
    low, high = games.find(mode).facts.seats
    if not low <= 2 <= high:
        raise click.UsageError(f"{title_of(mode)} is not for two players.")


def show(found: Any) -> None:
    """Print what an evening was, and what it has left."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]An evening of {found.players} players[/]\n")
    _show_games(found)
    console.print()
    if found.cup is not None:
        _show_cup(found.cup)
        console.print()
    for kill in found.kills:
        after = number(kill.after, "game")
        console.print(f"A worker was killed after {after}; another one worked {kill.seconds:.1f} s later.")
    took = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in found.seconds.items())
    console.print(f"It took: {took}.\n")
    closing = table_of("", "What", "Found")
    for check in found.checks:
        mark = "[green]right[/]" if check.right else "[bold red]wrong[/]"
        closing.add_row(mark, check.what, escape(check.said))
    for fault in found.faults:
        closing.add_row("[bold red]wrong[/]", "Player", escape(fault))
    print_table(closing, "Nothing was checked.")


def _show_games(found: Any) -> None:
    """Print a line for each mode of the queue, and one for the tournament."""
    shown = table_of("Game", "Games", "Entries", "Waited", "Longest wait")
    queued = [game for game in found.games.values() if game.round is None]
    for mode in dict.fromkeys(game.mode for game in queued):
        played = [game for game in queued if game.mode == mode]
        waits = found.waits.get(mode, [0.0])
        entries = sum(game.entries for game in played)
        cells = (str(len(played)), str(entries), f"{median(waits):.1f} s", f"{max(waits):.1f} s")
        shown.add_row(title_of(mode), *cells)
    rounds = [game for game in found.games.values() if game.round is not None]
    if rounds:
        entries = sum(game.entries for game in rounds)
        shown.add_row(f"{title_of(rounds[0].mode)}, tournament", str(len(rounds)), str(entries), "", "")
    print_table(shown, "No game has ended.")


def _show_cup(cup: Any) -> None:
    """Print the first places of the tournament."""
    shown = table_of("Place", "Player", "Points", "Buchholz", "Sonneborn", "Prize")
    for each in cup.standings[:FIRST]:
        figures = (f"{each[name]:g}" for name in ("points", "buchholz", "sonneborn_berger"))
        shown.add_row(str(each["place"] or "-"), each["handle"], *figures, str(each["prize"] or ""))
    print_table(shown, "The tournament has no players.")
