"""`cloche boosters`: list, buy and open boosters, their odds, and the file that proves the openings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from client.http import Api
from client.vault import Vault
from cloche.commands import access
from cloche.commands.errors import CommandError, plain
from cloche.commands.files import write_out
from cloche.commands.groups import CommandGroup
from crypto.encoding import b64
from player.boosters import open_on_terms, opening_terms

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
        click.echo(
            f"{wallet['coins']} coins. {wallet['wins']} rewarded wins, {wallet['wins_today']} of them today;"
            f" you get a booster with the win after {wallet['booster_in'] - 1} more."
        )
        closed = list(api.boosters())
        for booster in closed:
            click.echo(_line(booster, f"{booster['set']}  {booster['origin']}"))
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
        click.echo(f"{api.wallet()['coins']} coins left.")


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

    The house commits itself first. Your random number (the nonce) then follows from what was
    agreed and a secret of yours. The cards are checked before they are shown.
    """
    with access.signed_in(passphrase_file) as (vault, api):
        if not ids:
            closed = [booster["id"] for booster in api.boosters()]
            ids = closed if everything else closed[:1]
        if not ids:
            raise CommandError("no_booster", CLOSED)
        names = {card["number"]: card for card in api.cards()}
        for booster_id in ids:
            _open(vault, api, booster_id, names)


def _open(vault: Vault, api: Api, booster_id: str, names: dict[int, Any]) -> None:
    agreed = opening_terms(api, vault.identity, booster_id)
    if agreed is None:
        raise CommandError("not_found", f"You have no booster {booster_id}.")
    chain, rules = (b64(octets)[:SHOWN] for octets in (agreed.anchor, agreed.rules))
    click.echo(
        f"The house is bound to {chain}... by the rules {rules}..., your nonce is {b64(agreed.nonce)}."
    )
    for number in open_on_terms(api, vault.identity, agreed)["cards"]:
        card = names.get(number, {"name": f"card {number}", "rarity": "?"})
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
    """Fetch all your opened boosters, as a file that `cloche verify` checks."""
    with access.signed_in(passphrase_file) as (_, api):
        data = api.booster_record()
    write_out(data, out, out)
