"""`cloche load`: how much a house bears, from drivers in processes of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from benchmarks.load.sizes import Sizes

PAGE = "performance.md"
WHOLE = Sizes(Path(), lambda what, share: None)
"""The sizes of published figures."""


def _size(name: str, fewest: int, most: int, text: str) -> Callable[[Any], Any]:
    """An option that measures a part, in its published size or in another: `--grown`, `--grown 1000`."""
    flag = {"grown": WHOLE.grown, "listeners": WHOLE.listeners, "long": WHOLE.entries, "slow": WHOLE.slow[0]}
    kind = click.IntRange(fewest, most)
    return click.option(
        f"--{name}", name, type=kind, is_flag=False, flag_value=flag[name], metavar="[N]", help=text
    )


@click.command()
@click.argument("url", required=False)
@click.option("--yes", is_flag=True, help="Load the house at URL. Name only a house that is yours.")
@click.option(
    "--mode",
    "modes",
    multiple=True,
    metavar="MODE[=SHARE]",
    help="Play this mode; repeatable, each with its share of the matches.  [default: flip]",
)
@click.option(
    "--matches",
    type=click.IntRange(1, 5_000),
    default=WHOLE.matches,
    show_default=True,
    help="How many matches are played at once.",
)
@click.option(
    "--pace",
    type=click.FloatRange(0),
    default=WHOLE.pace,
    show_default=True,
    help="Seconds between two planned moves of a match; 0 for full speed.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.5, 3_600),
    default=WHOLE.seconds,
    show_default=True,
    help="How long a load lasts.",
)
@click.option(
    "--follow",
    type=click.Choice(["poll", "events"]),
    multiple=True,
    help="How players follow; repeatable.  [default: both, one after the other]",
)
@click.option(
    "--drivers",
    type=click.IntRange(1, 64),
    default=WHOLE.drivers,
    show_default=True,
    help="Processes that play, for each mode.",
)
@click.option(
    "--players",
    type=click.IntRange(2, 10_000),
    help="Players that each driver registers for all of its matches.  [default: new ones at each]",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes of the house that is opened; more than one need PostgreSQL.",
)
@click.option("--beside", is_flag=True, help="Measure turns beside their bounds and beside boardgame.io.")
@_size(
    "grown",
    1,
    10_000_000,
    "Measure a turn, and what players do, with so many games and players.  [default: 100000]",
)
@_size("listeners", 1, 20_000, "Measure the memory of so many listeners.  [default: 1000]")
@_size("long", 50, 5_500, "Measure a turn late in a game of so many entries.  [default: 5000]")
@_size("slow", 1, 10_000, "Let so many half-open connections hang while a chef seals.  [default: 1000]")
@click.option(
    "--turns", type=click.IntRange(1), default=WHOLE.turns, help="Turns that are played in process."
)
@click.option("--only", multiple=True, metavar="FIGURE", help="Measure this figure; repeatable.")
@click.option("--all", "everything", is_flag=True, help="Measure every figure, in 15 to 25 minutes.")
@click.option("--list", "listing", is_flag=True, help="List the figures, and measure nothing.")
@click.option("--seed", type=int, default=1, show_default=True, help="Make the drivers' choices repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the JSON into this file.")
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), help="Write the picture into this SVG file."
)
@click.option("--write", is_flag=True, help=f"Write docs/{PAGE} and its picture, from a run with --all.")
@click.option(
    "--from",
    "given",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Measure nothing, and read the results from this file.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 if a figure misses its goal.")
def load(url: str | None, given: Path | None, listing: bool, **asked: Any) -> None:
    """Load a house with many matches at a pace, and measure what it bears.

    Without URL a new house is opened for the load and thrown away. Bots in processes of their
    own play real matches: every move has its planned moment, whatever the house does, and its
    time runs from that moment. Afterwards the records of all matches are verified.
    """
    # Only a house's own libraries can load it, and help must not wait for them.
    from cloche.commands.measure import loading

    loading.load(url, given, listing, asked)
