"""`cloche simulate`: thousands of matches between bots, to compare decks and to check the card set."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from bots import bots_for, default_name, league
from bots.league import DeckCards, League, Pair
from cards.catalog.card_sets import load
from cards.catalog.cards import FOLDER
from cards.decks.codes import PREFIX, DeckCodeError, decode
from cards.decks.deck_lists import DeckList, faults
from cards.decks.plain_text import DeckTextError, read_deck
from cloche.commands.errors import REFUSED, CommandError, UnreadableInput
from cloche.commands.measure.balance import page
from cloche.commands.measure.balance.chart import chart
from cloche.commands.measure.balance.report import (
    BoundedFigure,
    LeagueReport,
    Probe,
    SearchReport,
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
from cloche.commands.measure.searching import SearchPlan, finished, search
from crypto.encoding import loads

PROBES = FOLDER.parent / "decks"
"""Decks that try to break the base set; the folder `field` in it has the decks that they meet."""
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
@click.option(
    "--search", "searches", is_flag=True, help="Search all legal decks for one that beats the DECKs."
)
@click.option(
    "--candidates",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="With --search: decks to try.",
)
@click.option(
    "--starts", type=click.IntRange(1), default=5, show_default=True, help="With --search: climbs to begin."
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --search: go on from this file, and keep it up to date.",
)
@click.option("--write", is_flag=True, help=f"Check the base set: write docs/{PAGE} and its picture.")
@click.option(
    "--searched",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="With --write: show the finished search of this --state file.",
)
@click.option("--strict", is_flag=True, help="With --write: exit with 1 if the set misses a goal.")
def simulate(
    decks: tuple[str, ...],
    bot: str,
    matches: int,
    seed: int,
    cores: int,
    as_json: bool,
    picture: Path | None,
    searches: bool,
    candidates: int,
    starts: int,
    state: Path | None,
    write: bool,
    searched: Path | None,
    strict: bool,
) -> None:
    """Let bots play matches of Pancake between all pairs of DECKs, by the rules alone.

    DECK is the name of a starter, or a file with a deck as text, JSON or deck code. Without any,
    all starters play. The figures are: how long matches are, how many courses are tied or empty,
    and how often each deck wins, with intervals of 95 %.

    With --search, climbs through all legal decks look for one that wins most against the DECKs;
    without any, against the field that balances the base set. An interrupted search goes on from
    its --state file.
    """
    if matches % 2:
        raise click.BadParameter("must be even, since decks change seats.", param_hint="--matches")
    if write and (decks or searches):
        raise click.UsageError("--write checks the base set, and takes no DECK and no --search.")
    if write:
        missed = _write(bot, matches, seed, cores, searched)
        if missed and strict:
            sys.exit(REFUSED)
        return
    if searches:
        field = dict(map(_deck, decks)) if decks else _folder(PROBES / "field")
        found = search(SearchPlan(field, bot, seed, candidates, starts, matches), cores, state)
        _tell_search(found, as_json)
        return
    chosen = _starters() if not decks else dict(map(_deck, decks))
    if len(chosen) < 2:
        raise click.UsageError("Name at least two different decks.")
    figures = report(_play(chosen, bot, matches, seed, cores), bot, seed)
    if picture is not None:
        save(picture, chart(figures))
    if as_json:
        click.echo(json.dumps(figures.json(), indent=2))
    else:
        _print(figures)


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


def _folder(folder: Path) -> dict[str, DeckCards]:
    """The decks of a folder, by name. Raises `CommandError`."""
    return dict(_deck(str(file)) for file in sorted(folder.glob("*.txt")))


def _play(
    decks: dict[str, DeckCards],
    bot: str,
    matches: int,
    seed: int,
    cores: int,
    pairs: Sequence[Pair] | None = None,
) -> League:
    number = len(decks) * (len(decks) - 1) // 2 if pairs is None else len(pairs)
    with progress(number * matches) as told:
        return league.run(decks, bot, matches, seed, cores, told, pairs)


def _write(bot: str, matches: int, seed: int, cores: int, searched: Path | None) -> list[BoundedFigure]:
    """Check the base set and write the page; returns the figures that miss their goals.

    Every two starters play `matches`; a deck of the field or a probe plays about as many against all of the
    field together.
    """
    hunt = None if searched is None else finished(searched)
    starters, rivals, tried = _starters(), _folder(PROBES / "field"), _folder(PROBES)
    each = -(-matches // (2 * len(rivals))) * 2
    found = report(_play(starters, bot, matches, seed, cores), bot, seed)
    field = report(_play(rivals, bot, each, seed, cores), bot, seed)
    pairs = [(probe, rival) for probe in tried for rival in rivals]
    met = _play(tried | rivals, bot, each, seed, cores, pairs)
    probes = {name: Probe.of(met, name, [*rivals]) for name in tried}
    held = tuple(balance(found, field, probes, {} if hunt is None else hunt.found))
    version = next(card_set.version for card_set in load().sets if card_set.code == "PB")
    data = {
        "version": version,
        "starters": found.json(),
        "field": field.json(),
        "probes": {name: asdict(probe) for name, probe in probes.items()},
        "search": None if hunt is None else asdict(hunt),
    }
    save(DOCS / PAGE, page.page(version, found, field, probes, hunt, held))
    save(DOCS / PICTURE, chart(found))
    save(DOCS / DATA, json.dumps(data, indent=2) + "\n")
    _print(found)
    missed = [one for one in held if not one.kept]
    for one in missed:
        figure, goal = page.said(one)
        Console().print(f"[bold red]Missed[/]: {figure} {one.words}, the goal is {goal}.")
    return missed


def _tell_search(found: SearchReport, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{found.candidates:,} decks tried in {found.screened:,} matches. The best of each climb:")
    for name, probe in sorted(found.found.items(), key=lambda pair: -pair[1].won.share):
        won = probe.won
        console.print(
            f"\n[bold]{name}[/] won {won.share:.1%} of {won.matches:,} ({won.low:.0%}-{won.high:.0%})"
        )
        console.print(found.decks[name])


def _print(found: LeagueReport) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"{found.matches:,} matches by {found.bot}: {found.rounds:.1f} rounds on average, "
        f"{found.tied:.1%} of courses tied, {found.empty:.1%} empty after round 3, "
        f"{found.opening:.0%} of opening hands serve, {found.redraws:.1f} redraws, "
        f"{found.leads:.1f} changes of the lead, {found.repeated:.0%} of dishes repeated."
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("Deck", "won", "95 %", *(f"v {name}" for name in found.decks)):
        table.add_column(heading, justify="left" if heading == "Deck" else "right")
    for name, won in found.decks.items():
        cells = ["" if other == name else f"{found.against[name][other]:.0%}" for other in found.decks]
        table.add_row(name, f"{won.share:.1%}", f"{won.low:.0%}-{won.high:.0%}", *cells)
    console.print(table)
