"""`cloche challenge` and `cloche queue`: find somebody to play with."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from client import Api
from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.listing import print_table, table_of
from cloche.commands.play.bot import deck_for, pace_option
from cloche.commands.words import title_of

ID_LENGTH = 36
"""Characters of an id."""
LOOK_EVERY = 2.0
"""Seconds between two looks at the queue."""

_deck = click.option("--deck", metavar="DECK", help="Your deck, by id or name.  [default: your first]")
_format = click.option("--format", metavar="NAME", help="Allow only decks of this format.")


@click.command()
@click.argument("handle", required=False)
@click.argument("mode", required=False)
@click.option("--rated", is_flag=True, help="Let the game change both players' ratings.")
@pace_option
@_format
@_deck
@click.option("--accept", metavar="ID", help="Accept a challenge to you.")
@click.option("--decline", metavar="ID", help="Decline a challenge to you.")
@click.option("--withdraw", metavar="ID", help="Take back a challenge of yours.")
@access.passphrase_option
def challenge(
    handle: str | None,
    mode: str | None,
    rated: bool,
    pace: str,
    format: str | None,
    deck: str | None,
    accept: str | None,
    decline: str | None,
    withdraw: str | None,
    passphrase_file: Path | None,
) -> None:
    """Challenge the player HANDLE to a game of MODE, answer a challenge, or list the open ones."""
    answers = {"accept": accept, "decline": decline, "withdraw": withdraw}
    chosen = [(verb, value) for verb, value in answers.items() if value is not None]
    if len(chosen) + (handle is not None) > 1 or (handle is None) != (mode is None):
        raise click.UsageError("Give a handle and a mode, or one of --accept, --decline and --withdraw.")
    with access.signed_in(passphrase_file) as (_, api):
        if handle is not None and mode is not None:
            held = deck_for(api, mode, deck)
            how = {"pace": pace, "format": format, "rated": rated, "deck": None if held is None else held.id}
            _tell(api.challenge(handle, mode, **how))
        elif chosen:
            _tell(_answered(api, *chosen[0], deck))
        else:
            _list(api.challenges())


def _answered(api: Api, verb: str, challenge_id: str, deck: str | None) -> dict[str, Any]:
    held = None
    if verb == "accept":
        asked = next((each for each in api.challenges() if each["id"] == challenge_id), None)
        held = None if asked is None else deck_for(api, asked["mode"], deck)
    return api.answer_challenge(challenge_id, verb, None if held is None else held.id)


def _list(found: list[dict[str, Any]]) -> None:
    shown = table_of("Id", "By", "To", "Game", "", width=ID_LENGTH)
    for each in found:
        names = (plain(each[who]) for who in ("challenger", "challenged"))
        shown.add_row(each["id"], *names, title_of(each["mode"]), "rated" if each["rated"] else "")
    print_table(shown, "No challenge is open. `cloche challenge HANDLE MODE` makes one.")


def _tell(found: dict[str, Any]) -> None:
    """Print a challenge in a few lines."""
    rated = "a rated game" if found["rated"] else "a game"
    names = f"{plain(found['challenger'])} challenges {plain(found['challenged'])}"
    click.echo(f"{names} to {rated} of {title_of(found['mode'])}: {found['state']}.")
    click.echo(f"Challenge {found['id']}.")
    if found["game"] is not None:
        click.echo(f"`cloche play --game {found['game']}` plays it.")


@click.command()
@click.argument("mode")
@click.option("--unrated", is_flag=True, help="Wait for a game that changes no rating.")
@pace_option
@_format
@_deck
@click.option("--bot", is_flag=True, help="Play a bot of the house if nobody has come after a minute.")
@access.passphrase_option
def queue(
    mode: str,
    unrated: bool,
    pace: str,
    format: str | None,
    deck: str | None,
    bot: bool,
    passphrase_file: Path | None,
) -> None:
    """Wait for an opponent at MODE of about your strength, until there is a game. Ctrl-C stops waiting."""
    with access.signed_in(passphrase_file) as (_, api):
        held = deck_for(api, mode, deck)
        own = None if held is None else held.id
        known = {game["id"] for game in api.games("running")}
        api.wait_for_opponent(mode, pace=pace, format=format, rated=not unrated, deck=own)
        try:
            with Console(stderr=True).status("Waiting for an opponent"):
                waiting = _wait(api, bot)
        except KeyboardInterrupt:
            api.stop_waiting()
            raise
        if waiting is not None:
            api.stop_waiting()
            click.echo(f"Nobody has come: {plain(waiting['bots'][0])} plays with you.")
            table = api.open_table(mode, deck=own, bots=waiting["bots"][:1], format=format)
            found = table.game
        else:
            found = next((game["id"] for game in api.games("running") if game["id"] not in known), None)
    if found is None:
        click.echo("You no longer wait: your time was up, or your deck can't be played.")
    else:
        click.echo(f"Your game has begun: `cloche play --game {found}` plays it.")


def _wait(api: Api, bot: bool) -> dict[str, Any] | None:
    """Wait until the player is no longer in the queue; the place there if a bot is to play instead."""
    while True:
        waiting = api.waiting()
        if waiting is None or (bot and waiting["bots"]):
            return waiting
        time.sleep(LOOK_EVERY)
