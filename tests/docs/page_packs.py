"""A second reading of docs/protocol.md, section 20: packs that nobody deals. It imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.docs import page_tables as tables

OURS = 255


@dataclass
class Pack:
    """The pack of an attempt, or of a deal in play."""

    deal: int
    excluded: set[int]
    codes: list[str]
    """The faces of its cards in canonical order."""
    first: int
    """The position of its first card."""
    point: dict[str, bytes]
    older: list[Pack] = field(default_factory=list)
    """The packs to which this one adds cards, the oldest first."""
    locks: dict[int, bytes] = field(default_factory=dict)
    cards: list[tuple[bytes, bytes]] = field(default_factory=list)
    shares: dict[int, dict[int, bytes]] = field(default_factory=dict)
    mixed: list[int] = field(default_factory=list)
    before: Any = None
    """The rules before the deal, once it is in play."""
    late: dict[int, int] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)
    found: bool = False
    """True if a search has shown its card."""

    kept: set[int] = field(default_factory=set)
    """Cards that a seat has taken in this turn, and proved not to be the one."""

    @property
    def seats(self) -> list[int]:
        return sorted(self.locks.keys() - {OURS})

    @property
    def all(self) -> list[Pack]:
        return [*self.older, self]

    def of(self, position: int) -> Pack:
        """The pack to which a card belongs: this one, or one of those before it."""
        return next(pack for pack in self.all if 0 <= position - pack.first < len(pack.codes))

    def pair(self, position: int) -> tuple[bytes, bytes]:
        return self.cards[position - self.first]

    def lockers(self, position: int) -> set[int]:
        pack = self.of(position)
        return pack.locks.keys() - pack.shares.get(position, {}).keys()

    def under(self, position: int) -> bytes:
        pack = self.of(position)
        return tables.less(pack.pair(position)[1], [*pack.shares.get(position, {}).values()])

    def face(self, position: int) -> str | None:
        under = self.under(position)
        return next((code for code, point in self.of(position).point.items() if point == under), None)
