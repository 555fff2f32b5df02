"""Draw values as bars against their goals, in a light and a dark theme: docs/pictures/performance.svg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from benchmarks.figures import FIGURES
from benchmarks.measure import Figure, Measured
from benchmarks.page import number
from benchmarks.results import Results

_WIDTH = 900
_LEFT, _VALUE = 40, 722
_BOUND = 500
"""The x at which every bar reaches its bound."""
_MOST = 1.45
"""The longest bar, in multiples of its bound. Longer ones are cut off."""
_TOP, _ROW = 98, 60
_STYLE = """
    .panel { fill: #ffffff; stroke: #cbd5e1; }
    .title { font-size: 20px; font-weight: 700; fill: #0f172a; }
    .name { font-size: 14.5px; font-weight: 600; fill: #0f172a; }
    .what { font-size: 12.5px; font-weight: 400; fill: #475569; }
    .value { font-size: 14.5px; font-weight: 700; fill: #0f172a; }
    .rail { fill: #f1f5f9; }
    .within { fill: #0d9488; }
    .over { fill: #d97706; }
    .edge { stroke: #0f172a; stroke-width: 1.4; }
    .bound { stroke: #0f172a; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      .panel { fill: #0f172a; stroke: #334155; }
      .title, .name, .value { fill: #f1f5f9; }
      .what { fill: #a8b6c8; }
      .rail { fill: #1e293b; }
      .edge, .bound { stroke: #f1f5f9; }
    }
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a picture: a value against its goal, with whiskers where the value has a spread."""

    title: str
    against: str
    shares: tuple[float, float, float]
    """The value and the ends of its whiskers, in multiples of the goal."""
    value: str
    goal: str
    within: bool


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of a picture."""

    title: str
    """The title, for those who can't see the chart."""
    heading: str
    subtitle: str
    edge: str
    """The word above the line that every bar is drawn against."""
    foot: str


def chart(results: Results) -> str:
    """Draw the picture of the proofs, as SVG."""
    measured = {figure.name: figure for figure in results.figures}
    rows = [
        (figure, found, found.bound)
        for figure in FIGURES
        if (found := measured.get(figure.name)) is not None and found.bound is not None
    ]
    words = Words(
        "What the proofs cost, each ratio against its bound",
        "What the proofs cost",
        "Each bar is a ratio of two pieces of work measured side by side, drawn against the most it may be:"
        " shorter is faster.",
        "bound",
        _foot(results, rows),
    )
    return draw(words, [_bar_of(*row) for row in rows])


def draw(words: Words, bars: Sequence[Bar]) -> str:
    """Draw bars against their goals, as SVG."""
    height = _TOP + _ROW * len(bars) + 50
    drawn = "\n".join(_bar(_TOP + _ROW * i, bar) for i, bar in enumerate(bars))
    said = "; ".join(f"{bar.title}: {bar.value} of {bar.goal}" for bar in bars)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" \
height="{height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', \
Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">{escape(words.title)}</title>
  <desc id="desc">{escape(said)}.</desc>
  <style>{_STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{_WIDTH - 2}" height="{height - 2}" rx="16" stroke-width="2"/>
  <text class="title" x="{_LEFT}" y="44">{escape(words.heading)}</text>
  <text class="what" x="{_LEFT}" y="68">{escape(words.subtitle)}</text>
  <text class="what" x="{_BOUND}" y="{_TOP + 12}" text-anchor="middle">{escape(words.edge)}</text>
{drawn}
  <text class="what" x="{_LEFT}" y="{height - 20}">{escape(words.foot)}</text>
</svg>
"""


def _bar_of(figure: Figure, found: Measured, bound: float) -> Bar:
    ratio = found.ratio
    return Bar(
        figure.title,
        figure.b,
        (ratio.median / bound, ratio.lower / bound, ratio.upper / bound),
        number(ratio.median),
        f"at most {bound:g}",
        bool(found.within),
    )


def _foot(results: Results, rows: Sequence[tuple[Figure, Measured, float]]) -> str:
    least = min((found.alternations for _, found, _ in rows), default=0)
    machine = results.machine
    return (
        f"Medians of {least} alternations or more, whiskers at the quartiles; "
        f"{machine.processor}, {machine.cores} cores, {results.date}."
    )


def _at(share: float) -> float:
    """The x of a ratio that is `share` times its bound."""
    return round(_LEFT + (_BOUND - _LEFT) * min(share, _MOST), 1)


def _bar(y: int, bar: Bar) -> str:
    end, low, high = map(_at, bar.shares)
    kind = "within" if bar.within else "over"
    words = "" if bar.within else ": over"
    top, middle = y + 23, y + 34
    goal = bar.goal.removeprefix("at most ")
    return f"""  <text class="name" x="{_LEFT}" y="{y + 14}">{escape(bar.title)} \
<tspan class="what">against {escape(bar.against)}</tspan></text>
  <rect class="rail" x="{_LEFT}" y="{top}" width="{round(_at(_MOST) - _LEFT, 1)}" height="22" rx="5"/>
  <rect class="{kind}" x="{_LEFT}" y="{top}" width="{round(end - _LEFT, 1)}" height="22" rx="5"/>
  <path class="edge" d="M{low} {middle} H{high} M{low} {middle - 5} V{middle + 5} M{high} {middle - 5} \
V{middle + 5}" fill="none"/>
  <line class="bound" x1="{_BOUND}" y1="{top - 4}" x2="{_BOUND}" y2="{top + 26}"/>
  <text class="value" x="{_VALUE}" y="{y + 39}">{escape(bar.value)} \
<tspan class="what">of {goal}{words}</tspan></text>"""
