"""The prices of a card as an SVG picture: a dot for each sale, and the median of the last few sales.

The same sales give the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from statistics import median

_WIDTH, _HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 692, 84, 268
_NEAR = 5
"""Each point of the line is the median of this many sales, up to and including its own."""
_STYLE = """
    text { fill: #0f172a; }
    .panel { fill: #ffffff; stroke: #cbd5e1; }
    .title { font-size: 21px; font-weight: 700; }
    .what, .tick { font-size: 12px; fill: #475569; }
    .grid { stroke: #e2e8f0; }
    .line { stroke: #0d9488; stroke-width: 2.5; fill: none; stroke-linejoin: round; }
    .sale { fill: #d97706; fill-opacity: 0.75; stroke: #ffffff; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f1f5f9; }
      .panel { fill: #0f172a; stroke: #334155; }
      .what, .tick { fill: #a8b6c8; }
      .grid { stroke: #263449; }
      .sale { stroke: #0f172a; }
    }
"""


@dataclass(frozen=True, slots=True)
class Sale:
    """A sale of copies of a card: `at` in milliseconds since 1970, `coins` for all copies together."""

    at: int
    copies: int
    coins: int

    @property
    def each(self) -> float:
        """The coins for one copy."""
        return self.coins / self.copies


def price_chart(name: str, sales: Sequence[Sale]) -> str:
    """Draw a card's sales, which come oldest first."""
    said = _said(sales)
    body = (
        _plot(sales) if sales else [_text(_LEFT, 180, "what", "Nobody has bought or sold it for coins yet.")]
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" \
height="{_HEIGHT}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, \
'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">{escape(name)}: prices</title>
  <desc id="desc">{escape(said)}</desc>
  <style>{_STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{_WIDTH - 2}" height="{_HEIGHT - 2}" rx="16" stroke-width="2"/>
{_text(28, 40, "title", name)}
{_text(28, 62, "what", said)}
{chr(10).join(body)}
</svg>
"""


def _said(sales: Sequence[Sale]) -> str:
    if not sales:
        return "No sales."
    copies = sum(sale.copies for sale in sales)
    count = f"{len(sales)} sale{'s' * (len(sales) > 1)} of {copies} cop{'ies' if copies > 1 else 'y'}"
    middle = _figure(median(sale.each for sale in sales))
    return f"{count}; coins a copy: last {_figure(sales[-1].each)}, median {middle}."


def _plot(sales: Sequence[Sale]) -> list[str]:
    step, top = _scale(max(sale.each for sale in sales))
    first, last = sales[0].at, sales[-1].at

    def x(at: int) -> float:
        middle = (_LEFT + _RIGHT) / 2
        return middle if first == last else _LEFT + 12 + (at - first) / (last - first) * (_RIGHT - _LEFT - 24)

    def y(coins: float) -> float:
        return _BOTTOM - coins / top * (_BOTTOM - _TOP)

    parts = []
    for number in range(int(top / step) + 1):
        value = number * step
        line = f'x1="{_LEFT}" x2="{_RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"'
        parts.append(f'  <line class="grid" {line}/>')
        parts.append(_text(_LEFT - 8, y(value) + 4, "tick", _figure(value), "end"))
    for at, anchor in ((first, "start"), (last, "end")) if first != last else ((first, "middle"),):
        day = datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")
        parts.append(_text(x(at), _BOTTOM + 24, "tick", day, anchor))
    middles = [median(s.each for s in sales[max(0, i - _NEAR + 1) : i + 1]) for i in range(len(sales))]
    points = " ".join(f"{x(s.at):.1f},{y(m):.1f}" for s, m in zip(sales, middles, strict=True))
    parts.append(f'  <polyline class="line" points="{points}"/>')
    for sale in sales:
        radius = min(3.5 + 0.6 * (sale.copies - 1), 9)
        parts.append(
            f'  <circle class="sale" cx="{x(sale.at):.1f}" cy="{y(sale.each):.1f}" r="{radius:.1f}"/>'
        )
    return parts


def _scale(most: float) -> tuple[float, float]:
    """The distance of the grid lines (1, 2 or 5 times a power of ten) and the highest of at most six lines."""
    step = 1
    while most / step > 5:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return step, step * max(1, -(-most // step))


def _figure(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _text(x: float, y: float, kind: str, text: str, anchor: str = "start") -> str:
    return f'  <text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
