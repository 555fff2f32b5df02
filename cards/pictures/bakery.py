"""Shapes of grain, pulses, bread and noodles."""

from __future__ import annotations

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
    shade,
)

WOOD = Ink("#b9783f", "#8a5428")


def ears(ink: Ink, dice: Dice) -> str:
    """Three ears of wheat."""

    def ear(x: float, turn: float, colour: str) -> str:
        grains = "".join(
            at(path("M0 0C-15-7-15-27 0-34C15-27 15-7 0 0Z", colour, 3.5), side * 13, y, 1, side * 24)
            for y in (18, -4, -26, -48)
            for side in (-1, 1)
        )
        tip = path("M0-52C-12-60-12-78 0-88C12-78 12-60 0-52Z", colour, 3.5)
        return at(line("M0 96C4 60-3 20 0-50", ink.dark, 6) + grains + tip, x, 0, 1, turn)

    return (
        ear(-20, -20, ink.dark)
        + ear(20, 20, ink.dark)
        + ear(0, 0, ink.base)
        + box(-25, 52, 50, 14, 7, ink.second)
    )


def oats(ink: Ink, dice: Dice) -> str:
    """A drooping panicle of oats."""
    drops = ((-62, -18), (-40, -54), (62, -22), (42, -58), (-50, 26), (50, 22), (0, -72))
    twigs = "".join(
        line(f"M0 {40 + i % 3 * 8}Q{x * 0.3:.0f} {y - 26} {x} {y}", ink.dark, 4)
        for i, (x, y) in enumerate(drops)
    )
    grains = "".join(
        at(
            path("M0-6C-14 6-14 30 0 44C14 30 14 6 0-6Z", ink.base, 3.5) + line("M0 2L0 34", ink.dark, 3),
            x,
            y,
            1,
            x * 0.25,
        )
        for x, y in drops
    )
    return line("M0 98C4 60-2 0 0-70", ink.dark, 6) + twigs + grains


def heap(ink: Ink, dice: Dice) -> str:
    """A bowl with a heap of grains."""
    mound = path("M-78 12C-60-40-30-62 0-62C30-62 60-40 78 12Z", ink.base)
    grains = "".join(
        at(ellipse(0, 0, 8, 4.4, ink.light if i % 2 else ink.pale, 1.6), x, y - 18, 1, dice.between(-50, 50))
        for i, (x, y) in enumerate(scattered(dice, 30, 58, 32))
        if y - 18 > -58 + abs(x) * 0.7
    )
    return mound + grains + bowl(Ink(ink.second, ""))


def bowl(ink: Ink) -> str:
    """A bowl below the line of its rim."""
    return (
        path("M-88 6C-84 54-54 84-34 88L-30 96L30 96L34 88C54 84 84 54 88 6C50 22-50 22-88 6Z", ink.base)
        + line("M-76 36C-40 52 40 52 76 36", ink.light, 7)
        + shade("M88 6C84 54 54 84 34 88L30 96L-6 96C40 84 60 50 62 14C72 12 80 10 88 6Z", 0.14)
    )


def beans(ink: Ink, dice: Dice) -> str:
    """A heap of beans."""
    form = "M-17-2C-18-16-4-18 4-12C12-8 20-10 22 0C22 14 6 18-4 14C-12 12-16 6-17-2Z"
    spots = scattered(dice, 22, 76, 56)
    return "".join(
        at(
            path(form, (ink.base, ink.light, ink.dark)[i % 3], 3.2) + gleam(-6, -6, 4, 3),
            x,
            y + 18,
            1.16,
            dice.between(0, 360),
        )
        for i, (x, y) in enumerate(spots)
    )


def pulses(ink: Ink, dice: Dice) -> str:
    """A scoop with round pulses."""
    spots = scattered(dice, 26, 62, 44)
    peas = "".join(
        circle(x - 14, y + 24, 14, (ink.base, ink.light, ink.dark)[i % 3], 3)
        + gleam(x - 18, y + 19, 4, 3)
        + line(f"M{x - 12:.0f} {y + 29:.0f}q4-1 5-5", ink.deep, 2.5)
        for i, (x, y) in enumerate(spots)
    )
    scoop = path("M22-36L74-92C82-100 98-86 90-76L40-18Z", WOOD.base) + ellipse(8, 0, 70, 36, WOOD.dark)
    return scoop + peas + path("M-84 44C-60 92 40 92 62 44C66 96-86 100-84 44Z", WOOD.base)


