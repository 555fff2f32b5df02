"""`cloche record`: fetch the record of a game."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.commands import access
from cloche.commands.files import write_out
from cloche.commands.records.fetching import fetched, meant_game


@click.command()
@click.argument("game")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write; - is standard output.  [default: cloche-GAME.json]",
)
@access.house_option
@access.passphrase_option
def record(game: str, out: str | None, house: str | None, passphrase_file: Path | None) -> None:
    """Fetch the record of GAME as a file that `cloche verify` checks.

    GAME is an id, the beginning of the id of a game of yours, or the word last. With --house you are not
    signed in, which is enough for games that are over, by their whole ids. Without it you are, and can fetch
    your own running games too. A short id or last signs you in wherever you are a player.
    """
    with meant_game(game, house, passphrase_file) as (_, api, game):
        data = fetched(api, game)
    write_out(data, out, f"cloche-{game}.json")
