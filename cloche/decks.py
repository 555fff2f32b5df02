"""`cloche decks`: one's deck lists at the house, as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from cards.deck_text import DeckTextError, read_deck, write_deck
from client.http import Api, Deck, Validation
from cloche import player
from cloche.player import Failure, Unusable


@click.group()
def decks() -> None:
    """Your deck lists: list, show, new, edit, validate, delete.

    A deck is text, a line a card: "3 Tuna". DECK is its id, the beginning of its id,
    or its name.
    """


_text = click.argument("file", type=click.File(encoding="utf-8"))
_deck = click.argument("deck")


@decks.command("list")
@player.passphrase_option
def list_decks(passphrase_file: Path | None) -> None:
    """List your decks."""
    with player.signed_in(passphrase_file) as (_, api):
        table = Table(box=None, pad_edge=False)
        for heading in ("Id", "Name", "Cards", "Revision"):
            table.add_column(heading, justify="right" if heading in ("Cards", "Revision") else "left")
        for found in api.decks():
            table.add_row(found.id, found.name, str(found.size), str(found.revision))
        Console().print(table)


@decks.command()
@_deck
@player.passphrase_option
def show(deck: str, passphrase_file: Path | None) -> None:
    """Print a deck as text, which `new` and `edit` take."""
    with player.signed_in(passphrase_file) as (_, api):
        found = find(api, deck)
        click.echo(f"# {found.name}")
        click.echo(write_deck(found.cards, api.cards()), nl=False)


@decks.command()
@click.argument("name")
@_text
@player.passphrase_option
def new(name: str, file: Any, passphrase_file: Path | None) -> None:
    """Make a deck called NAME from FILE (- is standard input)."""
    text = _read(file)
    with player.signed_in(passphrase_file) as (_, api):
        made = api.create_deck(name, _counts(api, text))
        click.echo(f"{made.id}  {made.name}: {made.size} cards.")
        _say(api.validate_deck(made.id), strict=False)


@decks.command()
@_deck
@_text
@click.option("--name", help="A new name.")
@player.passphrase_option
def edit(deck: str, file: Any, name: str | None, passphrase_file: Path | None) -> None:
    """Revise a deck from FILE (- is standard input); earlier revisions stay at the house."""
    text = _read(file)
    with player.signed_in(passphrase_file) as (_, api):
        found = find(api, deck)
        made = api.revise_deck(found.id, name or found.name, _counts(api, text))
        click.echo(f"{made.id}  {made.name}: {made.size} cards, revision {made.revision}.")
        _say(api.validate_deck(made.id), strict=False)


@decks.command()
@click.argument("deck", required=False)
@click.option(
    "--file", type=click.File(encoding="utf-8"), help="A deck as text instead (- is standard input)."
)
@player.passphrase_option
def validate(deck: str | None, file: Any, passphrase_file: Path | None) -> None:
    """Say whether a match may be played with a deck: every fault at once. Exits with 1 if not."""
    if (deck is None) == (file is None):
        raise click.UsageError("Give a deck, or --file.")
    text = None if file is None else _read(file)
    with player.signed_in(passphrase_file) as (_, api):
        if text is not None:
            _say(api.validate_cards(_counts(api, text)), strict=True)
        else:
            _say(api.validate_deck(find(api, deck or "").id), strict=True)


@decks.command()
@_deck
@click.option("--yes", is_flag=True, help="Do not ask.")
@player.passphrase_option
def delete(deck: str, yes: bool, passphrase_file: Path | None) -> None:
    """Delete a deck. The cards stay yours."""
    with player.signed_in(passphrase_file) as (_, api):
        found = find(api, deck)
        if not yes:
            click.confirm(f"Delete {found.name} ({found.size} cards)?", abort=True, err=True)
        api.delete_deck(found.id)
        click.echo(f"{found.name} is deleted.")


def find(api: Api, wanted: str) -> Deck:
    """One of my decks, by its id, the beginning of it, or its name; raises `Failure`."""
    every = list(api.decks())
    same = [deck for deck in every if deck.id == wanted]
    named = [deck for deck in every if deck.name.casefold() == wanted.casefold()]
    begins = [deck for deck in every if len(wanted) >= 4 and deck.id.startswith(wanted)]
    found: Sequence[Deck] = same or named or begins
    if not found:
        raise Failure("unknown_deck", f'You have no deck "{wanted}"; `cloche decks list` names them.')
    if len(found) > 1:
        raise Failure("ambiguous_deck", f'"{wanted}" may be any of these:', tuple(deck.id for deck in found))
    return found[0]


def _read(file: Any) -> str:
    try:
        text: str = file.read()
    except (OSError, UnicodeDecodeError):
        raise Unusable("unreadable", f"{file.name} is no text.") from None
    return text


def _counts(api: Api, text: str) -> dict[str, int]:
    try:
        return read_deck(text, api.cards())
    except DeckTextError as error:
        raise Failure("bad_deck_text", "This is no deck list.", tuple(map(str, error.faults))) from None


def _say(said: Validation, *, strict: bool) -> None:
    """Print a verdict; with `strict` an illegal deck is a `Failure`."""
    for warning in said.warnings:
        click.echo(f"Advice [{warning['code']}]: {warning['detail']}")
    faults = tuple(f"[{fault['code']}] {fault['detail']}" for fault in said.faults)
    if said.legal:
        click.echo("A match may be played with it.")
    elif strict:
        raise Failure("illegal_deck", "No match may be played with it:", faults)
    else:
        click.echo("\n  ".join(("No match may be played with it yet:", *faults)))
