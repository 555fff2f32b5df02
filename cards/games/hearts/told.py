"""The account of a round of Chinese Hearts: points and total of each seat, and what made them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cards.games import french
from cards.games.accounts import Section, Told
from cards.games.contract import Line

TOLD = frozenset({"card", "factor", "moon", "round_over", "score", "sun", "ten"})
"""The codes of what these sections tell."""


def sections(lines: Sequence[Line]) -> tuple[Section, ...]:
    """The round is over: a line for each seat."""
    told = [
        Told(
            "score",
            {name: line[name] for name in ("seat", "points", "total")},
            str(line["text"]),
            tuple(_reasons(line)),
        )
        for line in lines
    ]
    return (Section(Told("round_over", {}, "The round is over"), tuple(told)),)


def _reasons(line: Line) -> Iterator[Told]:
    """The cards that count, and what changes their sum (8)."""
    for value in line["values"]:
        text = f"{french.title(value['card'])} {value['value']:+d}"
        yield Told("card", {"card": value["card"], "points": value["value"]}, text)
    if line["moon"]:
        yield Told("moon", {}, "shot the moon")
    if line["ten"]:
        yield Told("ten", {"points": line["ten"]}, f"10 of clubs alone {line['ten']:+d}")
    elif line["factor"] > 1:
        yield Told("factor", {"factor": line["factor"]}, f"10 of clubs x{line['factor']}")
    if line["sun"]:
        yield Told("sun", {}, "shot the sun")
