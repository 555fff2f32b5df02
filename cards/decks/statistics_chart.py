"""A deck's statistics as an SVG picture, which can be read in light and dark themes and without colours.

It is drawn from the JSON of `cards.decks.statistics`, and equal statistics give equal bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from cards.decks.ingredient_graph import STYLE as GRAPH_STYLE
from cards.decks.ingredient_graph import graph

_WIDTH = 960
_LEFT, _RIGHT = 44, 508
_TALL = 190
"""Height of a plot."""
_ROW_1, _ROW_2, _ROW_3 = 132, 420, 718
_STYLE = """
    text { fill: #0f172a; }
    .panel { fill: #ffffff; stroke: #cbd5e1; }
    .title { font-size: 21px; font-weight: 700; }
    .name { font-size: 15px; font-weight: 600; }
    .label { font-size: 12.5px; font-weight: 600; }
    .what, .tick { font-size: 12px; fill: #475569; }
    .first { fill: #0d9488; }
    .second { fill: #d97706; }
    .third { fill: #fbbf24; }
    .band { fill: #0d9488; fill-opacity: 0.16; }
    .grid { stroke: #e2e8f0; }
    .main { stroke: #0d9488; stroke-width: 3; fill: none; stroke-linejoin: round; }
    .other { stroke: #64748b; stroke-width: 1.8; fill: none; }
    .error { stroke: #0f172a; stroke-width: 1.2; fill: none; }
    .dot { fill: #0d9488; stroke: #ffffff; stroke-width: 1.5; }
"""
_NIGHT = """
    @media (prefers-color-scheme: dark) {
      text { fill: #f1f5f9; }
      .panel { fill: #0f172a; stroke: #334155; }
      .what, .tick { fill: #a8b6c8; }
      .grid { stroke: #263449; }
      .other { stroke: #94a3b8; }
      .error { stroke: #f1f5f9; }
      .dot { stroke: #0f172a; }
      .link { stroke: #94a3b8; }
    }
"""

DeckFigures = Mapping[str, Any]


def chart(statistics: DeckFigures, names: Mapping[str, str], title: str = "A deck") -> str:
    """Draw a deck's statistics; `names` are the cards' names by slug."""
    shared, height = graph(statistics, names, _LEFT, _ROW_3, _WIDTH - 2 * _LEFT)
    height += _ROW_3 + 34
    parts = [
        *_costs(statistics["costs"]),
        *_units(statistics["units"]),
        *_odds(statistics),
        *_yum(statistics),
        *shared,
    ]
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" \
height="{height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', \
Roboto, 'Helvetica Neue', Arial, sans-serif">
  <title id="title">{escape(title)}: statistics</title>
  <desc id="desc">{escape(_said(statistics))}</desc>
  <style>{_STYLE}{GRAPH_STYLE}{_NIGHT}  </style>
  <rect class="panel" x="1" y="1" width="{_WIDTH - 2}" height="{height - 2}" rx="16" stroke-width="2"/>
{_text(_LEFT, 48, "title", title if len(title) <= 62 else title[:60] + " ...")}
{_text(_LEFT, 72, "what", counted(statistics))}
{chr(10).join(parts)}
</svg>
"""


def counted(statistics: DeckFigures) -> str:
    """The size of a deck in words: "40 cards: 14 recipes, 26 ingredients"."""
    recipes, ingredients = (
        _count(statistics["recipes"], "recipe"),
        _count(statistics["ingredients"], "ingredient"),
    )
    return f"{_count(statistics['size'], 'card')}: {recipes}, {ingredients}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _said(statistics: DeckFigures) -> str:
    """The picture in words."""
    last = len(statistics["drawn"])
    dishes, yums = statistics["servable"]["any"], statistics["yum"]
    costs = ", ".join(f"{each['recipes']} at {each['cost']}" for each in statistics["costs"])
    units = ", ".join(
        f"{each['provided']} {each['category']} for {each['needed']}" for each in statistics["units"]
    )
    return (
        f"Recipes by cost: {costs or 'none'}. Units provided and needed: {units}. "
        f"A dish can be served in round 1 with odds of {dishes[0]:.0%}, by round {last} {dishes[-1]:.0%}. "
        f"Expected best yum in round 1 {yums[0]['mean']:.1f}, by round {last} {yums[-1]['mean']:.1f}."
    )


def _n(value: float) -> str:
    """A coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def _text(x: float, y: float, kind: str, text: str, anchor: str = "start") -> str:
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'  <text class="{kind}" x="{_n(x)}" y="{_n(y)}"{at}>{escape(text)}</text>'


def _bar(kind: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'  <rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="3"/>'
    )


def _line(kind: str, points: Sequence[tuple[float, float]], more: str = "") -> str:
    path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
    return f'  <polyline class="{kind}" points="{path}"{more}/>'


def _heading(x: float, y: float, name: str, what: str) -> list[str]:
    return [_text(x, y, "name", name), _text(x, y + 18, "what", what)]


def _costs(costs: Sequence[DeckFigures]) -> list[str]:
    """Recipes by cost, as columns."""
    parts = _heading(_LEFT, _ROW_1 - 16, "What recipes cost", "recipes by the units of their cost")
    shown = costs or [{"cost": 1, "recipes": 0}]
    step = min(80.0, 400 / len(shown))
    most = max(1, *(each["recipes"] for each in shown))
    bottom = _ROW_1 + 30 + _TALL
    for i, each in enumerate(shown):
        x, tall = _LEFT + step * i, (_TALL - 20) * each["recipes"] / most
        parts += [
            _bar("first", x + 6, bottom - tall, step - 12, tall),
            _text(x + step / 2, bottom - tall - 6, "label", str(each["recipes"]), "middle"),
            _text(x + step / 2, bottom + 18, "tick", str(each["cost"]), "middle"),
        ]
    return parts


def _units(units: Sequence[DeckFigures]) -> list[str]:
    """Units provided and needed, as two bars for each category."""
    parts = _heading(
        _RIGHT, _ROW_1 - 16, "Units", "above what is provided, below what recipes need; light: specials"
    )
    most = max(1, *(max(each["provided"], each["needed"]) for each in units))
    scale = 290 / most
    for i, each in enumerate(units):
        y, x = _ROW_1 + 24 + 41 * i, _RIGHT + 86
        recipes = scale * each["recipes"]
        parts += [
            _text(x - 10, y + 19, "label", each["category"], "end"),
            _bar("first", x, y, scale * each["provided"], 14),
            _text(x + scale * each["provided"] + 6, y + 11, "tick", str(each["provided"])),
            _bar("second", x, y + 16, recipes, 14),
            _text(x + scale * each["needed"] + 6, y + 27, "tick", str(each["needed"])),
        ]
        if each["specials"]:
            parts.append(_bar("third", x + recipes, y + 16, scale * each["specials"], 14))
    return parts


def _rounds(x: float, y: float, width: float, count: int) -> list[float]:
    """The x coordinate of each round on the axis of a plot."""
    step = width / count
    return [x + step * (i + 0.5) for i in range(count)]


def _axis(xs: Sequence[float], bottom: float) -> list[str]:
    return [_text(x, bottom + 18, "tick", str(i), "middle") for i, x in enumerate(xs, 1)]


def _odds(statistics: DeckFigures) -> list[str]:
    """The odds by round of a dish that can be served, and of holding a card with 1, 2 or 3 copies."""
    exact = "exact" if statistics["servable"]["exact"] else "dishes simulated"
    parts = _heading(_LEFT, _ROW_2 - 16, "Odds by round", f"of what was drawn, nobody redraws; {exact}")
    top, bottom = _ROW_2 + 26, _ROW_2 + 26 + _TALL
    xs = _rounds(_LEFT + 36, top, 268, len(statistics["drawn"]))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = bottom - _TALL * share
        parts += [
            _line("grid", [(_LEFT + 36, y), (_LEFT + 304, y)]),
            _text(_LEFT + 30, y + 4, "tick", f"{share:.0%}", "end"),
        ]
    by_copies = {each["copies"]: each["at_least"][0] for each in statistics["cards"]}
    lines = [
        (f"a card with {_count(n, 'copy').replace('copys', 'copies')}", "other", by_copies[n], dash)
        for n, dash in ((3, ""), (2, "7 4"), (1, "2 4"))
        if n in by_copies
    ]
    lines = [("a dish to serve", "main", statistics["servable"]["any"], ""), *lines]
    labels = []
    for said, kind, odds, dash in lines:
        points = [(x, bottom - _TALL * p) for x, p in zip(xs, odds, strict=True)]
        parts.append(_line(kind, points, f' stroke-dasharray="{dash}"' if dash else ""))
        if kind == "main":
            parts += [f'  <circle class="dot" cx="{_n(x)}" cy="{_n(y)}" r="4"/>' for x, y in points]
        labels.append((points[-1][1], f"{said}"))
    return [*parts, *_beside(_LEFT + 310, labels), *_axis(xs, bottom)]


def _beside(x: float, labels: Sequence[tuple[float, str]]) -> list[str]:
    """Labels beside the ends of lines, moved down where they would overlap."""
    parts, free = [], 0.0
    for y, text in sorted(labels):
        free = max(free, y + 4)
        parts.append(_text(x, free, "tick", text))
        free += 15
    return parts


def _yum(statistics: DeckFigures) -> list[str]:
    """The expected best yum by round: its mean with two standard errors, and a band of half of the deals."""
    deals = statistics["simulation"]["deals"]
    what = f"best dish: mean of {deals} deals, two standard errors; band: half of them"
    parts = _heading(_RIGHT, _ROW_2 - 16, "Expected yum by round", what)
    top, bottom = _ROW_2 + 26, _ROW_2 + 26 + _TALL
    yums = statistics["yum"]
    most = max(1, *(each["quartiles"][2] for each in yums)) * 1.08
    xs = _rounds(_RIGHT + 30, top, 374, len(yums))
    step = 1 if most <= 6 else 2 if most <= 14 else 5
    for yum in range(0, int(most) + 1, step):
        y = bottom - _TALL * yum / most
        parts += [
            _line("grid", [(_RIGHT + 30, y), (_RIGHT + 404, y)]),
            _text(_RIGHT + 24, y + 4, "tick", str(yum), "end"),
        ]
    edge = [(x, each["quartiles"][2]) for x, each in zip(xs, yums, strict=True)]
    edge += [(x, each["quartiles"][0]) for x, each in reversed([*zip(xs, yums, strict=True)])]
    band = " ".join(f"{_n(x)},{_n(bottom - _TALL * yum / most)}" for x, yum in edge)
    parts.append(f'  <polygon class="band" points="{band}"/>')
    points = [(x, bottom - _TALL * each["mean"] / most) for x, each in zip(xs, yums, strict=True)]
    parts.append(_line("main", points))
    for (x, y), each in zip(points, yums, strict=True):
        reach = _TALL * 2 * each["error"] / most
        parts += [
            f'  <path class="error" d="M{_n(x)} {_n(y - reach)} V{_n(y + reach)}"/>',
            f'  <circle class="dot" cx="{_n(x)}" cy="{_n(y)}" r="4"/>',
            _text(x, y - reach - 7, "tick", f"{each['mean']:.1f}", "middle"),
        ]
    return [*parts, *_axis(xs, bottom)]
