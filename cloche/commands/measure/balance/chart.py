"""The picture of a league: what each deck wins against each other, how long matches are, and their rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from cloche.commands.measure.balance.report import EMPTY, LeagueReport

_LEFT, _TOP, _CELL, _HIGH = 190, 120, 92, 46
_BARS = 150
"""Height of the bars of lengths."""
_STYLE = """
    .panel { fill: #ffffff; stroke: #cbd5e1; }
    .title { font-size: 20px; font-weight: 700; fill: #0f172a; }
    .name { font-size: 14px; font-weight: 600; fill: #0f172a; }
    .what { font-size: 12.5px; fill: #475569; }
    .cell { font-size: 14px; font-weight: 600; fill: #0f172a; text-anchor: middle; }
    .over { fill: #0d9488; }
    .under { fill: #d97706; }
    .bar { fill: #0d9488; }
    .goal { stroke: #d97706; stroke-width: 2.5; }
    @media (prefers-color-scheme: dark) {
      .panel { fill: #0f172a; stroke: #334155; }
      .title, .name, .cell { fill: #f1f5f9; }
      .what { fill: #a8b6c8; }
    }
"""


def chart(found: LeagueReport) -> str:
    """The picture, as SVG."""
    names = [*found.decks]
    width = _LEFT + _CELL * (len(names) + 1) + 40
    below = _TOP + _HIGH * len(names) + 60
    rounds = below + _BARS + 80
    height = rounds + _BARS + 90
    said = "; ".join(f"{name} wins {won.share:.0%}" for name, won in found.decks.items())
    parts = [
        *(_row(found, name, y) for y, name in enumerate(names)),
        *(_head(column, name) for column, name in enumerate(names, 1)),
        _head(0, "all others"),
        _lengths(found, below, width),
        _empty(found, rounds, width),
    ]
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" \
height="{height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', \
Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">What decks win against each other</title>
  <desc id="desc">{escape(said)}.</desc>
  <style>{_STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="16" stroke-width="2"/>
  <text class="title" x="40" y="44">Who wins, and how long it takes</text>
  <text class="what" x="40" y="68">{found.matches:,} matches by the bot {escape(found.bot)}: \
what the deck on the left wins against the one above.</text>
{chr(10).join(parts)}
</svg>
"""


def _head(column: int, name: str) -> str:
    x = _LEFT + _CELL * (column + 0.5)
    return f'  <text class="what" x="{x}" y="{_TOP - 12}" text-anchor="middle">{escape(name)}</text>'


def _row(found: LeagueReport, name: str, row: int) -> str:
    y = _TOP + _HIGH * row
    won = found.decks[name]
    cells = [_cell(0, y, won.share, f"{won.low:.0%} to {won.high:.0%}")]
    cells += [
        _cell(column, y, found.against[name][other])
        for column, other in enumerate(found.decks, 1)
        if other != name
    ]
    return f'  <text class="name" x="40" y="{y + 28}">{escape(name)}</text>\n' + "\n".join(cells)


def _cell(column: int, y: int, share: float, note: str = "") -> str:
    """A share in a cell. The colour is stronger the further the share is from a half."""
    x = _LEFT + _CELL * column
    strength = round(min(1.0, abs(share - 0.5) * 2.4) * 0.75, 2)
    kind = "over" if share >= 0.5 else "under"
    middle = x + _CELL / 2
    text = f'  <text class="cell" x="{middle}" y="{y + (22 if note else 27)}">{share:.0%}</text>'
    small = (
        f'<text class="what" x="{middle}" y="{y + 37}" text-anchor="middle" font-size="10">{note}</text>'
        if note
        else ""
    )
    return (
        f'  <rect class="{kind}" x="{x + 2}" y="{y + 2}" width="{_CELL - 4}" height="{_HIGH - 4}" rx="6" '
        f'fill-opacity="{strength}"/>\n{text}{small}'
    )


def _lengths(found: LeagueReport, top: int, width: int) -> str:
    """Bars: the matches by their number of rounds."""
    low, high = min(found.lengths), max(found.lengths)
    most = max(found.lengths.values())
    bars = {rounds: found.lengths.get(rounds, 0) / most for rounds in range(low, high + 1)}
    note = f"on average {found.rounds:.1f}"
    return "\n".join(_bars("Rounds in a match", note, bars, {}, top, width))


def _empty(found: LeagueReport, top: int, width: int) -> str:
    """Bars: the share of empty courses by round, with the goals as lines."""
    bars = {number: one.empty for number, one in found.by_round.items()}
    goals = dict(enumerate(EMPTY, 1))
    note = "and the most that is wanted, as a line; a full bar is every course"
    return "\n".join(_bars("Empty courses by round", note, bars, goals, top, width))


def _bars(
    title: str, note: str, bars: Mapping[int, float], goals: Mapping[int, float], top: int, width: int
) -> Iterator[str]:
    """Bars by number, from 0 to 1, with lines for goals."""
    step = (width - 80) / len(bars)
    yield f'  <text class="name" x="40" y="{top}">{title} <tspan class="what">{note}</tspan></text>'
    for i, (number, share) in enumerate(bars.items()):
        tall = round(share * _BARS, 1)
        x = 40 + step * i
        yield (
            f'  <rect class="bar" x="{round(x + 2, 1)}" y="{round(top + 20 + _BARS - tall, 1)}" '
            f'width="{round(step - 4, 1)}" height="{tall}" rx="3"/>'
            f'<text class="what" x="{round(x + step / 2, 1)}" y="{top + 38 + _BARS}" '
            f'text-anchor="middle">{number}</text>'
        )
        if number in goals:
            y = round(top + 20 + _BARS * (1 - goals[number]), 1)
            yield f'  <line class="goal" x1="{round(x, 1)}" x2="{round(x + step, 1)}" y1="{y}" y2="{y}"/>'
