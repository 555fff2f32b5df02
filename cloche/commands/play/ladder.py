"""`cloche rating` and `cloche leaderboard`: how strong the players of a house are."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import click

from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.listing import print_table, table_of
from cloche.commands.words import title_of


@click.command()
@click.argument("handle", required=False)
@click.option("--mode", metavar="MODE", help="The mode of the chart.")
@click.option(
    "--chart",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the rating's history in the mode as an SVG picture.",
)
@click.option("--opponents", metavar="MODE", help="List your own results in a mode by opponent instead.")
@click.option("--decks", metavar="MODE", help="List the results in a mode by deck instead.")
@click.option("--dishes", is_flag=True, help="List the favourite dishes instead.")
@access.passphrase_option
def rating(
    handle: str | None,
    mode: str | None,
    chart: Path | None,
    opponents: str | None,
    decks: str | None,
    dishes: bool,
    passphrase_file: Path | None,
) -> None:
    """Show the ratings of the player HANDLE, by default your own."""
    if (mode is None) != (chart is None):
        raise click.UsageError("--chart and --mode go together.")
    if sum((opponents is not None, decks is not None, dishes, mode is not None)) > 1:
        raise click.UsageError("--opponents, --decks, --dishes and --chart exclude each other.")
    with access.signed_in(passphrase_file) as (_, api):
        if opponents is not None:
            _list_opponents(api.opponents(opponents))
            return
        name = handle or api.me()["handle"]
        if decks is not None:
            _list_decks(name, api.results_by_deck(name, decks))
            return
        if dishes:
            _list_dishes(name, api.favourite_dishes(name))
            return
        found = api.ratings(name)
        if mode is not None and chart is not None:
            chart.write_bytes(api.rating_chart(name, mode))
    shown = table_of("Game", "Rating", "Won", "Drawn", "Lost", "")
    for each in found:
        counts = (str(each[count]) for count in ("wins", "draws", "losses"))
        known = "provisional" if each["provisional"] else ""
        shown.add_row(title_of(each["mode"]), points(each), *counts, known)
    print_table(shown, f"{plain(name)} has played no rated game yet.")


@click.command()
@click.argument("mode")
@click.option(
    "--season", metavar="SEASON", help="A season, such as 2026-Q4.  [default: the one that runs now]"
)
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="The most players."
)
@access.passphrase_option
def leaderboard(mode: str, season: str | None, limit: int, passphrase_file: Path | None) -> None:
    """List the best players of MODE in a season, a quarter of a year."""
    with access.signed_in(passphrase_file) as (_, api):
        found = list(islice(api.leaderboard(mode, season), limit))
    shown = table_of("", "Player", "Rating", "At least", "Games", "Won")
    for each in found:
        cells = (each["rank"], each["handle"], points(each), each["sure"], each["games"], each["wins"])
        shown.add_row(*(plain(str(cell)) for cell in cells))
    print_table(shown, "Nobody has played enough rated games of this mode in the season yet.")


def _list_opponents(found: list[dict[str, Any]]) -> None:
    shown = table_of("Opponent", "Games", "Won", "Drawn", "Lost")
    for each in found:
        counts = (str(each[count]) for count in ("games", "wins", "draws", "losses"))
        shown.add_row(plain(each["handle"]), *counts)
    print_table(shown, "You have played no rated game of this mode yet.")


def _list_decks(name: str, found: dict[str, Any]) -> None:
    shown = table_of("Deck", "", "Games", "Won", "Drawn", "Lost")
    rows = [
        (each["name"], "deleted" if each["deleted"] else each["visibility"], each) for each in found["items"]
    ]
    if found["others"]["games"]:
        rows.append(("others", "", found["others"]))
    for deck, seen, each in rows:
        counts = (str(each[count]) for count in ("games", "wins", "draws", "losses"))
        shown.add_row(plain(deck), seen, *counts)
    print_table(shown, f"{plain(name)} has played no rated game of this mode yet.")


def _list_dishes(name: str, found: list[dict[str, Any]]) -> None:
    shown = table_of("Served", "Dish", "Ingredients")
    for each in found:
        made_of = ", ".join(card["name"] for card in each["ingredients"])
        shown.add_row(str(each["times"]), plain(each["recipe"]["name"]), plain(made_of))
    print_table(shown, f"{plain(name)} has served no dish yet.")


def points(each: dict[str, Any]) -> str:
    """A rating with its uncertainty.

    >>> points({"points": 1612, "deviation": 305})
    '1612 ± 305'
    """
    return f"{each['points']} ± {each['deviation']}"
