"""Texts about games: what happened, who won; names and numbers in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cards import games
from cloche.commands.errors import plain
from referee import Entry, Game
from referee.clocks import late

ENVELOPE_ASKS = (
    "The price: the house can read the meal before it is revealed,"
    " and row 6 of the protocol's trust table does not cover that reveal."
)
"""The warning about what a chef who encloses a reveal trusts the house with.

It stands wherever an envelope is offered.
"""


def names_of(game: Game) -> list[str]:
    """The players' names by seat, with the seat's number after a name that occurs twice."""
    names = [plain(player.name) for player in game.header.players]
    return [name if names.count(name) == 1 else f"{name} {i}" for i, name in enumerate(names)]


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: "Anna, Ben and Clara"."""
    *most, last = map(plain, names) if (names := [*names]) else [""]
    return f"{', '.join(most)} and {last}" if most else last


def number(count: int, what: str, many: str | None = None) -> str:
    """A count and its noun, with `many` for an irregular plural.

    >>> number(1, "error"), number(0, "error"), number(2, "copy", "copies")
    ('1 error', '0 errors', '2 copies')
    """
    return f"{count} {what if count == 1 else many or what + 's'}"


def told(before: Game | None, entry: Entry, game: Game) -> list[str]:
    """Say what an entry tells people: an account with the points, or a time-out.

    `game` is the game after it.
    """
    names = names_of(game)
    if entry.kind == "account":
        points = "  ".join(f"{name} {n}" for name, n in zip(names, entry.body["points"], strict=True))
        lines = [named(str(line["text"]), names) for line in entry.body["lines"]]
        return [*lines, f"  Points: {points}"]
    if entry.kind == "timeout" and (before is None or late(before, entry)):
        return [f"{names[entry.body['seat']]} let the time pass ({entry.body['kind']})."]
    return []


def title_of(mode: str) -> str:
    """The title of a mode, plain; the mode itself where this program does not know it."""
    return games.find(mode).facts.title if mode in games.names() else plain(mode)


def named(text: str, names: Sequence[str]) -> str:
    """A line with the players' names in place of "seat 0"."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return re.sub(r"\b[Ss]eat (\d+)\b", name, text)


def result(game: Game) -> str:
    """Say how a game ended: "Anna wins, 30 : 13 (points)", or that it has not."""
    outcome, names = game.outcome, names_of(game)
    if outcome is None:
        return "It is not over"
    points = " : ".join(map(str, outcome.points))
    if not outcome.winners:
        how = "Nobody wins"
    elif len(names) == 1:
        how = f"{names[0]} has played alone"
    elif len(outcome.winners) == len(names):
        how = "A draw"
    else:
        verb = "wins" if len(outcome.winners) == 1 else "win"
        how = f"{listed(names[seat] for seat in outcome.winners)} {verb}"
    return f"{how}, {points} ({outcome.reason})"
