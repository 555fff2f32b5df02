"""`cloche decks copy`, `rename`, `tag`, `share`, `favourite`: what a deck is called, and who sees it."""

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
@click.option("--revision", type=click.IntRange(1), help="As it was then.  [default: the newest]")
@access.passphrase_option
def copy(deck: str, name: str | None, revision: int | None, passphrase_file: Path | None) -> None:
    """Make a private deck of yours from DECK, yours or somebody's that you may see."""
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
    """Call a deck of yours NAME; what it was called stays in its history."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        with as_read(api, found):
            made = api.edit_deck(found, name=name, note=note)
        click.echo(f"{plain(found.name)} is {plain(made.name)} now, revision {made.revision}.")


@click.command()
@_deck
@click.argument("tags", nargs=-1)
@click.option(
    "--remove", multiple=True, metavar="TAG", help="Take this tag away; may be given several times."
)
@access.passphrase_option
def tag(deck: str, tags: tuple[str, ...], remove: tuple[str, ...], passphrase_file: Path | None) -> None:
    """Give a deck of yours TAGS, or take some away; without any, print those that it has.

    A tag is lower-case words joined by hyphens; the house writes it so.
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
    """Say who sees a deck of yours, with its history: nobody else (private), whoever has its id
    (unlisted), or everybody (public)."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        with as_read(api, found):
            made = api.edit_deck(found, visibility=whom)
        name, history = plain(made.name), f"its {made.revision} revisions too" if made.revision > 1 else ""
        said = {
            "private": f"{name} is yours alone now. Who has copied it keeps the copy.",
            "unlisted": f"Whoever has this id can see {name}{history and ', ' + history}: {made.id}",
            "public": f"Everybody can see {name}{history and ', ' + history}: {made.id}",
        }
        click.echo(said[whom])


@click.command()
@_deck
@click.option("--remove", is_flag=True, help="Make it none any more.")
@access.passphrase_option
def favourite(deck: str, remove: bool, passphrase_file: Path | None) -> None:
    """Make a deck a favourite of yours: `cloche decks list --favourites`. Its owner is not told."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find(api, deck)
        if remove:
            api.unlike_deck(found.id)
        else:
            api.like_deck(found.id)
        said = "no favourite of yours any more" if remove else "a favourite of yours"
        click.echo(f"{plain(found.name)} is {said}.")
