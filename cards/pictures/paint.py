"""Tools for every picture: strokes as SVG text, colours, and reproducible random numbers.

A shape is drawn in a square from -100 to 100, y downwards, in a group that gives all lines one colour and
width (`inked`). Coordinates are rounded to a tenth, so equal input gives equal bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from math import cos, pi, sin

OUTLINE = "#3a2317"
"""The colour of all outlines."""


def n(value: float) -> str:
    """A coordinate in its shortest form."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def mix(colour: str, other: str, share: float) -> str:
    """A colour with a share (0 to 1) of another in it; both as #rrggbb.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{int(a + (b - a) * share + 0.5):02x}" for a, b in parts)


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour with its shadow and its light, and a second colour (a leaf, a lid, a label)."""

    base: str
    second: str

    @property
    def dark(self) -> str:
        """The colour in shadow."""
        return mix(self.base, "#2a1020", 0.24)

    @property
    def deep(self) -> str:
        """The colour in deep shadow."""
        return mix(self.base, "#2a1020", 0.5)

    @property
    def light(self) -> str:
        """The colour in light."""
        return mix(self.base, "#fff8e8", 0.38)

    @property
    def pale(self) -> str:
        """The colour in bright light."""
        return mix(self.base, "#fff8e8", 0.7)


class Dice:
    """Numbers that look random and depend on a text alone: SHA-256 in counter mode."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = 0

    def between(self, low: float, high: float) -> float:
        """The next number from `low` to `high`."""
        self._count += 1
        word = sha256(f"{self._text}/{self._count}".encode()).digest()[:6]
        return low + (high - low) * int.from_bytes(word, "big") / 2**48

    def below(self, count: int) -> int:
        """The next whole number from 0 to `count` - 1."""
        return min(count - 1, int(self.between(0, count)))


def _line(width: float | None) -> str:
    if width is None:
        return ""
    return ' stroke="none"' if width == 0 else f' stroke-width="{n(width)}"'


def path(d: str, fill: str, width: float | None = None) -> str:
    """A filled form with an outline; with `width` 0 without one."""
    return f'<path d="{d}" fill="{fill}"{_line(width)}/>'


def line(d: str, colour: str, width: float) -> str:
    """A line of this colour."""
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{n(width)}"/>'


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, width: float | None = None) -> str:
    """A filled ellipse."""
    return f'<ellipse cx="{n(x)}" cy="{n(y)}" rx="{n(rx)}" ry="{n(ry)}" fill="{fill}"{_line(width)}/>'


def circle(x: float, y: float, r: float, fill: str, width: float | None = None) -> str:
    """A filled circle."""
    return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r)}" fill="{fill}"{_line(width)}/>'


def box(x: float, y: float, w: float, h: float, r: float, fill: str, width: float | None = None) -> str:
    """A filled rectangle with round corners."""
    return f'<rect x="{n(x)}" y="{n(y)}" width="{n(w)}" height="{n(h)}" rx="{n(r)}" fill="{fill}"{_line(width)}/>'


def shine(d: str, share: float = 0.4) -> str:
    """Light on a form."""
    return f'<path d="{d}" fill="#fff" fill-opacity="{share:.2g}" stroke="none"/>'


def shade(d: str, share: float = 0.16) -> str:
    """Shadow on a form."""
    return f'<path d="{d}" fill="#2a1020" fill-opacity="{share:.2g}" stroke="none"/>'


def gleam(x: float, y: float, rx: float, ry: float, turn: float = 0, share: float = 0.45) -> str:
    """A spot of light."""
    at = f' transform="rotate({n(turn)} {n(x)} {n(y)})"' if turn else ""
    return (
        f'<ellipse cx="{n(x)}" cy="{n(y)}" rx="{n(rx)}" ry="{n(ry)}" fill="#fff"'
        f' fill-opacity="{share:.2g}" stroke="none"{at}/>'
    )


def at(parts: str, x: float = 0, y: float = 0, scale: float = 1, turn: float = 0, flat: float = 1) -> str:
    """A shape moved, turned (in degrees), scaled, and flattened (`flat` below 1)."""
    moves = []
    if x or y:
        moves.append(f"translate({n(x)} {n(y)})")
    if flat != 1:
        moves.append(f"scale({scale:.3g} {scale * flat:.3g})")
    elif scale != 1:
        moves.append(f"scale({scale:.3g})")
    if turn:
        moves.append(f"rotate({n(turn)})")
    return f'<g transform="{" ".join(moves)}">{parts}</g>' if moves else parts


def inked(parts: str, width: float = 4) -> str:
    """Shapes in a group that gives all of them the same outline."""
    return (
        f'<g stroke="{OUTLINE}" stroke-width="{n(width)}" stroke-linejoin="round" stroke-linecap="round">'
        f"{parts}</g>"
    )


def ring(count: int, r: float, turn: float = 0, flat: float = 1) -> list[tuple[float, float]]:
    """Points on a (flattened) circle, beginning at the top."""
    turns = [2 * pi * i / count - pi / 2 + turn * pi / 180 for i in range(count)]
    return [(r * cos(a), r * flat * sin(a)) for a in turns]


def loop(points: Sequence[tuple[float, float]]) -> str:
    """The path of a smooth closed line near these points (their midpoints are on it)."""
    mids = [
        ((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True)
    ]
    parts = [f"M{n(mids[-1][0])} {n(mids[-1][1])}"]
    parts += [f"Q{n(x)} {n(y)} {n(u)} {n(v)}" for (x, y), (u, v) in zip(points, mids, strict=True)]
    return "".join(parts) + "Z"


def scattered(dice: Dice, count: int, rx: float, ry: float) -> list[tuple[float, float]]:
    """Points spread evenly over an ellipse, in a sunflower's order with small shifts; back to front."""
    turn = dice.between(0, 2 * pi)
    found = []
    for i in range(count):
        far = ((i + 0.5) / count) ** 0.5
        a = turn + i * 2.399963
        found.append((rx * far * cos(a) + dice.between(-3, 3), ry * far * sin(a) + dice.between(-2, 2)))
    return sorted(found, key=lambda point: (point[1], point[0]))


def safe(text: str) -> str:
    """Text for an SVG file: escaped, and without characters that XML 1.0 forbids."""
    kept = "".join(
        c
        for c in text
        if c in "\t\n" or "\x20" <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000"
    )
    return escape(kept)
