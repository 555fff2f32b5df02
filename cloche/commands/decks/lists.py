"""`cloche decks list`, `show`, `new`, `edit` ...: a player's deck lists, as text, JSON or deck codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click

from cards.decks.codes import PREFIX, DeckCodeError, Uncodable
from cards.decks.codes import decode as decode_deck
from cards.decks.codes import encode as encode_deck
from cards.decks.deck_lists import DeckList
from cards.decks.legality import USUAL
from cards.decks.plain_text import DeckTextError, read_listing, write_deck
from client.decks import DeckInfo, DeckValidation, SearchResult
from client.http import Api
from cloche.commands import access
from cloche.commands.errors import CommandError, UnreadableInput, plain
from cloche.commands.searching import QUERY, Column, ask, json_option, query_argument
from cloche.commands.searching import show as show_found
from cloche.commands.words import listed
from crypto.encoding import loads
from player.house import ApiProblem

F = TypeVar("F", bound=Callable[..., Any])


_text = click.argument("file", type=click.File(encoding="utf-8"))
_deck = click.argument("deck")


_lists = [
    click.option("--public", "which", flag_value="public", help="Take everybody's public decks."),
    click.option("--favourites", "which", flag_value="favourites", help="Take your favourites."),
]


def which_option(command: F) -> F:
    """Add the options for which list of decks to take; by default it is the player's own."""
    for option in _lists:
        command = option(command)
    return command


@click.command("list")
@which_option
@access.passphrase_option
def list_decks(which: str | None, passphrase_file: Path | None) -> None:
    """List your decks, everybody's public ones, or your favourites."""
    with access.signed_in(passphrase_file) as (_, api):
        items = [asdict(deck) for deck in api.decks(which or "mine")]
        nothing = {
            "public": "Nobody has a public deck yet.",
            "favourites": "No deck is among your favourites.",
        }.get(which or "", "You have no deck; `cloche decks new NAME FILE` makes one.")
        show_found(SearchResult(items, which or "mine", ()), columns_of(which), False, "deck", nothing)


def columns_of(which: str | None) -> tuple[Column, ...]:
    """The columns of a list of decks, with the owner unless all are the player's own."""
    return (
        ("Id", lambda deck: deck["id"], 78, False),
        *((("By", lambda deck: deck["owner"], 0, False),) if which else ()),
        ("Name", lambda deck: deck["name"], 0, False),
        ("Cards", lambda deck: str(deck["size"]), 0, True),
        ("Rev.", lambda deck: str(deck["revision"]), 50, True),
        ("Seen by", lambda deck: _SEEN[deck["visibility"]], 100, False),
        ("Tags", lambda deck: " ".join(deck["tags"]), 110, False),
        ("Revised", lambda deck: deck["revised_at"][:10], 130, False),
    )


_SEEN = {"private": "you", "unlisted": "by id", "public": "everybody"}


@click.command(context_settings=QUERY)
@query_argument
@which_option
@json_option
@access.passphrase_option
def search(query: tuple[str, ...], which: str | None, as_json: bool, passphrase_file: Path | None) -> None:
    """Find decks: `cloche decks search uses:tuna is:legal sort:-updated`.

    All keys are in docs/search.md.
    """
    with access.signed_in(passphrase_file) as (_, api):
        found = ask(lambda text: api.search_decks(text, which or "mine"), query)
        show_found(found, columns_of(which), as_json, "deck")


@click.command()
@_deck
@click.option("--revision", type=click.IntRange(1), help="Show this revision.  [default: the newest]")
@access.passphrase_option
def show(deck: str, revision: int | None, passphrase_file: Path | None) -> None:
    """Print a deck as text, which `new` and `edit` read.

    The first line names the revision, so that `edit` notices a change since then.
    """
    with access.signed_in(passphrase_file) as (_, api):
        found = find(api, deck)
        if revision is not None:
            found = api.deck(found.id, revision)
        click.echo(f"# {plain(found.name)} (deck {found.id[:8]}, revision {found.revision})")
        click.echo(write_deck(found.cards, api.cards()), nl=False)


note_option = click.option("--note", default="", help="A remark for the history of the deck.")


@click.command()
@click.argument("name")
@_text
@note_option
@access.passphrase_option
def new(name: str, file: Any, note: str, passphrase_file: Path | None) -> None:
    """Make a deck called NAME from FILE (- is standard input)."""
    text = text_of(file)
    with access.signed_in(passphrase_file) as (_, api):
        made = api.create_deck(name, counts_of(api, text), note=note)
        click.echo(f"{made.id}  {plain(made.name)}: {made.size} cards.")
        say(api.validate_deck(made.id), strict=False)