def flat_pulses(ink: Ink, dice: Dice) -> str:
    """A bowl of small flat lentils."""
    spots = scattered(dice, 44, 74, 24)
    return (
        path("M-88 4C-84 54-54 84-34 88L-30 96L30 96L34 88C54 84 84 54 88 4Z", ink.second)
        + ellipse(0, 2, 88, 36, Ink(ink.second, "").light)
        + ellipse(0, 4, 76, 28, ink.dark, 3)
        + "".join(
            ellipse(x, y + 2, 9, 5.6, (ink.base, ink.light, ink.pale)[i % 3], 2)
            for i, (x, y) in enumerate(spots)
        )
        + "".join(ellipse(x, y, 9, 5.6, ink.base, 2) for x, y in ((-88, 92), (70, 94), (92, 86)))
        + line("M-72 40C-40 56 40 56 72 40", Ink(ink.second, "").light, 7)
    )


def loaf(ink: Ink, dice: Dice) -> str:
    """A loaf with slices."""
    slice_ = (
        "M-44 52C-50 10-48-8-50-22C-64-52-24-66 0-64C24-66 64-52 50-22C48-8 50 10 44 52C20 58-20 58-44 52Z"
    )
    return (
        path("M-30-66C20-84 86-78 92-44C96-16 86 8 88 40C70 60 10 64-30 60Z", ink.dark)
        + line("M28-62l18 24M56-62l18 24", ink.light, 7)
        + at(path(slice_, ink.base) + at(path(slice_, ink.second, 0), scale=0.84), -34, 6, 1.04)
        + at(
            path(slice_, ink.base)
            + at(path(slice_, Ink(ink.second, "").light, 0), scale=0.84)
            + "".join(ellipse(x, y, 4, 2.6, ink.light, 0) for x, y in scattered(dice, 6, 30, 30)),
            6,
            38,
            0.98,
            4,
        )
    )


def slice_of(ink: Ink) -> str:
    """One slice of bread from the front, for toasts."""
    form = "M-66 76C-74 14-70-8-74-28C-94-72-36-90 0-88C36-90 94-72 74-28C70-8 74 14 66 76C30 84-30 84-66 76Z"
    return path(form, ink.base) + at(path(form, ink.second, 0), scale=0.86)


def boule(ink: Ink, dice: Dice) -> str:
    """A round loaf, scored and floured."""
    cuts = "".join(
        line(d, ink.pale, 10)
        for d in ("M-46-14C-30-36-10-44 4-46", "M-34 16C-10-14 20-26 38-28", "M-6 32C14 8 40-2 58-4")
    )
    return (
        path("M-92 26C-96-34-50-66 0-66C50-66 96-34 92 26C88 62 50 76 0 76C-50 76-88 62-92 26Z", ink.base)
        + shade("M92 26C88 62 50 76 0 76C-40 76-72 67-86 46C-30 66 70 58 78-14C88-2 93 12 92 26Z")
        + cuts
        + "".join(circle(x, y - 4, 2.6, "#fff6e0", 0) for x, y in scattered(dice, 22, 72, 46))
    )


def brioche(ink: Ink, dice: Dice) -> str:
    """A fluted brioche with its head."""
    flutes = "".join(line(f"M{x} 34L{x * 0.78:.0f} 86", ink.dark, 5) for x in (-54, -27, 0, 27, 54))
    return (
        circle(0, -48, 36, ink.base)
        + path("M-82 24C-90-14-60-34-30-30C-14-38 14-38 30-30C60-34 90-14 82 24Z", ink.base)
        + path("M-86 22C-74 12 74 12 86 22L60 88C30 96-30 96-60 88Z", ink.second)
        + flutes
        + gleam(-13, -62, 11, 7, -24)
        + gleam(-50, -8, 16, 7, -24)
    )


