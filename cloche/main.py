"""`cloche`: the group of commands. A command's module is imported only when that command runs."""

from __future__ import annotations

import atexit
import gc
import importlib
import warnings
from typing import Any

import click

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Run a house": {
        "serve": ("house.serve:serve", "Open the house on this machine."),
        "worker": ("house.worker:worker", "Run a worker beside the house: rounds, clocks, the house's bots."),
        "tidy": ("house.tidy:tidy", "Delete rows that the house no longer needs, now."),
        "check": ("house.check:check", "Check the settings before anything starts."),
        "backup": ("house.backup:backup", "Copy the house's tables and keys into a folder."),
        "restore": ("house.backup:restore", "Put a backup back, where there is no house yet."),
        "admin": ("house.admin:admin", "Look after the house: books, grants, order among players."),
        "keys": ("house.keys:keys", "Show the house's keys, or make new ones."),
        "ratings": ("house.ratings:ratings", "Look after the ratings: recompute, signals."),
        "events": (
            "house.events:events",
            "Serve streams of events beside the house, for many listeners.",
        ),
    },
    "Your account": {
        "register": (
            "account.register:register",
            "Become a player: get a key, a name at a house, a starter deck.",
        ),
        "sign-in": ("account.sessions:sign_in", "Sign in again: by password, or by your key alone."),
        "password": ("account.sessions:password", "Change your password for the house."),
        "sessions": ("account.sessions:sessions", "List the devices that are signed in as you, or end some."),
        "account": (
            "account.account:account",
            "Take another handle, export what the house keeps about you, or leave it.",
        ),
        "trust": ("account.trust:trust", "Trust a new key of your house, after its old one was stolen."),
        "certificate": (
            "account.certificate:certificate",
            "Trust the certificate of a house on your network.",
        ),
        "vault": ("account.vault:vault", "Take your file of keys and secrets to another device."),
        "web": ("account.web:web", "Play in a browser, with the page's files from this machine."),
        "players": (
            "account.players:players",
            "Keep other players away, or report them: block, unblock, blocked, report, reports.",
        ),
        "moderate": (
            "account.moderate:moderate",
            "Keep order as a moderator: reports, take, close, suspend, freeze, lift, rename ...",
        ),
        "webhooks": (
            "account.webhooks:webhooks",
            "Have events sent to your own addresses: list, add, rotate, log ...",
        ),
    },
    "Decks": {
        "decks": (
            "decks:decks",
            "Build deck lists: list, show, new, edit, validate, share, diff, missing, stats ...",
        ),
    },
    "Cards and trades": {
        "collection": (
            "collection.copies:collection",
            "Look at the copies that you own, and where each came from.",
        ),
        "boosters": ("collection.boosters:boosters", "Buy and open boosters: list, odds, buy, open, record."),
        "cards": ("collection.cards:cards", "Look at the cards of a house: search, show, picture, download."),
        "sets": ("collection.sets:sets", "Look at card sets: list, versions, changes, moved, release."),
        "market": (
            "collection.market:market",
            "Trade cards: offers, prices, wishes, what a deck would cost.",
        ),
    },
    "Play and watch": {
        "play": ("play.play:play", "Play at this terminal, or go on with a game."),
        "games": ("play.games:games", "List the games that you have played."),
        "tables": ("play.tables:tables", "Find and open tables: list, show, open, leave, cancel, live."),
        "challenge": ("play.opponents:challenge", "Challenge a player to a game, or answer a challenge."),
        "queue": ("play.opponents:queue", "Wait for an opponent of about your strength."),
        "tournaments": (
            "play.tournaments:tournaments",
            "Play in tournaments: list, show, standings, round, enter, leave; create and direct them.",
        ),
        "rating": ("play.ladder:rating", "Show a player's ratings."),
        "leaderboard": ("play.ladder:leaderboard", "List the best players of a season."),
        "watch": ("play.replay:watch", "Watch a game while others play it."),
        "replay": ("play.replay:replay", "Go through a game step by step."),
        "bot": ("play.bot:bot", "Let a bot play a match for you."),
        "demo": ("play.demo:demo", "Open a house, let bots play a match over HTTP, and verify its record."),
        "modes": ("play.modes:modes", "List the games that are played here."),
    },
    "Records": {
        "record": ("records.record:record", "Fetch the record of a game."),
        "pictures": ("records.pictures:pictures", "Draw what a game showed: every dish that was served."),
        "verify": ("records.verify:verify", "Verify records offline, each from its file alone."),
        "chain": ("chain.group:chain", "Verify records by contracts on a chain, and put prizes on games."),
    },
    "Measure": {
        "simulate": (
            "measure.simulate:simulate",
            "Let bots play thousands of matches between decks, and compare the decks.",
        ),
        "bots": ("measure.bots:bots", "Let the bots of every mode play each other, and say who wins."),
        "vectors": (
            "measure.vectors:vectors",
            "Write the published test vectors, or check a folder of them.",
        ),
        "load": (
            "measure.load:load",
            "Load a house with many matches at a pace, and measure what it bears.",
        ),
        "rehearse": (
            "measure.rehearse:rehearse",
            "Rehearse an evening of many players in a new house, and check what it leaves.",
        ),
        "bench": (
            "measure.bench:bench",
            "Measure what the proofs cost, beside the bare arithmetic in them.",
        ),
    },
    "Plumbing": {
        "secret": ("plumbing:secret", "Make the secrets of a match, or derive what follows from them."),
        "registration": ("plumbing:registration", "Sign that a key is yours, to register with it."),
        "answer": ("plumbing:answer", "Answer a challenge of the house, in place of a password."),
        "enter": ("plumbing:enter", "Build an enter message."),
        "ready": ("plumbing:ready", "Build a ready message."),
        "link": ("plumbing:link", "Build the link of the next deal."),
        "move": ("plumbing:move", "Build an open move."),
        "lock": ("plumbing:lock", "Lock the cards of the next deal, where nobody deals."),
        "mix": ("plumbing:mix", "Mix the locked cards, where nobody deals."),
        "share": ("plumbing:share", "Unlock the others' cards for them, where nobody deals."),
        "unlock": ("plumbing:unlock", "Unlock a card that is turned up, where nobody deals."),
        "seal": ("plumbing:seal", "Seal a choice, with its proof."),
        "reveal": ("plumbing:reveal", "Open what was sealed."),
    },
}
"""The commands by section of `cloche --help`: name, "module:function" in cloche.commands, help in a line."""

