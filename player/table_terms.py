"""Table terms: a table must be what its player asked for, and its game must be what the table says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from player.house import HouseFault, TableInfo
from referee import Entry, Game
from referee.bodies import same_json
from referee.header import DEALER, EARLY_LINKS


def require_request(table: TableInfo, mode: str, options: Mapping[str, Any], private: bool) -> None:
    """Check that a table that we have opened is the one we asked for. Raises `HouseFault` wrong_table."""
    other = _different(table.options, options)
    if other or (table.mode, table.private) != (mode, private):
        asked = {"mode": mode, "options": dict(options), "private": private}
        names = f" ({', '.join(other)})" if other else ""
        text = f"the house has opened another table than we asked for{names}"
        raise HouseFault("wrong_table", text, {"asked": asked, "table": asdict(table)})


def require_terms(game: Game, table: TableInfo, record: Sequence[Entry]) -> None:
    """Check that a game is played on the terms of its table. Raises `HouseFault` wrong_table.

    The record holds everybody to its first entry. Only the player can check that this entry names the
    terms on which they sat down. The players at the table may have changed until the game began.
    """
    header = game.header
    # The record doesn't hold the options that concern decks alone.
    # A record that names no dealer is of a game that the house deals.
    played = {DEALER.name: DEALER.default, **header.options, EARLY_LINKS.name: header.early_links}
    other = _different(played, {name: value for name, value in table.options.items() if name in played})
    if len(header.players) != len(table.seats):
        other.append("seats")
    if header.mode.facts.name != table.mode:
        other.insert(0, "mode")
    if other:
        text = f"the game does not keep the terms of its table: {', '.join(other)}"
        raise HouseFault("wrong_table", text, {"table": asdict(table)}, record)


def _different(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """The names in `wanted` whose values are missing or different in `found`."""
    return [name for name, value in wanted.items() if name not in found or not same_json(found[name], value)]
