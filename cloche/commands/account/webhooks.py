"""`cloche webhooks`: a player's events, sent to the player's own addresses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from client.webhooks import Webhooks
from cloche.commands import access
from cloche.commands.errors import plain
from cloche.commands.groups import CommandGroup
from cloche.commands.listing import print_table


@click.group(cls=CommandGroup)
def webhooks() -> None:
    """Have signed events sent to your own addresses: list, add, remove, rotate, ping, enable, log."""


_id = click.argument("webhook", metavar="ID")


@contextmanager
def _mine(passphrase_file: Path | None) -> Iterator[Webhooks]:
    with access.signed_in(passphrase_file) as (_, api):
        yield Webhooks(api)


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def _text(value: Any) -> str:
    return escape(plain(str(value)))


def _secret(made: dict[str, Any]) -> None:
    click.echo(f"{made['id']}: {plain(made['url'])}")
    click.echo(f"Secret, shown this once: {plain(made['secret'])}")


@webhooks.command("list")
@access.passphrase_option
def list_webhooks(passphrase_file: Path | None) -> None:
    """List your webhooks."""
    with _mine(passphrase_file) as mine:
        shown = _table("Id", "URL", "Events", "")
        for each in mine.every():
            state = "failing" if each["failing_since"] else ""
            if each["disabled_at"]:
                state = f"disabled: {each['disabled_reason']}"
            shown.add_row(
                _text(each["id"]), _text(each["url"]), _text(", ".join(each["events"])), _text(state)
            )
        print_table(shown, "You have no webhooks; `cloche webhooks add URL` adds one.")


@webhooks.command()
@click.argument("url")
@click.option("--event", "events", multiple=True, default=("*",), help="Send only this event; repeatable.")
@access.passphrase_option
def add(url: str, events: tuple[str, ...], passphrase_file: Path | None) -> None:
    """Have events sent to URL: `cloche webhooks add https://example.org/hook --event game.asked`."""
    with _mine(passphrase_file) as mine:
        _secret(mine.add(url, events))


@webhooks.command()
@_id
@access.passphrase_option
def remove(webhook: str, passphrase_file: Path | None) -> None:
    """Remove a webhook, so that nothing is sent there any more."""
    with _mine(passphrase_file) as mine:
        mine.remove(webhook)
        click.echo("Removed.")


@webhooks.command()
@_id
@access.passphrase_option
def rotate(webhook: str, passphrase_file: Path | None) -> None:
    """Make a new secret. For a day the old one signs as well."""
    with _mine(passphrase_file) as mine:
        _secret(mine.rotate(webhook))


@webhooks.command()
@_id
@access.passphrase_option
def ping(webhook: str, passphrase_file: Path | None) -> None:
    """Send a webhook.ping to a webhook; `log` says whether it has arrived."""
    with _mine(passphrase_file) as mine:
        click.echo(f"Sent as msg_{plain(mine.ping(webhook)['id'])}.")


@webhooks.command()
@_id
@access.passphrase_option
def enable(webhook: str, passphrase_file: Path | None) -> None:
    """Enable a webhook that was disabled."""
    with _mine(passphrase_file) as mine:
        mine.enable(webhook)
        click.echo("Enabled.")


@webhooks.command()
@_id
@access.passphrase_option
def log(webhook: str, passphrase_file: Path | None) -> None:
    """Show what was sent to a webhook, and what it answered."""
    with _mine(passphrase_file) as mine:
        shown = _table("At", "Event", "State", "Answers")
        for each in mine.deliveries(webhook):
            answers = ", ".join(str(a["status"] or a["error"]) for a in each["attempts"])
            shown.add_row(
                _text(each["created_at"]), _text(each["event"]), _text(each["state"]), _text(answers)
            )
        print_table(shown, "Nothing was sent to this webhook yet.")
