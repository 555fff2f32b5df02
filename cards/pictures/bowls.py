"""The forms of dishes, first part: bowls, plates and glasses, with ingredients on them."""

from __future__ import annotations

from collections.abc import Sequence

from cards.pictures import bakery, fruits, larder
from cards.pictures.paint import (
    Dice,
    Ink,
    at,
    box,
    circle,
    ellipse,
    gleam,
    line,
    path,
    scattered,
    shade,
)
from cards.pictures.vocabulary import Motif

Tops = Sequence[Motif]


def steam(dice: Dice) -> str:
    """Three threads of steam."""
    paths = "".join(f"M{x} {-58 + dice.between(-4, 4):.0f}q-9-9 0-18t0-18" for x in (-28, 2, 32))
    return f'<path d="{paths}" fill="none" stroke="#fff" stroke-opacity="0.75" stroke-width="6"/>'


def small(tops: Tops, spots: Sequence[tuple[float, float]], size: float, dice: Dice, flat: float = 1) -> str:
    """Ingredients at these spots, repeated until all spots are taken; the nearest are drawn last."""
    placed = [(x, y, tops[i % len(tops)]) for i, (x, y) in enumerate(spots)] if tops else []
    return "".join(
        at(top.drawn(dice), x, y, size, dice.between(-16, 16), flat)
        for x, y, top in sorted(placed, key=lambda p: p[1])
    )


PORCELAIN = "#fbf8f1"


def plate(ink: Ink) -> str:
    """An empty plate, seen from the side and above."""
    return (
        ellipse(0, 48, 100, 42, PORCELAIN)
        + ellipse(0, 46, 92, 36, ink.second, 0)
        + ellipse(0, 46, 84, 32, PORCELAIN, 0)
        + ellipse(0, 48, 66, 23, "#ece5d6", 0)
    )


def bowl(ink: Ink) -> str:
    """The outside of a bowl below the line of its rim (y = 0)."""
    crock = Ink(ink.second, "")
    return (
        path("M-94 0C-90 56-54 84-36 88L-32 96L32 96L36 88C54 84 90 56 94 0C60 40-60 40-94 0Z", crock.base)
        + line("M-84 38C-46 66 46 66 84 38", crock.light, 7)
        + shade("M94 0C90 56 54 84 36 88L32 96L-4 96C44 84 70 54 74 22C82 16 88 8 94 0Z")
    )


