"""`cloche cards`: search the cards of a house, show them, draw them, download whole sets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from cards.catalog.downloads import FORMATS
from cloche.commands import access
from cloche.commands.errors import CommandError, plain
from cloche.commands.files import folder_option, write_into
from cloche.commands.groups import CommandGroup
from cloche.commands.searching import QUERY, Column, ask, json_option, query_argument, show

version_option = click.option("--version", help="Take this version of the set.  [default: the newest]")


@click.group(cls=CommandGroup)
def cards() -> None:
    """Look at the cards of a house: search, show, picture, download."""


def _units(units: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in units.items())


def _does(card: dict[str, Any]) -> str:
    """Say in short what a card costs, provides and adds."""
    parts = [f"costs {_units(card['costs'])}"] if card["costs"] else []
    parts += [f"gives {_units(card['provides'])}"] if card["provides"] else []
    parts += [f"bonus {card['bonus']}"] if card["bonus"] else []
    parts += ["one-time"] if card["one_time"] else []
    return "; ".join([*parts, "withdrawn"] if card["retired"] else parts)


_COLUMNS: tuple[Column, ...] = (
    ("Number", lambda card: str(card["number"]), 50, True),
    ("Name", lambda card: card["name"], 0, False),
    ("Type", lambda card: card["type"], 90, False),
    ("Rarity", lambda card: card["rarity"], 110, False),
    ("What it does", _does, 0, False),
    ("Lists, or counts as", lambda card: ", ".join(card["list"] or card["kinds"]), 72, False),
    ("Set", lambda card: f"{card['set']} {card['version']}", 130, False),
)


@cards.command(context_settings=QUERY)
@query_argument
@json_option
@access.house_option
@access.passphrase_option
def search(query: tuple[str, ...], as_json: bool, house: str | None, passphrase_file: Path | None) -> None:
    """Find cards: `cloche cards search t:recipe ing:fish sort:cost`.

    Quote what the shell would interpret: 'cost<=3 ing:"olive oil"'. docs/search.md has all keys.
    """
    with access.at_house(house, passphrase_file) as (_, api):
        show(ask(api.search_cards, query), _COLUMNS, as_json, "card")


@cards.command()
@click.argument("names", metavar="CARD...", nargs=-1, required=True)
@folder_option
@access.house_option
@access.passphrase_option
def picture(names: tuple[str, ...], out: Path, house: str | None, passphrase_file: Path | None) -> None:
    """Fetch the pictures of cards, by slug or number, as files: `cloche cards picture tuna paella`."""
    with access.at_house(house, passphrase_file) as (_, api):
        for name in names:
            card = api.card(name)
            data, ending = api.card_picture(card["set"], card["number_in_set"])
            write_into(out, f"{card['set']}-{card['number_in_set']:03d}.{ending}", data, card["name"])


@cards.command()
@click.argument("names", metavar="CARD...", nargs=-1, required=True)
@folder_option
@access.house_option
@access.passphrase_option
def metadata(names: tuple[str, ...], out: Path, house: str | None, passphrase_file: Path | None) -> None:
    """Fetch cards as ERC-721 metadata with their pictures inside, as files."""
    with access.at_house(house, passphrase_file) as (_, api):
        for name in names:
            card = api.card(name)
            code, number = str(card["set"]), int(card["number_in_set"])
            document = api.ask("GET", "cards", code, str(number), "metadata.json")
            data = json.dumps(document, indent=2, ensure_ascii=False).encode()
            write_into(out, f"{code}-{number:03d}.json", data, card["name"])


@cards.command("show")
@click.argument("name")
@version_option
@click.option("--set", "code", help="The set, by its code.  [default: the set of the card]")
@json_option
@access.house_option
@access.passphrase_option
def show_card(
    name: str,
    version: str | None,
    code: str | None,
    as_json: bool,
    house: str | None,
    passphrase_file: Path | None,
) -> None:
    """Show a card by its name, slug or number: `cloche cards show tuna`."""
    slug = "-".join(re.findall(r"[a-z0-9]+", name.casefold().replace("'", "")))
    with access.at_house(house, passphrase_file) as (_, api):
        card = api.card(slug) if code is None else None
        if version is not None:
            named = slug if card is None else str(card["number"])
            card = api.card(named, (code or str(card and card["set"]), version))
        shown = card or api.card(slug)
    if as_json:
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
        return
    for line in _told(shown):
        click.echo(plain(line))


def _told(card: dict[str, Any]) -> Iterator[str]:
    yield f"{card['name']} ({card['slug']}, number {card['number']})"
    kind = f"Basic {card['type']}" if card["basic"] else card["type"].capitalize()
    yield f"{kind}, {card['rarity']}; {card['set']} {card['version']}"
    if does := _does(card):
        yield does[0].upper() + does[1:]
    if card["list"] or card["kinds"]:
        yield f"{'Lists' if card['list'] else 'Counts as'} {', '.join(card['list'] or card['kinds'])}"
    yield f'"{card["flavour"]}"'
    if card["retired"]:
        instead = f"; {card['moved_to']} replaces it" if card["moved_to"] else ""
        yield f"Withdrawn: it can be played, but no more copies are made{instead}."


@cards.command()
@click.argument("code", required=False)
@version_option
@click.option("--format", "form", default="jsonl", show_default=True, type=click.Choice([*FORMATS]))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file to write.  [default: the name that the house gives]",
)
@access.house_option
@access.passphrase_option
def download(
    code: str | None,
    version: str | None,
    form: str,
    out: Path | None,
    house: str | None,
    passphrase_file: Path | None,
) -> None:
    """Download a whole card set, and check its sha256.

    A file that exists already and is the same is not fetched again.
    """
    with access.at_house(house, passphrase_file) as (_, api):
        code = code or api.sets()[0]["code"]
        found = [
            item
            for item in api.downloads()
            if (item.set, item.format) == (code, form)
            and (item.newest if version is None else item.version == version)
        ]
        if not found:
            raise CommandError("not_found", f"There is no {form} of {code} {version or ''}".rstrip() + ".")
        path = out or Path(found[0].name)
        try:
            if path.exists() and sha256(path.read_bytes()).hexdigest() == found[0].sha256:
                click.echo(f"{path} is {found[0].set} {found[0].version} already.")
                return
            path.write_bytes(api.download(found[0]))
        except OSError as error:
            raise CommandError("cant_write", f"{path}: {error.strerror}.") from None
        click.echo(f"{path}: {found[0].set} {found[0].version}, {found[0].size:,} bytes")
        click.echo(f"sha256 {found[0].sha256}")