@click.command()
@_deck
@_text
@click.option("--name", help="A new name.")
@note_option
@click.option("--force", is_flag=True, help="Edit the deck even if it was changed since FILE was printed.")
@access.passphrase_option
def edit(
    deck: str, file: Any, name: str | None, note: str, force: bool, passphrase_file: Path | None
) -> None:
    """Edit a deck from FILE (- is standard input). The house keeps earlier revisions.

    A FILE that `show` printed names its revision. If there is a newer one by now, nothing
    is changed, since the newer edit would be lost.
    """
    text = text_of(file)
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        counts = counts_of(api, text)
        based = _BASED.match(text)
        if based and not force and found.id.startswith(based[1]) and int(based[2]) != found.revision:
            raise edited_meanwhile(found, int(based[2]))
        with as_read(api, found):
            made = api.edit_deck(found, name=name or found.name, cards=counts, note=note)
        if made.revision == found.revision:
            click.echo(f"{plain(made.name)} has these {made.size} cards already: revision {made.revision}.")
        else:
            click.echo(f"{made.id}  {plain(made.name)}: {made.size} cards, revision {made.revision}.")
        say(api.validate_deck(made.id), strict=False)


_BASED = re.compile(r"# [^\n]*\(deck ([0-9a-f]{8}), revision ([1-9][0-9]{0,8})\)\s*$", re.MULTILINE)
"""The first line of what `show` prints."""


@click.command()
@_deck
@click.option("--yes", is_flag=True, help="Do not ask.")
@access.passphrase_option
def delete(deck: str, yes: bool, passphrase_file: Path | None) -> None:
    """Delete a deck. The cards stay yours."""
    with access.signed_in(passphrase_file) as (_, api):
        found = find_mine(api, deck)
        if not yes:
            click.confirm(f"Delete {plain(found.name)} ({found.size} cards)?", abort=True, err=True)
        with as_read(api, found):
            api.delete_deck(found)
        click.echo(f"{plain(found.name)} is deleted.")


@click.command()
@click.argument("deck", required=False)
@click.option(
    "--file",
    type=click.File(encoding="utf-8"),
    help="Read the deck from this file, as text or JSON; - is standard input.",
)
@access.passphrase_option
def encode(deck: str | None, file: Any, passphrase_file: Path | None) -> None:
    """Print the code of a deck: the whole deck in one line."""
    if (deck is None) == (file is None):
        raise click.UsageError("Give a deck, or --file.")
    text = None if file is None else text_of(file)
    with access.signed_in(passphrase_file) as (_, api):
        counts = find(api, deck or "").cards if text is None else counts_of(api, text)
        click.echo(_encoded(api, counts))


@click.command()
@click.argument("code")
@click.option("--json", "as_json", is_flag=True, help="Print copies by card, as JSON.")
@access.passphrase_option
def decode(code: str, as_json: bool, passphrase_file: Path | None) -> None:
    """Print the deck of a deck code as text, which `new` and `edit` read."""
    numbers = _decoded(code)
    with access.signed_in(passphrase_file) as (_, api):
        cards = list(api.cards())
        slugs = {str(card["number"]): card["slug"] for card in cards}
        counts = {slugs.get(number, number): n for number, n in numbers.items()}
        click.echo(json.dumps(counts) + "\n" if as_json else write_deck(counts, cards), nl=False)


def find(api: Api, wanted: str) -> DeckInfo:
    """Find a deck that the player can see: an own one or a favourite by name, id or beginning of the id;
    any other by its whole id. Raises `CommandError`."""
    for which in ("mine", "favourites"):
        if (found := _pick(list(api.decks(which)), wanted)) is not None:
            return found
    if _ID.fullmatch(wanted):
        try:
            return api.deck(wanted)
        except ApiProblem as problem:
            if problem.status != 404:
                raise
    raise _unknown(wanted)


def find_mine(api: Api, wanted: str) -> DeckInfo:
    """Find a deck of the player's own, as it is now. Raises `CommandError`."""
    found = _pick(list(api.decks()), wanted)
    if found is None:
        raise _unknown(wanted)
    return api.deck(found.id)


def _unknown(wanted: str) -> CommandError:
    how = "`cloche decks decode` reads a deck code; `cloche decks new` keeps one from a file."
    more = (how,) if wanted.startswith(PREFIX) else ()
    return CommandError("unknown_deck", f'You have no deck "{wanted}"; `cloche decks list` names them.', more)


_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _pick(every: Sequence[DeckInfo], wanted: str) -> DeckInfo | None:
    same = [deck for deck in every if deck.id == wanted]
    named = [deck for deck in every if deck.name.casefold() == wanted.casefold()]
    begins = [deck for deck in every if len(wanted) >= 4 and deck.id.startswith(wanted)]
    found = same or named or begins
    if len(found) > 1:
        raise CommandError(
            "ambiguous_deck", f'"{wanted}" may be any of these:', tuple(deck.id for deck in found)
        )
    return found[0] if found else None