def soup(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A bowl of soup with something in it."""
    inside = ellipse(0, 0, 94, 38, Ink(ink.second, "").light) + ellipse(0, 3, 84, 31, ink.base, 3)
    swirl = line("M-50 6C-30-14 20-14 34 2S0 22-12 10", ink.light, 5) + "".join(
        circle(x, y + 4, 3, ink.pale, 0) for x, y in scattered(dice, 9, 68, 20)
    )
    return (
        steam(dice)
        + inside
        + swirl
        + small(tops, ((-38, -6), (2, -16), (40, -6), (4, 10))[: max(2, len(tops))], 0.34, dice)
        + bowl(ink)
    )


def stew(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A pot, full to the brim."""
    pot = Ink(ink.second, "")
    handles = "".join(path(f"M{s * 84} 14C{s * 104} 6 {s * 108} 34 {s * 86} 34Z", pot.dark) for s in (-1, 1))
    inside = (
        ellipse(0, -4, 88, 34, pot.light)
        + ellipse(0, -1, 79, 27, ink.base, 3)
        + "".join(ellipse(x, y, 7, 4, ink.light, 0) for x, y in scattered(dice, 12, 66, 18))
    )
    spots = ((-48, -10), (-16, -18), (18, -20), (50, -10), (0, 4))[: max(3, len(tops))]
    return (
        steam(dice)
        + handles
        + path("M-88-4C-88 60-80 86-60 92L60 92C80 86 88 60 88-4Z", pot.base)
        + shade("M88-4C88 60 80 86 60 92L0 92C56 84 66 50 66 10Z")
        + line("M-86 24C-40 46 40 46 86 24", pot.light, 6)
        + inside
        + small(tops, spots, 0.36, dice)
    )


def noodles(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A nest of noodles on a plate."""
    return (
        plate(ink)
        + at(bakery.nest(ink, dice), 0, 18, 0.74, 0, 0.9)
        + small(tops, ((-38, 10), (36, 12), (0, -10), (-8, 34), (44, 38))[: max(2, len(tops))], 0.34, dice)
        + steam(dice)
    )


def rice(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A bowl of rice, heaped."""
    mound = path("M-84 6C-64-44-34-58 0-58C34-58 64-44 84 6C40 30-40 30-84 6Z", ink.base)
    grains = "".join(
        at(ellipse(0, 0, 7, 4, ink.light if i % 2 else ink.dark, 1.4), x, y - 16, 1, dice.between(-50, 50))
        for i, (x, y) in enumerate(scattered(dice, 26, 62, 32))
        if y - 16 > -50 + abs(x) * 0.7
    )
    spots = ((-40, -16), (0, -42), (40, -16), (-2, -6), (-20, -30))[: len(tops)]
    return (
        ellipse(0, 0, 94, 36, Ink(ink.second, "").light)
        + mound
        + grains
        + small(tops, spots, 0.36, dice)
        + bowl(ink)
        + ("" if tops else steam(dice))
    )


def salad(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A wide bowl of leaves and more."""
    greens = "".join(
        fruits.leaf(
            Ink(("#6fb24a", "#4d8f43", "#9fc66b")[i % 3], "#3d6f35"),
            x * 0.6,
            14,
            70 + dice.between(-8, 12),
            x * 0.9,
        )
        for i, x in enumerate((-84, -60, -36, -12, 12, 36, 60, 84))
    )
    spots = ((-46, -8), (-14, -24), (22, -24), (50, -6), (2, 0))[: max(3, len(tops))]
    return (
        ellipse(0, 0, 94, 36, Ink(ink.second, "").light) + greens + small(tops, spots, 0.42, dice) + bowl(ink)
    )


def dip(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A smooth dip with a swirl of oil, and bread to dip."""
    wedges = "".join(
        at(path("M0-40L34 26C12 38-12 38-34 26Z", "#e6c48a"), x, -22, 0.98, turn)
        for x, turn in ((-62, -26), (62, 26), (34, 10))
    )
    swirl = line("M-56 2C-30-18 36-18 52 0C40 16-20 18-26 4C-10-8 18-4 20 4", ink.light, 7) + line(
        "M-48 4C-26-10 30-12 44 2", "#d8b23c", 5
    )
    return (
        wedges
        + ellipse(0, 0, 94, 36, Ink(ink.second, "").light)
        + ellipse(0, 2, 84, 29, ink.base, 3)
        + swirl
        + small(tops, ((-30, -6), (26, -8))[: len(tops)], 0.3, dice)
        + bowl(ink)
    )


def glass(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A tall glass with a straw."""
    return (
        line("M14-40L44-98", "#3a2317", 13)
        + line("M14-40L44-98", "#d8402f", 7)
        + path("M-54-62L54-62L42 84C40 96-40 96-42 84Z", "#eef6f7")
        + path("M-50-36C-20-44 20-28 50-36L40 82C38 90-38 90-40 82Z", ink.base, 0)
        + "".join(
            at(box(-13, -13, 26, 26, 5, "#fff", 2.5), x, y, 0.9, turn)
            for x, y, turn in ((-18, -12, 20), (18, 4, -16))
        )
        + gleam(-34, 10, 5, 38, -4, 0.6)
        + "".join(circle(x, y + 40, 4, ink.light, 0) for x, y in scattered(dice, 9, 26, 40))
        + small(tops[:1], ((-46, -58),), 0.46, dice)
        + small(tops[1:2], ((46, 74),), 0.4, dice)
    )


def mug(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A mug, steaming, on a saucer."""
    crock = Ink(ink.second, "")
    return (
        steam(dice)
        + ellipse(0, 76, 96, 22, crock.light)
        + '<path d="M54-8C100-20 104 52 46 48" fill="none" stroke-width="20"/>'
        + line("M54-8C100-20 104 52 46 48", crock.base, 12)
        + path("M-64-30L64-30C64 30 54 78 30 82L-30 82C-54 78-64 30-64-30Z", crock.base)
        + ellipse(0, -30, 64, 21, crock.light)
        + ellipse(0, -28, 54, 15, ink.base, 3)
        + line("M-58 6C-20 18 20 18 58 6", crock.dark, 6)
        + line("M-26-30C-10-38 12-36 22-28", ink.light, 5)
        + small(tops[:2], ((-66, 66), (62, 70)), 0.36, dice)
    )


def coupe(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A glass of something sweet, in layers."""
    return (
        ellipse(0, 84, 50, 13, "#e4eff1")
        + box(-7, 44, 14, 38, 3, "#e4eff1")
        + path("M-76-22C-70 30-36 52 0 52C36 52 70 30 76-22Z", "#eef6f7")
        + path("M-68-14C-60 26-30 44 0 44C30 44 60 26 68-14Z", ink.base, 0)
        + path("M-64 2C-30 14 30-6 64 2C54 28 28 44 0 44C-28 44-54 28-64 2Z", ink.light, 0)
        + path("M-66-18C-66-44-38-46-34-52C-26-72 26-72 34-52C40-46 66-44 66-18C30-8-30-8-66-18Z", "#fffaf0")
        + line("M-40-26C-20-38 20-38 40-26", "#e9dcc3", 5)
        + small(tops, ((0, -62), (-40, -34), (42, -34)), 0.36, dice)
        + gleam(-52, 8, 5, 18, 20)
    )


def platter(ink: Ink, tops: Tops, dice: Dice) -> str:
    """The ingredients arranged on a plate."""
    count = max(1, len(tops))
    spots: dict[int, tuple[tuple[float, float], ...]] = {
        1: ((0, 8),),
        2: ((-32, 6), (38, 20)),
        3: ((0, -22), (-42, 26), (42, 28)),
        4: ((-34, -16), (36, -16), (-40, 34), (42, 34)),
    }
    places = spots.get(count, ((-2, -32), (-54, 2), (52, 2), (-30, 42), (34, 42)))
    size = {1: 0.78, 2: 0.6, 3: 0.52}.get(count, 0.46)
    return (
        plate(ink)
        + small(tops, places, size, dice)
        + fruits.leaf(fruits.LEAF, -6, 66, 24, -70)
        + fruits.leaf(fruits.LEAF, 2, 66, 24, 66)
    )


def grilled(ink: Ink, tops: Tops, dice: Dice) -> str:
    """The first ingredient, large in a black pan, with the others beside it."""
    pan = (
        line("M70 40L98 4", "#3a2317", 22)
        + line("M70 40L98 4", "#6b4a34", 14)
        + ellipse(-8, 34, 88, 48, "#3d3f45")
        + ellipse(-8, 30, 76, 38, "#565a63", 3)
    )
    return (
        steam(dice)
        + pan
        + small(tops[:1] or [Motif(larder.steak, ink)], ((-8, 14),), 0.72, dice)
        + small(tops[1:], ((-54, 40), (36, 44), (-6, 56)), 0.4, dice)
    )
