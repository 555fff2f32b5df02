"""`cloche decks copy`, `rename`, `tag`, `share`, `favourite`: names of decks, and who sees them."""

from __future__ import annotations

from pathlib import Path

import click

from cards.decks.search.query import folded
from cloche.commands import access
from cloche.commands.decks.lists import as_read, find, find_mine, note_option
from cloche.commands.errors import plain

_deck = click.argument("deck")


@click.command()
@_deck
@click.argument("name", required=False)
@click.option("--revision", type=click.IntRange(1), help="Copy this revision.  [default: the newest]")
@access.passphrase_option
def copy(deck: str, name: str | None, revision: int | None, passphrase_file: Path | None) -> None:
    """Copy DECK, your own or any that you can see, into a new private deck of yours."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find(api, deck)
        made = api.copy_deck(found.id, name, revision)
        source = f"{plain(found.name)} by {plain(found.owner)}, revision {revision or found.revision}"
        click.echo(f"{made.id}  {plain(made.name)}: {made.size} cards, from {source}.")


@click.command()
@_deck
@click.argument("name")
@note_option
@access.passphrase_option
def rename(deck: str, name: str, note: str, passphrase_file: Path | None) -> None:
    """Rename a deck of yours to NAME. Its history keeps the old name."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        with as_read(api, found):
            made = api.edit_deck(found, name=name, note=note)
        click.echo(f"{plain(found.name)} is {plain(made.name)} now, revision {made.revision}.")


@click.command()
@_deck
@click.argument("tags", nargs=-1)
@click.option("--remove", multiple=True, metavar="TAG", help="Remove this tag; repeatable.")
@access.passphrase_option
def tag(deck: str, tags: tuple[str, ...], remove: tuple[str, ...], passphrase_file: Path | None) -> None:
    """Add TAGS to a deck of yours, or remove some. Without any, print its tags.

    The house writes a tag as lower-case words joined by hyphens.
    """
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        if tags or remove:
            away = {_plain_tag(tag) for tag in remove}
            kept = [tag for tag in found.tags if tag not in away]
            with as_read(api, found):
                found = api.edit_deck(found, tags=[*kept, *tags])
        click.echo(f"{plain(found.name)}: {' '.join(found.tags) or 'no tags'}")


def _plain_tag(text: str) -> str:
    return folded(text).replace(" ", "-")


@click.command()
@_deck
@click.argument("whom", type=click.Choice(["private", "unlisted", "public"]))
@access.passphrase_option
def share(deck: str, whom: str, passphrase_file: Path | None) -> None:
    """Choose who sees a deck of yours and its history: nobody else (private), anybody who has its id
    (unlisted), or everybody (public)."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        with as_read(api, found):
            made = api.edit_deck(found, visibility=whom)
        name, history = plain(made.name), f"its {made.revision} revisions too" if made.revision > 1 else ""
        said = {
            "private": f"Only you can see {name} now. Players who have copied it keep their copies.",
            "unlisted": f"Anybody with this id can see {name}{history and ', ' + history}: {made.id}",
            "public": f"Everybody can see {name}{history and ', ' + history}: {made.id}",
        }
        click.echo(said[whom])


@click.command()
@_deck
@click.option("--remove", is_flag=True, help="Remove it from your favourites.")
@access.passphrase_option
def favourite(deck: str, remove: bool, passphrase_file: Path | None) -> None:
    """Add a deck to your favourites (`cloche decks list --favourites`). Its owner is not told."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find(api, deck)
        if remove:
            api.unlike_deck(found.id)
        else:
            api.like_deck(found.id)
        said = "no longer a favourite of yours" if remove else "a favourite of yours"
        click.echo(f"{plain(found.name)} is {said}.")
