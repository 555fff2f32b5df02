"""Shapes of bottles, jars, spices and sweets."""

from __future__ import annotations

from cards.pictures.bakery import WOOD, bowl
from cards.pictures.fruits import leaf
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

CLAY = Ink("#5b8fb0", "#e9f2f6")


def sack(ink: Ink, dice: Dice) -> str:
    """A sack, tied, with a heap spilling before it."""
    return (
        path(
            "M-34-62C-56-78-40-92-22-84C-10-94 10-94 22-84C40-92 56-78 34-62C76-30 82 40 68 82C40 94-40 94-68 82C-82 40-76-30-34-62Z",
            ink.second,
        )
        + box(-38, -68, 76, 14, 7, WOOD.base)
        + line("M-40-20C-50 14-50 44-44 68M40-30C52 14 52 44 46 68", Ink(ink.second, "").dark, 4)
        + circle(0, 8, 30, ink.base, 3)
        + line("M0 26L0-10M0 16q-14-4-14-18q14 4 14 18M0 6q14-4 14-18q-14 4-14 18", ink.deep, 4)
        + path("M-92 92C-72 62-40 66-24 92Z", ink.base)
        + path("M8 92C24 70 66 66 88 92Z", ink.light)
    )


def bottle(ink: Ink, dice: Dice) -> str:
    """A slim bottle with a cork and a label."""
    return (
        box(-13, -98, 26, 24, 5, WOOD.base)
        + path(
            "M-17-80L17-80L19-42C22-24 44-14 44 10L44 84C44 96-44 96-44 84L-44 10C-44-14-22-24-19-42Z",
            ink.base,
        )
        + path("M-44 4C-20 14 20-6 44 4L44 84C44 96-44 96-44 84Z", ink.dark, 0)
        + box(-38, 22, 76, 44, 5, "#fbf3df", 3)
        + leaf(Ink(ink.second, ink.second), -18, 50, 34, 56)
        + circle(14, 46, 9, ink.second, 2.5)
        + gleam(-31, 4, 5, 14, 4)
        + gleam(-10, -58, 3.5, 14, 0)
    )


def jug(ink: Ink, dice: Dice) -> str:
    """A jug, poured full."""
    return (
        '<path d="M52-34C96-44 100 34 50 34" fill="none" stroke-width="20"/>'
        + line("M52-34C96-44 100 34 50 34", ink.second, 12)
        + path(
            "M-66-72L-80-82C-62-92 40-92 52-76C46-40 62-10 62 34C62 80 36 92-4 92C-46 92-70 80-70 34C-70-10-52-40-60-66Z",
            ink.second,
        )
        + path("M-70-80C-46-88 36-88 50-76C30-66-40-66-62-72Z", ink.base, 3)
        + line("M-66 22C-30 40 24 40 60 22", ink.dark, 8)
        + gleam(-44, 34, 8, 26, 6, 0.6)
        + path("M-78-78C-86-60-86-46-80-40C-74-46-72-60-70-74Z", ink.base, 3)
    )


def jar(ink: Ink, dice: Dice) -> str:
    """A jar with a lid and a label."""
    return (
        path("M-56-58C-74-50-76-30-76-10L-76 70C-76 90 76 90 76 70L76-10C76-30 74-50 56-58Z", "#e8f1ee")
        + path("M-68-26C-30-36 30-18 68-28L68 66C68 82-68 82-68 66Z", ink.base, 0)
        + shade("M68-28L68 66C68 78 20 82-20 80C30 70 44 10 42-26Z")
        + box(-62, -88, 124, 30, 8, ink.second)
        + line(
            "M-50-80L-50-66M-30-80L-30-66M-10-80L-10-66M10-80L10-66M30-80L30-66M50-80L50-66",
            Ink(ink.second, "").dark,
            4,
        )
        + box(-44, 0, 88, 50, 8, "#fbf3df", 3)
        + circle(0, 25, 17, ink.base, 3)
        + gleam(-60, 8, 5, 34, 0, 0.6)
    )


def honey(ink: Ink, dice: Dice) -> str:
    """A pot of honey with its dipper."""
    return (
        line("M20-20L64-92", "#3a2317", 17)
        + line("M20-20L64-92", WOOD.base, 10)
        + path("M-58-34C-92-4-84 66-54 88C-20 96 20 96 54 88C84 66 92-4 58-34Z", ink.second)
        + ellipse(0, -34, 62, 18, ink.base)
        + path(
            "M-62-30C-60-4-44-6-40 14C-36 30-24 30-22 12C-20-6-6-2-2 20C2 42 18 40 18 18C18 0 36 6 42-4C52-6 60-14 62-30C40-16-40-16-62-30Z",
            ink.base,
            3,
        )
        + at(
            "".join(ellipse(0, y, 15 - abs(y) * 0.3, 5, WOOD.light, 3) for y in (-16, -8, 0, 8, 16)),
            26,
            -32,
            1.1,
            32,
        )
        + gleam(-56, 20, 6, 20, 12, 0.35)
    )


