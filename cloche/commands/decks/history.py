"""`cloche decks revisions`, `diff`, `compare`, `restore`: earlier decks, and how decks differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cloche.commands import access
from cloche.commands.decks.lists import as_read, find, find_mine, note_option
from cloche.commands.errors import plain
from cloche.commands.searching import json_option

Change = Mapping[str, int]

_deck = click.argument("deck")
_revision = click.IntRange(1)


@click.command()
@_deck
@access.passphrase_option
def revisions(deck: str, passphrase_file: Path | None) -> None:
    """List the revisions of a deck and what each changed, the newest first."""
    with access.signed_in(passphrase_file) as (_, api):
        every = list(api.revisions(find(api, deck).id))
        table = Table(box=None, pad_edge=False)
        for heading in ("No.", "When", "Cards", "In", "Out"):
            table.add_column(heading, justify="left" if heading == "When" else "right", no_wrap=True)
        table.add_column("Name, and why")
        for now, before in zip(every, [*every[1:], None], strict=True):
            was = before.cards if before else {}
            cards = now.cards.keys() | was.keys()
            came = sum(max(0, now.cards.get(card, 0) - was.get(card, 0)) for card in cards)
            went = sum(max(0, was.get(card, 0) - now.cards.get(card, 0)) for card in cards)
            why = Text()
            if before is None or before.name != now.name:
                why.append(plain(now.name))
            if now.restored_from is not None:
                why.append(f"{'; ' if why else ''}revision {now.restored_from} again")
            if now.note:
                why.append(f"{'; ' if why else ''}{plain(now.note)}")
            when = now.revised_at[:16].replace("T", " ")
            figures = [f"+{came}" if came else "", f"-{went}" if went else ""]
            table.add_row(str(now.revision), when, str(now.size), *figures, why)
        Console().print(table)


@click.command()
@_deck
@click.argument("first", type=_revision, required=False)
@click.argument("second", type=_revision, required=False)
@json_option
@access.passphrase_option
def diff(
    deck: str, first: int | None, second: int | None, as_json: bool, passphrase_file: Path | None
) -> None:
    """Show what changed in DECK from revision FIRST to SECOND.

    SECOND is by default the newest revision. Without both it compares the newest with the one before.
    """
    with access.signed_in(passphrase_file) as (_, api):
        found = api.differences(find(api, deck).id, first, second)
        _show(found, {} if as_json else _names(api), as_json)


@click.command()
@_deck
@click.argument("other")
@json_option
@access.passphrase_option
def compare(deck: str, other: str, as_json: bool, passphrase_file: Path | None) -> None:
    """Show how OTHER differs from DECK. Both may be any decks that you can see."""
    with access.signed_in(passphrase_file) as (_, api):
        found = api.compare_decks(find(api, deck).id, find(api, other).id)
        _show(found, {} if as_json else _names(api), as_json)


@click.command()
@_deck
@click.argument("revision", type=_revision)
@note_option
@access.passphrase_option
def restore(deck: str, revision: int, note: str, passphrase_file: Path | None) -> None:
    """Make REVISION of a deck of yours its newest revision again. All revisions stay."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        with as_read(api, found):
            made = api.restore_deck(found, revision, note)
        if made.revision == found.revision:
            click.echo(f"{plain(made.name)} is as it was then already: revision {made.revision}.")
        else:
            click.echo(f"{plain(made.name)}: {made.size} cards, revision {made.revision}, as {revision} was.")


def _names(api: Any) -> dict[str, str]:
    """The names of the house's cards, by slug."""
    return {card["slug"]: plain(card["name"]) for card in api.cards()}


def _show(found: Mapping[str, Any], names: Mapping[str, str], as_json: bool) -> None:
    """Print how two deck lists differ."""
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    first, second = (_side(found[side]) for side in ("first", "second"))
    click.echo(f"From {first} to {second}:")
    lines = [f"  +{n} {names.get(card, card)}" for card, n in found["added"].items()]
    lines += [f"  -{n} {names.get(card, card)}" for card, n in found["removed"].items()]
    for each in found["changed"]:
        change = each["change"]
        n = change["to"] - change["from"]
        lines.append(f"  {n:+} {names.get(each['card'], each['card'])} ({change['from']} to {change['to']})")
    click.echo(
        "\n".join(sorted(lines, key=lambda line: line.split()[0].startswith("-")) or ["  the same cards"])
    )
    figures = [(name, found[name]) for name in ("size", "recipes", "ingredients")]
    figures += [(f"recipes that cost {each['cost']}", each["recipes"]) for each in found["costs"]]
    figures += [
        (f"{each['category']} {what}", each[what])
        for each in found["units"]
        for what in ("provided", "needed")
    ]
    if moved := [
        f"{name} {change['from']} to {change['to']}" for name, change in figures if _differs(change)
    ]:
        click.echo("So: " + ", ".join(moved) + ".")


def _side(side: Mapping[str, Any]) -> str:
    return f"{plain(side['name'])} (revision {side['revision']})"


def _differs(change: Change) -> bool:
    return change["from"] != change["to"]
