"""`cloche bot`: a bot plays for the player, with the player's key, deck and vault."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import click

from bots import Bot, bots_for, default_name
from cards import games
from cards.games.contract import Option
from client.http import Api
from client.match import await_game, play_by_bot
from cloche.commands import access
from cloche.commands.decks.lists import find
from cloche.commands.errors import CommandError
from cloche.commands.words import ENVELOPE_ASKS, brought, listed, names_of, result, told
from player.house import ApiProblem, TableInfo
from player.table_terms import require_request
from referee import Entry, Game, all_options

options_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option of your table, such as seal=300; `cloche modes --json` lists all. Repeatable.",
)
"""The option that `options_of` reads."""
pace_option = click.option(
    "--pace", default="usual", show_default=True, help="usual, quick, or 1-day to 7-days for each choice."
)
"""The option for all clocks of a game by one name."""


@click.command()
@click.argument("mode", default="chef")
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help="A bot of the house that sits down with you, by name or level (easy to best); repeatable.",
)
@click.option(
    "--seats", type=click.IntRange(1, 12), help="Seats of your table.  [default: as few as possible]"
)
@options_option
@click.option("--private", is_flag=True, help="Open your table by invitation only.")
@click.option("--table", "table_id", metavar="ID", help="Sit down at this table instead.")
@click.option("--invitation", metavar="CODE", help="Sit down at the private table of this invitation.")
@click.option("--game", "game_id", metavar="ID", help="Go on with this game of yours instead.")
@click.option(
    "--wait",
    type=click.IntRange(0),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="The time to wait until others sit down.",
)
@click.option("--deck", metavar="DECK", help="Your deck, by id or name.  [default: your first]")
@click.option(
    "--bot", "name", metavar="NAME", help="The bot that plays for you.  [default: the best of the mode]"
)
@click.option("--seed", type=int, help="Make the bot's random choices the same each time.")
@click.option(
    "--draw-after",
    type=click.IntRange(1),
    metavar="N",
    help="Offer a draw after N accounts (in Pancake one each round, and one when somebody redraws), and wait"
    " until the others agree or the time is up.",
)
@click.option(
    "--once-void",
    is_flag=True,
    help="Have --draw-after count accounts from the newest void deal on, and none before there is one.",
)
@click.option(
    "--envelope",
    is_flag=True,
    help=f"Enclose every reveal with its seal, in case the bot can't come back in time. {ENVELOPE_ASKS}",
)
@click.option("--json", "as_json", is_flag=True, help="Print entries of the record as JSON lines.")
@access.passphrase_option
def bot(
    mode: str,
    against: Sequence[str],
    seats: int | None,
    options: Sequence[str],
    private: bool,
    table_id: str | None,
    invitation: str | None,
    game_id: str | None,
    wait: int,
    deck: str | None,
    name: str | None,
    seed: int | None,
    draw_after: int | None,
    once_void: bool,
    envelope: bool,
    as_json: bool,
    passphrase_file: Path | None,
) -> None:
    """Let a bot play a match of MODE (chef, if not said) for you, with your key and deck.

    The bot opens a table and plays against the house's bots (--against) or against other
    players who sit down. After an interruption, --game goes on with the game.
    """
    with access.signed_in(passphrase_file) as (vault, api):
        table = None
        if game_id is None:
            there = the_table(api, table_id, invitation)
            if there is not None:
                table_id, mode = there.id, there.mode
            held = deck_for(api, mode, deck)
            chosen = _bot(mode, name)
            own = None if held is None else held.id
            how: dict[str, Any] = {"private": private, "invitation": invitation}
            table = sit_down(api, mode, against, seats, table_id, own, options_of(mode, options), **how)
            game_id = _begun(api, table, wait, opened=table_id is None)
        else:
            mode = mode_of(api, game_id)
            held = None if deck is None else deck_for(api, mode, deck)
            chosen = _bot(mode, name)
        game = play_by_bot(
            api,
            vault,
            game_id,
            chosen,
            Random(seed),
            deck={} if held is None else held.cards,
            watch=_as_json if as_json else _as_text,
            draw_after=draw_after,
            once_void=once_void,
            envelope=envelope,
            terms=table,
            warn=lambda concern: click.secho(concern.text, bold=True, err=True),
        )
        reward = brought(api, game_id)
    if not as_json:
        click.echo(result(game))
        for line in reward:
            click.echo(line)
        click.echo(f"The record: cloche record {game_id}")


def _begun(api: Api, table: TableInfo, wait: int, *, opened: bool) -> str:
    """Wait until everybody sits at a table; returns the game. For a table that the bot `opened`, says how
    others join."""
    if opened and table.game is None:
        click.echo(f"Waiting for others at table {table.id}.", err=True)
        if table.invitation is not None:
            click.echo(f"The invitation for them: {table.invitation}", err=True)
    game = table.game or await_game(api, table.id, wait)
    if game is None:
        raise CommandError("no_game", "Nobody else sat down, or the table was cancelled.")
    return game


def _as_json(before: Game | None, entry: Entry, game: Game) -> None:
    click.echo(json.dumps(entry.json(), ensure_ascii=False))


def _as_text(before: Game | None, entry: Entry, game: Game) -> None:
    if before is None:
        names = listed(names_of(game))
        click.echo(f"{game.rules.facts.title} between {names}, game {game.header.game}.")
    for line in told(before, entry, game):
        click.echo(line)


def _bot(mode: str, name: str | None) -> Bot:
    known = bots_for(mode)
    wanted = name or default_name(mode)
    if wanted not in known:
        raise CommandError("unknown_bot", f"There is no bot {wanted}; there are {', '.join(known)}.")
    return known[wanted]


def deck_for(api: Api, mode: str, wanted: str | None) -> Any:
    """The deck to sit down with; None for a mode with the house's pack."""
    found = next((item for item in api.modes() if item["name"] == mode), None)
    if found is None:
        names = ", ".join(item["name"] for item in api.modes())
        raise CommandError("unknown_mode", f"There is no mode {mode} here; there are {names}.")
    if mode not in games.names():
        text = f"This house plays {mode}, but this program does not know it: install its package here too."
        raise CommandError("mode_missing", text)
    if not found["own_decks"]:
        return None
    if wanted is not None:
        return find(api, wanted)
    chosen = next(iter(api.decks()), None)
    if chosen is None:
        raise CommandError("no_deck", "You have no deck; `cloche decks new` makes one.")
    return chosen


