"""Write docs/bots.md and its picture from the figures alone: the same figures always give the same page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from bots.goals import GOALS, Goal

LeagueFigures = Mapping[str, Any]
"""The object that `cloche bots --json` prints."""

_HEAD = """# Bots

<!-- Written by `cloche bots --write`: change the bots, not this page. -->

This page says how often each bot wins, at every number of seats and with the default options. One bot sits
at one seat, the other at all other seats. Bots see what their seat sees, and no more. The
[glossary](glossary.md) explains mode, seat, deal and other words of this house.

![How often each bot beats those that play at random](pictures/bots.svg)
"""

_LEVELS = """
## Levels

A level asks for a bot without its name: `cloche play hearts --against hard --against easy`. `best` is the
mode's strongest bot. A level that no bot has gets the strongest bot below it.

| mode | easy | medium | hard | best |
|---|---|---|---|---|
"""

_GOALS = """
## Goals

A goal is met or missed if the whole interval says so. It is open while the interval has the goal inside: then
only more games decide. An exploiter should win less than its share by chance.

| mode | seats | bot | against | goal | measured | 95 % | games | verdict |
|---|--:|---|---|--:|--:|---|--:|---|
"""

_SAMPLED = """
## How a thinking bot chooses

A seat sees some faces and not others. `shrewd` deals the hidden cards at random, but never against what its
seat has seen: a player who did not follow a suit gets no card of it. In each such *world* it tries its moves
and plays the round on by a quick policy. It makes the move that does best on average, in points of the round
over those of the others. After each stage it drops the worse half of the moves.

