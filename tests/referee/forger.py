"""Cheats: refusals to expect of them, messages signed anew, and a house that writes what it likes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from referee import Entry, Game, Message, Refused, Report, apply, record_bytes, verify_record, write_message
from referee.checks import Checks, Trusting
from referee.record import GENESIS, HOUSE, write_entry
from tests.referee.table import Table


@contextmanager
def refused(code: str, pointer: str | None = None) -> Iterator[None]:
    """Check that the code inside is refused with this code and, if given, this pointer."""
    with pytest.raises(Refused) as caught:
        yield
    found = caught.value
    assert (found.code, found.pointer if pointer is not None else None) == (code, pointer), found.text


def again(table: Table, message: Message, **changes: Any) -> Message:
    """A message with fields of its body changed, signed anew by its own seat."""
    return signed(table, message.seat, message.kind, {**message.body, **changes}, message.step)


def signed(table: Table, seat: int, kind: str, body: Mapping[str, Any], step: int) -> Message:
    """Any message of a seat, rightly signed."""
    return write_message(table.seats[seat].private, table.game.header.game, step, seat, kind, body)


def without(body: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """A body that lacks some fields."""
    return {name: value for name, value in body.items() if name not in names}


def at_path(value: Any, path: Sequence[str | int], new: Any) -> Any:
    """A JSON value with what lies at a path exchanged."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        return {**value, first: at_path(value[first], rest, new)}
    items = list(value)
    assert isinstance(first, int)
    items[first] = at_path(items[first], rest, new)
    return items


def rewritten(entry: Entry, head: tuple[int, bytes], private: bytes, **changes: Any) -> Entry:
    """An entry after another one, with fields changed, signed by the house anew."""
    fields: dict[str, Any] = {
        name: getattr(entry, name) for name in ("at", "step", "actor", "kind", "body", "player_signature")
    }
    return write_entry(private, head, **{**fields, **changes})


def chained(entries: Sequence[Entry], private: bytes) -> list[Entry]:
    """The entries one after another, with numbers, links and house signatures that fit: a record forked."""
    written: list[Entry] = []
    for entry in entries:
        head = (written[-1].seq, written[-1].digest) if written else (-1, GENESIS)
        written.append(rewritten(entry, head, private))
    return written


def report(entries: Sequence[Entry], **options: Any) -> Report:
    """Return what anyone finds who verifies these entries as a record file."""
    return verify_record(record_bytes(entries), **options)


def found(entries: Sequence[Entry], **options: Any) -> tuple[int | None, str, str]:
    """The fault that anyone finds: entry, code and pointer."""
    fault = report(entries, **options).fault
    assert fault is not None, "the record is valid"
    return fault.entry, fault.code, fault.pointer


@dataclass
class Crook:
    """A house that signs what it likes, after the record so far."""

    table: Table
    entries: list[Entry] = field(default_factory=list)

    @classmethod
    def of(cls, table: Table) -> Crook:
        """The house of this table, turned crooked now."""
        return cls(table.copy(), list(table.record))

    @property
    def head(self) -> Entry:
        """Its newest entry."""
        return self.entries[-1]

    def write(self, kind: str, body: Mapping[str, Any], step: int, at: int | None = None) -> Entry:
        """An entry of the house."""
        return self._add(at, step, HOUSE, kind, body, None)

    def enter(self, message: Message, at: int | None = None) -> Entry:
        """A player's message as an entry, whatever is wrong with it."""
        return self._add(at, message.step, str(message.seat), message.kind, message.body, message.signature)

    def _add(
        self,
        at: int | None,
        step: int,
        actor: str,
        kind: str,
        body: Mapping[str, Any],
        signature: bytes | None,
    ) -> Entry:
        head, private = self.head, self.table.keeper.private
        entry = write_entry(
            private,
            (head.seq, head.digest),
            head.at if at is None else at,
            step,
            actor,
            kind,
            body,
            signature,
        )
        self.entries.append(entry)
        return entry

    def fold(self, checks: Checks | None = None) -> Game:
        """Fold the record as a spectator does; raises `Refused`."""
        return folded(self.entries, checks or Trusting())


def folded(entries: Sequence[Entry], checks: Checks) -> Game:
    """A spectator's fold of a record; raises `Refused`."""
    game: Game | None = None
    for entry in entries:
        game = apply(game, entry, checks)
    assert game is not None
    return game


__all__ = [
    "Crook",
    "again",
    "at_path",
    "chained",
    "folded",
    "found",
    "refused",
    "report",
    "rewritten",
    "signed",
    "without",
]
