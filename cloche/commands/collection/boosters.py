"""`cloche boosters`: list, buy and open boosters, their odds, and the file that proves the openings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from client.http import Api
from cloche.commands import access
from cloche.commands.errors import CommandError, plain
from cloche.commands.files import write_out
from cloche.commands.fitting import echo
from cloche.commands.groups import CommandGroup
from cloche.commands.words import number
from crypto.encoding import b64
from player.booster_notes import NotedReceipt
from player.boosters import BoosterWatch, booster_file, open_booster
from referee.boosters import AskedBooster

CLOSED = "You have no unopened booster."
SHOWN = 16
"""Characters of a digest, for people to compare."""
NONE = "This house has no boosters."


@click.group(cls=CommandGroup)
def boosters() -> None:
    """Buy and open boosters: list, odds, buy, open, record."""


@boosters.command("list")
@access.passphrase_option
def list_boosters(passphrase_file: Path | None) -> None:
    """List your coins and your unopened boosters."""
    with access.signed_in(passphrase_file) as (_, api):
        wallet = api.wallet()
        echo(
            f"{number(wallet['coins'], 'coin')}. {number(wallet['wins'], 'rewarded win')},"
            f" {wallet['wins_today']} of them today.{_next(wallet['booster_in'])}"
        )
        closed = list(api.boosters())
        for booster in closed:
            bound = " (bound)" if booster["soulbound"] else ""
            click.echo(_line(booster, f"{booster['set']}  {booster['origin']}{bound}"))
        if not closed:
            click.echo(CLOSED)


@boosters.command()
@access.passphrase_option
def odds(passphrase_file: Path | None) -> None:
    """Show what boosters cost, what they hold, and the odds."""
    with access.signed_in(passphrase_file) as (_, api):
        known = api.booster_odds()
        if not known:
            raise CommandError("no_boosters", NONE)
        for rules in known:
            pity = rules["rules"]["pity"]
            click.echo(f"{plain(rules['set'])}: {rules['price']} coins")
            shown = Table(box=None, pad_edge=False)
            for name in ("Rarity", "Cards", "Expected", "At least one", "One given card"):
                shown.add_column(name, justify="left" if name == "Rarity" else "right")
            for row in rules["odds"]:
                expected = f"{row['expected']:g}"
                chances = (f"{row['chance']:.2%}", f"{row['each']:.2%}")
                shown.add_row(plain(row["rarity"]), str(row["cards"]), expected, *chances)
            Console().print(shown)
            if pity is not None:
                click.echo(f"At the latest, booster {pity['within']} has a {plain(pity['rarity'])} card.")
            click.echo(f"Rules {plain(rules['digest'])}")


@boosters.command()
@click.argument("code", metavar="[SET]", required=False)
@click.option(
    "--count", type=click.IntRange(1, 50), default=1, show_default=True, help="The number of boosters."
)
@access.passphrase_option
def buy(code: str | None, count: int, passphrase_file: Path | None) -> None:
    """Buy boosters of SET, by its code; by default of the house's first set."""
    with access.signed_in(passphrase_file) as (_, api):
        code = code or _first(api)
        for _ in range(count):
            booster = api.buy_booster(code)
            click.echo(_line(booster, str(booster["set"])))
        click.echo(f"{number(api.wallet()['coins'], 'coin')} left.")


def _next(wins: int | None) -> str:
    """Say when the next booster comes; nothing if wins bring none."""
    if wins is None:
        return ""
    if wins == 1:
        return " Your next rewarded win brings a booster."
    return f" Your next booster comes in {wins} rewarded wins."


def _line(booster: dict[str, Any], what: str) -> str:
    """A booster with the digest of its rules, so that a player notices if the house changes them."""
    return plain(f"{booster['id']}  {what}  rules {booster['rules'][:SHOWN]}...")


def _first(api: Api) -> str:
    """The first set that has boosters."""
    sets = [str(rules["set"]) for rules in api.booster_odds()]
    if not sets:
        raise CommandError("no_boosters", NONE)
    return sets[0]


@boosters.command("open")
@click.argument("ids", metavar="[BOOSTER]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Open all that you have.")
@access.passphrase_option
def open_boosters(ids: Sequence[str], everything: bool, passphrase_file: Path | None) -> None:
    """Open boosters, by default your oldest one.

    House and you agree on everything that decides the cards, you in a sealed random number (the
    nonce). Then both open theirs. The cards are checked before they are shown. An opening that
    was interrupted comes to its end first, with the cards that were fixed then.
    """
    with access.signed_in(passphrase_file) as (vault, api):
        if not ids:
            closed = [booster["id"] for booster in api.boosters()]
            ids = closed if everything else closed[:1]
        if not ids:
            raise CommandError("no_booster", CLOSED)
        watch = _Watch({card["number"]: card for card in api.cards()})
        for booster_id in ids:
            opening = open_booster(api, vault, booster_id, watch)
            if opening is None:
                raise CommandError("not_found", f"You have no booster {booster_id}.")
            if opening["booster"] not in watch.shown:
                watch.show(opening)
        if watch.forgotten:
            click.echo(
                "cloche boosters record writes a file of what was forgotten, and cloche verify shows it."
            )


class _Watch(BoosterWatch):
    """Prints what happens while boosters are opened. `names` are the cards by number."""

    def __init__(self, names: dict[int, Any]) -> None:
        self.names = names
        self.shown: set[str] = set()
        """The boosters whose cards were printed."""
        self.forgotten = False
        """True if the house has forgotten an opening."""

    def agreed(self, noted: NotedReceipt) -> None:
        chain, rules = (noted.receipt[name][:SHOWN] for name in ("anchor", "rules"))
        nonce = b64(noted.nonce)
        echo(plain(f"The house is bound to {chain}... by the rules {rules}..., your nonce is {nonce}."))

    def finished(self, opening: Mapping[str, Any]) -> None:
        click.echo(plain(f"Booster {opening['booster']}, which was asked for before, holds:"))
        self.show(opening)

    def void(self, noted: NotedReceipt, asked: AskedBooster) -> None:
        click.echo(
            plain(
                f"The house has given up chain {asked.chain} and has forgotten opening {asked.number}, of"
                f" booster {asked.booster}. By the links that its notice shows, the booster held:"
            )
        )
        self.cards(asked.would or ())
        self.forgotten = True

    def show(self, opening: Mapping[str, Any]) -> None:
        """Print the cards of an opening."""
        self.shown.add(opening["booster"])
        self.cards(opening["cards"])

    def cards(self, numbers: Sequence[int]) -> None:
        """Print cards by number."""
        for drawn in numbers:
            card = self.names.get(drawn, {"name": f"card {drawn}", "rarity": "?"})
            click.echo(f"  {plain(card['rarity']):10} {plain(card['name'])}")


@boosters.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="cloche-boosters.json",
    show_default=True,
    help="The file to write; - is standard output.",
)
@access.passphrase_option
def record(out: str, passphrase_file: Path | None) -> None:
    """Write a file of all that you have asked for and opened, which `cloche verify` checks.

    It has your own receipts too, so it shows what the house leaves out.
    """
    with access.signed_in(passphrase_file) as (vault, api):
        data = booster_file(api, vault)
    write_out(data, out, out)
