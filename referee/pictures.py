"""The pictures of a record's accounts, drawn by its mode from the record alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cards.games.contract import Mode, Picture
from referee.header import Header
from referee.record import Entry


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of a game. Its name is the account's seq and the picture's number there, from 1: "12-1"."""

    name: str
    seq: int
    at: int
    """The time of the account, in milliseconds since 1970."""
    picture: Picture


def draws(mode: Mode[Any]) -> bool:
    """Tell whether a mode draws pictures of its accounts at all."""
    return type(mode).pictures is not Mode.pictures


def shown(header: Header, entries: Iterable[Entry]) -> Iterator[Shown]:
    """The pictures of a game, in the order of its accounts. Entries of other kinds are skipped."""
    names = [player.name for player in header.players]
    for entry in entries:
        if entry.kind != "account":
            continue
        found = header.mode.pictures(entry.body["lines"], header.cards, names)
        for number, picture in enumerate(found, 1):
            yield Shown(f"{entry.seq}-{number}", entry.seq, entry.at, picture)
