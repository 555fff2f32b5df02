"""`cloche simulate`: thousands of matches between bots, to compare decks and to check the card set."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from bots import bots_for, default_name, league
from bots.league import DeckCards, League
from cards.catalog.card_sets import load
from cards.catalog.cards import FOLDER
from cards.decks.codes import PREFIX, DeckCodeError, decode
from cards.decks.deck_lists import DeckList, faults
from cards.decks.plain_text import DeckTextError, read_deck
from cloche.commands.errors import REFUSED, CommandError, UnreadableInput
from cloche.commands.measure.balance import page
from cloche.commands.measure.balance.chart import chart
from cloche.commands.measure.balance.report import (
    CHEAP,
    DEAR,
    BoundedFigure,
    LeagueReport,
    Probe,
    balance,
    report,
)
from cloche.commands.measure.playing import (
    DOCS,
    chart_option,
    cores_option,
    json_option,
    progress,
    save,
)
from crypto.encoding import loads

PROBES = FOLDER.parent / "decks"
PAGE, PICTURE, DATA = "balance.md", "pictures/balance.svg", "balance.json"


@click.command()
@click.argument("decks", nargs=-1, metavar="[DECK]...")
@click.option(
    "--bot", type=click.Choice([*bots_for("chef")]), default=default_name("chef"), show_default=True
)
@click.option(
    "--matches",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    help="Matches between every two decks; an even number.",
)
@click.option("--seed", default=0, show_default=True, help="Seed; the same seed plays the same matches.")
@cores_option
@json_option
@chart_option
@click.option("--write", is_flag=True, help=f"Check the base set: write docs/{PAGE} and its picture.")
@click.option("--strict", is_flag=True, help="With --write: exit with 1 if the set misses a bound.")
def simulate(
    decks: tuple[str, ...],
    bot: str,
    matches: int,
    seed: int,
    cores: int,
    as_json: bool,
    picture: Path | None,
    write: bool,
    strict: bool,
) -> None:
    """Let bots play matches of Pancake between all pairs of DECKs, by the rules alone.

    DECK is the name of a starter, or a file with a deck as text, JSON or deck code. Without any,
    all starters play. The figures are: how long matches are, how many courses are tied or empty,
    and how often each deck wins, with intervals of 95 %.
    """
    if matches % 2:
        raise click.BadParameter("must be even, since decks change seats.", param_hint="--matches")
    if write and decks:
        raise click.UsageError("--write checks the base set, and takes no DECK.")
    if write:
        missed = _write(bot, matches, seed, cores)
        if missed and strict:
            sys.exit(REFUSED)
        return
    chosen = _starters() if not decks else dict(map(_deck, decks))
    if len(chosen) < 2:
        raise click.UsageError("Name at least two different decks.")
    found = report(_play(chosen, bot, matches, seed, cores), bot, seed)
    if picture is not None:
        save(picture, chart(found))
    if as_json:
        click.echo(json.dumps(found.json(), indent=2))
    else:
        _print(found)


def _starters() -> dict[str, DeckCards]:
    catalog = load()
    return {slug: DeckList(starter.counts).cards(catalog) for slug, starter in catalog.starters.items()}


def _deck(name: str) -> tuple[str, DeckCards]:
    """A starter by its name, or a legal deck from a file. Raises `CommandError`."""
    starters = _starters()
    if name in starters:
        return name, starters[name]
    catalog, path = load(), Path(name)
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        known = ", ".join(starters)
        raise UnreadableInput(
            "unreadable", f"{name} is neither a starter ({known}) nor a text file."
        ) from None
    deck = _read(name, text)
    if wrong := faults(deck, catalog):
        raise CommandError("illegal_deck", f"{name} is not a legal deck.", tuple(map(str, wrong)))
    return path.stem, deck.cards(catalog)


def _read(name: str, text: str) -> DeckList:
    catalog = load()
    try:
        if text[: len(PREFIX)].upper() == PREFIX:
            return decode(text)
        if text.startswith("{"):
            counts = loads(text)
        else:
            cards = [
                {"number": card.number, "slug": card.slug, "name": card.name}
                for card in catalog.cards.values()
            ]
            counts = read_deck(text, cards)
        return DeckList({catalog.by_slug(slug).number: n for slug, n in counts.items()})
    except DeckTextError as error:
        raise CommandError("bad_deck_text", f"{name} is not a deck.", tuple(map(str, error.faults))) from None
    except (DeckCodeError, ValueError, KeyError, AttributeError) as error:
        raise CommandError("bad_deck", f"{name} is not a deck: {error}.") from None


def _play(decks: dict[str, DeckCards], bot: str, matches: int, seed: int, cores: int) -> League:
    pairs = len(decks) * (len(decks) - 1) // 2
    with progress(pairs * matches) as told:
        return league.run(decks, bot, matches, seed, cores, told)


def _write(bot: str, matches: int, seed: int, cores: int) -> list[BoundedFigure]:
    """Check the base set and write the page; returns the figures that miss their bounds."""
    starters = _starters()
    tried = dict(_deck(str(PROBES / f"{name}.txt")) for name in (CHEAP, DEAR))
    played = _play({**starters, **tried}, bot, matches, seed, cores)
    found = report(played, bot, seed, [*starters])
    probes = {name: Probe.of(played, name, [*starters]) for name in tried}
    held = tuple(balance(found, probes))
    version = next(card_set.version for card_set in load().sets if card_set.code == "PB")
    data = {
        "version": version,
        "starters": found.json(),
        "probes": {name: asdict(probe) for name, probe in probes.items()},
    }
    save(DOCS / PAGE, page.page(version, found, probes, held))
    save(DOCS / PICTURE, chart(found))
    save(DOCS / DATA, json.dumps(data, indent=2) + "\n")
    _print(found)
    missed = [one for one in held if not one.kept]
    for one in missed:
        figure, bound = page.said(one)
        Console().print(f"[bold red]Missed[/]: {figure} {one.words}, allowed is {bound}.")
    return missed


def _print(found: LeagueReport) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"{found.matches:,} matches by {found.bot}: {found.rounds:.1f} rounds on average, "
        f"{found.tied:.1%} of courses tied, {found.empty:.1%} empty after round 3."
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("Deck", "won", "95 %", *(f"v {name}" for name in found.decks)):
        table.add_column(heading, justify="left" if heading == "Deck" else "right")
    for name, won in found.decks.items():
        cells = ["" if other == name else f"{found.against[name][other]:.0%}" for other in found.decks]
        table.add_row(name, f"{won.share:.1%}", f"{won.low:.0%}-{won.high:.0%}", *cells)
    console.print(table)
