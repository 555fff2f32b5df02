"""Many pictures on one, side by side: a contact sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cards.pictures.paint import safe

_SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)" width="\d+" height="\d+"')
_GAP = 20


def sheet(pictures: Sequence[str], columns: int, title: str, scale: float = 0.5) -> str:
    """Pictures of one size in rows of so many."""
    size = _SIZE.search(pictures[0])
    assert size is not None, "pictures of ours state their size"
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
