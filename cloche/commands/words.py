"""Texts about games: what happened, who won; names and numbers in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cards import games
from client.http import Api
from cloche.commands.errors import plain
from player.house import ApiProblem, Unreachable
from player.watchfulness import absence
from referee import Entry, Game
from referee.clocks import late

ENVELOPE_ASKS = (
    "The price: the house can read the meal before it is revealed,"
    " and row 6 of the protocol's trust table does not cover that reveal."
)
"""The warning about what a chef who encloses a reveal trusts the house with.

It stands wherever an envelope is offered.
"""

SHORT = 8
"""The characters of a game's id that are shown to people; commands take them for the whole id."""


def names_of(game: Game) -> list[str]:
    """The players' names by seat, with the seat's number after a name that occurs twice."""
    return [plain(name) for name in game.header.names]


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
        lines = []
        for section in game.rules.sections(entry.body["lines"], game.header.cards):
            heading = [] if section.heading is None else [named(section.heading.text, names)]
            indent = "  " if heading else ""
            lines += [*heading, *(indent + named(line.text, names) for line in section.lines)]
        return [*lines, f"  Points: {points}"]
    if entry.kind == "annul":
        return [annulled(entry, names)]
    if entry.kind == "timeout" and (before is None or late(before, entry)):
        return [f"{names[entry.body['seat']]} let the time pass ({entry.body['kind']})."]
    return [was_away(entry)] if entry.kind == "away" else []


def annulled(entry: Entry, names: Sequence[str]) -> str:
    """Say what an `annul` tells."""
    gone = listed(names[seat] for seat in entry.body["seats"])
    return (
        f"DEAL {entry.body['deal']} IS VOID: {gone} can't show a card any more, and the others go on without."
    )


def was_away(entry: Entry) -> str:
    """Say what an `away` tells."""
    began, ended = absence(entry)
    long = duration(ended - began)
    return f"The house was away for {long}. Every clock has what it had left, and at least 30 s."


def silences(game: Game) -> list[str]:
    """Say who let the time pass how often in a game, by kind, and how long the house was away."""
    found = []
    for name, seat in zip(names_of(game), game.seats, strict=True):
        if seat.timeouts:
            kinds = ", ".join(number(count, kind) for kind, count in sorted(seat.timeouts.items()))
            total = sum(seat.timeouts.values())
            often = "once" if total == 1 else number(total, "time")
            found.append(f"{name} let the time pass {often}: {kinds}.")
    return [*found, *([f"The house was away for {duration(game.away)} in all."] if game.away else [])]


def duration(milliseconds: int) -> str:
    """A stretch of time, by its two largest units.

    >>> duration(400), duration(61_000), duration(3 * 3_600_000 + 59_000), duration(86_400_000)
    ('1 s', '1 min 1 s', '3 h', '24 h')
    """
    seconds = max(round(milliseconds / 1000), 1)
    parts = ((seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s"))
    first = next(i for i, (count, _) in enumerate(parts) if count)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count)


_SPANS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def span(seconds: int) -> str:
    """The length of a clock in words, exactly.

    >>> span(604_800), span(90), span(3601), span(0)
    ('7 days', '1 minute 30 seconds', '1 hour 1 second', 'none')
    """
    parts = []
    for length, what in _SPANS:
        count, seconds = divmod(seconds, length)
        parts += [number(count, what)] if count else []
    return " ".join(parts) or "none"


NOTHING = {
    "too_short": "you, or everybody whom you beat, made too few choices",
    "same_opponent": "enough wins over this opponent were rewarded today or this week",
    "daily_limit": "enough of your wins were rewarded today",
}
"""Why a win brought nothing. Other reasons need no words."""


def brought(api: Api, game_id: str) -> list[str]:
    """Say what a game that is over brought the player; nothing if it was not won, or the house is away."""
    try:
        reward = api.reward(game_id)
    except (Unreachable, ApiProblem):
        return []
    if reward["reason"] is not None:
        why = NOTHING.get(reward["reason"])
        return [] if why is None else [f"This win brings no coins: {why}."]
    coins, left = number(reward["coins"], "coin"), reward["booster_in"]
    if reward["booster"] is not None:
        return [f"The win brings {coins} and a booster: `cloche boosters open` opens it."]
    next_one = "" if left is None else f", and your next booster is {number(left, 'rewarded win')} away"
    return [f"The win brings {coins}{next_one}."]


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
