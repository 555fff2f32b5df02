"""Seat 0 of a test's table, as its player's vault knows it."""

from __future__ import annotations

from crypto.identity import public_key
from player.vault_format import Identity
from tests.referee.table import Table


def identity(table: Table) -> Identity:
    """The player of seat 0, and the house that opened the table."""
    house = public_key(table.keeper.private)
    return Identity("ada", "http://127.0.0.1:9", house, table.seats[0].private, "unused")
