"""`cloche bots`: the bots of every mode play against each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bots import bots_for, contest, levels_of
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
    help="Games between every two bots; with bots that think a fifth or a fifteenth.",
)
@click.option(
    "--seats", type=click.IntRange(2), help="Measure tables of so many seats only.  [default: every number]"
)
@click.option("--bot", help="Measure the games of this bot only.  [default: every bot]")
@click.option(
    "--paired",
    nargs=2,
    metavar="BOT OTHER",
    help="Compare two bots of one MODE by paired deals: BOT takes every seat of each deal in turn.",
)
@click.option("--seed", default=0, show_default=True, help="Seed; the same seed plays the same games.")
@cores_option
@json_option
@chart_option
@click.option(
    "--write",
    is_flag=True,
    help=f"Write docs/{PAGE} and its picture; with MODE, --seats or --bot, the rest stays.",
)
def bots(
    mode: tuple[str, ...],
    games: int,
    seats: int | None,
    bot: str | None,
    paired: tuple[str, str] | None,
    seed: int,
    cores: int,
    as_json: bool,
    picture: Path | None,
    write: bool,
) -> None:
    """Let the bots of every mode (or of MODEs) play against each other, by the rules alone.

    They play at every number of seats. One bot sits at one seat, the other at all other seats. The figures
    are how often each wins, with intervals of 95 %, and how often chance alone would win.

    With --paired, BOT sits at one seat and OTHER at all others. Every bot has random draws of its own, so
    that all games of a deal have the same cards; the interval is over deals. Either may also be an exploiter
    or a bot as it was before a change, such as `spender` of chef.
    """
    unknown = [name for name in mode if name not in mode_names()]
    if unknown:
        raise click.BadParameter(f"{unknown[0]} is none of {', '.join(mode_names())}.", param_hint="MODE")
    known = contest.fields(mode or mode_names())
    if bot is not None and not any(bot in one.bots for one in known):
        raise click.BadParameter(f"{bot} is no bot of these modes.", param_hint="--bot")
    chosen = [
        replace(one, only=bot) for one in known if seats in (None, one.seats) and bot in (None, *one.bots)
    ]
    if paired is not None:
        if len(mode) != 1 or bot is not None:
            raise click.UsageError("--paired compares the bots of one MODE, and takes no --bot.")
        found = _compared(chosen, paired, games, seed, cores)
    else:
        total = sum(one.games(pair, games) for one in chosen for pair in one.pairs)
        with progress(total, "Games") as told:
            found = figures(contest.run(chosen, games, seed, cores, told), games, seed)
    if write:
        part = bool(mode or seats or bot)
        whole = merged(json.loads((DOCS / DATA).read_text()), found) if part else found
        save(DOCS / PAGE, page(whole))
        save(DOCS / PICTURE, chart(whole))
        save(DOCS / DATA, json.dumps(whole, indent=2) + "\n")
    if picture is not None:
        save(picture, chart(found))
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        _print(found)


def _compared(
    chosen: Sequence[Field], pair: tuple[str, str], games: int, seed: int, cores: int
) -> dict[str, Any]:
    """A paired comparison at every chosen number of seats, as JSON."""
    name = chosen[0].mode
    for player in pair:
        if player not in contest.players(name):
            raise click.BadParameter(f"{player} does not play {name}.", param_hint="--paired")
    known = [contest.players(name)[player] for player in pair]
    able = [one for one in chosen if all(contest.for_seats(player, one.seats) for player in known)]
    rows = []
    with progress(sum(-(-games // one.seats) * one.seats for one in able), "Games") as told:
        for one in able:
            deals = contest.paired(one, pair, games, seed, cores, told)
            low, high = deals.interval()
            rows.append(
                {
                    "seats": one.seats,
                    "bot": pair[0],
                    "against": pair[1],
                    "chance": round(1 / one.seats, 4),
                    "deals": deals.of,
                    "of": deals.of * one.seats,
                    "seed": seed,
                    "share": round(deals.value, 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                }
            )
    return {"modes": [{**_about(chosen[0]), "tables": [], "paired": rows}]}


def figures(found: Contest, games: int, seed: int) -> dict[str, Any]:
    """The figures, as JSON."""
    measured = dict.fromkeys(one.mode for one in found.fields)
    return {"modes": [_mode(found, name, games, seed) for name in measured]}


def merged(before: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """The figures of both, by mode, seats and pair; what was measured anew has its new figures.

    The pairs of a bot that the mode no longer has are dropped.
    """
    known = {mode["mode"]: mode for mode in before["modes"]}
    for mode in found["modes"]:
        names = [*mode["bots"], *mode["exploiters"]]
        tables: dict[int, dict[str, Any]] = {}
        for played in (*known.get(mode["mode"], {"tables": ()})["tables"], *mode["tables"]):
            kept = tables.get(played["seats"], {"pairs": ()})["pairs"]
            pairs = {(pair["bot"], pair["against"]): pair for pair in (*kept, *played["pairs"])}
            ordered = [pairs[pair] for pair in permutations(names, 2) if pair in pairs]
            tables[played["seats"]] = {**played, "pairs": ordered}
        whole = [tables[seats] for seats in sorted(tables) if tables[seats]["pairs"]]
        rows = (*known.get(mode["mode"], {}).get("paired", ()), *mode.get("paired", ()))
        compared = {(row["bot"], row["against"], row["seats"]): row for row in rows}
        known[mode["mode"]] = {**mode, "tables": whole, "paired": [*compared.values()]}
    return {"modes": [known[name] for name in mode_names() if name in known]}


def _mode(found: Contest, name: str, games: int, seed: int) -> dict[str, Any]:
    fields = [one for one in found.fields if one.mode == name]
    tables = [_table(found, one, games, seed) for one in fields]
    return {**_about(fields[0]), "tables": tables, "paired": []}


def _about(one: Field) -> dict[str, Any]:
    facts = find_mode(one.mode).facts
    return {
        "mode": one.mode,
        "title": facts.title,
        "rules": facts.rules,
        "bots": [*bots_for(one.mode)],
        "levels": dict(levels_of(one.mode)),
        "exploiters": [*one.exploiters],
    }


def _table(found: Contest, one: Field, games: int, seed: int) -> dict[str, Any]:
    pairs = []
    for bot, other in [*permutations(one.bots, 2), *(p for p in one.pairs if p[0] in one.exploiters)]:
        if one.only not in (None, bot, other):
            continue
        won = found.against(one, bot, other)
        low, high = won.interval()
        share = {"share": round(won.value, 4), "low": round(low, 4), "high": round(high, 4)}
        pairs.append({"bot": bot, "against": other, "won": round(won.won, 3), "of": won.of, **share})
    chance = round(1 / one.seats, 4)
    return {"seats": one.seats, "chance": chance, "games": games, "seed": seed, "pairs": pairs}


def _print(found: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("Mode", "Seats", "Bot", "Against", "games", "wins", "95 %", "chance"):
        table.add_column(heading, justify="left" if heading in ("Mode", "Bot", "Against") else "right")
    for mode in found["modes"]:
        rows = [{**played, **pair} for played in mode["tables"] for pair in played["pairs"]]
        for pair in (*rows, *mode["paired"]):
            between = f"{pair['low']:.0%}-{pair['high']:.0%}"
            row = (mode["mode"], str(pair["seats"]), pair["bot"], pair["against"], str(pair["of"]))
            table.add_row(*row, percent(pair["share"]), between, f"{pair['chance']:.0%}")
    console.print(table)
