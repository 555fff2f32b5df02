"""The forms of dishes, second part: breads, bakes, and fried, rolled or folded dishes."""

from __future__ import annotations

from cards.pictures import bakery, fruits, larder
from cards.pictures.bowls import Tops, plate, small, steam
from cards.pictures.paint import (
    Dice,
    Ink,
    at,
    box,
    circle,
    ellipse,
    gleam,
    line,
    loop,
    path,
    ring,
    scattered,
)

CRUST = Ink("#cf8f45", "#f3d79c")


PORCELAIN = "#fbf8f1"


def pancakes(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A stack of pancakes with butter and syrup."""
    cakes = "".join(
        path(
            f"M-72 {y}C-72 {y - 24} 72 {y - 24} 72 {y}C74 {y + 20}-74 {y + 20}-72 {y}Z",
            CRUST.base if i % 2 else CRUST.dark,
        )
        for i, y in enumerate((52, 37, 22, 7, -8))
    )
    syrup = path(
        "M-64-12C-40-28 40-28 64-12C66 4 54 0 52 14C50 30 38 28 36 12C30-2 12 0 10 16C8 42-10 40-12 18C-16 0-34 2-38 12C-42 26-54 24-54 8C-56 0-64-2-64-12Z",
        "#9a4f1f",
        3,
    )
    return (
        plate(ink)
        + cakes
        + ellipse(0, -14, 66, 17, CRUST.second, 0)
        + syrup
        + at(larder.butter(Ink("#f5d35c", "#f4e3bd"), dice), 0, -32, 0.3)
        + small(tops, ((-66, 56), (68, 58)), 0.34, dice)
    )


def waffles(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Two waffles."""
    grid = "".join(
        box(x, y, 21, 21, 4, CRUST.dark, 2.5) for x in (-50, -24, 2, 28) for y in (-50, -24, 2, 28)
    )
    one = box(-58, -58, 116, 116, 22, CRUST.base) + grid
    return (
        plate(ink)
        + at(one, -16, 26, 0.8, -14, 0.7)
        + at(one, 16, 4, 0.8, 10, 0.7)
        + path("M-20-14C0-30 40-20 46-6C50 8 36 6 34 20C28 34 18 26 16 12C0 14-18 4-20-14Z", "#9a4f1f", 3)
        + small(tops, ((-58, 44), (60, 50), (0, -26)), 0.32, dice)
    )


def toast(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Slices on a board, with something on them."""
    slice_ = bakery.slice_of(Ink("#b8743a", "#f0cf8f"))
    board = box(-98, 46, 196, 36, 12, bakery.WOOD.base) + line(
        "M-84 58L60 58M-70 70L84 70", bakery.WOOD.dark, 3
    )
    return (
        board
        + at(slice_, -38, -4, 0.72, -8)
        + at(slice_, 36, 2, 0.76, 7)
        + small(tops, ((-40, -4), (36, 4), (-60, 54), (62, 58))[: max(2, len(tops))], 0.42, dice)
    )


def sandwich(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Two halves of a sandwich on a plate."""

    def half(x: float, turn: float) -> str:
        layers = (
            path("M-58 30L0-46L58 30Z", "#f6deae")
            + path("M-64 36C-30 26 30 26 64 36L60 46L-60 46Z", "#6fb24a", 3)
            + path("M-62 46L62 46L58 58L-58 58Z", ink.base, 3)
            + path("M-60 58C-30 52 30 64 60 58L56 68L-56 68Z", "#d8402f", 3)
            + path("M-60 68L60 68C60 84-60 84-60 68Z", CRUST.base)
        )
        return at(layers, x, 0, 0.82, turn)

    return (
        plate(ink)
        + half(-38, -6)
        + half(40, 6)
        + small(tops, ((-70, 62), (72, 62), (2, 66), (0, -40)), 0.3, dice)
    )


def burger(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A burger."""
    sesame = "".join(
        at(ellipse(0, 0, 5, 3, "#fbe7b8", 1.5), x, y, 1, dice.between(-40, 40))
        for x, y in ((-40, -46), (-16, -64), (14, -54), (40, -42), (-8, -40), (24, -70))
    )
    return (
        plate(ink)
        + path("M-70 44L70 44C74 72 50 76 0 76C-50 76-74 72-70 44Z", CRUST.base)
        + path("M-78 42C-60 54-40 36-20 46S20 54 40 42S70 52 78 40L74 28L-74 28Z", "#6fb24a")
        + box(-74, 8, 148, 26, 13, "#6b3a24")
        + path("M-72 6L72 6L60 20L44 8L20 26L-4 8L-40 22Z", "#f3bd3e")
        + box(-68, -8, 136, 14, 7, "#d8402f")
        + path("M-74-10C-78-62-40-84 0-84C40-84 78-62 74-10C50-4-50-4-74-10Z", CRUST.base)
        + sesame
        + small(tops[2:], ((-76, 62), (78, 62)), 0.3, dice)
    )


def tacos(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Two folded tortillas, filled."""

    def one(x: float, y: float, turn: float) -> str:
        filling = small(tops, ((-42, -20), (-8, -38), (28, -28), (46, -10)), 0.34, dice)
        return at(
            path("M-74 24C-74-50 74-50 74 24Z", "#d8a95c")
            + filling
            + path("M-78 30C-70-30 62-24 74 30C60 42-60 42-78 30Z", "#f0cf8f")
            + "".join(ellipse(u, v + 12, 6, 3.5, "#c98f4a", 0) for u, v in scattered(dice, 7, 50, 14)),
            x,
            y,
            0.8,
            turn,
        )

    return plate(ink) + one(-20, 2, -8) + one(24, 34, 6)


def folded(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Something folded over its filling, on a plate: an omelette, a quesadilla."""
    return (
        plate(ink)
        + path("M-78 44C-84-16-30-44 20-34C60-26 84 4 80 40C60 56-60 60-78 44Z", ink.base)
        + path("M-78 44C-50 20 50 14 80 40C60 58-58 62-78 44Z", ink.light)
        + "".join(ellipse(x, y, 8, 4, ink.dark, 0) for x, y in scattered(dice, 9, 52, 18))
        + small(tops, ((-50, 46), (-10, 42), (34, 40), (66, 60)), 0.32, dice)
    )


def pie(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A pie with a lattice, a tin under it."""
    lattice = "".join(
        line(f"M{x}-26L{x * 0.8 + 14:.0f} 30", CRUST.base, 12) for x in (-60, -30, 0, 30, 60)
    ) + "".join(line(f"M-78 {y}L78 {y + 3}", CRUST.light, 11) for y in (-12, 6, 22))
    rim = "".join(circle(x, y + 2, 12, CRUST.base, 3) for x, y in ring(24, 88, 0, 0.42))
    tin = path("M-92 8C-84 54-60 70-52 72L52 72C60 70 84 54 92 8Z", "#b9c4c9") + "".join(
        line(f"M{x} 36L{x * 0.82:.0f} 68", "#8b989e", 4) for x in (-66, -40, -14, 14, 40, 66)
    )
    return (
        steam(dice)
        + tin
        + ellipse(0, 2, 88, 36, ink.base)
        + lattice
        + rim
        + small(tops, ((-68, 62), (68, 64), (0, 70)), 0.34, dice)
    )


def cake(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A slice of layered cake."""
    layers = "".join(
        path(f"M-84 {y}L84 {y + 6}L84 {y + 22}L-84 {y + 16}Z", colour, 2.5)
        for y, colour in ((-8, "#e9c58a"), (8, ink.base), (24, "#e9c58a"), (40, ink.dark))
    )
    return (
        plate(ink)
        + path("M-84-8L-84 58L84 66L84-2Z", ink.dark)
        + layers
        + path("M-84-8L26-52C56-50 80-28 84-2Z", ink.deep)
        + small(tops, ((10, -34), (-66, 66), (70, 70)), 0.34, dice)
    )


def muffins(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Three muffins."""

    def one(x: float, y: float, scale: float) -> str:
        dots = "".join(circle(u, v - 22, 7, ink.base, 2.5) for u, v in scattered(dice, 6, 40, 18))
        return at(
            path("M-46 0L46 0L34 62L-34 62Z", ink.second)
            + "".join(
                line(f"M{u} 4L{u * 0.75:.0f} 58", Ink(ink.second, "").dark, 4) for u in (-28, -10, 10, 28)
            )
            + path(
                "M-56 4C-72-20-44-34-36-40C-20-64 20-64 36-40C44-34 72-20 56 4C30 12-30 12-56 4Z", CRUST.base
            )
            + dots,
            x,
            y,
            scale,
        )

    return one(0, -32, 0.86) + one(-48, 26, 0.94) + one(48, 28, 0.94) + small(tops[:1], ((0, 76),), 0.3, dice)


def pizza(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A pizza from above, a slice drawn out."""
    blobs = "".join(
        path(loop([(x + u, y + v) for u, v in ring(7, dice.between(9, 15))]), "#fdf3d2", 2.5)
        for x, y in scattered(dice, 9, 54, 54)
    )
    spots = [(x, y) for x, y in ring(6, 46, 20)]
    return (
        circle(0, 0, 96, CRUST.base)
        + circle(0, 0, 80, ink.base, 3)
        + blobs
        + small(tops, spots, 0.26, dice)
        + line("M0 0L0-95M0 0L82-47", "#3a2317", 5)
        + line("M0 0L-82 48M0 0L82 48M0 0L-82-47M0 0L0 95", CRUST.deep, 2.5)
    )


def flatbread(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A baked slab with dimples: focaccia."""
    dimples = "".join(ellipse(x, y + 8, 9, 5, CRUST.dark, 0) for x, y in scattered(dice, 14, 62, 26))
    return (
        box(-98, 50, 196, 32, 12, bakery.WOOD.base)
        + path("M-86 4C-80-34 80-34 86 4L86 44C70 62-70 62-86 44Z", CRUST.dark)
        + path("M-86 4C-80-34 80-34 86 4C88 40-88 40-86 4Z", CRUST.base)
        + dimples
        + small(tops, ((-44, 0), (0, 10), (42, -2)), 0.32, dice)
    )


def bake(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A baking dish with a browned top: lasagna, gratin."""
    crock = Ink(ink.second, "")
    brown = "".join(
        ellipse(x, y - 6, dice.between(8, 16), dice.between(4, 8), CRUST.base, 0)
        for x, y in scattered(dice, 14, 66, 26)
    )
    return (
        steam(dice)
        + path("M-98-2L98-2L84 68C70 82-70 82-84 68Z", crock.base)
        + line("M-90 34C-40 48 40 48 90 34", crock.light, 6)
        + box(-98, -42, 196, 72, 26, crock.light)
        + box(-86, -34, 172, 56, 20, ink.base, 3)
        + brown
        + small(tops, ((-54, -10), (-18, -16), (20, -8), (56, -14), (0, 2))[: max(3, len(tops))], 0.32, dice)
    )


def pastry(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Something in a crust, cut open, on a board."""
    braid = "".join(line(f"M{x}-42L{x + 26} 16M{x + 26}-42L{x} 16", CRUST.dark, 6) for x in (-30, 2, 34))
    return (
        box(-98, 44, 196, 38, 12, bakery.WOOD.base)
        + path("M-54-46L56-46C90-44 92 44 66 50L-54 50Z", CRUST.base)
        + braid
        + ellipse(-54, 2, 34, 48, CRUST.dark)
        + ellipse(-54, 2, 26, 39, "#6b4a34", 0)
        + ellipse(-54, 2, 20, 31, ink.base, 2.5)
        + small(tops, ((-18, 60), (24, 64), (66, 58)), 0.36, dice)
    )


def skewers(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Three skewers on a plate."""

    def one(x: float, y: float, turn: float) -> str:
        bits = "".join(
            box(
                -13 + dice.between(-2, 2),
                u,
                27,
                24,
                8,
                (ink.base, "#d8402f", ink.dark, "#6fb24a", ink.base)[i % 5],
                3,
            )
            for i, u in enumerate((-60, -33, -6, 21, 48))
        )
        return at(
            line("M0-96L0 98", "#3a2317", 8) + line("M0-94L0 96", "#d9b56a", 4) + bits, x, y, 0.84, turn
        )

    return (
        plate(ink)
        + one(-30, -2, 62)
        + one(0, 14, 62)
        + one(26, 32, 62)
        + small(tops, ((-66, 50), (74, 18)), 0.3, dice)
    )


def sushi(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Rolls cut open on a board."""

    def roll(x: float, y: float) -> str:
        return (
            path(
                f"M{x - 33} {y}L{x - 33} {y + 36}C{x - 33} {y + 56} {x + 33} {y + 56} {x + 33} {y + 36}L{x + 33} {y}Z",
                "#24443a",
            )
            + ellipse(x, y, 33, 21, "#24443a")
            + ellipse(x, y, 27, 16, "#fbf6ea", 0)
            + ellipse(x, y, 13, 8, ink.base, 2.5)
            + gleam(x - 4, y - 2, 4, 2)
        )

    return (
        box(-98, 50, 196, 30, 6, bakery.WOOD.base)
        + roll(-46, -34)
        + roll(22, -34)
        + roll(-62, 14)
        + roll(0, 20)
        + roll(62, 14)
        + small(tops, ((74, -44),), 0.36, dice)
    )


def nigiri(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Two pieces of rice with fish on them."""

    def one(x: float, y: float) -> str:
        stripes = "".join(line(f"M{u}-26q10 14 4 34", ink.pale, 5) for u in (-44, -18, 8, 34))
        return at(
            path("M-58 6C-64 40-50 48 0 48C50 48 64 40 58 6Z", "#fbf6ea")
            + path("M-76 14C-72-28-40-36 0-34C40-36 72-28 76 14C50 4-50 4-76 14Z", ink.base)
            + stripes,
            x,
            y,
        )

    return (
        box(-98, 56, 196, 28, 6, bakery.WOOD.base)
        + at(one(0, 0), 26, -28, 0.76)
        + at(one(0, 0), -20, 26, 0.92)
        + small(tops[1:], ((78, 46),), 0.3, dice)
    )


def dumplings(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Dumplings on a plate, with a saucer."""

    def one(x: float, y: float, turn: float) -> str:
        pleats = "".join(
            line(f"M{u} {-30 + abs(u) * 0.3:.0f}q4 10 0 20", "#c9a06a", 4) for u in (-34, -17, 0, 17, 34)
        )
        return at(
            path("M-64 22C-64-50 64-50 64 22C40 36-40 36-64 22Z", "#f3dfb6")
            + pleats
            + path("M-60 20C-40 10 40 10 60 20C40 34-40 34-60 20Z", "#d99a4a", 3),
            x,
            y,
            0.62,
            turn,
        )

    return (
        plate(ink)
        + one(-34, 2, -8)
        + one(34, -2, 8)
        + one(-52, 40, -4)
        + one(2, 32, 0)
        + one(56, 40, 6)
        + small(tops[:2], ((0, 72), (78, 70)), 0.28, dice)
    )


def fritters(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A heap of fried things on paper."""

    def one(x: float, y: float) -> str:
        return (
            path(loop([(x + u * dice.between(0.9, 1.1), y + v) for u, v in ring(9, 29, 0, 0.86)]), CRUST.base)
            + "".join(
                circle(x + u, y + v, 2.6, ink.base if i % 2 else CRUST.second, 0)
                for i, (u, v) in enumerate(scattered(dice, 8, 18, 14))
            )
            + gleam(x - 10, y - 10, 7, 4, -20)
        )

    return (
        plate(ink)
        + path("M-70 40L-84 4L-40 14L0-4L44 12L82 2L70 44C40 60-40 60-70 40Z", "#fdf6e3", 3)
        + one(0, -40)
        + one(-34, -10)
        + one(32, -12)
        + one(-52, 28)
        + one(0, 22)
        + one(52, 26)
        + small(tops, ((-74, 64), (76, 64)), 0.32, dice)
    )


def rings(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A tower of fried rings."""
    hoops = "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="38" ry="17" fill="none" stroke-width="21"/>'
        + f'<ellipse cx="{x}" cy="{y}" rx="38" ry="17" fill="none" stroke="{CRUST.base if i % 2 else CRUST.light}" stroke-width="14"/>'
        for i, (x, y) in enumerate(((-36, 40), (40, 42), (0, 18), (-2, -4), (2, -26), (0, -48)))
    )
    return plate(ink) + hoops + small(tops, ((-76, 62), (78, 62)), 0.3, dice)


def candied(ink: Ink, tops: Tops, dice: Dice) -> str:
    """A glazed fruit on a stick."""
    return (
        line("M0-40L0-98", "#3a2317", 13)
        + line("M0-40L0-98", "#d9b56a", 7)
        + at(fruits.apple(ink, dice), 0, 4, 0.96)
        + path("M-70 60C-40 96 40 96 70 60C92 74 60 98 0 98C-60 98-92 74-70 60Z", "#f2a51f")
        + "".join(
            circle(x, y - 10, 3.5, ("#fff", "#ffe08a", "#ffd0d8")[i % 3], 0)
            for i, (x, y) in enumerate(scattered(dice, 14, 60, 40))
        )
        + gleam(-40, -10, 12, 30, 20, 0.6)
    )


def chips(ink: Ink, tops: Tops, dice: Dice) -> str:
    """Fried fish and chips in paper."""
    fries = "".join(
        at(box(-7, -46, 14, 78, 3, "#f2c65a" if i % 2 else "#e6ae3f", 3), x, -18 + abs(x) * 0.12, 1, x * 0.36)
        for i, x in enumerate((-66, -48, -32, -14, 4, 22, 40, 58))
    )
    return (
        fries
        + path("M-80 6L80 6L56 94L-56 94Z", "#fdf6e3")
        + path("M-80 6L-30 6L-48 94L-56 94ZM10 6L46 6L30 94L0 94Z", ink.second, 0)
        + path("M-80 6L80 6L56 94L-56 94Z", "none")
        + at(
            path("M-70 10C-50-20 40-24 72-4C82 12 60 26 20 26C-20 34-60 30-70 10Z", CRUST.base)
            + line("M-40 4l12 12M-6-4l12 14M28-4l10 12", CRUST.dark, 5),
            -8,
            10,
            0.9,
            -14,
        )
    )
