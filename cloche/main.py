"""`cloche`: the group of commands. A command's module is imported only when that command runs."""

from __future__ import annotations

import atexit
import gc
import importlib
import warnings
from collections.abc import Iterable
from typing import Any

import click

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("cloche.serve:serve", "Open the house on this machine."),
    "worker": ("cloche.work:worker", "Run a worker beside the house: rounds, clocks, the house's bots."),
    "tidy": ("cloche.tidy:tidy", "Delete rows of the house that are of no more use, now."),
    "check": ("cloche.check:check", "Say what is wrong with the settings before anything starts."),
    "backup": ("cloche.backup:backup", "Copy the house, open or closed: tables and keys."),
    "restore": ("cloche.backup:restore", "Put a backup back where there is no house yet."),
    "admin": ("cloche.admin:admin", "Look after the house: audit the books."),
    "keys": ("cloche.keys:keys", "The house's keys: show them, rotate them."),
    "events": ("cloche.events:events", "Serve the streams of events beside the house, for many listeners."),
    "register": ("cloche.register:register", "Become a player: a key, a handle at a house, a starter deck."),
    "trust": ("cloche.trust:trust", "Know your house by another key, after its old one was stolen."),
    "decks": (
        "cloche.deck_commands:decks",
        "Deck lists: list, show, new, edit, validate, share, diff, missing, stats ...",
    ),
    "collection": ("cloche.collection:collection", "What you own: copies, and where each came from."),
    "boosters": ("cloche.boosters:boosters", "Boosters: list, odds, buy, open, record."),
    "cards": ("cloche.cards:cards", "The cards of a house: search, show, picture, download."),
    "sets": ("cloche.sets:sets", "Card sets: list, versions, changes, moved, release."),
    "market": ("cloche.market:market", "Trade: offers, prices, wishes, what a deck would cost."),
    "play": ("cloche.play:play", "Sit down at a table: play at this terminal, or go on with a game."),
    "tables": ("cloche.tables:tables", "Tables and games to watch: list, show, open, leave, cancel, live."),
    "watch": ("cloche.replay:watch", "Watch a game while it is played."),
    "replay": ("cloche.replay:replay", "Go through a game step by step."),
    "bot": ("cloche.bot:bot", "Let a bot play a match for you."),
    "demo": ("cloche.demo:demo", "Open a house, let bots play a match over HTTP, verify its record."),
    "vault": ("cloche.vault:vault", "Your file of keys and secrets: take it to another device."),
    "webhooks": ("cloche.webhooks:webhooks", "Events sent to endpoints of yours: list, add, rotate, log ..."),
    "record": ("cloche.record:record", "Fetch the record of a game."),
    "pictures": ("cloche.pictures:pictures", "Draw what a game shows: every dish that was served."),
    "verify": ("cloche.verify:verify", "Verify records, each from itself alone, offline."),
    "simulate": ("cloche.simulate:simulate", "Let decks play thousands of matches, and weigh them."),
    "bots": ("cloche.bots:bots", "Let the bots of every mode play each other, and say who wins."),
    "vectors": ("cloche.vectors:vectors", "Write the published test vectors, or check a folder of them."),
    "bench": ("cloche.bench:bench", "Measure what the proofs cost, side by side with the bare arithmetic."),
    "modes": ("cloche.modes:modes", "List the games that are played here."),
    "secret": ("cloche.plumbing:secret", "Plumbing: make or derive the secrets of a match."),
    "enter": ("cloche.plumbing:enter", "Plumbing: build an enter message."),
    "ready": ("cloche.plumbing:ready", "Plumbing: build a ready message."),
    "link": ("cloche.plumbing:link", "Plumbing: build the chain link of the next deal."),
    "move": ("cloche.plumbing:move", "Plumbing: build an open move."),
    "seal": ("cloche.plumbing:seal", "Plumbing: seal a choice, with its proof."),
    "reveal": ("cloche.plumbing:reveal", "Plumbing: open what was sealed."),
}
"""Every command: its name, "module:function" of a click command, its line in `cloche --help`."""


# Importing and opening make hundreds of thousands of objects, nearly all to stay. To look through them for
# cycles, again and again meanwhile and once more at the end, would take nearly as long as all the rest.
_COLLECT_AFTER = (50_000, 20, 20)
gc.set_threshold(*_COLLECT_AFTER)
atexit.register(gc.freeze)


class Lazy(click.Group):
    """A group whose commands are imported when they are needed, so that `cloche --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the registry."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}:{name} is not a click command")
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what the curve engine has to say is said in one line."""
        warnings.showwarning = _in_one_line
        try:
            return super().invoke(ctx)
        except RuntimeError as fault:
            from crypto.engines import EngineError

            if isinstance(fault, EngineError):
                raise click.UsageError(f"{fault}.") from None
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        rows: Iterable[tuple[str, str]] = ((name, text) for name, (_, text) in COMMANDS.items())
        with formatter.section("Commands"):
            formatter.write_dl(list(rows))


def _in_one_line(message: Warning | str, *_: Any, **__: Any) -> None:
    click.echo(f"Note: {message}.", err=True)


@click.command(cls=Lazy)
@click.version_option(package_name="cloche")
def main() -> None:
    """Cloche: a house for card games that nobody can cheat at."""
