"""`cloche replay` goes through a game step by step, `cloche watch` shows a game while others play it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
from rich.text import Text

from cards.games.contract import Face, Position
from client.http import Api
from client.vault import Vault
from cloche.commands import access
from cloche.commands.errors import CommandError, must_be_valid, plain
from cloche.commands.play.play import PATIENCE, skew_of
from cloche.commands.records.fetching import fetched, meant_game
from cloche.commands.words import title_of
from cloche.table import layout
from cloche.table.matching import meant
from cloche.table.replaying import KEYS, Moment, Replay, moments
from cloche.table.screen import Screen, reader_for
from cloche.table.watched import WatchedGame
from player.session import Session
from referee import read_entry
from referee.record import parse_record


@click.command()
@click.argument("game")
@click.option(
    "--seat", "name", metavar="NAME", help="Show what this player saw.  [default: every card that was opened]"
)
@click.option(
    "--auto",
    "pace",
    type=click.FloatRange(0, 60),
    metavar="SECONDS",
    help="Go on by itself after so many seconds.",
)
@access.house_option
@access.passphrase_option
def replay(
    game: str, name: str | None, pace: float | None, house: str | None, passphrase_file: Path | None
) -> None:
    """Replay GAME round by round: a record file, or a game at your house.

    A game of yours is named by its id or the beginning of it, or by the word last. The record is verified
    first. Of a game that is over you see everything that was ever opened.
    """
    if Path(game).is_file():
        steps = _steps(Path(game).read_bytes(), {})
    else:
        steps = _steps(*_fetched(game, house, passphrase_file))
    names = layout.seat_names(steps[0].game)
    seat = None
    if name is not None:
        fitting = meant(name, names)
        if len(fitting) != 1:
            raise CommandError(
                "unknown_seat", f"{plain(name)} is not in this game; the players are {', '.join(names)}."
            )
        seat = names.index(fitting[0])
    shown = Replay(steps, Screen(), seat)
    reader = reader_for(shown, KEYS)
    shown.live = reader.live
    with reader.around():
        shown.run(reader, pace)


def _fetched(
    game: str, house: str | None, passphrase_file: Path | None
) -> tuple[bytes, Mapping[Position, Face]]:
    """The record of a game, and the faces of the player's own deck while the vault still has its secrets."""
    with meant_game(game, house, passphrase_file) as (vault, api, game):
        data = fetched(api, game)
        return data, {} if vault is None else _own(vault, game, api)


def _own(vault: Vault, game: str, api: Api) -> Mapping[Position, Face]:
    """The player's own cards, which follow from the secrets in the vault while a game runs."""
    if vault.note(game) is None:
        return {}
    session = Session(api, vault, game)
    session.start()
    return session.seat.faces


def _steps(data: bytes, own: Mapping[Position, Face]) -> list[Moment]:
    """Verify a record; returns its steps."""
    must_be_valid(data)
    return moments([read_entry(item) for item in parse_record(data)], own)


@click.command()
@click.argument("game", required=False)
@click.option("--mode", metavar="MODE", help="Choose among games of this mode.")
@access.passphrase_option
def watch(game: str | None, mode: str | None, passphrase_file: Path | None) -> None:
    """Watch GAME while others play it, or choose a game to watch."""
    with access.signed_in(passphrase_file) as (vault, api):
        screen = Screen()
        chosen = game or _chosen(api, mode, screen)
        with api.with_patience(PATIENCE) as quick:
            watched = WatchedGame(quick, chosen, vault.identity.house_key, screen, skew_of(api))
            watched.start()
            reader = reader_for(watched)
            watched.live = reader.live
            with reader.around():
                watched.listen(reader)
                watched.stop()
        if watched.fault is not None:
            raise watched.fault


def _chosen(api: Api, mode: str | None, screen: Screen) -> str:
    """Let the player choose a game that runs now; returns its id."""
    games = list(api.live(mode))
    if not games:
        raise CommandError("nothing_live", "There is no game to watch at the moment.")
    for number, game in enumerate(games, start=1):
        names = ", ".join(plain(str(name)) for name in game["names"])
        screen.say(Text(f"{number}  {title_of(game['mode'])} between {names}, {game['id']}"))
    if len(games) == 1:
        return str(games[0]["id"])
    number = click.prompt("Which game", type=click.IntRange(1, len(games)), default=1)
    return str(games[number - 1]["id"])