`pegger` does so in cribbage once a side lacks 40 points or fewer. In its worlds each of the others keeps what
counts most of a hand dealt at random, and a player who said go holds nothing that fits. It plays the deal on
to its last count, and makes the move that wins the match most often: near the goal it matters who counts
first, and a lurch counts where it wins a second game. Far from the goal it plays for points like `counter`.
[Paired deals](#paired-deals) say how little that brings over `counter`.

`crafty` (Big C) and `deft` (flip) try the few moves that `thrifty` and `nimble` like best. They give every
card that the seat has not seen a face, and the quick bot plays the game on at all seats. They do so at two
seats alone, and choose like the quick bot at larger tables.

The work of each is bounded by its amount, so it chooses the same on every machine. A house's worker has it
choose in a process of its own ([operating](operating.md#bots-that-think)).
"""

_PAIRED = """
## Paired deals

Some edges are too small for the games above. `cloche bots MODE --paired BOT OTHER` plays deals whose luck
mostly cancels out: the bot takes every seat of a deal in turn, with the same cards, and every bot draws its
own chance from a stream of its own. What the bot won of a deal is one figure, and the interval is over deals.
`spender` is `gourmet` as it was before it learned to save its one-time cards and to vary its dishes.

| mode | seats | bot | against | wins | 95 % over deals | chance | deals | games | seed |
|---|--:|---|---|--:|---|--:|--:|--:|--:|
"""

_HOW = """
## How it is measured

- `cloche bots --write` plays the games by the rules alone: no keys, no clock, no HTTP.
- As many games in a row as there are seats have the same deal. The bot sits at another seat in each of them.
- A pair whose one bot thinks plays a fifth of the games of other pairs; a fifteenth if all others think.
- A game with several winners counts as a part of a win for each. Intervals are Wilson's, of 95 %.
- In modes with own decks every player plays a starter deck drawn at random.
- The command measures every registered mode, also a third party's ([modes.md](modes.md)). The bot `random`
  plays any legal move; the best bot of a mode must beat it.
- Exploiters have one habit, and no house seats them: `highest` plays its highest card, `never-passes` passes
  only where it must. A bot that loses to a habit plays badly.

`cloche bots MODE` measures some modes, `--seats` one number of seats, `--bot` one bot and `--paired` two;
with `--write` the other figures stay. `--json` and `--chart FILE` save the figures. The figures of this page
are in [bots.json](bots.json).
"""


def percent(value: float) -> str:
    """A share in per cent."""
    return f"{value:.1%}".replace("%", " %")


def page(found: LeagueFigures) -> str:
    """The page, as Markdown."""
    parts = [_HEAD, _GOALS, *_goals(found), _LEVELS]
    for mode in found["modes"]:
        named = " | ".join(f"`{mode['levels'][level]}`" for level in ("easy", "medium", "hard", "best"))
        parts.append(f"| {mode['title']} | {named} |\n")
    for mode in found["modes"]:
        parts.append(f"\n## {mode['title']} (`{mode['mode']}`)\n")
        for note in dict.fromkeys(played["note"] for played in mode["tables"] if "note" in played):
            seats = [str(played["seats"]) for played in mode["tables"] if played.get("note") == note]
            parts.append(f"\n{note} ({', '.join(seats)} seats.)\n")
        parts += [_table(played) for played in mode["tables"]]
    rows = [_compared(mode["mode"], row) for mode in found["modes"] for row in mode.get("paired", ())]
    return "".join([*parts, *([_PAIRED, *rows] if rows else []), _SAMPLED, _HOW])


def _compared(mode: str, row: Mapping[str, Any]) -> str:
    return (
        f"| `{mode}` | {row['seats']} | `{row['bot']}` | `{row['against']}` | **{percent(row['share'])}** "
        f"| {_between(row)} | {percent(row['chance'])} | {row['deals']} | {row['of']} | {row['seed']} |\n"
    )


def _table(played: Mapping[str, Any]) -> str:
    seats, chance, how = played["seats"], percent(played["chance"]), "--games {games} --seed {seed}"
    lines = [
        f"\n{seats} seats; chance alone wins {chance}; `{how.format(**played)}`.\n\n"
        "| bot | against | wins | 95 % | games |\n|---|---|--:|---|--:|\n"
    ]
    lines += [
        f"| `{pair['bot']}` | `{pair['against']}` | **{percent(pair['share'])}** | {_between(pair)} "
        f"| {pair['of']} |\n"
        for pair in played["pairs"]
    ]
    return "".join(lines)


def _between(pair: Mapping[str, Any]) -> str:
    return f"{percent(pair['low'])} to {percent(pair['high'])}"


def measured(found: LeagueFigures, goal: Goal) -> Mapping[str, Any] | None:
    """The figures of a goal's pair; None if it was not measured."""
    return next(
        (
            pair
            for mode in found["modes"]
            if mode["mode"] == goal.mode
            for played in mode["tables"]
            if played["seats"] == goal.seats
            for pair in played["pairs"]
            if (pair["bot"], pair["against"]) == (goal.bot, goal.against)
        ),
        None,
    )


def _goals(found: LeagueFigures) -> Iterator[str]:
    for goal in GOALS:
        pair = measured(found, goal)
        wanted = f"{'at least' if goal.at_least else 'less than'} {percent(goal.share)}"
        row = f"| `{goal.mode}` | {goal.seats} | `{goal.bot}` | `{goal.against}` | {wanted} |"
        if pair is None:
            yield f"{row} | | | not measured |\n"
            continue
        verdict = goal.verdict(pair["low"], pair["high"])
        if verdict == "missed" and goal.why:
            verdict = f"missed: {goal.why}"
        yield f"{row} **{percent(pair['share'])}** | {_between(pair)} | {pair['of']} | {verdict} |\n"


_LEFT, _TOP, _HIGH, _WIDE = 300, 96, 34, 460
_STYLE = """
    .panel { fill: #ffffff; stroke: #cbd5e1; }
    .title { font-size: 20px; font-weight: 700; fill: #0f172a; }
    .name { font-size: 14px; font-weight: 600; fill: #0f172a; }
    .what { font-size: 12.5px; fill: #475569; }
    .bar { fill: #0d9488; }
    .line { stroke: #0f172a; stroke-width: 2; }
    .chance { stroke: #d97706; stroke-width: 2; stroke-dasharray: 4 3; }
    @media (prefers-color-scheme: dark) {
      .panel { fill: #0f172a; stroke: #334155; }
      .title, .name { fill: #f1f5f9; }
      .what { fill: #a8b6c8; }
      .line { stroke: #f1f5f9; }
    }
"""


def chart(found: LeagueFigures) -> str:
    """Draw how often the bots beat `random`, as SVG: a bar each, its interval, and what chance would win."""
    rows = [
        (mode, mode["tables"][0], pair)
        for mode in found["modes"]
        for pair in mode["tables"][0]["pairs"]
        if pair["against"] == "random"
    ]
    width, height = _LEFT + _WIDE + 120, _TOP + _HIGH * len(rows) + 40
    said = "; ".join(f"{pair['bot']} in {mode['mode']} {pair['share']:.0%}" for mode, _, pair in rows)
    bars = "\n".join(
        _bar(mode, played, pair, _TOP + _HIGH * i) for i, (mode, played, pair) in enumerate(rows)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" \
height="{height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', \
Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">How often bots beat random play</title>
  <desc id="desc">{escape(said)}.</desc>
  <style>{_STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="16" stroke-width="2"/>
  <text class="title" x="40" y="44">Against random play</text>
  <text class="what" x="40" y="68">Games won at a table of the fewest seats, with intervals of 95 %; \
dashed: what chance alone would win.</text>
{bars}
</svg>
"""


def _bar(mode: Mapping[str, Any], played: Mapping[str, Any], pair: Mapping[str, Any], y: int) -> str:
    def x(share: float) -> float:
        return round(_LEFT + _WIDE * share, 1)

    middle, long, even = y + 9, round(_WIDE * pair["share"], 1), x(played["chance"])
    parts: Sequence[str] = (
        f'<text class="name" x="40" y="{y + 14}">{escape(mode["title"])}: {escape(pair["bot"])}</text>',
        f'<rect class="bar" x="{_LEFT}" y="{y}" width="{long}" height="18" rx="3"/>',
        f'<line class="line" x1="{x(pair["low"])}" y1="{middle}" x2="{x(pair["high"])}" y2="{middle}"/>',
        f'<line class="chance" x1="{even}" y1="{y - 4}" x2="{even}" y2="{y + 22}"/>',
        f'<text class="what" x="{_LEFT + _WIDE + 16}" y="{y + 14}">{percent(pair["share"])}</text>',
    )
    return "\n".join(f"  {part}" for part in parts)