def shaker(ink: Ink, dice: Dice) -> str:
    """A salt shaker and spilled salt."""
    grains = "".join(box(x + 6, y + 82, 6, 6, 1, ink.pale, 2) for x, y in scattered(dice, 12, 80, 10))
    dots = "".join(
        circle(x, -66 + y, 3, "#3a2317", 0) for x, y in ((-16, 0), (0, -8), (16, 0), (-8, 8), (8, 8))
    )
    return (
        at(
            path("M-36-40C-36-92 36-92 36-40Z", ink.second)
            + dots
            + path("M-40-42L40-42L54 66C54 84-54 84-54 66Z", ink.base)
            + path("M-47 14C-20 4 20 22 48 12L54 66C54 80-54 80-54 66Z", ink.pale, 0)
            + gleam(-32, 0, 6, 30, 6, 0.7)
            + box(-44, -48, 88, 13, 6, Ink(ink.second, "").dark),
            0,
            -4,
            1,
            14,
        )
        + grains
    )


def mill(ink: Ink, dice: Dice) -> str:
    """A pepper mill and corns."""
    corns = "".join(circle(x, y + 84, 7, ink.deep, 2.5) for x, y in scattered(dice, 11, 84, 10))
    return (
        circle(0, -84, 13, ink.second)
        + path("M-30-42C-38-74 38-74 30-42Z", ink.base)
        + box(-24, -44, 48, 13, 5, ink.second)
        + path(
            "M-28-32C-10-10-16 10-34 36C-44 56-46 70-44 84L44 84C46 70 44 56 34 36C16 10 10-10 28-32Z",
            ink.base,
        )
        + line("M-20-22C-6-4-10 14-26 38C-34 54-36 66-35 76", ink.light, 6)
        + corns
    )


def cubes(ink: Ink, dice: Dice) -> str:
    """Cubes stacked: sugar, tofu."""

    def one(x: float, y: float) -> str:
        return at(
            path("M0-40L44-20L0 0L-44-20Z", ink.pale)
            + path("M-44-20L0 0L0 46L-44 26Z", ink.base)
            + path("M44-20L0 0L0 46L44 26Z", ink.dark)
            + "".join(circle(u, v, 2.4, ink.dark, 0) for u, v in ((-28, 4), (-14, 22), (-32, 18))),
            x,
            y,
        )

    return one(0, 8) + one(-45, 42) + one(45, 42) + one(0, -38)


def powder(ink: Ink, dice: Dice) -> str:
    """A bowl of a ground spice, a wooden spoon in it."""
    return (
        line("M18-10L74-86", "#3a2317", 19)
        + line("M18-10L74-86", WOOD.base, 11)
        + path("M-74 14C-50-46-20-60 2-58C30-56 54-30 74 14Z", ink.base)
        + shade("M74 14C54-30 30-56 2-58C30-30 34-8 34 14Z")
        + "".join(
            circle(x, y - 14, 3, ink.light if i % 2 else ink.dark, 0)
            for i, (x, y) in enumerate(scattered(dice, 24, 50, 26))
            if y - 14 > -48 + abs(x) * 0.9
        )
        + at(bowl(Ink(ink.second, "")), 0, 4)
        + "".join(circle(x, y + 94, 3, ink.base, 0) for x, y in scattered(dice, 8, 92, 5))
    )


def seeds(ink: Ink, dice: Dice) -> str:
    """A spoon of seeds."""
    spots = scattered(dice, 26, 46, 34)
    strewn = scattered(dice, 10, 88, 84)
    grain = path("M-14 0C-8-8 8-8 14 0C8 8-8 8-14 0Z", ink.base, 2.6) + line("M-8 0L8 0", ink.light, 2.4)
    return (
        "".join(at(grain, x, y, 0.9, dice.between(0, 180)) for x, y in strewn if x + y > 40 or x - y < -80)
        + line("M26-26L88-88", "#3a2317", 23)
        + line("M26-26L88-88", WOOD.base, 15)
        + at(ellipse(0, 0, 66, 50, WOOD.base) + ellipse(0, 0, 54, 39, WOOD.dark, 3), -22, 22, 1, -44)
        + "".join(at(grain, x - 22, y + 20, 1, dice.between(0, 180)) for x, y in spots)
    )


