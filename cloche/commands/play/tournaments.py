"""`cloche tournaments`: find tournaments, play in them, and direct them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from client.http import Api
from client.tournaments import Tournaments
from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.groups import CommandGroup
from cloche.commands.listing import print_table, table_of
from cloche.commands.play.bot import deck_for
from cloche.commands.words import number, title_of

ID_LENGTH = 36
"""Characters of an id."""
SYSTEMS = ("swiss", "elimination", "round_robin")
_RESULTS = {
    "first": "1 : 0",
    "second": "0 : 1",
    "draw": "½ : ½",
    "neither": "0 : 0",
    "bye": "bye",
    "rest": "rests",
}


@click.group(cls=CommandGroup)
def tournaments() -> None:
    """Play in tournaments, and direct them: list, show, standings, round, enter, leave, create, start ..."""


_id = click.argument("tournament_id", metavar="ID")
_reason = click.option("--reason", required=True, metavar="TEXT", help="The reason; the players read it.")


@contextmanager
def _signed_in(passphrase_file: Path | None) -> Iterator[tuple[Api, Tournaments]]:
    with access.signed_in(passphrase_file) as (_, api):
        yield api, Tournaments(api)


def _text(value: Any) -> str:
    return escape(plain(str(value)))


@tournaments.command("list")
@click.option("--state", type=click.Choice(["open", "running", "over", "cancelled"]), help="Only these.")
@click.option("--mine", is_flag=True, help="List those that you have entered.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N")
@access.passphrase_option
def list_tournaments(state: str | None, mine: bool, limit: int, passphrase_file: Path | None) -> None:
    """List the newest tournaments of the house."""
    with _signed_in(passphrase_file) as (_, house):
        found = list(islice(house.mine() if mine else house.all(state), limit))
    shown = table_of("Id", "Name", "Game", "State", "Players", "Fee", width=ID_LENGTH)
    for each in found:
        players = f"{each['entered']} of {each['places']}"
        game = title_of(each["mode"])
        shown.add_row(each["id"], *map(_text, (each["name"], game, each["state"], players, each["fee"])))
    print_table(shown, "There is no such tournament. `cloche tournaments create` makes one.")


@tournaments.command()
@_id
@access.passphrase_option
def show(tournament_id: str, passphrase_file: Path | None) -> None:
    """Show a tournament, and your own match in it."""
    with _signed_in(passphrase_file) as (_, house):
        _tell(house.find(tournament_id))
        entry = house.entry(tournament_id)
    if entry is None:
        click.echo("You have not entered it.")
        return
    out = entry["out_round"] is not None
    click.echo(f"You are out: {plain(entry['out_reason'])}." if out else "You take part.")
    match = entry["match"]
    if match is not None:
        click.echo(f"Your match of round {match['round']}: {_told(match)}.")
        if match["state"] == "playing":
            click.echo(f"`cloche play --game {match['game']}` plays it.")


@tournaments.command()
@_id
@access.passphrase_option
def standings(tournament_id: str, passphrase_file: Path | None) -> None:
    """List the players in the order of the standings after the newest complete round."""
    with _signed_in(passphrase_file) as (_, house):
        found = list(house.standings(tournament_id))
    shown = table_of("", "Player", "Points", "Buchholz", "Sonneborn", "Won", "Prize", "")
    for each in found:
        figures = ("points", "buchholz", "sonneborn_berger")
        cells = [each["place"] or "-", each["handle"], *(f"{each[name]:g}" for name in figures)]
        out = "" if each["out_round"] is None else f"out: {each['out_reason']}"
        shown.add_row(*map(_text, [*cells, each["wins"], each["prize"] or "", out]))
    print_table(shown, "Nobody has entered yet.")


@tournaments.command("round")
@_id
@click.argument("number_of_round", metavar="[NUMBER]", type=click.IntRange(1), required=False)
@access.passphrase_option
def show_round(tournament_id: str, number_of_round: int | None, passphrase_file: Path | None) -> None:
    """List the matches of a round, by default the newest."""
    with _signed_in(passphrase_file) as (_, house):
        wanted = number_of_round or house.find(tournament_id)["round"]
        found = list(house.matches(tournament_id, wanted)) if wanted else []
    shown = table_of("Board", "First", "Second", "Result", "Game")
    for each in found:
        result = _RESULTS.get(each["result"] or "", each["state"])
        mark = " *" if each["ruling"] is not None else ""
        cells = (each["board"], each["first"], each["second"] or "", f"{result}{mark}", each["game"] or "")
        shown.add_row(*map(_text, cells))
    print_table(shown, "No round is paired yet.")
    for each in found:
        if each["ruling"] is not None:
            click.echo(f"* Board {each['board']}, set by hand: {plain(each['ruling'])}")


@tournaments.command()
@_id
@click.option("--deck", metavar="DECK", help="Your deck, by id or name.  [default: your first]")
@access.passphrase_option
def enter(tournament_id: str, deck: str | None, passphrase_file: Path | None) -> None:
    """Enter a tournament, or change your deck before it starts. Its fee is set aside at once."""
    with _signed_in(passphrase_file) as (api, house):
        found = house.find(tournament_id)
        held = deck_for(api, found["mode"], deck)
        house.enter(tournament_id, None if held is None else held.id)
    fee = f" The fee of {number(found['fee'], 'coin')} is set aside." if found["fee"] else ""
    click.echo(f"You take part in {plain(found['name'])}.{fee}")


@tournaments.command()
@_id
@access.passphrase_option
def leave(tournament_id: str, passphrase_file: Path | None) -> None:
    """Leave a tournament. Before its start the fee comes back."""
    with _signed_in(passphrase_file) as (_, house):
        house.leave(tournament_id)
    click.echo("You no longer take part.")


@tournaments.command()
@click.argument("name")
@click.argument("system", type=click.Choice(SYSTEMS))
@click.argument("mode")
@click.option("--pace", default="usual", show_default=True, help="usual, quick, or 1-day to 7-days a choice.")
@click.option("--format", metavar="NAME", help="Allow only decks of this format.")
@click.option("--rated", is_flag=True, help="Let its games change the players' ratings.")
@click.option("--fee", type=click.IntRange(0), default=0, metavar="COINS", help="What each entry costs.")
@click.option("--add", "added", type=click.IntRange(0), default=0, metavar="COINS", help="Coins of yours.")
@click.option("--prizes", metavar="PERCENTS", help="Shares of the first places, such as 60,30,10.")
@click.option("--places", type=click.IntRange(2), default=32, show_default=True, help="The most players.")
@click.option("--rounds", type=click.IntRange(1), help="Rounds of a Swiss tournament.")
@click.option("--late", "late_rounds", type=click.IntRange(0), default=0, help="Rounds with late entries.")
@click.option("--in", "starts_in", type=click.IntRange(1), default=60, show_default=True, metavar="MINUTES")
@click.option("--pause", type=click.IntRange(0), default=2, show_default=True, metavar="MINUTES")
@access.passphrase_option
def create(
    name: str, system: str, mode: str, prizes: str | None, passphrase_file: Path | None, **more: Any
) -> None:
    """Create the tournament NAME of a SYSTEM (swiss, elimination, round_robin) in MODE, and direct it."""
    try:
        shares = [int(part) for part in prizes.split(",")] if prizes else []
    except ValueError:
        raise click.UsageError("--prizes are whole percents with commas, such as 60,30,10.") from None
    with _signed_in(passphrase_file) as (_, house):
        _tell(house.create(name, system, mode, prizes=shares, **more))


@tournaments.command()
@_id
@access.passphrase_option
def start(tournament_id: str, passphrase_file: Path | None) -> None:
    """Start a tournament that you direct before its time."""
    with _signed_in(passphrase_file) as (_, house):
        house.start(tournament_id)
    click.echo("The house starts it now.")


@tournaments.command()
@_id
@_reason
@access.passphrase_option
def cancel(tournament_id: str, reason: str, passphrase_file: Path | None) -> None:
    """Cancel a tournament that you direct. Everybody gets their coins back."""
    with _signed_in(passphrase_file) as (_, house):
        house.cancel(tournament_id, reason)
    click.echo("The tournament is cancelled, and everything is given back.")


@tournaments.command()
@_id
@click.argument("number_of_round", metavar="ROUND", type=click.IntRange(1))
@click.argument("board", type=click.IntRange(1))
@click.argument("result", type=click.Choice(["first", "second", "draw", "neither"]))
@_reason
@access.passphrase_option
def rule(
    tournament_id: str,
    number_of_round: int,
    board: int,
    result: str,
    reason: str,
    passphrase_file: Path | None,
) -> None:
    """Set the RESULT of a match by hand: first, second, draw or neither. For directors and moderators."""
    with _signed_in(passphrase_file) as (_, house):
        found = house.rule(tournament_id, number_of_round, board, result, reason)
    click.echo(f"{_told(found)}.")


@tournaments.command()
@_id
@click.argument("handle")
@_reason
@access.passphrase_option
def drop(tournament_id: str, handle: str, reason: str, passphrase_file: Path | None) -> None:
    """Take a player out of a tournament. For directors and moderators."""
    with _signed_in(passphrase_file) as (_, house):
        house.drop(tournament_id, handle, reason)
    click.echo(f"{plain(handle)} is out.")


@tournaments.command()
@_id
@click.argument("handle")
@_reason
@access.passphrase_option
def restore(tournament_id: str, handle: str, reason: str, passphrase_file: Path | None) -> None:
    """Take a player in again who is out. For directors and moderators."""
    with _signed_in(passphrase_file) as (_, house):
        house.restore(tournament_id, handle, reason)
    click.echo(f"{plain(handle)} takes part again.")


def _told(match: dict[str, Any]) -> str:
    """A match in a line: "ann against bob, 1 : 0"."""
    names = plain(match["first"])
    if match["second"] is not None:
        names += f" against {plain(match['second'])}"
    return f"{names}, {_RESULTS.get(match['result'] or '', match['state'])}"


def _tell(found: dict[str, Any]) -> None:
    """Print a tournament in a few lines."""
    system = found["system"].replace("_", " ")
    click.echo(f"{plain(found['name'])}: {title_of(found['mode'])}, {system}, {found['state']}.")
    if found["reason"] is not None:
        click.echo(f"It was cancelled: {plain(found['reason'])}")
    rounds = "" if found["rounds"] is None else f" of {found['rounds']}"
    when = f"starts {found['starts_at']}" if found["state"] == "open" else f"round {found['round']}{rounds}"
    players = f"{found['entered']} of {number(found['places'], 'player')}"
    click.echo(f"{players}; {when}; directed by {plain(found['director'])}.")
    if found["prizes"]:
        shares = ", ".join(f"{share} %" for share in found["prizes"])
        click.echo(f"Fee {found['fee']}, added {found['added']}; prizes {shares}.")
    click.echo(f"Tournament {found['id']}.")
