"""`cloche modes`: the games that can be played."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bots import bots_for, levels_of
from cards import games
from cards.games import contract


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, options too.")
def modes(as_json: bool) -> None:
    """List the games that can be played, with their seats, their rules and the bots for each level."""
    facts = [describe(games.find(name).facts) for name in games.names()]
    if as_json:
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("Mode", "Game", "Seats", "Cards", "Rules", "Bots"):
        table.add_column(heading)
    for fact in facts:
        low, high = fact["seats"]
        table.add_row(
            fact["name"],
            f"{fact['title']}: {fact['summary']}",
            str(low) if low == high else f"{low} to {high}",
            fact["cards"],
            fact["rules"],
            "\n".join(f"{level} {bot}" for level, bot in fact["levels"].items()),
        )
    Console().print(table)


def describe(facts: contract.Facts) -> dict[str, Any]:
    """A mode's facts as a JSON object. An option has only the fields that its kind uses."""
    return {
        "name": facts.name,
        "title": facts.title,
        "summary": facts.summary,
        "rules": facts.rules,
        "seats": list(facts.seats),
        "cards": "own decks" if facts.own_decks else "house pack",
        "bots": [*bots_for(facts.name)],
        "levels": {**levels_of(facts.name)},
        "options": [_option(option) for option in facts.options],
    }


def _option(option: contract.Option) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": option.name,
        "kind": option.kind,
        "default": option.default,
        "text": option.text,
    }
    if option.low is not None:
        shown["low"] = option.low
    if option.high is not None:
        shown["high"] = option.high
    if option.choices:
        shown["choices"] = list(option.choices)
    return shown
