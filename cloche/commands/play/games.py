"""`cloche games`: the games that the player has played."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.listing import print_table, table_of
from cloche.commands.words import SHORT, listed, title_of


@click.command()
@click.option("--mode", metavar="MODE", help="List only games of this mode.")
@click.option("--running", is_flag=True, help="List the games that run instead of those that are over.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="The most games to list, the newest first.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all that is known, as JSON.")
@access.passphrase_option
def games(mode: str | None, running: bool, limit: int, as_json: bool, passphrase_file: Path | None) -> None:
    """List your games that are over, the newest first, with their results.

    `cloche record`, `replay` and `verify` take the id that is shown, or the word last for the newest.
    """
    with access.signed_in(passphrase_file) as (_, api):
        every = api.games("running" if running else "over")
        found = list(islice((game for game in every if mode in (None, game["mode"])), limit))
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    shown = table_of("Game", "Since" if running else "Ended", "Mode", "With", "" if running else "Result")
    for game in found:
        at = str(game["ended_at"] or game["created_at"])[:16].replace("T", " ")
        others = [name for seat, name in enumerate(game["names"]) if seat != game["seat"]]
        row = (game["id"][:SHORT], at, title_of(game["mode"]), listed(others) if others else "alone")
        shown.add_row(*(Text(plain(str(cell))) for cell in (*row, "" if running else ended(game))))
    none = "No game of yours is running." if running else "No game of yours is over yet."
    print_table(shown, f"{none} `cloche play` begins one or goes on.")


def ended(game: dict[str, Any]) -> str:
    """How a game ended for the player, whose points stand first: "won, 30 : 13", "lost, 2 : 31 (resigned)".

    >>> ended({"seat": 1, "outcome": {"winners": [1], "points": [7, 30], "reason": "points"}})
    'won, 30 : 7'
    """
    outcome = game["outcome"]
    if outcome is None:
        return ""
    winners, seat = outcome["winners"], game["seat"]
    points = [outcome["points"][seat], *outcome["points"][:seat], *outcome["points"][seat + 1 :]]
    if len(points) == 1:
        how = "played alone"
    elif not winners:
        how = "nobody won"
    elif len(winners) == len(points):
        how = "a draw"
    else:
        how = "won" if seat in winners else "lost"
    why = "" if outcome["reason"] == "points" else f" ({plain(str(outcome['reason']))})"
    return f"{how}, {' : '.join(map(str, points))}{why}"
