"""Folding: drawings that take as many lines as there is room for, counted as the terminal prints them."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from cloche.table.presenter import View

GAP = "  "
"""The space between two items of a flow."""

Draw = Callable[[], list[RenderableType]]


def height(items: Sequence[RenderableType], width: int) -> int:
    """Count the lines that these items take, one below another.

    >>> height([Text("Tuna, Bread"), Text("Salt")], 6)
    3
    """
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    return sum(len(console.render_lines(item, pad=False)) for item in items)


def richest(view: View, draws: Sequence[Draw]) -> list[RenderableType]:
    """The first of these drawings that fits the view's room, else the last; the first if there is no bound.

    `draws` begin with the richest drawing.
    """
    *rich, barest = draws
    if view.room is None:
        return draws[0]()
    for draw in rich:
        found = draw()
        if height(found, view.width) <= view.room:
            return found
    return barest()


def flow(label: str, items: Sequence[Text], width: int) -> list[RenderableType]:
    """Items side by side below a label, none broken unless it alone exceeds the width.

    >>> [str(line) for line in flow("Cards:", [Text("1 Tuna"), Text("2 Bread"), Text("3 Salt")], 22)]
    ['Cards:  1 Tuna', '  2 Bread  3 Salt']
    """
    lines = [Text(label)]
    for item in items:
        if cell_len(lines[-1].plain) + len(GAP) + cell_len(item.plain) > width:
            lines.append(Text())
        lines[-1].append(GAP).append_text(item)
    return [*lines]
