"""`cloche admin`: what only the operator of a house can do."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from cards.catalog.cards import Catalog
from cloche.commands.errors import CommandError
from cloche.commands.groups import CommandGroup
from cloche.commands.house import dashboard, lists, options, order, pantry, tournaments
from cloche.commands.words import number
from cloche.operate import logs
from service.operations import audit as books
from service.operations import grants
from service.problems import Problem
from service.runtime import Runtime


@click.group(cls=CommandGroup)
def admin() -> None:
    """Look after the house: audit, grants, lists, a live view, and order among its players.

    Run this on the machine that has the house's folder. The house may be open.
    """


for _command in (*order.COMMANDS, *lists.COMMANDS, tournaments.tournaments, pantry.pantry, dashboard.watch):
    admin.add_command(_command)


@admin.command()
@options.data_option
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def audit(data: Path | None, as_json: bool) -> None:
    """Check the books: every movement of coins and copies, and whether today's balances follow from them.

    The house may be open, and nothing is changed. If anything is wrong, it exits with 1 and says what.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    console = Console(stderr=True)
    try:
        with (
            options.database_errors(settings),
            house.read() as session,
            Progress(console=console, transient=True, disable=not console.is_terminal) as bar,
        ):
            task = bar.add_task("Auditing")

            def tell(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            found = books.audit(session, tell)
    finally:
        house.close()
    click.echo(_json(found) if as_json else _text(found))
    sys.exit(1 if found.findings else 0)


def _json(found: books.Audit) -> str:
    wrong = [{"code": f.code, "about": f.about, "text": f.text} for f in found.findings]
    figures = {"transactions": found.transactions, "transfers": found.transfers, "coins": found.minted}
    return json.dumps({**figures, "copies": found.copies, "findings": wrong}, indent=2)


def _text(found: books.Audit) -> str:
    figures = (
        number(found.transactions, "transaction"),
        number(found.transfers, "transfer"),
        number(found.minted, "coin"),
        number(found.copies, "copy", "copies"),
    )
    said = ", ".join(figures)
    if not found.findings:
        return f"The books are right: {said}."
    wrong = "\n".join(f"  {finding}" for finding in found.findings)
    return f"The books are wrong ({said}):\n{wrong}"


@admin.command()
@click.argument("handle")
@options.data_option
@click.option("--coins", type=click.IntRange(0, grants.MOST_COINS), default=0, help="The number of coins.")
@click.option(
    "--boosters", type=click.IntRange(0, grants.MOST_BOOSTERS), default=0, help="The number of boosters."
)
@click.option("--set", "set_code", metavar="CODE", help="The boosters' set.  [default: the newest]")
@click.option(
    "--card", "cards", metavar="CARD[=N]", multiple=True, help="A card, and its number of copies; repeatable."
)
@click.option("--bound", is_flag=True, help="Bind all copies to the player, those in the boosters too.")
@click.option(
    "--once",
    metavar="NAME",
    help="Name the occasion: a player gets something for it once, however often asked.",
)
def grant(
    handle: str,
    data: Path | None,
    coins: int,
    boosters: int,
    set_code: str | None,
    cards: Sequence[str],
    bound: bool,
    once: str | None,
) -> None:
    """Give the player HANDLE coins, boosters or copies of cards, as a prize for instance.

    The house may be open. The books have every grant, and the player is told.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    try:
        with options.database_errors(settings):
            gift = grants.Gift(coins, boosters, set_code, _counts(house.catalog, cards), bound)
            given = grants.give(house, handle, gift, once)
    except grants.BadGrantError as refused:
        raise CommandError("bad_grant", refused.faults[0], refused.faults[1:]) from None
    except Problem as problem:
        raise CommandError(problem.code, problem.detail) from None
    finally:
        house.close()
    click.echo(_granted(handle, given))


def _counts(catalog: Catalog, cards: Sequence[str]) -> dict[int, int]:
    """Copies by card number, from `tuna` or `tuna=2`."""
    counts: Counter[int] = Counter()
    for text in cards:
        name, _, count = text.partition("=")
        try:
            card = catalog.cards[int(name)] if name.isdecimal() else catalog.called(name)
        except KeyError:
            raise CommandError("unknown_card", f"There is no card {name}.") from None
        if count and not (count.isdecimal() and len(count) <= 4):
            raise click.UsageError(f"--card {text} has not the form tuna=2.")
        counts[card.number] += int(count or 1)
    return dict(counts)


def _granted(handle: str, given: grants.Granted) -> str:
    found = given.grant
    parts = (
        (found.coins, number(found.coins, "coin")),
        (found.boosters, number(found.boosters, "booster")),
        (found.copies, number(found.copies, "copy", "copies")),
    )
    said = ", ".join(text for count, text in parts if count)
    if given.before:
        return f"{handle} already had this grant ({said}). Nothing was changed."
    return f"{handle} has received {said}."
