"""`cloche decks stats`, `hands` and `suggest`: what a deck is likely to bring, as the house computes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cards.decks.statistics_chart import chart, counted
from client.http import Api
from cloche.commands import access
from cloche.commands.decks.lists import counts_of, find, text_of
from cloche.commands.errors import UnreadableInput, plain
from cloche.commands.searching import json_option
from cloche.commands.words import number

F = TypeVar("F", bound=Callable[..., Any])
Figures = Mapping[str, Any]

_deck = click.argument("deck", required=False)
_file = click.option(
    "--file",
    type=click.File(encoding="utf-8"),
    help="Read the deck from this file, as text, code or JSON; - is standard input.",
)
_seed = click.option("--seed", default="1", show_default=True, help="Seed of the deals.")


@dataclass(frozen=True, slots=True)
class _AskedDeck:
    """The deck that the command is about: one at the house, or a list of cards."""

    api: Api
    id: str | None
    title: str
    counts: Mapping[str, int]

    def figures(self, what: str, **query: Any) -> dict[str, Any]:
        """The house's figures about the deck."""
        return self.api.deck_figures(what, self.id, self.counts, query)

    def names(self) -> dict[str, str]:
        """The names of the house's cards, by slug."""
        return {card["slug"]: plain(card["name"]) for card in self.api.cards()}


@contextmanager
def _asked(deck: str | None, file: Any, passphrase_file: Path | None) -> Iterator[_AskedDeck]:
    if (deck is None) == (file is None):
        raise click.UsageError("Give a deck, or --file.")
    text = None if file is None else text_of(file)
    with access.signed_in(passphrase_file) as (_, api):
        if text is not None:
            yield _AskedDeck(api, None, "A deck", counts_of(api, text))
        else:
            found = find(api, deck or "")
            yield _AskedDeck(api, found.id, plain(found.name), found.cards)


def _print(figures: Figures) -> None:
    click.echo(json.dumps(figures, ensure_ascii=False, indent=1))


@click.command()
@_deck
@_file
@_seed
@click.option(
    "--rounds", type=click.IntRange(1, 18), default=10, show_default=True, help="The last round to look at."
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Draw the figures into this file too.",
)
@json_option
@access.passphrase_option
def stats(
    deck: str | None,
    file: Any,
    seed: str,
    rounds: int,
    svg: Path | None,
    as_json: bool,
    passphrase_file: Path | None,
) -> None:
    """Show what a deck is likely to bring: costs, units, odds, expected yum. See docs/decks.md."""
    with _asked(deck, file, passphrase_file) as asked:
        found = asked.figures("statistics", seed=seed, rounds=rounds)
        names = asked.names()
        if svg is not None:
            _draw(svg, chart(found, names, asked.title))
        if as_json:
            _print(found)
        else:
            _show_stats(Console(), asked.title, found, names)


def _draw(file: Path, picture: str) -> None:
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise UnreadableInput("unwritable", f"{file} can't be written: {error.strerror}.") from None