@contextmanager
def as_read(api: Api, deck: DeckInfo) -> Iterator[None]:
    """Surrounds an edit of a deck that was read before. Raises `CommandError` if it was changed since."""
    try:
        yield
    except ApiProblem as problem:
        if problem.status != 412:
            raise
        raise edited_meanwhile(api.deck(deck.id), deck.revision) from None


def edited_meanwhile(now: DeckInfo, read: int) -> CommandError:
    """The error for an edit that would undo another one."""
    if now.revision == read:
        text = f"{now.name} was changed meanwhile: its tags, or who may see it. Try again."
        return CommandError("edited_meanwhile", text)
    text = f"{now.name} was edited meanwhile: you have revision {read}, and the newest is {now.revision}."
    return CommandError(
        "edited_meanwhile",
        text,
        (
            f"What has changed: cloche decks diff {now.id[:8]} {read}",
            f"To edit it as it is now: cloche decks show {now.id[:8]}",
        ),
    )


def text_of(file: Any) -> str:
    """The text of an open file. Raises `UnreadableInput`."""
    try:
        text: str = file.read()
    except (OSError, UnicodeDecodeError):
        raise UnreadableInput("unreadable", f"{file.name} is not a text file.") from None
    return text


def counts_of(api: Api, text: str) -> dict[str, int]:
    """Read a deck as text, code or JSON; returns copies by slug or number. Raises `CommandError`."""
    first = text.strip()[:4]
    if first.upper() == PREFIX:
        return _decoded(text)
    if first.startswith("{"):
        return _from_json(text)
    try:
        found = read_listing(text, api.cards(), api.migrations())
    except DeckTextError as error:
        raise CommandError(
            "bad_deck_text", "This is not a deck list.", tuple(map(str, error.faults))
        ) from None
    for notice in found.notices:
        click.echo(f"Note: {plain(str(notice))}", err=True)
    return dict(found.counts)


def _from_json(text: str) -> dict[str, int]:
    try:
        counts: object = loads(text)
    except ValueError as error:
        raise CommandError("bad_deck_json", f"This is not JSON: {error}.") from None
    if not isinstance(counts, dict):
        raise CommandError("bad_deck_json", 'This is not a deck list: it needs copies by card, {"tuna": 3}.')
    wrong = tuple(f"{name}: {json.dumps(n)[:60]}" for name, n in counts.items() if type(n) is not int)
    if wrong:
        raise CommandError("bad_deck_json", "Copies are whole numbers; these are not.", wrong)
    return counts


def _decoded(code: str) -> dict[str, int]:
    try:
        return decode_deck(code.strip()).to_json()
    except DeckCodeError as error:
        where = "" if error.position is None else f" (character {error.position})"
        raise CommandError(
            error.code, f"This is no valid deck code: {error}{where}. Copy the code once more."
        ) from None


def _encoded(api: Api, counts: Mapping[str, int]) -> str:
    """The code of copies by slug or number. Raises `CommandError` with every card that can't be coded."""
    numbers = {name: card["number"] for card in api.cards() for name in (card["slug"], str(card["number"]))}
    if unknown := tuple(f"There is no card {name}." for name in counts if name not in numbers):
        raise CommandError("unknown_card", "The house does not know all of these cards.", unknown)
    found: dict[int, int] = {}
    for name, n in counts.items():
        found[numbers[name]] = found.get(numbers[name], 0) + n
    try:
        return encode_deck(DeckList(found))
    except Uncodable as error:
        faults = tuple(f"[{fault.code}] {fault.text}" for fault in error.faults)
        raise CommandError("uncodable", "There is no deck code for this deck.", faults) from None


def say(said: DeckValidation, *, strict: bool) -> None:
    """Print what the rules say about a deck. With `strict` an illegal deck raises `CommandError`."""
    for warning in said.warnings:
        click.echo(f"Advice [{warning['code']}]: {warning['detail']}")
    names = [each["name"] for each in said.rules]
    usual = names == [*USUAL]
    faults = tuple(
        f"[{fault['code']}] {'' if usual else fault['rules'] + ': '}{fault['detail']}"
        for fault in said.faults
    )
    if said.legal:
        click.echo("A match may be played with it." if usual else f"It keeps the rules of {listed(names)}.")
    elif usual and strict:
        raise CommandError("illegal_deck", "No match may be played with it:", faults)
    elif usual:
        click.echo("\n  ".join(("No match may be played with it yet:", *faults)))
    else:
        broken = listed(each["name"] for each in said.rules if not each["legal"])
        kept = listed(each["name"] for each in said.rules if each["legal"]) if len(names) > 1 else ""
        text = f"It breaks the rules of {broken}{', and keeps those of ' + kept if kept else ''}:"
        raise CommandError("illegal_deck", text, faults)
