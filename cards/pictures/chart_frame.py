"""The frame of a chart as an SVG picture: title, a line that says what it shows, and the look of its parts.

The same values give the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 692, 84, 268
_STYLE = """
    text { fill: #0f172a; }
    .panel { fill: #ffffff; stroke: #cbd5e1; }
    .title { font-size: 21px; font-weight: 700; }
    .what, .tick { font-size: 12px; fill: #475569; }
    .grid { stroke: #e2e8f0; }
    .line { stroke: #0d9488; stroke-width: 2.5; fill: none; stroke-linejoin: round; }
    .band { fill: #0d9488; fill-opacity: 0.15; }
    .sale { fill: #d97706; fill-opacity: 0.75; stroke: #ffffff; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f1f5f9; }
      .panel { fill: #0f172a; stroke: #334155; }
      .what, .tick { fill: #a8b6c8; }
      .grid { stroke: #263449; }
      .sale { stroke: #0f172a; }
    }
"""


def framed(name: str, what: str, said: str, body: Sequence[str]) -> str:
    """The picture: `name` and `what` ("prices") are its title, `said` says in words what it shows."""
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" \
height="{HEIGHT}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, \
'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">{escape(name)}: {what}</title>
  <desc id="desc">{escape(said)}</desc>
  <style>{_STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="16" stroke-width="2"/>
{text(28, 40, "title", name)}
{text(28, 62, "what", said)}
{chr(10).join(body)}
</svg>
"""


def across(at: int, first: int, last: int) -> float:
    """The place of a time between the first and the last, from the left."""
    middle = (LEFT + RIGHT) / 2
    return middle if first == last else LEFT + 12 + (at - first) / (last - first) * (RIGHT - LEFT - 24)


def grid_line(y: float, label: str) -> list[str]:
    """A line of the grid with its label."""
    line = f'x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}"'
    return [f'  <line class="grid" {line}/>', text(LEFT - 8, y + 4, "tick", label, "end")]


def days(first: int, last: int) -> list[str]:
    """The days below the chart on which it begins and ends; times in milliseconds since 1970."""
    ends = ((first, "start"), (last, "end")) if first != last else ((first, "middle"),)
    return [
        text(
            across(at, first, last),
            BOTTOM + 24,
            "tick",
            f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}",
            anchor,
        )
        for at, anchor in ends
    ]


def text(x: float, y: float, kind: str, words: str, anchor: str = "start") -> str:
    """Words at a place."""
    return f'  <text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