def _show_stats(console: Console, title: str, found: Figures, names: Mapping[str, str]) -> None:
    console.print(Text(title, "bold"))
    console.print(Text(counted(found)))
    mark = "#" if console.options.ascii_only else "█"
    console.print()
    console.print(_costs(found, mark))
    console.print()
    console.print(_units(found, mark))
    console.print()
    console.print(_odds(found, names, max(1, (console.width - 34) // 6)))
    exact = (
        "Odds are exact" if found["servable"]["exact"] else "Odds are exact, but those of a dish simulated"
    )
    deals = found["simulation"]["deals"]
    console.print(Text(f"{exact}; expected yum is the mean of {deals} deals. Nobody redraws.", "dim"))
    shared = [each for each in found["shared"] if each["recipes"] > 1]
    if shared:
        console.print()
        said = ", ".join(f"{names.get(each['card'], each['card'])} {each['recipes']}" for each in shared)
        console.print(Text(f"Listed by several recipes: {said}"))


def _plain_table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    return table


def _costs(found: Figures, mark: str) -> Table:
    table = _plain_table("Cost", "Recipes")
    for each in found["costs"]:
        table.add_row(str(each["cost"]), f"{mark * each['recipes']} {each['recipes']}".strip())
    return table


def _units(found: Figures, mark: str) -> Table:
    table = _plain_table("Units", "Provided", "Needed")
    for each in found["units"]:
        bars = [f"{mark * min(each[name], 20)} {each[name]}".strip() for name in ("provided", "needed")]
        table.add_row(each["category"], *bars)
    return table


def _odds(found: Figures, names: Mapping[str, str], room: int) -> Table:
    """Odds by round, for the first rounds, as many as fit."""
    table = Table(box=None, pad_edge=False)
    table.add_column("By round", overflow="fold", max_width=30)
    rounds = range(min(room, len(found["drawn"])))
    for i in rounds:
        table.add_column(str(i + 1), justify="right", no_wrap=True)

    def row(name: str, values: Sequence[Any], style: str = "") -> None:
        table.add_row(Text(name, style), *(Text(str(values[i]), style) for i in rounds))

    row("cards drawn", found["drawn"])
    row("a dish to serve", [_share(p) for p in found["servable"]["any"]], "bold")
    row("expected best yum", [f"{each['mean']:.1f}" for each in found["yum"]], "bold")
    row("  standard error", [f"{each['error']:.2f}" for each in found["yum"]])
    row("some recipe", [_share(p) for p in found["recipe"]])
    dishes = {each["card"]: each["odds"] for each in found["servable"]["each"]}
    for each in found["cards"]:
        name = names.get(each["card"], each["card"])
        row(f"{each['copies']} {name}", [_share(p) for p in each["at_least"][0]])
        if each["card"] in dishes:
            row("  can be served", [_share(p) for p in dishes[each["card"]]])
    return table


def _share(p: float) -> str:
    """Odds in per cent; 0 and 100 only if they are exact."""
    shown = f"{p:.0%}"
    if shown == "100%" and p < 1:
        return ">99%"
    return "<1%" if shown == "0%" and p > 0 else shown


@click.command()
@_deck
@_file
@_seed
@click.option(
    "--count", type=click.IntRange(1, 20), default=3, show_default=True, help="The number of hands."
)
@click.option(
    "--rounds", type=click.IntRange(1, 18), default=4, show_default=True, help="The last round to look at."
)
@json_option
@access.passphrase_option
def hands(
    deck: str | None,
    file: Any,
    seed: str,
    count: int,
    rounds: int,
    as_json: bool,
    passphrase_file: Path | None,
) -> None:
    """Deal sample hands of a deck: the cards of each round, and the best dish by then."""
    with _asked(deck, file, passphrase_file) as asked:
        found = asked.figures("hands", seed=seed, count=count, rounds=rounds)
        if as_json:
            _print(found)
            return
        names = asked.names()
        for i, hand in enumerate(found["hands"], 1):
            click.echo(f"{'' if i == 1 else chr(10)}Hand {i}")
            for round, draw in enumerate(hand, 1):
                cards = ", ".join(names.get(card, card) for card in draw["drawn"]) or "nothing is left"
                click.echo(f"  {round}: {cards}")
                if (best := draw["best"]) is not None:
                    dish = ", ".join(names.get(card, card) for card in best["ingredients"])
                    recipe = names.get(best["recipe"], best["recipe"])
                    click.echo(f"     {recipe} with {dish}: yum {best['yum']}")


@click.command()
@_deck
@_file
@_seed
@click.option("--owned", is_flag=True, help="Look at cards that you own alone.")
@json_option
@access.passphrase_option
def suggest(
    deck: str | None, file: Any, seed: str, owned: bool, as_json: bool, passphrase_file: Path | None
) -> None:
    """Suggest which cards would raise a deck's expected yum most, and which to take out for them.

    First come cards that you own, best first. Then come others, with what they cost and how many wins away
    they are, in the order of what they gain for each win.
    """
    with _asked(deck, file, passphrase_file) as asked:
        found = asked.figures("suggestions", seed=seed, beyond="false" if owned else "true")
        if as_json:
            _print(found)
            return
        names, console = asked.names(), Console()
        console.print(Text("Cards that you own", "bold"))
        if found["items"]:
            console.print(_exchanges(found["items"], names))
        else:
            console.print(f"None of your {found['candidates']} other cards seems to help.")
        if found["beyond"]:
            console.print()
            console.print(Text("Cards that you would have to get", "bold"))
            console.print(_exchanges(found["beyond"], names))
        judged = found["simulation"]["judged"]
        console.print(
            f"\nBest yum: the mean of rounds 1 to {found['rounds']} over {judged} deals or so, and its error."
            " Wins: rewarded ones that bring as much as a first one over an opponent; out of boosters, on"
            " average. Cards to get come in the order of what they gain for a win: first what costs none.",
            style="dim",
        )


def _exchanges(items: Sequence[Figures], names: Mapping[str, str]) -> Table:
    """Suggestions as a table; those of cards to get have their cost and their distance."""
    far = "way" in items[0]
    table = _plain_table("Add", "For", "Best yum", *(("Cost", "Wins") if far else ()), "")
    for item in items:
        add = " or ".join(names.get(card, card) for card in (item["add"], *item["alike"][: 0 if far else 2]))
        gain = f"{item['gain']['mean']:+.2f} ± {item['gain']['error']:.2f}"
        out = "" if item["remove"] is None else names.get(item["remove"], item["remove"])
        table.add_row(
            add, out, gain, *(_way(item["way"]) if far else ()), "" if item["clear"] else "may be luck"
        )
    return table


def _way(way: Figures) -> tuple[str, str]:
    """What a card costs, and how many wins away it is."""
    match way["how"]:
        case "free":
            return "free", "0"
        case "offer":
            return number(way["coins"], "coin"), str(way["wins"])
        case "boosters":
            return f"1 in {1 / way['chance']:.0f} boosters", f"~{way['wins']}"
        case _:
            return "not to be had", ""