COMMANDS = {name: command for section in SECTIONS.values() for name, command in section.items()}


# Imports make hundreds of thousands of objects, and nearly all of them stay. Searching them for cycles again
# and again, and once more at the end, would take nearly as long as all the rest.
_COLLECT_AFTER = (50_000, 20, 20)
gc.set_threshold(*_COLLECT_AFTER)
atexit.register(gc.freeze)


def load(name: str) -> click.Command:
    """Import the command of this name. Raises KeyError if there is none."""
    module, _, function = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(f"cloche.commands.{module}"), function)
    if not isinstance(command, click.Command):
        raise TypeError(f"{module}:{function} is not a click command")
    return command


class Lazy(click.Group):
    """A group that imports a command only when it is needed, so that `cloche --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the registry."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        return load(cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Errors and warnings of the curve engine are printed in one line."""
        warnings.showwarning = _in_one_line
        try:
            return super().invoke(ctx)
        except RuntimeError as fault:
            from crypto.engines import EngineError

            if isinstance(fault, EngineError):
                raise click.UsageError(f"{fault}.") from None
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of every section without importing them."""
        width = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, (_, text) in commands.items()])


def _in_one_line(message: Warning | str, *_: Any, **__: Any) -> None:
    click.echo(f"Note: {message}.", err=True)


@click.command(cls=Lazy)
@click.version_option(package_name="cloche")
def main() -> None:
    """Cloche: a house for card games that nobody can cheat at."""
