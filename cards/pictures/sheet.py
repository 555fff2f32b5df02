"""A contact sheet: many pictures side by side in one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cards.pictures.paint import safe

_SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)" width="\d+" height="\d+"')
_GAP = 20


def sheet(pictures: Sequence[str], columns: int, title: str, scale: float = 0.5) -> str:
    """Pictures of equal size in rows with this many columns. Raises `ValueError` if they don't state their size."""
    size = _SIZE.search(pictures[0])
    if size is None:
        raise ValueError("the first picture does not state its size")
    wide, tall = int(size[1]), int(size[2])
    rows = -(-len(pictures) // columns)
    width, height = columns * (wide + _GAP) + _GAP, rows * (tall + _GAP) + _GAP
    parts = []
    for i, picture in enumerate(pictures):
        x, y = _GAP + i % columns * (wide + _GAP), _GAP + i // columns * (tall + _GAP)
        parts.append(picture.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width * scale:.0f}"'
        f' height="{height * scale:.0f}" role="img" aria-label="{safe(title)}">\n{"".join(parts)}</svg>\n'
    )
