"""The picture of a league: what each deck wins against each other, and how long matches are."""

from __future__ import annotations

from xml.sax.saxutils import escape

from cloche.commands.measure.balance.report import LeagueReport

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
    height = below + _BARS + 90
    said = "; ".join(f"{name} wins {won.share:.0%}" for name, won in found.decks.items())
    parts = [
        *(_row(found, name, y) for y, name in enumerate(names)),
        *(_head(column, name) for column, name in enumerate(names, 1)),
        _head(0, "all others"),
        _lengths(found, below, width),
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
    step = (width - 80) / (high - low + 1)
    parts = [
        f'  <text class="name" x="40" y="{top}">Rounds in a match '
        f'<tspan class="what">on average {found.rounds:.1f}</tspan></text>'
    ]
    for rounds in range(low, high + 1):
        tall = round(found.lengths.get(rounds, 0) / most * _BARS, 1)
        x = 40 + step * (rounds - low)
        parts.append(
            f'  <rect class="bar" x="{round(x + 2, 1)}" y="{round(top + 20 + _BARS - tall, 1)}" '
            f'width="{round(step - 4, 1)}" height="{tall}" rx="3"/>'
            f'<text class="what" x="{round(x + step / 2, 1)}" y="{top + 38 + _BARS}" '
            f'text-anchor="middle">{rounds}</text>'
        )
    return "\n".join(parts)