def discs(ink: Ink, dice: Dice) -> str:
    """A stack of flat breads."""
    under = "".join(
        ellipse(dice.between(-3, 3), 56 - 15 * i, 92, 32, ink.dark if i % 2 else ink.base) for i in range(4)
    )
    spots = "".join(
        ellipse(x, y - 6, dice.between(5, 12), dice.between(3, 6), ink.second, 0)
        for x, y in scattered(dice, 11, 70, 22)
    )
    return under + ellipse(0, -6, 92, 34, ink.light) + spots + line("M-70-14C-40-34 20-36 50-28", ink.pale, 5)


def pocket(ink: Ink, dice: Dice) -> str:
    """A pita cut into halves."""
    half = (
        path("M-84 10C-80-60 80-60 84 10C84 22-84 22-84 10Z", ink.base)
        + ellipse(0, 10, 84, 17, ink.dark)
        + ellipse(0, 12, 70, 10, ink.deep, 0)
    )
    spots = "".join(ellipse(x, y - 22, 8, 5, ink.second, 0) for x, y in scattered(dice, 7, 52, 12))
    return at(half + spots, 14, -30, 0.88, -10) + at(half + spots, -6, 44, 0.98, 6)


def nest(ink: Ink, dice: Dice) -> str:
    """A nest of noodles."""
    parts = [path(loop([(x * dice.between(0.94, 1.1), y) for x, y in ring(14, 92, 0, 0.7)]), ink.dark)]
    for i, r in enumerate((82, 68, 54, 40, 26)):
        colour = (ink.base, ink.light, ink.base, ink.pale, ink.light)[i]
        turn = dice.between(0, 360)
        (ax, ay), (bx, by), (cx, cy) = ring(3, r, turn, 0.68)
        parts.append(
            f'<ellipse cx="0" cy="{-4 * i}" rx="{r}" ry="{r * 0.66:.0f}" fill="none" stroke="{ink.deep}" stroke-width="13"/>'
        )
        parts.append(
            f'<ellipse cx="0" cy="{-4 * i}" rx="{r}" ry="{r * 0.66:.0f}" fill="none" stroke="{colour}" stroke-width="9"/>'
        )
        parts.append(
            line(
                f"M{ax:.0f} {ay - 4 * i:.0f}Q{bx * 0.7:.0f} {by * 0.7 - 4 * i:.0f} {cx:.0f} {cy - 4 * i:.0f}",
                ink.deep,
                10,
            )
            + line(
                f"M{ax:.0f} {ay - 4 * i:.0f}Q{bx * 0.7:.0f} {by * 0.7 - 4 * i:.0f} {cx:.0f} {cy - 4 * i:.0f}",
                colour,
                6.5,
            )
        )
    return at("".join(parts), 0, 16)


def sheaf(ink: Ink, dice: Dice) -> str:
    """A bundle of spaghetti, tied."""
    rods = "".join(
        line(
            f"M{-34 + 8.5 * i + dice.between(-2, 2):.0f}-94C{-12 + 3 * i}-30 {-12 + 3 * i} 30 {-38 + 9.5 * i + dice.between(-2, 2):.0f} 94",
            (ink.base, ink.light, ink.dark)[i % 3],
            7,
        )
        for i in range(9)
    )
    back = path("M-42-94C-18-30-18 30-44 94L48 94C22 30 22-30 42-94Z", ink.deep)
    return at(back + rods + box(-24, -11, 48, 22, 8, ink.second), turn=24)


def elbows(ink: Ink, dice: Dice) -> str:
    """Short bent tubes."""

    def one(x: float, y: float, turn: float, colour: str) -> str:
        d = "M-24 18C-26-18 4-32 28-20"
        return at(
            line(d, "#3a2317", 31)
            + line(d, colour, 23)
            + line("M-30 8C-26-16-4-28 16-28", ink.pale, 4)
            + ellipse(28, -20, 7, 12, ink.deep, 3),
            x,
            y,
            1,
            turn,
        )

    spots = scattered(dice, 9, 68, 56)
    return "".join(
        one(x, y + 6, dice.between(0, 360), (ink.base, ink.light, ink.dark)[i % 3])
        for i, (x, y) in enumerate(spots)
    )