def sticks(ink: Ink, dice: Dice) -> str:
    """Rolled sticks of bark, tied: cinnamon."""

    def stick(x: float, turn: float, colour: str) -> str:
        curl = circle(-8, -84, 9, ink.deep, 3) + circle(9, -84, 8, ink.deep, 3)
        return at(
            box(-19, -86, 38, 176, 12, colour)
            + line("M0-74L0 82", ink.deep, 4)
            + curl
            + line("M-10-60L-10 60", ink.light, 3.5),
            x,
            0,
            1,
            turn,
        )

    return at(
        stick(-30, -9, ink.dark)
        + stick(30, 9, ink.dark)
        + stick(0, 0, ink.base)
        + box(-50, -2, 100, 15, 7, ink.second)
        + circle(0, 5, 12, ink.second),
        turn=20,
    )


def tablet(ink: Ink, dice: Dice) -> str:
    """A bar of chocolate half out of its paper."""
    squares = "".join(
        box(-46 + 31 * i, -90 + 31 * j, 29, 29, 4, ink.base, 3)
        + line(f"M{-40 + 31 * i} {-65 + 31 * j}l0-18l18 0", ink.light, 3.5)
        for i in range(3)
        for j in range(4)
    )
    paper = path("M-54 2L-38-10L-20 4L0-10L20 4L38-10L54 2L54 92L-54 92Z", ink.second) + box(
        -36, 34, 72, 32, 6, "#fbf3df", 3
    )
    return at(
        box(-50, -94, 100, 130, 6, ink.dark) + squares + paper + line("M-22 50L22 50", ink.base, 6), turn=16
    )


def paste(ink: Ink, dice: Dice) -> str:
    """A tub of paste with a swirl, and a spatula."""
    return (
        line("M20-30L76-92", "#3a2317", 19)
        + line("M20-30L76-92", WOOD.light, 11)
        + path("M-76 0C-60-40-30-30-20-50C-10-70 14-66 12-48C40-46 66-30 76 0Z", ink.base)
        + line("M-44-8C-20-30 20-30 44-12M-20-30C0-42 10-40 20-34", ink.light, 6)
        + path("M-84-4L84-4L68 84C50 94-50 94-68 84Z", ink.second)
        + line("M-78 30C-40 40 40 40 76 30M-74 56C-40 66 40 66 72 56", Ink(ink.second, "").dark, 5)
        + box(-90, -12, 180, 20, 9, Ink(ink.second, "").light)
    )


def syrup(ink: Ink, dice: Dice) -> str:
    """A flask of syrup with a maple leaf."""
    maple = (
        "M0-34L9-16L24-22L20-4L36 0L22 14L26 24L4 20L4 36L-4 36L-4 20L-26 24L-22 14L-36 0L-20-4L-24-22L-9-16Z"
    )
    return (
        '<path d="M18-58C52-62 52-20 24-24" fill="none" stroke-width="15"/>'
        + line("M18-58C52-62 52-20 24-24", ink.light, 8)
        + box(-18, -98, 36, 24, 5, ink.second)
        + path(
            "M-16-78L16-78L18-40C60-30 74 0 74 34C74 74 50 92 0 92C-50 92-74 74-74 34C-74 0-60-30-18-40Z",
            ink.base,
        )
        + shade("M74 34C74 74 50 92 0 92C-20 92-36 89-48 83C20 84 52 40 36-34C62-22 74 4 74 34Z", 0.25)
        + at(path(maple, ink.second, 3), 0, 30, 1.1)
        + gleam(-52, 18, 7, 24, 12)
    )


def gold(ink: Ink, dice: Dice) -> str:
    """Leaves of beaten gold, and flakes."""
    sheet = "M-58-50L52-58L60 46L-50 56Z"
    flakes = "".join(
        at(path("M-9-4L3-10L10 2L-2 9Z", ink.light, 2), x, y, dice.between(0.7, 1.3), dice.between(0, 360))
        for x, y in scattered(dice, 14, 94, 90)
    )
    return (
        at(path(sheet, ink.second), 8, 12, 1.06, 16)
        + at(path(sheet, ink.dark), -2, 4, 1, -14)
        + at(
            path(sheet, ink.base)
            + path("M-58-50L-4-54L-50 56Z", ink.light, 0)
            + line("M-40-30L34 30M0-46L46 6", ink.pale, 4),
            0,
            0,
            0.98,
            4,
        )
        + flakes
    )
