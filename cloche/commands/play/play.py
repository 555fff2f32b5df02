"""`cloche play`: play at a terminal, against bots or people."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from bots import teacher_of
from cards import games
from client.http import Api
from client.vault import Vault
from cloche.commands import access
from cloche.commands.errors import CommandError, plain
from cloche.commands.play.bot import deck_for, mode_of, options_of, options_option, sit_down, the_table
from cloche.commands.records.fetching import game_id as whole_id
from cloche.commands.words import number, title_of
from cloche.table import commands
from cloche.table.hot_seat import HotSeatGame, share
from cloche.table.live import LOST
from cloche.table.played import PlayedGame, sitting_at, waiting_at
from cloche.table.presenter import LineCompletion
from cloche.table.screen import Screen, reader_for
from player.house import ApiProblem, TableInfo, Unreachable
from player.session import Session

PATIENCE = 1.0
"""Seconds that a request is repeated silently; after that the table says that the house does not answer."""
HAND_OVER = 300
"""Seconds for each choice of two players at one terminal, who need time to hand it over."""
LOOK_AGAIN = 0.5
"""Seconds between two looks at a table with a free seat."""
KEYS = {"f2": "mute"}
"""The lines that keys stand for while nothing is typed."""


@dataclass(frozen=True)
class PlayRequest:
    """The wishes that the player gave on the command line."""

    mode: str | None
    against: Sequence[str]
    seats: int | None
    deck: str | None
    options: Sequence[str]
    format: str | None
    private: bool
    invitation: str | None
    table: str | None
    game: str | None
    teach: bool
    hot_seat: Path | None
    standin: bool


@click.command()
@click.argument("mode", required=False)
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help="A bot of the house that sits down with you, by name or level (easy to best); repeatable.",
)
@click.option(
    "--seats", type=click.IntRange(1, 12), help="Seats of your table.  [default: as few as possible]"
)
@click.option("--deck", metavar="DECK", help="Your deck, by id or name.  [default: your first]")
@options_option
@click.option(
    "--format",
    metavar="NAME",
    help="Allow only decks of this format at your table; `cloche decks formats` lists them.",
)
@click.option(
    "--teach",
    is_flag=True,
    help="Learn the game: sit down with a bot that teaches it. A refused move gets a no; `why` explains.",
)
@click.option(
    "--hot-seat",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="A second player joins at this terminal, with the file in FOLDER (their CLOCHE_HOME) and their first"
    " deck.",
)
@click.option(
    "--standin/--no-standin",
    default=True,
    show_default=True,
    help="Where nobody deals: have your program make the move of an absent player three seconds before your"
    " deadline. Without it your time runs out, and a third time costs you your seat.",
)
@click.option(
    "--private",
    is_flag=True,
    help="Open a table by invitation only. It has at least two seats, unless bots sit there.",
)
@click.option("--invitation", metavar="CODE", help="Sit down at the private table of this invitation.")
@click.option("--table", metavar="ID", help="Sit down at this table.")
@click.option("--game", metavar="ID", help="Go on with this game of yours.")
@access.passphrase_option
def play(passphrase_file: Path | None, **wanted: Any) -> None:
    """Play MODE at this terminal, against the house's bots (--against) or players who sit down.

    Without MODE it goes on with your running game. Leave when you like, and come back with
    `cloche play`, from here or from another device with your file.
    """
    wish = PlayRequest(**wanted)
    with access.signed_in(passphrase_file) as (vault, api):
        screen = Screen()
        if wish.hot_seat is not None:
            _share(api, vault, wish, wish.hot_seat, screen)
            return
        if wish.game is not None:
            wish = replace(wish, game=whole_id(api, wish.game))
        table = None if wish.game is not None else _table(api, wish, screen)
        game_id = wish.game or _begun(api, table, screen)
        while game_id is not None:
            agreed = table if isinstance(table, TableInfo) else None
            how = {"teaching": wish.teach, "stands_in": wish.standin}
            again = at_table(api, vault, game_id, wish.deck, screen, agreed=agreed, **how)
            if not again:
                return
            deck = _of_game(api, game_id, wish.deck)
            table = api.rematch(game_id, deck[0])
            game_id = _begun(api, table, screen)


def at_table(
    api: Api,
    vault: Vault,
    game_id: str,
    deck: str | None,
    screen: Screen,
    *,
    teaching: bool = False,
    agreed: TableInfo | None = None,
    stands_in: bool = True,
) -> bool:
    """Play one game until the player leaves; returns whether it is for a rematch."""
    cards: Mapping[str, int] = {}
    if vault.note(game_id) is None or deck is not None:
        cards = _of_game(api, game_id, deck)[1]
    with api.with_patience(PATIENCE) as quick:
        session = Session(quick, vault, game_id, cards, terms=agreed, stands_in=stands_in)
        first = all(game["id"] == game_id for game in islice(api.games(), 2))
        played = PlayedGame(session, quick, screen, skew_of(api), teaching=teaching, first=first)
        reader = reader_for(_Talk(played), KEYS)
        played.live = reader.live
        with reader.around():
            _start(played)
            with contextlib.suppress(KeyboardInterrupt):
                commands.sit(played, reader)
            played.stop()
            if played.game.over:
                played.wait_until(
                    lambda: False
                )  # so that the end is printed and the game's secrets are deleted
            elif played.fault is None:
                screen.say(
                    Text("The game and its clock go on. Come back, here or on another device:"),
                    Text(f"  cloche play --game {game_id}"),
                )
    if played.fault is not None:
        raise played.fault
    return played.again


def _share(api: Api, vault: Vault, wish: PlayRequest, folder: Path, screen: Screen) -> None:
    """Two players at this terminal, at a private table of the first one or in a running game."""
    if wish.table is not None or wish.invitation is not None or wish.teach:
        raise click.UsageError(
            "--hot-seat opens a new table, so --table, --invitation and --teach can't go with it."
        )
    screen.say(Text(f"The second player's file, in {folder}:"))
    with access.signed_in_from(folder, vault.identity.house) as (other, second):
        if other.identity.public == vault.identity.public:
            raise CommandError(
                "same_player", f"The file in {folder} is your own. The second player needs another one."
            )
        both = ((api, vault, wish.deck), (second, other, None))
        table = None if wish.game is not None else _together(api, second, wish, screen)
        game_id = wish.game or _begun(api, table, screen)
        while game_id is not None and _shared(both, game_id, folder, screen, table):
            for client, _, deck in both:
                table = client.rematch(game_id, _of_game(client, game_id, deck)[0])
            game_id = _begun(api, table, screen)


def _together(api: Api, second: Api, wish: PlayRequest, screen: Screen) -> TableInfo:
    """A new private table at which both have sat down."""
    if wish.mode is None:
        raise CommandError("no_mode", "Name a MODE to play, or with --game the game to go on with.")
    facts = games.find(wish.mode).facts if wish.mode in games.names() else None
    seats = wish.seats or max(2 + len(wish.against), facts.seats[0] if facts else 0)
    if seats < 2 + len(wish.against):
        raise CommandError("no_seat", f"A table of {number(seats, 'seat')} is too small for all of you.")
    clocks = [option for option in facts.options if option.kind == "seconds"] if facts else []
    slow = [f"{clock.name}={HAND_OVER}" for clock in clocks if clock.default < HAND_OVER]
    alone = replace(wish, private=True, seats=seats, options=(*slow, *wish.options))
    opened = _sit_down(api, wish.mode, alone, None)
    joined = replace(alone, against=(), seats=None, private=False, invitation=opened.invitation, deck=None)
    _sit_down(second, wish.mode, joined, opened.id)
    return api.table(opened.id)


def _shared(
    players: Sequence[tuple[Api, Vault, str | None]],
    game_id: str,
    folder: Path,
    screen: Screen,
    agreed: TableInfo | None,
) -> bool:
    """Play one game of two players at this terminal; returns whether they want another one."""
    with contextlib.ExitStack() as stack:
        both = []
        for client, vault, deck in players:
            cards = _of_game(client, game_id, deck)[1] if vault.note(game_id) is None else {}
            quick = stack.enter_context(client.with_patience(PATIENCE))
            session = Session(quick, vault, game_id, cards, terms=agreed)
            both.append(HotSeatGame(session, quick, screen, skew_of(client)))
        for played in both:
            _start(played)
        again = False
        with contextlib.suppress(KeyboardInterrupt):
            again = share(both, screen)
        if not any(played.over for played in both):
            screen.say(
                Text("The game and its clock go on. Come back, both or each alone:"),
                Text(f"  cloche play --game {game_id} --hot-seat {folder}"),
            )
    return again


def _of_game(api: Api, game_id: str, wanted: str | None) -> tuple[str | None, Mapping[str, int]]:
    """The deck for a game, as its id and its cards."""
    return _deck(api, mode_of(api, game_id), wanted)


class _Talk:
    """A game, as its reader knows it."""

    def __init__(self, played: PlayedGame) -> None:
        self._played = played

    def prompt(self) -> str:
        return self._played.prompt()

    def toolbar(self) -> list[str]:
        return self._played.toolbar()

    def pinned(self) -> list[str]:
        return self._played.pinned()

    def offers(self, line: str) -> list[LineCompletion]:
        return commands.offers(self._played, line)


def _start(played: PlayedGame) -> None:
    """Sit down, as soon as the house answers."""
    told = False
    while True:
        try:
            played.start()
            return
        except Unreachable:
            if not told:
                played.screen.say(Text(LOST))
            told = True
            time.sleep(LOOK_AGAIN)


def skew_of(api: Api) -> int:
    """Measure by one request how far the house's clock is ahead of ours, in milliseconds."""
    before = time.time()
    known = api.house().time
    return known - int((before + time.time()) * 500)


