"""Fitting text into boxes without knowing the font. The widths are those of wide fonts, so all others fit too."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from cards.pictures.paint import n, safe

SERIF = "Georgia, 'Times New Roman', 'DejaVu Serif', serif"
SANS = "'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

_WIDTHS = {
    **dict.fromkeys(" .,:;'!|ijl’", 0.4),
    **dict.fromkeys('()[]{}ftrI-/"', 0.52),
    **dict.fromkeys("mwMW@%&", 1.1),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ", 0.85),
}


PLAIN = 0.88
"""The width of plain text as a share of the width of bold text."""


def width(text: str, size: float) -> float:
    """An estimate of the greatest width of a text in a bold serif font of this size."""
    total = 0.0
    for c in text:
        if c in _WIDTHS:
            total += _WIDTHS[c]
        elif c < "\x7f":
            total += 0.7
        else:
            total += 1.1 if unicodedata.east_asian_width(c) in "WF" else 0.9
    return total * size


def _broken(word: str, room: float, size: float) -> list[str]:
    """The pieces of a word; each fits into a line."""
    pieces, piece = [], ""
    for c in word:
        if piece and width(piece + c, size) > room:
            pieces.append(piece)
            piece = ""
        piece += c
    return [*pieces, piece]


def wrapped(text: str, room: float, size: float) -> list[str]:
    """The lines of a text; each fits into the room."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines += _broken(word, room, size)
    return lines


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines of text with the font size at which they fit."""

    lines: tuple[str, ...]
    size: float
    leading: float

    @property
    def height(self) -> float:
        """The height of all lines together."""
        return len(self.lines) * self.leading


def fit(
    text: str, room: float, tall: float, sizes: Sequence[float], most: int = 99, *, bold: bool = False
) -> Fitted:
    """A text in at most `most` lines, at the largest of these sizes at which it fits.

    If it fits at none of them, smaller sizes are tried until it does.
    """
    tried, size = [*sizes], 10.0
    room = room if bold else room / PLAIN
    while True:
        size = tried.pop(0) if tried else size * 0.9
        found = Fitted(tuple(wrapped(text, room, size)), size, size * 1.24)
        if len(found.lines) <= most and found.height <= tall:
            return found


def text(
    x: float, y: float, size: float, said: str, fill: str, *, anchor: str = "start", more: str = ""
) -> str:
    """One line of text."""
    held = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{n(x)}" y="{n(y)}" font-size="{n(size)}" fill="{fill}"{held}{more}>{safe(said)}</text>'


def block(x: float, y: float, fitted: Fitted, fill: str, *, anchor: str = "start", more: str = "") -> str:
    """Lines of text; the baseline of the first is at y."""
    return "".join(
        text(x, y + i * fitted.leading, fitted.size, said, fill, anchor=anchor, more=more)
        for i, said in enumerate(fitted.lines)
    )
