"""What was agreed to at a table, and whether the game that begins there is that one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from player.house import HouseFault, TableInfo
from referee import Entry, Game
from referee.bodies import same_json
from referee.header import EARLY_LINKS


def require_request(table: TableInfo, mode: str, options: Mapping[str, Any], private: bool) -> None:
    """See that a table that we have opened is what we asked for. Raises `HouseFault` wrong_table."""
    other = _different(table.options, options)
    if other or (table.mode, table.private) != (mode, private):
        asked = {"mode": mode, "options": dict(options), "private": private}
        told = f" ({', '.join(other)})" if other else ""
        text = f"it has opened another table than we asked for{told}"
        raise HouseFault("wrong_table", text, {"asked": asked, "table": asdict(table)})


def require_terms(game: Game, table: TableInfo, record: Sequence[Entry]) -> None:
    """See that a game is played as its table said. Raises `HouseFault` wrong_table.

    The record, which has begun so, holds everybody to its first entry; that this is what we sat down for,
    nobody else can know. Who else sits there may have changed until it began.
    """
    header = game.header
    # What a table asks of decks alone is in no record.
    played = {**header.options, EARLY_LINKS.name: header.early_links}
    other = _different(played, {name: value for name, value in table.options.items() if name in played})
    if len(header.players) != len(table.seats):
        other.append("seats")
    if header.mode.facts.name != table.mode:
        other.insert(0, "mode")
    if other:
        text = f"the game is another one than its table said: {', '.join(other)}"
        raise HouseFault("wrong_table", text, {"table": asdict(table)}, record)


def _different(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """The names of what is wanted and is not so."""
    return [name for name, value in wanted.items() if name not in found or not same_json(found[name], value)]