def mode_of(api: Api, game_id: str) -> str:
    """The mode of a game in which the player sits. Raises `CommandError` for any other game."""
    game = api.game(game_id)
    if game["seat"] is None:
        raise CommandError(
            "not_your_game", f"You have no seat in game {game_id}; cloche watch {game_id} shows it."
        )
    mode: str = game["mode"]
    return mode


def options_of(mode: str, given: Sequence[str]) -> dict[str, Any]:
    """Read options of a table by their kinds. The house checks their values."""
    if mode not in games.names():
        return {}
    known = {option.name: option for option in all_options(games.find(mode))}
    found: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        option = known.get(name)
        if option is None:
            raise CommandError("unknown_option", f"There is no option {name}; there are {', '.join(known)}.")
        if not equals:
            raise CommandError(
                "bad_option",
                f"--option needs a value for {name}, for example --option {name}={_written(option)}.",
            )
        if option.kind == "flag":
            found[name] = {"true": True, "yes": True, "false": False, "no": False}.get(value, value)
        elif option.kind == "choice":
            found[name] = value  # a choice may look like a number: target=61
        else:
            found[name] = int(value) if value.isdecimal() else value
    return found


def _written(option: Option) -> str:
    """An option's default, as a player types it."""
    return str(option.default).lower() if option.kind == "flag" else str(option.default)


def seats_of(mode: str, seats: int | None, against: Sequence[str], *, private: bool) -> int | None:
    """Count the seats to ask for. A private table without bots has at least one seat for a guest."""
    if seats is None and private and not against and mode in games.names():
        return max(2, games.find(mode).facts.seats[0])
    return seats


def the_table(api: Api, table_id: str | None, invitation: str | None) -> TableInfo | None:
    """The table with this id or invitation; None if neither is given."""
    if invitation is not None:
        return api.invitation(invitation)
    return None if table_id is None else api.table(table_id)


def sit_down(
    api: Api,
    mode: str,
    against: Sequence[str],
    seats: int | None,
    table_id: str | None,
    deck: str | None,
    options: Mapping[str, Any] | None = None,
    *,
    format: str | None = None,
    private: bool = False,
    invitation: str | None = None,
) -> TableInfo:
    """Sit down at a new table or at another player's, where the player may sit already."""
    if table_id is None:
        seats = seats_of(mode, seats, against, private=private)
        own: dict[str, Any] = {"options": options, "private": private, "format": format}
        table = api.open_table(mode, deck=deck, seats=seats, bots=against, **own)
        require_request(table, mode, options or {}, private)
        return table
    try:
        return api.join(table_id, deck, invitation)
    except ApiProblem as problem:
        if problem.code not in ("already_seated", "table_closed"):
            raise
        return api.table(table_id)
