"""The prices of a card as an SVG picture: a dot for each sale, and the median of the last few sales.

The same sales give the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from cards.pictures.chart_frame import BOTTOM, LEFT, TOP, across, days, framed, grid_line, text

_NEAR = 5
"""Each point of the line is the median of this many sales, up to and including its own."""


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
    body = _plot(sales) if sales else [text(LEFT, 180, "what", "Nobody has bought or sold it for coins yet.")]
    return framed(name, "prices", said, body)


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

    def y(coins: float) -> float:
        return BOTTOM - coins / top * (BOTTOM - TOP)

    parts: list[str] = []
    for number in range(int(top / step) + 1):
        value = number * step
        parts += grid_line(y(value), _figure(value))
    parts += days(first, last)
    middles = [median(s.each for s in sales[max(0, i - _NEAR + 1) : i + 1]) for i in range(len(sales))]
    points = " ".join(
        f"{across(s.at, first, last):.1f},{y(m):.1f}" for s, m in zip(sales, middles, strict=True)
    )
    parts.append(f'  <polyline class="line" points="{points}"/>')
    for sale in sales:
        radius = min(3.5 + 0.6 * (sale.copies - 1), 9)
        parts.append(
            f'  <circle class="sale" cx="{across(sale.at, first, last):.1f}" cy="{y(sale.each):.1f}" r="{radius:.1f}"/>'
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
