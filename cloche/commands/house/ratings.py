"""`cloche ratings`: the books of ratings, for the operator of a house."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cloche.commands.groups import CommandGroup
from cloche.commands.house import options
from cloche.commands.listing import print_table, table_of
from cloche.commands.words import number
from cloche.operate import logs
from service.operations import dish_books, rating_books
from service.operations.rating_signals import RatingSignal
from service.operations.rating_signals import signals as unusual
from service.runtime import Runtime


@click.group(cls=CommandGroup)
def ratings() -> None:
    """Look after the ratings: recompute, signals.

    Run this on the machine that has the house's folder.
    """


@ratings.command()
@options.data_option
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if a figure is wrong.")
def recompute(data: Path | None, check: bool) -> None:
    """Compute all ratings again from the records of the games, and put right what is wrong.

    The counts of the dishes that players have served are computed, too. The house may be open. Every figure
    that was wrong is named.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    try:
        with options.database_errors(settings):
            games, found = rating_books.check(house) if check else rating_books.rewrite(house)
            dishes = dish_books.check(house) if check else dish_books.rewrite(house)
    finally:
        house.close()
    wrong = [str(each) for each in found]
    for player, keys in sorted(dishes.items()):
        wrong += [f"served_dish {player} {key}: is miscounted" for key in sorted(keys)]
    for each in wrong:
        click.echo(f"  {each}")
    said = number(games, "rated game")
    if not wrong:
        click.echo(f"The ratings are right: {said}.")
    elif check:
        click.echo(f"The ratings are wrong: {number(len(wrong), 'figure')}, by the records of {said}.")
        sys.exit(1)
    else:
        click.echo(f"The ratings are put right: {number(len(wrong), 'figure')}, by the records of {said}.")


@ratings.command()
@options.data_option
@click.option(
    "--days", type=click.IntRange(1), default=30, show_default=True, help="Days of games to look at."
)
def signals(data: Path | None, days: int) -> None:
    """List what is unusual in rated games, for people to judge: one-sided pairs, strong newcomers ...

    It proves nothing, and nothing follows by itself.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    try:
        with options.database_errors(settings), house.read() as session:
            found = unusual(session, house.now(), days)
    finally:
        house.close()
    shown = table_of("What", "Player", "Opponent", "Games", "Share")
    for each in found:
        shown.add_row(*_cells(each))
    print_table(shown, "Nothing is unusual.")


def _cells(each: RatingSignal) -> tuple[str, ...]:
    player, opponent = (*each.handles, "")[:2]
    share = "" if each.share is None else f"{each.share:.0%}"
    return each.code.replace("_", " "), player, opponent, str(each.games), share
