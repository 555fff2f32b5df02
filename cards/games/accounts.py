"""An account in sections: what its lines tell, as data for any language and as an English text.

A record holds an account as flat lines, whose texts belong to the rules version. `Mode.sections` orders them
for readers. Nothing here stands in a record, so it may grow with any release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that an account tells."""

    code: str
    """The stable code of the sentence: "dish", "match". With `values` any language can say it."""
    values: Mapping[str, Any]
    """The numbers, seats, cards and words of the sentence, as JSON."""
    text: str
    """The sentence in English, without a full stop. It names players as "Seat 0"."""
    reasons: tuple[Told, ...] = ()
    """The parts of which the points are made."""

    def json(self) -> JsonObject:
        """Return it as JSON."""
        return {
            "code": self.code,
            "values": dict(self.values),
            "text": self.text,
            "reasons": [reason.json() for reason in self.reasons],
        }


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an account: a course, a round, or what needs no heading."""

    heading: Told | None = None
    lines: tuple[Told, ...] = field(default=())
    winners: tuple[int, ...] | None = None
    """The seats that win what the section is about, () if nobody does; None if there is nothing to win."""

    def json(self) -> JsonObject:
        """Return it as JSON."""
        return {
            "heading": None if self.heading is None else self.heading.json(),
            "lines": [line.json() for line in self.lines],
            "winners": None if self.winners is None else list(self.winners),
        }


def told_of(line: Mapping[str, Any], code: str = "", reasons: Sequence[Told] = (), /, **values: Any) -> Told:
    """The content of a record's line, with `values` in place of its own of that name or beside them.

    The code is the line's kind unless one is given.

    >>> told_of({"kind": "draw", "seat": 1, "count": 2, "text": "Seat 1 draws 2 cards"}).values
    {'seat': 1, 'count': 2}
    """
    own = {name: value for name, value in line.items() if name not in ("kind", "text", "items")}
    return Told(code or str(line.get("kind", "line")), {**own, **values}, str(line["text"]), tuple(reasons))
