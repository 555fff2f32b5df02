"""Draw docs/pictures/performance.svg: every ratio as a bar against its bound, in a light and a dark theme."""

from __future__ import annotations

from collections.abc import Sequence
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


def chart(results: Results) -> str:
    """The picture, as SVG."""
    measured = {figure.name: figure for figure in results.figures}
    rows = [
        (figure, found, found.bound)
        for figure in FIGURES
        if (found := measured.get(figure.name)) is not None and found.bound is not None
    ]
    height = _TOP + _ROW * len(rows) + 50
    bars = "\n".join(_bar(_TOP + _ROW * i, *row) for i, row in enumerate(rows))
    said = "; ".join(
        f"{figure.title}: {number(found.ratio.median)} of at most {bound:g}" for figure, found, bound in rows
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" \
height="{height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', \
Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">What the proofs cost, each ratio against its bound</title>
  <desc id="desc">{escape(said)}.</desc>
  <style>{_STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{_WIDTH - 2}" height="{height - 2}" rx="16" stroke-width="2"/>
  <text class="title" x="{_LEFT}" y="44">What the proofs cost</text>
  <text class="what" x="{_LEFT}" y="68">Each bar is a ratio of two pieces of work measured side by side, \
drawn against the most it may be: shorter is faster.</text>
  <text class="what" x="{_BOUND}" y="{_TOP + 12}" text-anchor="middle">bound</text>
{bars}
  <text class="what" x="{_LEFT}" y="{height - 20}">{escape(_foot(results, rows))}</text>
</svg>
"""


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


def _bar(y: int, figure: Figure, found: Measured, bound: float) -> str:
    ratio = found.ratio
    end, low, high = (_at(value / bound) for value in (ratio.median, ratio.lower, ratio.upper))
    kind = "within" if found.within else "over"
    words = "" if found.within else ": over"
    top, middle = y + 23, y + 34
    return f"""  <text class="name" x="{_LEFT}" y="{y + 14}">{escape(figure.title)} \
<tspan class="what">against {escape(figure.b)}</tspan></text>
  <rect class="rail" x="{_LEFT}" y="{top}" width="{round(_at(_MOST) - _LEFT, 1)}" height="22" rx="5"/>
  <rect class="{kind}" x="{_LEFT}" y="{top}" width="{round(end - _LEFT, 1)}" height="22" rx="5"/>
  <path class="edge" d="M{low} {middle} H{high} M{low} {middle - 5} V{middle + 5} M{high} {middle - 5} \
V{middle + 5}" fill="none"/>
  <line class="bound" x1="{_BOUND}" y1="{top - 4}" x2="{_BOUND}" y2="{top + 26}"/>
  <text class="value" x="{_VALUE}" y="{y + 39}">{number(found.ratio.median)} \
<tspan class="what">of {bound:g}{words}</tspan></text>"""
