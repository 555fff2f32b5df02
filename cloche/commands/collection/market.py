"""`cloche market`: offers of cards and coins, prices, wishes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from client.http import Api
from cloche.commands import access
from cloche.commands.decks.lists import counts_of, find, text_of
from cloche.commands.errors import CommandError, plain
from cloche.commands.groups import CommandGroup
from cloche.commands.listing import print_table

_COUNT = re.compile(r"(\d+)\s*x?\s+(?=\S)")


@click.group(cls=CommandGroup)
def market() -> None:
    """Trade cards and coins: list, show, offer, accept, decline, withdraw, prices, wishes, cost.

    OFFER is the id of an offer, or the beginning of it.
    """


_offer = click.argument("offer_id", metavar="OFFER")
_json = click.option("--json", "as_json", is_flag=True, help="Print all that is known, as JSON.")


@market.command("list")
@click.option("--card", help="List only offers that give this card, the cheapest first.")
@click.option("--wants", metavar="CARD", help="List only offers that want this card.")
@click.option("--by", "maker", metavar="HANDLE", help="List only offers of this player.")
@click.option("--mine", is_flag=True, help="List only offers that you made, got or took, closed ones too.")
@_json
@access.passphrase_option
def list_offers(
    card: str | None,
    wants: str | None,
    maker: str | None,
    mine: bool,
    as_json: bool,
    passphrase_file: Path | None,
) -> None:
    """List the offers that everybody can accept."""
    query = {"card": card, "wants": wants, "maker": maker, "mine": "true" if mine else None}
    query["sort"] = "cheapest" if card else None
    with access.signed_in(passphrase_file) as (_, api):
        found = [*api.offers(**{name: value for name, value in query.items() if value is not None})]
        if as_json:
            click.echo(json.dumps(found, ensure_ascii=False, indent=1))
            return
        if not found:
            click.echo("No offers.", err=True)
            return
        shown = _columns("Id", "By", "Gives", "Wants", "Until", "")
        for offer in found:
            to = f"to {offer['to']}" if offer["to"] else ""
            said = to if offer["state"] == "open" else offer["state"]
            until = offer["expires_at"][:16].replace("T", " ")
            shown.add_row(
                offer["id"][:8], *map(plain, (offer["maker"], _gives(offer), _wants(offer), until, said))
            )
        Console().print(shown)


@market.command()
@_offer
@_json
@access.passphrase_option
def show(offer_id: str, as_json: bool, passphrase_file: Path | None) -> None:
    """Show an offer, copy by copy."""
    with access.signed_in(passphrase_file) as (_, api):
        offer = _found(api, offer_id)
        if as_json:
            click.echo(json.dumps(offer, ensure_ascii=False, indent=1))
        else:
            _tell(offer)
            for copy in offer["gives"]["copies"]:
                click.echo(f"  gives {plain(copy['card'])} number {copy['serial']}  {copy['id']}")
            for copy in offer["got"]:
                click.echo(f"  got {plain(copy['card'])} number {copy['serial']}  {copy['id']}")


@market.command("offer")
@click.argument("gives")
@click.argument("wants")
@click.option("--to", metavar="HANDLE", help="Let only this player accept the offer.  [default: everybody]")
@click.option(
    "--hours",
    type=click.IntRange(1, 720),
    help="The number of hours that the offer stands.  [default: a week]",
)
@click.option("--copy", "copies", multiple=True, metavar="ID", help="Give just this copy; may be repeated.")
@access.passphrase_option
def offer_command(
    gives: str,
    wants: str,
    to: str | None,
    hours: int | None,
    copies: Sequence[str],
    passphrase_file: Path | None,
) -> None:
    """Offer GIVES for WANTS: `cloche market offer "2 tuna, saffron" "30 coins"`.

    Each is a list of cards by slug, separated by commas. For GIVES your newest copies that are not bound
    are taken; "-" gives only those of --copy. These copies are set aside until the offer is closed.
    """
    given, wanted = _side(gives), _side(wants)
    with access.signed_in(passphrase_file) as (_, api):
        _tell(api.make_offer({**given, "copies": list(copies)}, wanted, to, hours))


@market.command()
@_offer
@click.option("--copy", "copies", multiple=True, metavar="ID", help="Give just this copy; may be repeated.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@access.passphrase_option
def accept(offer_id: str, copies: Sequence[str], yes: bool, passphrase_file: Path | None) -> None:
    """Accept an offer: give what it wants, get what it gives."""
    with access.signed_in(passphrase_file) as (_, api):
        offer = _found(api, offer_id)
        if not yes:
            text = f"Give {plain(_wants(offer))}, get {plain(_gives(offer))}?"
            click.confirm(text, abort=True, err=True)
        _tell(api.accept_offer(offer["id"], copies))


@market.command()
@_offer
@access.passphrase_option
def decline(offer_id: str, passphrase_file: Path | None) -> None:
    """Decline an offer that was made to you alone."""
    with access.signed_in(passphrase_file) as (_, api):
        _tell(api.close_offer(_found(api, offer_id)["id"], "decline"))


@market.command()
@_offer
@access.passphrase_option
def withdraw(offer_id: str, passphrase_file: Path | None) -> None:
    """Withdraw an offer of yours. Its cards and coins are free again."""
    with access.signed_in(passphrase_file) as (_, api):
        _tell(api.close_offer(_found(api, offer_id)["id"], "withdraw"))


@market.command()
@click.argument("card", required=False)
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the prices of CARD into this file."
)
@access.passphrase_option
def prices(card: str | None, svg: Path | None, passphrase_file: Path | None) -> None:
    """Show the prices of CARD, the newest first. Without CARD, show the last price of each card."""
    if svg is not None and card is None:
        raise click.UsageError("--svg needs a CARD.")
    with access.signed_in(passphrase_file) as (_, api):
        if svg is not None and card is not None:
            svg.write_bytes(api.price_chart(card))
            return
        shown = _columns("Card", "When", "Copies", "Coins", "Each")
        for price in api.prices(card):
            when, each = price["at"][:16].replace("T", " "), price["coins"] / price["copies"]
            figures = (str(price["copies"]), str(price["coins"]), f"{each:.1f}".removesuffix(".0"))
            shown.add_row(plain(price["card"]), when, *figures)
        print_table(shown, "No card was traded yet." if card is None else "This card was not traded yet.")


@market.command()
@click.argument("card", required=False)
@click.argument("count", type=click.IntRange(0, 999), required=False)
@access.passphrase_option
def wishes(card: str | None, count: int | None, passphrase_file: Path | None) -> None:
    """Show your wishes, or wish for COUNT copies of CARD (by default 1; 0 removes the wish)."""
    with access.signed_in(passphrase_file) as (_, api):
        wanted = api.wishes()
        if card is not None:
            slug = api.card(card)["slug"]
            wanted = {**wanted, slug: 1 if count is None else count}
            wanted = {name: copies for name, copies in wanted.items() if copies}
            api.wish(wanted)
        for name, copies in wanted.items():
            click.echo(f"{copies} {plain(name)}")
        if not wanted:
            click.echo("You have no wishes.", err=True)
        else:
            _tell_cost(api.cost(wanted))


@market.command()
@click.argument("deck", required=False)
@click.option(
    "--file",
    type=click.File(encoding="utf-8"),
    help="Read the deck from this file, as text; - is standard input.",
)
@_json
@access.passphrase_option
def cost(deck: str | None, file: Any, as_json: bool, passphrase_file: Path | None) -> None:
    """Show what the cards that you lack for DECK would cost now, and which offers to accept."""
    if (deck is None) == (file is None):
        raise click.UsageError("Give a deck, or --file.")
    text = None if file is None else text_of(file)
    with access.signed_in(passphrase_file) as (_, api):
        counts = find(api, deck or "").cards if text is None else counts_of(api, text)
        found = api.cost(counts)
        if as_json:
            click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        else:
            _tell_cost(found)


def _tell_cost(found: Mapping[str, Any]) -> None:
    if not found["missing"]:
        click.echo("You own all of it.")
        return
    shown = _columns("Missing", "Card", "Coins", "Offers", "")
    for item in found["cards"]:
        last = item["last"]
        said = "free to mint" if item["free"] else ""
        if item["unavailable"]:
            was = f"; last {last['coins']} for {last['copies']}" if last else ""
            said = f"{item['unavailable']} not offered{was}"
        offers = " ".join(offer[:8] for offer in item["offers"])
        shown.add_row(str(item["missing"]), plain(item["card"]), str(item["coins"] or ""), offers, said)
    Console().print(shown)
    short = f", {found['unavailable']} of them are not offered" if found["unavailable"] else ""
    click.echo(f"{found['missing']} copies are missing{short}: {found['coins']} coins.")


def _found(api: Api, text: str) -> dict[str, Any]:
    """The offer whose id is `text` or begins with it."""
    if len(text) < 36:
        seen = {o["id"]: o for query in ({"mine": "true"}, {}) for o in api.offers(**query)}
        begun = [offer for offer_id, offer in seen.items() if offer_id.startswith(text)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            raise CommandError("ambiguous_offer", f"{len(begun)} offers begin with {text}.")
    return api.offer(text)


def _side(text: str) -> dict[str, Any]:
    """Read one side of an offer: "2 tuna, saffron, 30 coins". The house checks the names."""
    cards: dict[str, int] = {}
    coins = 0
    for piece in (part.strip() for part in text.split(",")):
        if piece in ("", "-"):
            continue
        count, name = _counted(piece)
        if name in ("coin", "coins"):
            coins += count
        else:
            slug = re.sub(r"\s+", "-", name)
            cards[slug] = cards.get(slug, 0) + count
    return {"cards": cards, "coins": coins}


def _counted(piece: str) -> tuple[int, str]:
    """Read "2 tuna", "2x tuna" or "tuna"."""
    found = _COUNT.match(piece)
    if found is None:
        return 1, piece.lower()
    return int(found[1]), piece[found.end() :].lower()


def _gives(offer: Mapping[str, Any]) -> str:
    counts: dict[str, int] = {}
    for copy in offer["gives"]["copies"]:
        counts[copy["card"]] = counts.get(copy["card"], 0) + 1
    return _listed(counts, offer["gives"]["coins"])


def _wants(offer: Mapping[str, Any]) -> str:
    return _listed(offer["wants"]["cards"], offer["wants"]["coins"])


def _listed(counts: Mapping[str, int], coins: int) -> str:
    parts = [f"{count} {slug}" for slug, count in counts.items()]
    return ", ".join([*parts, *([f"{coins} coins"] if coins else [])])


def _tell(offer: Mapping[str, Any]) -> None:
    to = f" to {offer['to']}" if offer["to"] else ""
    taken = f" by {offer['taker']}" if offer["taker"] else ""
    click.echo(
        f"{offer['id']}  {plain(offer['maker'])}{plain(to)}: {plain(_gives(offer))}"
        f" for {plain(_wants(offer))}. {offer['state']}{plain(taken)}"
    )


def _columns(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(
            heading, justify="right" if heading in ("Copies", "Coins", "Each", "Missing") else "left"
        )
    return table
