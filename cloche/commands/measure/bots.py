"""`cloche bots`: the bots of every mode play against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bots import contest
from bots.contest import Contest, Field
from cards.games import find as find_mode
from cards.games import names as mode_names
from cloche.commands.measure.bots_page import chart, page, percent
from cloche.commands.measure.playing import (
    DOCS,
    chart_option,
    cores_option,
    json_option,
    progress,
    save,
)

PAGE, PICTURE, DATA = "bots.md", "pictures/bots.svg", "bots.json"


@click.command()
@click.argument("mode", nargs=-1, metavar="[MODE]...")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=240,
    show_default=True,
    help="Games between every two bots; with a multiple of 12 each sits everywhere equally often.",
)
@click.option("--seed", default=0, show_default=True, help="Seed; the same seed plays the same games.")
@cores_option
@json_option
@chart_option
@click.option("--write", is_flag=True, help=f"Write docs/{PAGE} and its picture, for all modes.")
def bots(
    mode: tuple[str, ...], games: int, seed: int, cores: int, as_json: bool, picture: Path | None, write: bool
) -> None:
    """Let the bots of every mode (or of MODEs) play against each other, by the rules alone.

    One bot sits at one seat, the other at all other seats. The figures are how often each wins,
    with intervals of 95 %, and how often chance alone would win.
    """
    if write and mode:
        raise click.UsageError("--write measures all modes, and takes no MODE.")
    unknown = [name for name in mode if name not in mode_names()]
    if unknown:
        raise click.BadParameter(f"{unknown[0]} is none of {', '.join(mode_names())}.", param_hint="MODE")
    chosen = contest.fields(mode or mode_names())
    with progress(games * sum(len(one.pairs) for one in chosen), "Games") as told:
        found = figures(contest.run(chosen, games, seed, cores, told), games, seed)
    if write:
        save(DOCS / PAGE, page(found))
        save(DOCS / PICTURE, chart(found))
        save(DOCS / DATA, json.dumps(found, indent=2) + "\n")
    if picture is not None:
        save(picture, chart(found))
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        _print(found)


def figures(found: Contest, games: int, seed: int) -> dict[str, Any]:
    """The figures, as JSON."""
    return {"games": games, "seed": seed, "modes": [_mode(found, one) for one in found.fields]}


def _mode(found: Contest, one: Field) -> dict[str, Any]:
    facts = find_mode(one.mode).facts
    pairs = []
    for bot in one.bots:
        for other in one.bots:
            if bot == other:
                continue
            won = found.against(one, bot, other)
            low, high = won.interval()
            share = {"share": round(won.value, 4), "low": round(low, 4), "high": round(high, 4)}
            pairs.append({"bot": bot, "against": other, "won": round(won.won, 3), "of": won.of, **share})
    return {
        "mode": one.mode,
        "title": facts.title,
        "rules": facts.rules,
        "seats": one.seats,
        "bots": [*one.bots],
        "chance": round(1 / one.seats, 4),
        "pairs": pairs,
    }


def _print(found: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("Mode", "Seats", "Bot", "Against", "wins", "95 %", "chance"):
        table.add_column(heading, justify="left" if heading in ("Mode", "Bot", "Against") else "right")
    for mode in found["modes"]:
        for pair in mode["pairs"]:
            between = f"{pair['low']:.0%}-{pair['high']:.0%}"
            row = (mode["mode"], str(mode["seats"]), pair["bot"], pair["against"])
            table.add_row(*row, percent(pair["share"]), between, f"{mode['chance']:.0%}")
    console.print(table)
