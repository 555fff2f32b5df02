"""`cloche decks validate`, `formats`, `missing`: what the rules say about a deck, which cards are missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cards.catalog.deck_rules import MOST_COPIES
from client.http import Api
from cloche.commands import access
from cloche.commands.decks.lists import counts_of, find, say, text_of
from cloche.commands.errors import plain
from cloche.commands.searching import json_option

_deck = click.argument("deck", required=False)
_file = click.option(
    "--file",
    type=click.File(encoding="utf-8"),
    help="Read the deck from this file, as text, code or JSON; - is standard input.",
)


@click.command()
@_deck
@_file
@click.option(
    "--rules",
    multiple=True,
    metavar="NAME",
    help="Check by basic, owned or a format; repeatable.  [default: basic and owned]",
)
@access.passphrase_option
def validate(deck: str | None, file: Any, rules: tuple[str, ...], passphrase_file: Path | None) -> None:
    """Check whether a deck may be played, and list every fault. It exits with 1 if there is one.

    `cloche decks formats` lists the formats for --rules.
    """
    if (deck is None) == (file is None):
        raise click.UsageError("Give a deck, or --file.")
    text = None if file is None else text_of(file)
    with access.signed_in(passphrase_file) as (_, api):
        if text is not None:
            said = api.validate_cards(counts_of(api, text), rules)
        else:
            said = api.validate_deck(find(api, deck or "").id, rules)
        say(said, strict=True)


@click.command()
@json_option
@access.passphrase_option
def formats(as_json: bool, passphrase_file: Path | None) -> None:
    """List the formats of the house: rules for decks at some tables."""
    with access.signed_in(passphrase_file) as (_, api):
        found = api.formats()
        if as_json:
            click.echo(json.dumps(found, ensure_ascii=False, indent=1))
            return
        names = {card["slug"]: plain(card["name"]) for card in api.cards()}
        for i, each in enumerate(found):
            click.echo(f"{chr(10) if i else ''}{each['name']} ({plain(each['title'])} {each['version']})")
            click.echo(f"  {plain(each['text'])}")
            for line in _rules(each, names):
                click.echo(f"  - {line}")


def _rules(found: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    if found["sets"] is not None:
        yield "sets: " + ", ".join(found["sets"])
    for rarity, most in found["rarities"].items():
        yield f"{rarity} cards: {f'{most} at most' if most else 'none'}"
    if found["copies"] < MOST_COPIES:
        yield f"copies of a card other than a Basic Ingredient: {found['copies']} at most"
    for each in found["restricted"]:
        limit = f"{each['copies']} at most" if each["copies"] else "banned"
        yield f"{names.get(each['card'], each['card'])}: {limit}. {plain(each['reason'])}"


@click.command()
@_deck
@_file
@click.option("--mint", is_flag=True, help="Take the missing cards that are free for everybody.")
@json_option
@access.passphrase_option
def missing(deck: str | None, file: Any, mint: bool, as_json: bool, passphrase_file: Path | None) -> None:
    """List the cards that you lack for a deck, and which of them are free."""
    if (deck is None) == (file is None):
        raise click.UsageError("Give a deck, or --file.")
    text = None if file is None else text_of(file)
    with access.signed_in(passphrase_file) as (_, api):
        counts = {} if text is None else counts_of(api, text)
        found_id = find(api, deck or "").id if text is None else None
        found = api.missing(found_id, counts)
        if mint and found["mintable"]:
            made = _mint(api, found)
            click.echo(f"{made} Basic Ingredients are yours.", err=True)
            found = api.missing(found_id, counts)
        if as_json:
            click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        else:
            _show(found, {card["slug"]: plain(card["name"]) for card in api.cards()})


def _mint(api: Api, found: Mapping[str, Any]) -> int:
    """Take every missing card that is free; returns how many."""
    wanted = [item["card"] for item in found["items"] if item["mintable"] for _ in range(item["missing"])]
    for start in range(0, len(wanted), AT_ONCE):
        part = wanted[start : start + AT_ONCE]
        api.mint_basics({card: part.count(card) for card in part})
    return len(wanted)


AT_ONCE = 60
"""The most copies of Basic Ingredients that a house makes in one request."""


def _show(found: Mapping[str, Any], names: Mapping[str, str]) -> None:
    if not found["items"]:
        click.echo("Nothing is missing.")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("Missing", "Have", "Card", "Rarity"):
        table.add_column(heading, justify="right" if heading in ("Missing", "Have") else "left")
    for item in found["items"]:
        have = f"{item['owned']} of {item['needed']}"
        rarity = "basic, free" if item["mintable"] else item["rarity"] or "unknown here"
        table.add_row(str(item["missing"]), have, Text(names.get(item["card"], item["card"])), rarity)
    Console().print(table)
    kinds = [f"{n} {rarity}" for rarity, n in found["by_rarity"].items() if n]
    kinds += [f"{found['mintable']} free (--mint takes them)"] if found["mintable"] else []
    click.echo(
        f"{found['missing']} missing: {', '.join(kinds)}." if kinds else f"{found['missing']} missing."
    )