def _deck(api: Api, mode: str, wanted: str | None) -> tuple[str | None, Mapping[str, int]]:
    """The deck to sit down with, as its id and its cards."""
    held = deck_for(api, mode, wanted)
    return (None, {}) if held is None else (held.id, held.cards)


# Sitting down


def _table(api: Api, wish: PlayRequest, screen: Screen) -> TableInfo | str:
    """Sit down at the table that the player asked for. Returns the table, or the id of a running game."""
    found = the_table(api, wish.table, wish.invitation)
    if found is not None:
        return _sit_down(api, found.mode, wish, found.id)
    if wish.mode is not None:
        return _sit_down(api, wish.mode, wish, None)
    return _unfinished(api, screen)


def _sit_down(api: Api, mode: str, wish: PlayRequest, table_id: str | None) -> TableInfo:
    """Sit down at this table, or at a new one."""
    return sit_down(
        api,
        mode,
        wish.against or _teachers(mode, wish),
        wish.seats,
        table_id,
        _deck(api, mode, wish.deck)[0],
        options_of(mode, wish.options),
        format=wish.format,
        private=wish.private,
        invitation=wish.invitation,
    )


def _teachers(mode: str, wish: PlayRequest) -> Sequence[str]:
    """The bot that teaches the mode, if --teach asks for one at a new table."""
    if not wish.teach or wish.table is not None or wish.invitation is not None or wish.private:
        return ()
    found = teacher_of(mode)
    if found is None:
        raise CommandError("no_teacher", f"No bot teaches {mode}; name others with --against.")
    return (found,)


