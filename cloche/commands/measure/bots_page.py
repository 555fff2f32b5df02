"""Write docs/bots.md and its picture from the figures alone: the same figures always give the same page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

LeagueFigures = Mapping[str, Any]
"""The object that `cloche bots --json` prints."""

_HEAD = """# Bots

<!-- Written by `cloche bots --write`: change the bots, not this page. -->

This page says how often each bot wins. Every two bots of a mode play {games:,} games, with the default
options: one bot sits at one seat, the other at all other seats. Bots see what their seat sees, and no more.
The [glossary](glossary.md) explains mode, seat, deal and other words of this house.

![How often each bot beats those that play at random](pictures/bots.svg)
"""

_HOW = """
## How it is measured

- `cloche bots --write --games {games}` plays the games by the rules alone: no keys, no clock, no HTTP.
- As many games in a row as there are seats have the same deal (seed {seed}). The bot sits at another seat
  in each of them.
- A game with several winners counts as a part of a win for each. Intervals are Wilson's, of 95 %.
- In modes with own decks every player plays a starter deck drawn at random.
- The command measures every registered mode, also a third party's ([modes.md](modes.md)). The bot `random`
  plays any legal move; the others must beat it.

`cloche bots MODE` measures some modes. `--json` and `--chart FILE` save the figures. The figures of this page
are in [bots.json](bots.json).
"""


def percent(value: float) -> str:
    """A share in per cent."""
    return f"{value:.1%}".replace("%", " %")


def page(found: LeagueFigures) -> str:
    """The page, as Markdown."""
    parts = [_HEAD.format(games=found["games"])]
    for mode in found["modes"]:
        parts.append(f"\n## {mode['title']} (`{mode['mode']}`), {mode['seats']} seats\n\n")
        parts.append(f"Chance alone wins {percent(mode['chance'])}.\n\n")
        parts.append("| bot | against | wins | 95 % |\n|---|---|--:|--:|\n")
        for pair in mode["pairs"]:
            between = f"{percent(pair['low'])} to {percent(pair['high'])}"
            parts.append(
                f"| `{pair['bot']}` | `{pair['against']}` | **{percent(pair['share'])}** | {between} |\n"
            )
    return "".join([*parts, _HOW.format(**found)])


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
    rows = [(mode, pair) for mode in found["modes"] for pair in mode["pairs"] if pair["against"] == "random"]
    width, height = _LEFT + _WIDE + 120, _TOP + _HIGH * len(rows) + 40
    said = "; ".join(f"{pair['bot']} in {mode['mode']} {pair['share']:.0%}" for mode, pair in rows)
    bars = "\n".join(_bar(mode, pair, _TOP + _HIGH * i) for i, (mode, pair) in enumerate(rows))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" \
height="{height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', \
Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">How often bots beat random play</title>
  <desc id="desc">{escape(said)}.</desc>
  <style>{_STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="16" stroke-width="2"/>
  <text class="title" x="40" y="44">Against random play</text>
  <text class="what" x="40" y="68">Games won of {found["games"]:,}, with intervals of 95 %; \
dashed: what chance alone would win.</text>
{bars}
</svg>
"""


def _bar(mode: Mapping[str, Any], pair: Mapping[str, Any], y: int) -> str:
    def x(share: float) -> float:
        return round(_LEFT + _WIDE * share, 1)

    middle, long, even = y + 9, round(_WIDE * pair["share"], 1), x(mode["chance"])
    parts: Sequence[str] = (
        f'<text class="name" x="40" y="{y + 14}">{escape(mode["title"])}: {escape(pair["bot"])}</text>',
        f'<rect class="bar" x="{_LEFT}" y="{y}" width="{long}" height="18" rx="3"/>',
        f'<line class="line" x1="{x(pair["low"])}" y1="{middle}" x2="{x(pair["high"])}" y2="{middle}"/>',
        f'<line class="chance" x1="{even}" y1="{y - 4}" x2="{even}" y2="{y + 22}"/>',
        f'<text class="what" x="{_LEFT + _WIDE + 16}" y="{y + 14}">{percent(pair["share"])}</text>',
    )
    return "\n".join(f"  {part}" for part in parts)