def _unfinished(api: Api, screen: Screen) -> TableInfo | str:
    """The player's running game (the player chooses among several), or the table where the player waits."""
    games = list(api.games("running"))
    if not games:
        table = next(iter(api.tables(mine=True)), None)
        if table is None:
            raise CommandError(
                "nothing_runs",
                "You have no running game. Begin one: cloche play chef --against gourmet, or cloche play chef"
                " to wait for another player; cloche modes lists all games.",
            )
        return table
    if len(games) == 1:
        return str(games[0]["id"])
    for choice, game in enumerate(games, start=1):
        names = ", ".join(plain(name) for name in game["names"])
        screen.say(Text(f"{choice}  {title_of(game['mode'])} between {names}, {game['id']}"))
    chosen = click.prompt("Which game", type=click.IntRange(1, len(games)), default=1)
    return str(games[chosen - 1]["id"])


def _begun(api: Api, table: TableInfo | str | None, screen: Screen) -> str | None:
    """Wait until everybody sits at a table; returns the game, or None if the player gives the table up."""
    if table is None or isinstance(table, str):
        return table
    if table.game is not None:
        return table.game
    screen.say(*waiting_at(table), Text("Waiting. Ctrl-C gives up the table."))
    there = sitting_at(table)
    try:
        while True:
            with contextlib.suppress(Unreachable):
                table = api.table(table.id)
            before, there = there, sitting_at(table)
            screen.say(*(Text(f"{name} sits down.") for name in there if name not in before))
            screen.say(*(Text(f"{name} has left the table.") for name in before if name not in there))
            if table.game is not None:
                return table.game
            if table.state != "open":
                raise CommandError("no_game", f"The table is {table.state}.")
            time.sleep(LOOK_AGAIN)
    except KeyboardInterrupt:
        _give_up(api, table.id)
        screen.say(Text("You have left the table."))
        return None


def _give_up(api: Api, table_id: str) -> None:
    try:
        api.cancel(table_id)
    except ApiProblem:
        api.leave(table_id)
